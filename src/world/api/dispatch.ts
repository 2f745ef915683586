/**
 * One API call: find it, validate its arguments, run its handler in a transaction, validate what it returns.
 *
 * Whatever goes wrong is a value with an HTTP-like status: 404 no such app or API, 409 the task is over, 422 wrong
 * arguments, the handler's own ApiError, and 500 for a bug in a handler. Anything but 200 changed nothing.
 */
import type { z } from "zod";
import { BowlineError, messageOf } from "../../core/index.ts";
import { ApiError, type App, type Profile } from "../define.ts";
import { Catalog, type RowChange, type State } from "../state/index.ts";
import { makeDocsApp, unknownName } from "./docs.ts";
import { finishOf, meApp } from "./me.ts";
import { jsonSchema } from "./types.ts";
import { explain, refuseShape, type Signature } from "./validate.ts";

/** An episode's data and clock; forked and rebuilt as one. */
export interface Session {
  readonly state: State;
  /** Calls made so far, failed ones included: the clock's seconds. */
  calls: number;
}

export type CallResult =
  | {
      readonly status: 200;
      readonly value: unknown;
      readonly wrote: boolean;
      readonly changes: readonly RowChange[];
    }
  | { readonly status: number; readonly message: string; readonly wrote: false };

interface Endpoint {
  readonly signature: Signature;
  readonly params: z.ZodObject;
  readonly returns: z.ZodType;
  readonly handler: (context: object, args: unknown) => unknown;
}

export class Dispatcher {
  readonly catalog: Catalog;
  /** App name to API names: what the sandbox offers as `apis`. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly #apps: ReadonlyMap<string, ReadonlyMap<string, Endpoint>>;
  readonly #startMs: number;
  readonly #milliseconds: boolean;

  /** `apps` are the world's own; `docs` and `me` are added. `now` is the instant of the first call. */
  constructor(apps: readonly App[], now: string) {
    const all = withKitApps(apps);
    this.#apps = new Map(all.map((app) => [app.name, compile(app)]));
    this.names = Object.fromEntries(all.map((app) => [app.name, Object.keys(app.apis)]));
    this.catalog = new Catalog(tablesOf(all));
    this.#startMs = Date.parse(now);
    this.#milliseconds = now.includes(".");
    if (Number.isNaN(this.#startMs)) {
      throw new BowlineError(
        "world",
        `the world's "now" must be an ISO instant in UTC, got "${now}"`,
      );
    }
  }

  /** The episode's clock: one second later with every call. ISO, UTC, in the style of the world's `now`. */
  now(session: Session): string {
    const iso = new Date(this.#startMs + session.calls * 1000).toISOString();
    return this.#milliseconds ? iso : iso.replace(/\.000Z$/, "Z");
  }

  call(session: Session, owner: Profile, app: string, api: string, args: unknown): CallResult {
    const now = this.now(session);
    session.calls += 1;
    try {
      const endpoint = this.#find(app, api);
      if (finishOf(session.state)) throw new ApiError(409, "the task is already finished");
      const parsed = parseArgs(endpoint, args ?? {});
      const { value, changes } = session.state.transaction((db) =>
        parseReturn(endpoint, endpoint.handler({ db, owner, now }, parsed)),
      );
      return { status: 200, value, wrote: changes.some((c) => this.catalog.isContent(c)), changes };
    } catch (error) {
      if (isApiError(error)) return { status: error.status, message: error.message, wrote: false };
      return {
        status: 500,
        message: `${app}.${api} failed inside: ${messageOf(error)}`,
        wrote: false,
      };
    }
  }

  #find(app: string, api: string): Endpoint {
    const apis = this.#apps.get(app);
    if (!apis) throw new ApiError(404, unknownName("there is no app", app, [...this.#apps.keys()]));
    const endpoint = apis.get(api);
    if (!endpoint) throw new ApiError(404, unknownName(`${app} has no API`, api, [...apis.keys()]));
    return endpoint;
  }
}

/** Also for a world that loaded its own copy of this package, where `instanceof` fails. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === "ApiError" && "status" in error;
}

function withKitApps(apps: readonly App[]): readonly App[] {
  for (const { name } of apps) {
    if (name === "docs" || name === "me") {
      throw new BowlineError(
        "world",
        `the app name "${name}" is taken: every world gets its own docs and me`,
      );
    }
    if (apps.filter((app) => app.name === name).length > 1) {
      throw new BowlineError("world", `two apps are called "${name}"`);
    }
  }
  return [makeDocsApp([meApp, ...apps]), meApp, ...apps];
}

/** The tables of all apps; several apps may share one, but two tables of one name are refused. */
function tablesOf(apps: readonly App[]): App["tables"] {
  const tables = [...new Set(apps.flatMap((app) => app.tables))];
  const names = new Set(tables.map(({ name }) => name));
  for (const { name } of tables) {
    if (!names.delete(name)) throw new BowlineError("world", `two tables are called "${name}"`);
  }
  return tables;
}

function compile(app: App): Map<string, Endpoint> {
  assertName("app", app.name);
  return new Map(
    Object.entries(app.apis).map(([name, api]) => {
      assertName(`API of ${app.name}`, name);
      const signature = { name: `${app.name}.${name}`, params: jsonSchema(api.params, "input") };
      if (signature.params.additionalProperties !== false) {
        throw new BowlineError("world", `the params of ${signature.name} must be a z.strictObject`);
      }
      const handler = api.handler as unknown as Endpoint["handler"];
      return [name, { signature, params: api.params, returns: api.returns, handler }];
    }),
  );
}

/** Names stand in the agent's code. */
function assertName(what: string, name: string): void {
  if (/^[a-z][A-Za-z0-9]*$/.test(name)) return;
  throw new BowlineError(
    "world",
    `"${name}" is no name for an ${what}: expected letters and digits, a lower-case one first`,
  );
}

function parseArgs(endpoint: Endpoint, args: unknown): unknown {
  const refusal = refuseShape(endpoint.signature, args);
  if (refusal) throw new ApiError(422, refusal);
  const parsed = endpoint.params.safeParse(args);
  if (parsed.success) return parsed.data;
  throw new ApiError(422, explain(endpoint.signature, args as object, parsed.error.issues));
}

/** What the agent gets is what the documentation says: undocumented fields are cut, a mismatch is a handler's bug. */
function parseReturn(endpoint: Endpoint, value: unknown): unknown {
  const parsed = endpoint.returns.safeParse(value);
  if (parsed.success) return parsed.data ?? null;
  const issue = parsed.error.issues[0]!;
  throw new Error(
    `its return value does not fit its type at "${issue.path.join(".")}": ${issue.message}`,
  );
}
