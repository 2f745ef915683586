/**
 * Makes one API call: finds the API, validates the arguments, runs the handler in a transaction, and validates what it
 * returns.
 *
 * Whatever goes wrong becomes a value with an HTTP-like status: 404 for an unknown app or API, 409 when the task is
 * over, 503 for an outage, 401 without a session, 422 for wrong arguments, the status of an ApiError that the handler
 * throws, and 500 for a bug in a handler. A call with a status other than 200 changed nothing.
 */
import type { z } from "zod";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { Dials, Fault } from "../../spec/index.ts";
import {
  addWaitedMs,
  beginSession,
  endSessionFirst,
  makeTimeApis,
  readNextSession,
  readWaitedMs,
  requireRunningSession,
  Scene,
  type Stage,
  TIME_TABLES,
} from "../actors/index.ts";
import {
  type Actor,
  type Api,
  ApiError,
  type App,
  type HistoryEntry,
  type Profile,
  type Reader,
  type Table,
  type Writer,
} from "../define.ts";
import {
  ALL_DIALS_OFF,
  type CallNoise,
  type ParameterNames,
  renameParameters,
} from "../dials/index.ts";
import { type RowChange, TableCatalog, type TableState } from "../state/index.ts";
import { explainUnknownName } from "../words/index.ts";
import { addMinutes, formatInstant } from "./clock.ts";
import { type DocsStyle, makeDocsApp } from "./docs.ts";
import { computeExampleArgs, formatExampleCall } from "./example.ts";
import { describeFault, WrongReturnValue } from "./fault.ts";
import { describesOnlyJson, requireJsonValue } from "./json-values.ts";
import { addLoginApis, isLoginApi, requireSession, sessionsTable } from "./logins.ts";
import { meApp, readFinish } from "./me.ts";
import { writeCallNotes } from "./notes.ts";
import { type JsonSchema, parameterSchema } from "./types.ts";
import { requireNoPromise } from "./user-code.ts";
import { type ApiSignature, explainIssues, explainWrongShape } from "./validate.ts";
import { type ActivityWatch, NO_WATCH, runWatched } from "./watch.ts";

/** The data and the clock of an episode, which are forked and rebuilt together. */
export interface EpisodeSession {
  readonly state: TableState;
  /** Counts all calls so far, failed calls included. The clock moves on by one second with each call. */
  calls: number;
  /** Draws outages and clock drift; absent when the dials switch neither of them on. */
  readonly noise?: CallNoise | undefined;
  /** In a world with actors, who wrote what so far, and the seed of the actors' random streams. */
  readonly living?: { readonly history: HistoryEntry[]; readonly seed: number } | undefined;
}

/** Returns an independent session in the same state. */
export function cloneSession({ state, calls, noise, living }: EpisodeSession): EpisodeSession {
  const copy = living && { ...living, history: [...living.history] };
  return { state: state.clone(), calls, noise: noise?.clone(), living: copy };
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
      /** What the handler did wrong; present when the status is 500. */
      readonly fault?: Fault;
    };

export interface ApiDispatcherOptions {
  /** The dials of the world. By default all dials are off, including logins. */
  readonly dials?: Dials;
  /** Whether documentation shows working calls; see `WorldDefinition.examples`. */
  readonly examples?: boolean;
  /** The actors of the world; see `WorldDefinition.actors`. */
  readonly actors?: readonly Actor[];
}

/** An API as the agent sees it. */
export interface ApiDescription {
  readonly app: string;
  readonly api: string;
  readonly summary: string;
  /** The JSON Schema of the arguments, an object without further properties. */
  readonly params: JsonSchema;
}

interface Endpoint {
  readonly signature: ApiSignature;
  readonly summary: string;
  readonly names: ParameterNames | undefined;
  readonly needsSession: boolean;
  readonly params: z.ZodObject;
  readonly returns: z.ZodType;
  /** True if every value that fits `returns` has a JSON form, so that values need not be looked through. */
  readonly returnsJson: boolean;
  readonly handler: (context: object, args: unknown) => unknown;
}

export class ApiDispatcher {
  readonly catalog: TableCatalog;
  /** Maps the name of an app to its API names, which the sandbox offers as `apis`. */
  readonly apiNames: Readonly<Record<string, readonly string[]>>;
  /** The names of the apps that need a session. */
  readonly appsWithLogin: ReadonlySet<string>;
  /** The watch that is told whenever a handler begins or ends. */
  watch: ActivityWatch = NO_WATCH;
  /** The actors of the world. Without any, no time passes beside that of the calls. */
  readonly actors: readonly Actor[];
  readonly #worldApps: readonly App[];
  readonly #parameterNames: ReadonlyMap<string, ReadonlyMap<string, ParameterNames>>;
  readonly #endpoints: ReadonlyMap<string, ReadonlyMap<string, Endpoint>>;
  readonly #startMs: number;
  readonly #milliseconds: boolean;
  /** The actors during the call that is running. */
  #scene: Scene | undefined;

  /** `apps` are the world's own apps; `docs` and `me` are added here. `now` is the instant of the first call. */
  constructor(
    apps: readonly App[],
    now: string,
    { dials = ALL_DIALS_OFF, examples = false, actors = [] }: ApiDispatcherOptions = {},
  ) {
    this.#worldApps = apps;
    this.actors = actors;
    this.appsWithLogin = new Set(
      dials.logins ? apps.filter((a) => a.login).map(({ name }) => name) : [],
    );
    const seed = dials.renamedParams;
    this.#parameterNames = new Map(
      seed === 0 ? [] : apps.map((a) => [a.name, renameParameters(a, seed)]),
    );
    const docs = { length: dials.docs, examples, ...this.#docsStyle(dials) };
    const me = actors.length > 0 ? addTime(meApp, () => this.#scene!) : meApp;
    const all = addKitApps(apps, me, this.appsWithLogin, docs);
    this.#endpoints = new Map(all.map((app) => [app.name, this.#compileApp(app)]));
    this.apiNames = Object.fromEntries(all.map((app) => [app.name, Object.keys(app.apis)]));
    this.catalog = new TableCatalog(collectTables(all));
    this.#startMs = Date.parse(now);
    this.#milliseconds = now.includes(".");
    if (Number.isNaN(this.#startMs)) {
      throw new BowlineError(
        "world",
        `the world's "now" must be an ISO instant in UTC, got "${now}"`,
      );
    }
  }

  /** Returns the episode's clock in the format of the world's `now`. It moves on by one second with each call. */
  now(session: EpisodeSession): string {
    const driftMs = session.noise?.driftMs ?? 0;
    const waitedMs = session.living ? readWaitedMs(session.state) : 0;
    const ms = this.#startMs + session.calls * 1000 + driftMs + waitedMs;
    return formatInstant(ms, this.#milliseconds);
  }

  call(
    session: EpisodeSession,
    owner: Profile,
    app: string,
    api: string,
    args: unknown,
  ): CallResult {
    const now = this.now(session);
    session.calls += 1;
    session.noise?.advanceClock(session.calls);
    let names: ParameterNames | undefined;
    try {
      const endpoint = this.#findEndpoint(app, api);
      if (readFinish(session.state)) throw new ApiError(409, "the task is already finished");
      if (session.living) requireRunningSession(session.state);
      if (
        !KIT_APPS.has(app) &&
        session.noise?.shouldRefuse(endpoint.signature.name, session.calls)
      ) {
        throw new ApiError(503, `${app}.${api} is temporarily unavailable, try again`);
      }
      if (endpoint.needsSession) requireSession(session.state, app, now);
      names = endpoint.names;
      const parsed = parseArgs(endpoint, args ?? {});
      const runHandler = (db: Writer) => {
        const run = () => endpoint.handler({ db, owner, now }, parsed);
        const returned = runWatched(this.watch, { app, api, args }, run);
        requireNoPromise(returned);
        return parseReturn(endpoint, returned);
      };
      const { value, changes } = session.living
        ? this.#runAmongActors(session, session.living, owner, now, runHandler)
        : session.state.transaction(runHandler);
      return {
        status: 200,
        value,
        wrote: changes.some((c) => this.catalog.changesContent(c)),
        changes,
      };
    } catch (error) {
      if (isApiError(error)) {
        const message = names?.renameInMessage(error.message) ?? error.message;
        return { status: error.status, message, wrote: false };
      }
      return {
        status: 500,
        message: `${app}.${api} failed inside: ${errorMessage(error)}`,
        wrote: false,
        fault: describeFault(error),
      };
    }
  }

  /** Returns what the actors of this world share in the episodes of one task. */
  stage(owner: Profile, seed: number): Stage {
    const { actors, catalog, watch } = this;
    return { actors, catalog, owner, seed, watch };
  }

  /**
   * Runs a handler in a world with actors: first the events that are due, then the handler, then what actors notice of
   * it. All of it is kept, or nothing. The returned changes are the agent's own.
   */
  #runAmongActors(
    { state }: EpisodeSession,
    living: NonNullable<EpisodeSession["living"]>,
    owner: Profile,
    now: string,
    runHandler: (db: Writer) => unknown,
  ) {
    const scene = new Scene(this.stage(owner, living.seed), state, living.history);
    this.#scene = scene;
    try {
      const { value } = state.transaction((db) => {
        scene.runDue(now);
        const returned = runHandler(db);
        scene.noteAgent(now);
        return returned;
      });
      living.history.push(...scene.entries);
      return { value, changes: scene.agentChanges };
    } finally {
      this.#scene = undefined;
    }
  }

  /** Begins the session that follows in a task of several sessions, after minutes in which events happen. */
  beginNextSession(session: EpisodeSession, owner: Profile, minutes: number): void {
    const next = readNextSession(session.state);
    if (!session.living || next === undefined) return;
    const now = this.now(session);
    this.#runAmongActors(session, session.living, owner, now, (db) => {
      this.#scene!.runDue(addMinutes(now, minutes));
      addWaitedMs(db, minutes * 60_000);
      beginSession(db, next);
    });
  }

  /** Describes every API, also those of `docs` and `me`, in the order of the apps. */
  describeApis(): readonly ApiDescription[] {
    return [...this.#endpoints].flatMap(([app, endpoints]) =>
      [...endpoints].map(([api, { summary, signature }]) => ({
        ...{ app, api, summary },
        params: signature.params,
      })),
    );
  }

  /** Returns how the dials rename an API's parameters; undefined when its parameters keep their names. */
  parameterNames(app: string, api: string): ParameterNames | undefined {
    return this.#parameterNames.get(app)?.get(api);
  }

  /** Returns the arguments of an API's example as the agent would write them; undefined when there is no example. */
  example(app: string, api: string, db: Reader): object | undefined {
    const definition = this.#definition(app, api);
    return definition && computeExampleArgs(definition, db, this.parameterNames(app, api));
  }

  #definition(app: string, api: string) {
    return this.#worldApps.find(({ name }) => name === app)?.apis[api];
  }

  #docsStyle(dials: Dials): Pick<DocsStyle, "parameters" | "example" | "notes"> {
    return {
      parameters: (app, api) => this.#endpoints.get(app)!.get(api)!.signature.params,
      example: (app, api, db) => {
        if (this.appsWithLogin.has(app) && isLoginApi(api)) return loginExample(app, api);
        const definition = this.#definition(app, api);
        const names = this.parameterNames(app, api);
        return definition && formatExampleCall(`${app}.${api}`, definition, db, names);
      },
      notes: (app, api) => {
        const session = this.appsWithLogin.has(app) && !isLoginApi(api) ? app : undefined;
        const outages = dials.apiErrors > 0 && !KIT_APPS.has(app);
        const params = this.#endpoints.get(app)!.get(api)!.signature.params.properties ?? {};
        const page = this.parameterNames(app, api)?.toShown("page") ?? "page";
        return writeCallNotes({ session, outages, page: page in params ? page : undefined });
      },
    };
  }

  #compileApp(app: App): Map<string, Endpoint> {
    requireName("app", app.name);
    const compileApi = (api: string, definition: Api): [string, Endpoint] => {
      requireName(`API of ${app.name}`, api);
      const names = this.parameterNames(app.name, api);
      const { params, returns, summary } = definition;
      const name = `${app.name}.${api}`;
      const signature = { name, params: parameterSchema(params, names) };
      if (signature.params.additionalProperties !== false) {
        throw new BowlineError("world", `the params of ${name} must be a z.strictObject`);
      }
      const handler = definition.handler as unknown as Endpoint["handler"];
      const needsSession = this.appsWithLogin.has(app.name) && !isLoginApi(api);
      const returnsJson = describesOnlyJson(returns);
      const types = { params, returns, returnsJson };
      return [api, { signature, summary, names, needsSession, ...types, handler }];
    };
    return new Map(Object.entries(app.apis).map(([api, own]) => compileApi(api, own)));
  }

  #findEndpoint(app: string, api: string): Endpoint {
    const apis = this.#endpoints.get(app);
    if (!apis)
      throw new ApiError(
        404,
        explainUnknownName("there is no app", app, [...this.#endpoints.keys()], '"', 20),
      );
    const endpoint = apis.get(api);
    if (!endpoint)
      throw new ApiError(404, explainUnknownName(`${app} has no API`, api, [...apis.keys()], '"'));
    return endpoint;
  }
}

/** Recognises an ApiError by its name: `instanceof` fails for a world that loaded its own copy of this package. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === "ApiError" && "status" in error;
}

/** The apps that every world has. Dials do not change them. */
const KIT_APPS = new Set(["docs", "me"]);

/** Adds the APIs of time to the app `me`. */
function addTime(me: App, findScene: () => Scene): App {
  const { finishTask, ...others } = me.apis;
  return {
    ...me,
    tables: [...me.tables, ...TIME_TABLES],
    apis: { ...others, ...makeTimeApis(findScene), finishTask: endSessionFirst(finishTask!) },
  };
}

function addKitApps(
  apps: readonly App[],
  ownMe: App,
  logins: ReadonlySet<string>,
  docs: DocsStyle,
): readonly App[] {
  for (const { name } of apps) {
    if (KIT_APPS.has(name)) {
      throw new BowlineError(
        "world",
        `the app name "${name}" is reserved, because the kit adds the apps docs and me to every world; rename the app`,
      );
    }
    if (apps.filter((app) => app.name === name).length > 1) {
      throw new BowlineError("world", `two apps have the name "${name}"; expected different names`);
    }
  }
  const me =
    logins.size > 0 ? { ...ownMe, tables: [...ownMe.tables, sessionsTable as Table] } : ownMe;
  const others = [me, ...apps.map((app) => (logins.has(app.name) ? addLoginApis(app) : app))];
  return [makeDocsApp(others, docs), ...others];
}

/**
 * Returns a login call that looks up the password, as an agent has to do. The documentation does not reveal passwords.
 */
function loginExample(app: string, api: string): string {
  if (api === "logout") return `apis.${app}.logout({})`;
  const account = `apis.me.listAccounts().items.find((account) => account.app === "${app}")`;
  return `apis.${app}.login({ password: ${account}.password })`;
}

/** Returns the tables of all apps. Several apps may share a table, but two tables with the same name are refused. */
function collectTables(apps: readonly App[]): App["tables"] {
  const tables = [...new Set(apps.flatMap((app) => app.tables))];
  const names = new Set(tables.map(({ name }) => name));
  for (const { name } of tables) {
    if (!names.delete(name))
      throw new BowlineError(
        "world",
        `two tables have the name "${name}"; expected different names`,
      );
  }
  return tables;
}

/** Throws a `world` error unless the name can stand in the agent's code. */
function requireName(what: string, name: string): void {
  if (/^[a-z][A-Za-z0-9]*$/.test(name)) return;
  throw new BowlineError(
    "world",
    `"${name}" is not a valid name for an ${what}: expected letters and digits, beginning with a lower-case letter`,
  );
}

function parseArgs(endpoint: Endpoint, args: unknown): unknown {
  const refusal = explainWrongShape(endpoint.signature, args);
  if (refusal) throw new ApiError(422, refusal);
  const given = args as object;
  const { names } = endpoint;
  const { known, unknown } = names?.toHandlerNames(given) ?? { known: given, unknown: [] };
  const parsed = endpoint.params.safeParse(known);
  if (parsed.success && unknown.length === 0) return parsed.data;
  const found = parsed.error?.issues.map((issue) => names?.renameInIssue(issue) ?? issue) ?? [];
  throw new ApiError(422, explainIssues(endpoint.signature, given, found, unknown));
}

/** Parses what a handler returned: undocumented fields are cut, and a value that does not fit is the handler's bug. */
function parseReturn(endpoint: Endpoint, value: unknown): unknown {
  const parsed = endpoint.returns.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new WrongReturnValue(issue.path, issue.message);
  }
  if (!endpoint.returnsJson) requireJsonValue(parsed.data ?? null);
  return parsed.data ?? null;
}
