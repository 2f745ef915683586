/**
 * Expresses a foreign world as an ordinary world definition, so that the kit draws its tasks, documents its apps, and
 * checks the names of arguments. The handlers of foreign APIs ask the exchange of the episode that calls them.
 */
import { z } from "zod";
import { BowlineError } from "../../core/index.ts";
import type { JsonSchema } from "../api/index.ts";
import type { Api, App, Task, WorldDefinition } from "../define.ts";
import type {
  ForeignApi,
  ForeignApp,
  ForeignCall,
  ForeignReply,
  ForeignTask,
  ForeignWorldDefinition,
} from "./define.ts";

/** Answers a foreign call at once. Throws when the answer is not known yet. */
export type AnswerCall = (call: ForeignCall) => ForeignReply;

/** The function that answers calls now. Episodes set it for the time of each call that their code makes. */
export interface CurrentExchange {
  answer: AnswerCall | undefined;
}

/** A task as the kit sees it, with the foreign task that it stands for. */
export interface TaskWithForeignPart extends Task {
  readonly foreign: ForeignTask;
}

const DEFAULT_NOW = "2026-01-05T09:00:00Z";
const DEFAULT_OWNER = { name: "Robin Marlow", email: "robin@example.com", phone: "555-0100" };

/** Returns the definition whose handlers ask `current`. */
export function expandDefinition(
  definition: ForeignWorldDefinition,
  apps: readonly ForeignApp[],
  current: CurrentExchange,
): WorldDefinition {
  const { name, version, now = DEFAULT_NOW, owner = DEFAULT_OWNER, scenarios } = definition;
  return {
    name,
    ...(version !== undefined && { version }),
    now,
    scenarios,
    apps: apps.map((app) => expandApp(app, current)),
    populate: () => owner,
    scenario: ({ split, index, rng }) => {
      const tasks: unknown = definition.tasks({ split, index, rng });
      return (Array.isArray(tasks) ? tasks.map(expandTask) : tasks) as [Task, Task, Task];
    },
  };
}

function expandTask(foreign: ForeignTask): TaskWithForeignPart {
  const { signature, difficulty, instruction, solution } = foreign ?? {};
  return {
    ...{ signature, difficulty, instruction, foreign },
    ...(solution && { solution }),
    goal: () => undefined,
  };
}

function expandApp({ name, summary, apis }: ForeignApp, current: CurrentExchange): App {
  const expanded = Object.entries(apis).map(([api, described]) => [
    api,
    expandApi(name, api, described, current),
  ]);
  return { name, summary, tables: [], apis: Object.fromEntries(expanded) };
}

function expandApi(
  app: string,
  api: string,
  { summary, params, returns = {} }: ForeignApi,
  current: CurrentExchange,
): Api {
  return {
    summary,
    params: schemaOfArguments(params),
    returns: z.any().meta({ ...returns }),
    handler: (_, args: Readonly<Record<string, unknown>>) => {
      if (current.answer === undefined) {
        throw new BowlineError("world", `${app}.${api} was called outside of an episode`);
      }
      const reply = current.answer({ app, api, args });
      if (reply.ok) return reply.value;
      const { status, message } = reply;
      throw Object.assign(new Error(message), { name: "ApiError", status });
    },
  };
}

/**
 * Makes a zod type that checks which arguments there are and leaves their values to the app. Its JSON Schema is the given
 * one, so the documentation says what the app says. An app that takes any names is documented without parameters.
 */
function schemaOfArguments({ properties = {}, required = [] }: JsonSchema): z.ZodObject {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const type = z.any().meta({ ...schema });
    return [name, required.includes(name) ? type : type.optional()];
  });
  return z.strictObject(Object.fromEntries(fields));
}
