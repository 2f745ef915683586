/** Fakes for tests of Tinker clients: a clock whose sleeps take no time, and a server that is a function. */
import type { TinkerClientOptions, tinkerClient } from "../engine/index.ts";

type Clock = tinkerClient.Clock;
type Fetch = NonNullable<TinkerClientOptions["fetch"]>;

/** A clock whose time passes only when somebody sleeps or when a test advances it. */
export class FakeClock implements Clock {
  ms = 1_700_000_000_000;
  readonly slept: number[] = [];
  readonly #tasks = new Set<() => void>();
  readonly #deadlines = new Set<{ readonly at: number; readonly end: () => void }>();

  now(): number {
    return this.ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }

  runEvery(_ms: number, task: () => void): () => void {
    this.#tasks.add(task);
    return () => this.#tasks.delete(task);
  }

  startDeadline(ms: number): ReturnType<Clock["startDeadline"]> {
    const controller = new AbortController();
    const entry = { at: this.ms + ms, end: () => controller.abort() };
    this.#deadlines.add(entry);
    return { signal: controller.signal, clear: () => void this.#deadlines.delete(entry) };
  }

  /** Advances the time and aborts calls whose deadline has passed. */
  advance(ms: number): void {
    this.ms += ms;
    for (const each of [...this.#deadlines]) if (each.at <= this.ms) each.end();
  }

  /** The number of repeating tasks. `tick` runs each of them once. */
  get tasks(): number {
    return this.#tasks.size;
  }

  /** Runs every repeating task once. */
  tick(): void {
    for (const task of this.#tasks) task();
  }
}

/** A request that the fake server received. */
export interface ReceivedRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, or the bytes of a protobuf message. */
  readonly body: unknown;
}

/** The reply of a handler. */
export interface FakeReply {
  readonly status?: number;
  /** The body: bytes are sent as protobuf, a string is sent unchanged, and anything else is sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A network failure, which a handler may return instead of a reply. */
export type ConnectionTrouble = "refused" | "reset" | "silence";

/** A server without a network, whose `fetch` calls a handler. `requests` has every request in order. */
export class FakeServer {
  readonly requests: ReceivedRequest[] = [];
  readonly #handle: (request: ReceivedRequest, nth: number) => FakeReply | ConnectionTrouble;

  /** Creates a server. `nth` in the handler is the number of earlier requests to the same path. */
  constructor(handle: (request: ReceivedRequest, nth: number) => FakeReply | ConnectionTrouble) {
    this.#handle = handle;
  }

  /** Returns the requests to a path in order. */
  requestsTo(path: string): ReceivedRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  readonly fetch: Fetch = async (url, init) => {
    const path = new URL(url).pathname.replace("/api/v1", "");
    const headers = init.headers as Record<string, string>;
    const isJson = headers["Content-Type"] === "application/json";
    const body = isJson ? JSON.parse(readBodyText(init.body)) : init.body;
    const request = { path, method: init.method ?? "GET", headers, body };
    const nth = this.requestsTo(path).length;
    this.requests.push(request);
    const reply = this.#handle(request, nth);
    if (typeof reply === "string") return this.#failConnection(reply, init.signal);
    return toResponse(reply);
  };

  #failConnection(
    trouble: ConnectionTrouble,
    signal: AbortSignal | null | undefined,
  ): Promise<Response> {
    const codes = { refused: "connect ECONNREFUSED 127.0.0.1:1", reset: "read ECONNRESET" };
    if (trouble !== "silence") {
      return Promise.reject(new TypeError("fetch failed", { cause: new Error(codes[trouble]) }));
    }
    return new Promise((_, reject) => {
      const end = () => reject(new DOMException("aborted", "AbortError"));
      if (signal?.aborted) end();
      signal?.addEventListener("abort", end);
    });
  }
}

function readBodyText(body: RequestInit["body"]): string {
  return typeof body === "string" ? body : Buffer.from(body as Uint8Array).toString();
}

function toResponse({ status = 200, body = {}, headers = {} }: FakeReply): Response {
  const isBytes = body instanceof Uint8Array;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = isBytes ? "application/x-protobuf" : "application/json";
  return new Response(isBytes ? (body as Uint8Array<ArrayBuffer>) : text, {
    status,
    headers: { "content-type": type, ...headers },
  });
}
