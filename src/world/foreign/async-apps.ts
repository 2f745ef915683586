/** Apps whose handlers are asynchronous functions of the world's author, in this process. */
import { z } from "zod";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { JsonSchema } from "../api/index.ts";
import type {
  ForeignApp,
  ForeignApps,
  ForeignCall,
  ForeignConnection,
  ForeignReply,
  ForeignStart,
} from "./define.ts";

/** An API with an asynchronous handler. `S` is what `begin` returned for the episode. */
export interface AsyncApi<S> {
  readonly summary: string;
  readonly params: z.ZodObject;
  readonly returns: z.ZodType;
  readonly readOnly?: boolean;
  /** Rejects with an `ApiError` for a wrong call. Any other rejection is a failure of the world. */
  readonly handler: (state: S, args: never) => unknown;
}

/** Apps with asynchronous handlers, and the state that each episode has. */
export interface AsyncAppsDefinition<S> {
  /** Makes the state of an episode. The directory is the connection's folder with the task's files. */
  readonly begin: (start: ForeignStart, directory: string) => Promise<S> | S;
  readonly apps: readonly {
    readonly name: string;
    readonly summary: string;
    readonly apis: Readonly<Record<string, AsyncApi<S>>>;
  }[];
  /** Ends what `begin` started. */
  readonly end?: (state: S) => Promise<void> | void;
}

/** Makes apps of asynchronous handlers. */
export function asyncApps<S>({ begin, apps, end }: AsyncAppsDefinition<S>): ForeignApps {
  return {
    describe: async () => apps.map(describeApp),
    connect: async ({ directory }): Promise<ForeignConnection> => {
      let state: { readonly value: S } | undefined;
      const endState = async () => {
        if (state) await end?.(state.value);
        state = undefined;
      };
      return {
        async begin(start) {
          await endState();
          state = { value: await begin(start, directory) };
        },
        async call(call) {
          const api = apps.find(({ name }) => name === call.app)?.apis[call.api];
          if (!api || !state) {
            throw new BowlineError("world", `there is no API ${call.app}.${call.api}`);
          }
          return callHandler(api, state.value, call);
        },
        close: endState,
      };
    },
  };
}

async function callHandler<S>(
  api: AsyncApi<S>,
  state: S,
  { app, api: name, args }: ForeignCall,
): Promise<ForeignReply> {
  const parsed = api.params.safeParse(args);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join(".") ?? "";
    return { ok: false, status: 422, message: `${app}.${name}: ${path}: ${issue?.message}` };
  }
  try {
    const value = await api.handler(state, parsed.data as never);
    return { ok: true, value: JSON.parse(JSON.stringify(value ?? null)) };
  } catch (error) {
    if (error instanceof Error && error.name === "ApiError" && "status" in error) {
      return { ok: false, status: Number(error.status), message: errorMessage(error) };
    }
    throw error;
  }
}

function describeApp<S>({
  name,
  summary,
  apis,
}: AsyncAppsDefinition<S>["apps"][number]): ForeignApp {
  const described = Object.entries(apis).map(([api, { summary, params, returns, readOnly }]) => [
    api,
    {
      summary,
      params: z.toJSONSchema(params, { io: "input" }) as JsonSchema,
      returns: z.toJSONSchema(returns, { io: "output", unrepresentable: "any" }) as JsonSchema,
      ...(readOnly !== undefined && { readOnly }),
    },
  ]);
  return { name, summary, apis: Object.fromEntries(described) };
}
