/**
 * An HTTP API with an OpenAPI document as an app: every operation is an API, whose arguments are the parameters of the
 * path and the query and the fields of the body.
 */

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { BowlineError, didYouMean } from "../../../core/index.ts";
import type {
  ForeignApps,
  ForeignCall,
  ForeignConnection,
  ForeignPlace,
  ForeignReply,
  ForeignStart,
} from "../define.ts";
import { requireSession, requireUrl, sendJson, toReply } from "../http-json.ts";
import { type HttpOperation, readOperations } from "./read-openapi.ts";

/** Calls an operation by its name, and returns the value. Rejects for a refusal. */
export type CallOperation = (
  operation: string,
  args?: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

/** An HTTP API and how it is put into a start state. */
export interface HttpApi {
  /** The address before the paths of the document. */
  readonly url: string;
  /** The document itself, the path of its JSON file, or its address. Default: `<url>/openapi.json`. */
  readonly document?: unknown;
  /** Headers of every request. `{session}` stands for a name that each connection has for itself. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly summary?: string;
  /**
   * Statuses by which the server says that it has lost the session, such as 410. The episode's calls are then made again
   * on another connection. Without them, a server that forgets its state must not be restarted during an episode.
   */
  readonly lostStatuses?: readonly number[];
  /** The operations that agents may call, by their names in the world. Default: all. */
  readonly operations?: readonly string[];
  /** Puts the server into the start state of an episode, by operations that agents need not be able to call. */
  readonly reset?: (call: CallOperation, start: ForeignStart) => Promise<void>;
}

/** Makes apps of HTTP APIs. The names of the APIs are the names of the apps. */
export function httpApps(apis: Readonly<Record<string, HttpApi>>): ForeignApps {
  const documents = new Map<string, ReadonlyMap<string, HttpOperation>>();
  const load = async (name: string, signal: AbortSignal) => {
    const known = documents.get(name) ?? readOperations(await readDocument(apis[name]!, signal));
    documents.set(name, known);
    return known;
  };
  const names = Object.keys(apis);
  return {
    describe: ({ signal }) =>
      Promise.all(
        names.map(async (name) => {
          const { summary = `The HTTP API ${name}.`, operations } = apis[name]!;
          const chosen = chooseOperations(name, await load(name, signal), operations);
          const described = chosen.map(([id, { api }]) => [id, api] as const);
          return { name, summary, apis: Object.fromEntries(described) };
        }),
      ),
    connect: async (place) => {
      const operations = new Map<string, ReadonlyMap<string, HttpOperation>>();
      for (const name of names) operations.set(name, await load(name, place.signal));
      return new HttpConnection(apis, operations, place);
    },
  };
}

class HttpConnection implements ForeignConnection {
  readonly #apis: Readonly<Record<string, HttpApi>>;
  readonly #operations: ReadonlyMap<string, ReadonlyMap<string, HttpOperation>>;
  readonly #place: ForeignPlace;
  readonly #session = randomUUID();

  constructor(
    apis: Readonly<Record<string, HttpApi>>,
    operations: ReadonlyMap<string, ReadonlyMap<string, HttpOperation>>,
    place: ForeignPlace,
  ) {
    this.#apis = apis;
    this.#operations = operations;
    this.#place = place;
  }

  async begin(start: ForeignStart): Promise<void> {
    for (const [app, { reset }] of Object.entries(this.#apis)) {
      await reset?.(async (api, args = {}) => {
        const reply = await this.call({ app, api, args });
        if (reply.ok) return reply.value;
        throw new BowlineError("world", `reset: ${app}.${api}: ${reply.status} ${reply.message}`);
      }, start);
    }
  }

  async call({ app, api, args }: ForeignCall): Promise<ForeignReply> {
    const operation = this.#operations.get(app)?.get(api);
    if (!operation) throw new BowlineError("world", `there is no operation ${app}.${api}`);
    const { url, headers = {}, lostStatuses = [] } = this.#apis[app]!;
    const fill = (text: string) => text.replaceAll("{session}", this.#session);
    const filled = Object.entries(headers).map(([name, value]) => [name, fill(value)]);
    const target = writeRequest(operation, args);
    if ("missing" in target) {
      return { ok: false, status: 422, message: `${app}.${api}: ${target.missing} is missing` };
    }
    const answer = await sendJson({
      ...{ method: operation.method, url: requireUrl(url, ["http:", "https:"]) + target.path },
      ...{ headers: Object.fromEntries(filled), body: target.body, signal: this.#place.signal },
    });
    return toReply(requireSession(answer, { lostStatuses, where: app }));
  }

  async close(): Promise<void> {}
}

/** Puts the arguments where they belong. A parameter of the path must be there, since there is no address without it. */
function writeRequest(
  { path, places }: HttpOperation,
  args: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly body: unknown } | { readonly missing: string } {
  let filled = path;
  const query = new URLSearchParams();
  let body: unknown;
  for (const [name, place] of places) {
    const value = args[name];
    if (place === "path") {
      if (value === undefined || value === null || value === "") return { missing: name };
      filled = filled.replaceAll(`{${name}}`, encodeURIComponent(String(value)));
    }
    if (value === undefined) continue;
    if (place === "query") {
      for (const one of [value].flat()) query.append(name, writeText(one));
    }
    if (place === "body") body = { ...Object(body), [name]: value };
    if (place === "whole-body") body = value;
  }
  const search = query.size > 0 ? `?${query}` : "";
  return { path: filled + search, body };
}

const writeText = (value: unknown) =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);

async function readDocument({ url, document }: HttpApi, signal: AbortSignal): Promise<unknown> {
  const source = document ?? `${requireUrl(url, ["http:", "https:"])}/openapi.json`;
  if (typeof source !== "string") return source;
  if (!/^https?:/.test(source)) return JSON.parse(readFileSync(source, "utf8"));
  const { status, value } = await sendJson({ method: "GET", url: source, signal });
  if (status < 400) return value;
  throw new BowlineError("world", `${source}: expected an OpenAPI document, got status ${status}`);
}

function chooseOperations(
  app: string,
  operations: ReadonlyMap<string, HttpOperation>,
  wanted: readonly string[] | undefined,
): readonly (readonly [string, HttpOperation])[] {
  const names = [...operations.keys()];
  const missing = wanted?.find((name) => !operations.has(name));
  if (missing === undefined) {
    return [...operations].filter(([name]) => wanted === undefined || wanted.includes(name));
  }
  throw new BowlineError(
    "world",
    `${app}: there is no operation ${missing}${didYouMean(missing, names)}; it has ${names.join(", ")}`,
  );
}
