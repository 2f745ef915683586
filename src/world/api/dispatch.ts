/**
 * One API call: find it, validate its arguments, run its handler in a transaction, validate what it returns.
 *
 * Whatever goes wrong is a value with an HTTP-like status: 404 no such app or API, 409 the task is over, 503 an outage,
 * 401 no session, 422 wrong arguments, the handler's own ApiError, and 500 for a bug in a handler. Anything but 200
 * changed nothing.
 */
import type { z } from "zod";
import { BowlineError, messageOf } from "../../core/index.ts";
import type { Dials, Fault } from "../../spec/index.ts";
import { type Api, ApiError, type App, type Profile, type Reader, type Table } from "../define.ts";
import { type Noise, type ParameterNames, PLAIN, renameParameters } from "../dials/index.ts";
import { Catalog, type RowChange, type State } from "../state/index.ts";
import { instantText } from "./clock.ts";
import { type DocsStyle, makeDocsApp, unknownName } from "./docs.ts";
import { exampleArgs, exampleText } from "./example.ts";
import { faultOf, WrongReturn } from "./fault.ts";
import { isLoginApi, requireSession, sessions, withLogin } from "./logins.ts";
import { finishOf, meApp } from "./me.ts";
import { callNotes } from "./notes.ts";
import { parameterSchema } from "./types.ts";
import { explain, refuseShape, type Signature } from "./validate.ts";
import { during, UNWATCHED, type Watch } from "./watch.ts";

/** An episode's data and clock; forked and rebuilt as one. */
export interface Session {
  readonly state: State;
  /** Calls made so far, failed ones included: the clock's seconds. */
  calls: number;
  /** Outages and drift; absent: there are none. */
  readonly noise?: Noise | undefined;
}

/** An independent session in the same state. */
export function cloneSession({ state, calls, noise }: Session): Session {
  return { state: state.clone(), calls, noise: noise?.clone() };
}

export type CallResult =
  | {
      readonly status: 200;
      readonly value: unknown;
      readonly wrote: boolean;
      readonly changes: readonly RowChange[];
    }
  | {
      readonly status: number;
      readonly message: string;
      readonly wrote: false;
      /** Of a status of 500: what the handler did. */
      readonly fault?: Fault;
    };

export interface DispatcherOptions {
  /** Default: none, not even logins. */
  readonly dials?: Dials;
  /** See `WorldDefinition.examples`. */
  readonly examples?: boolean;
}

interface Endpoint {
  readonly signature: Signature;
  readonly names: ParameterNames | undefined;
  readonly needsSession: boolean;
  readonly params: z.ZodObject;
  readonly returns: z.ZodType;
  readonly handler: (context: object, args: unknown) => unknown;
}

export class Dispatcher {
  readonly catalog: Catalog;
  /** App name to API names: what the sandbox offers as `apis`. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** The apps that need a session. */
  readonly logins: ReadonlySet<string>;
  /** Hears of every handler that begins or ends. */
  watch: Watch = UNWATCHED;
  readonly #own: readonly App[];
  readonly #names: ReadonlyMap<string, ReadonlyMap<string, ParameterNames>>;
  readonly #apps: ReadonlyMap<string, ReadonlyMap<string, Endpoint>>;
  readonly #startMs: number;
  readonly #milliseconds: boolean;

  /** `apps` are the world's own; `docs` and `me` are added. `now` is the instant of the first call. */
  constructor(
    apps: readonly App[],
    now: string,
    { dials = PLAIN, examples = false }: DispatcherOptions = {},
  ) {
    this.#own = apps;
    this.logins = new Set(dials.logins ? apps.filter((a) => a.login).map(({ name }) => name) : []);
    const seed = dials.renamedParams;
    this.#names = new Map(seed === 0 ? [] : apps.map((a) => [a.name, renameParameters(a, seed)]));
    const docs = { length: dials.docs, examples, ...this.#docsOf(dials) };
    const all = withKitApps(apps, this.logins, docs);
    this.#apps = new Map(all.map((app) => [app.name, this.#compile(app)]));
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
    const driftMs = session.noise?.driftMs ?? 0;
    return instantText(this.#startMs + session.calls * 1000 + driftMs, this.#milliseconds);
  }

  call(session: Session, owner: Profile, app: string, api: string, args: unknown): CallResult {
    const now = this.now(session);
    session.calls += 1;
    session.noise?.drift(session.calls);
    let names: ParameterNames | undefined;
    try {
      const endpoint = this.#find(app, api);
      if (finishOf(session.state)) throw new ApiError(409, "the task is already finished");
      if (!KIT.has(app) && session.noise?.refuses(endpoint.signature.name, session.calls)) {
        throw new ApiError(503, `${app}.${api} is temporarily unavailable, try again`);
      }
      if (endpoint.needsSession) requireSession(session.state, app, now);
      names = endpoint.names;
      const parsed = parseArgs(endpoint, args ?? {});
      const { value, changes } = session.state.transaction((db) => {
        const run = () => endpoint.handler({ db, owner, now }, parsed);
        return parseReturn(endpoint, during(this.watch, { app, api, args }, run));
      });
      return { status: 200, value, wrote: changes.some((c) => this.catalog.isContent(c)), changes };
    } catch (error) {
      if (isApiError(error)) {
        const message = names?.showMessage(error.message) ?? error.message;
        return { status: error.status, message, wrote: false };
      }
      return {
        status: 500,
        message: `${app}.${api} failed inside: ${messageOf(error)}`,
        wrote: false,
        fault: faultOf(error),
      };
    }
  }

  /** The names of an API's parameters here; undefined where they are its own. */
  parameterNames(app: string, api: string): ParameterNames | undefined {
    return this.#names.get(app)?.get(api);
  }

  /** The arguments of an API's example, as the agent would write them; undefined when it has none. */
  example(app: string, api: string, db: Reader): object | undefined {
    const definition = this.#definition(app, api);
    return definition && exampleArgs(definition, db, this.parameterNames(app, api));
  }

  #definition(app: string, api: string) {
    return this.#own.find(({ name }) => name === app)?.apis[api];
  }

  #docsOf(dials: Dials): Pick<DocsStyle, "names" | "example" | "notes"> {
    return {
      names: (app, api) => this.parameterNames(app, api),
      example: (app, api, db) => {
        if (this.logins.has(app) && isLoginApi(api)) return loginExample(app, api);
        const definition = this.#definition(app, api);
        const names = this.parameterNames(app, api);
        return definition && exampleText(`${app}.${api}`, definition, db, names);
      },
      notes: (app, api) => {
        const session = this.logins.has(app) && !isLoginApi(api) ? app : undefined;
        const outages = dials.apiErrors > 0 && !KIT.has(app);
        const params = this.#apps.get(app)!.get(api)!.signature.params.properties ?? {};
        const page = this.parameterNames(app, api)?.show("page") ?? "page";
        return callNotes({ session, outages, page: page in params ? page : undefined });
      },
    };
  }

  #compile(app: App): Map<string, Endpoint> {
    assertName("app", app.name);
    const compileApi = (api: string, definition: Api): [string, Endpoint] => {
      assertName(`API of ${app.name}`, api);
      const names = this.parameterNames(app.name, api);
      const { params, returns } = definition;
      const name = `${app.name}.${api}`;
      const signature = { name, params: parameterSchema(params, names) };
      if (signature.params.additionalProperties !== false) {
        throw new BowlineError("world", `the params of ${name} must be a z.strictObject`);
      }
      const handler = definition.handler as unknown as Endpoint["handler"];
      const needsSession = this.logins.has(app.name) && !isLoginApi(api);
      return [api, { signature, names, needsSession, params, returns, handler }];
    };
    return new Map(Object.entries(app.apis).map(([api, own]) => compileApi(api, own)));
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

/** The apps that every world has; the dials leave them alone. */
const KIT = new Set(["docs", "me"]);

function withKitApps(
  apps: readonly App[],
  logins: ReadonlySet<string>,
  docs: DocsStyle,
): readonly App[] {
  for (const { name } of apps) {
    if (KIT.has(name)) {
      throw new BowlineError(
        "world",
        `the app name "${name}" is taken: every world gets its own docs and me`,
      );
    }
    if (apps.filter((app) => app.name === name).length > 1) {
      throw new BowlineError("world", `two apps are called "${name}"`);
    }
  }
  const me = logins.size > 0 ? { ...meApp, tables: [...meApp.tables, sessions as Table] } : meApp;
  const others = [me, ...apps.map((app) => (logins.has(app.name) ? withLogin(app) : app))];
  return [makeDocsApp(others, docs), ...others];
}

/** Looks the password up, as an agent has to; it is not for the documentation to tell. */
function loginExample(app: string, api: string): string {
  if (api === "logout") return `apis.${app}.logout({})`;
  const account = `apis.me.listAccounts().items.find((account) => account.app === "${app}")`;
  return `apis.${app}.login({ password: ${account}.password })`;
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
  const given = args as object;
  const { names } = endpoint;
  const { known, unknown } = names?.read(given) ?? { known: given, unknown: [] };
  const parsed = endpoint.params.safeParse(known);
  if (parsed.success && unknown.length === 0) return parsed.data;
  const found = parsed.error?.issues.map((issue) => names?.showIssue(issue) ?? issue) ?? [];
  throw new ApiError(422, explain(endpoint.signature, given, found, unknown));
}

/** What the agent gets is what the documentation says: undocumented fields are cut, a mismatch is a handler's bug. */
function parseReturn(endpoint: Endpoint, value: unknown): unknown {
  const parsed = endpoint.returns.safeParse(value);
  if (parsed.success) return parsed.data ?? null;
  const issue = parsed.error.issues[0]!;
  throw new WrongReturn(issue.path, issue.message);
}
