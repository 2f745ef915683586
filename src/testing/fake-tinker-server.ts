/** For code that speaks to a Tinker server: a clock whose sleeps take no time, and a server that is a function. */
import type { TinkerClientOptions, tinkerClient } from "../engine/index.ts";

type Clock = tinkerClient.Clock;
type Fetch = NonNullable<TinkerClientOptions["fetch"]>;

/** Time that passes only when someone sleeps. */
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

  /** Time passes, and calls that waited too long are ended. */
  advance(ms: number): void {
    this.ms += ms;
    for (const each of [...this.#deadlines]) if (each.at <= this.ms) each.end();
  }

  /** How many things happen regularly; `tick` lets each happen once. */
  get tasks(): number {
    return this.#tasks.size;
  }

  tick(): void {
    for (const task of this.#tasks) task();
  }
}

/** A request as the server saw it. */
export interface SeenRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the bytes of protobuf. */
  readonly body: unknown;
}

/** What a handler answers. */
export interface Reply {
  readonly status?: number;
  /** Bytes are protobuf, a string is sent as it is, anything else is JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler may do instead of answering. */
export type Trouble = "refused" | "reset" | "silence";

/** A server without a network: `seen` has every request, in order. */
export class FakeServer {
  readonly seen: SeenRequest[] = [];
  readonly #handle: (request: SeenRequest, nth: number) => Reply | Trouble;

  /** `nth` counts the requests of that path, from 0. */
  constructor(handle: (request: SeenRequest, nth: number) => Reply | Trouble) {
    this.#handle = handle;
  }

  of(path: string): SeenRequest[] {
    return this.seen.filter((request) => request.path === path);
  }

  readonly fetch: Fetch = async (url, init) => {
    const path = new URL(url).pathname.replace("/api/v1", "");
    const headers = init.headers as Record<string, string>;
    const body = typeof init.body === "string" ? JSON.parse(init.body) : init.body;
    const request = { path, method: init.method ?? "GET", headers, body };
    const nth = this.of(path).length;
    this.seen.push(request);
    const reply = this.#handle(request, nth);
    if (typeof reply === "string") return this.#trouble(reply, init.signal);
    return responseOf(reply);
  };

  #trouble(trouble: Trouble, signal: AbortSignal | null | undefined): Promise<Response> {
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

function responseOf({ status = 200, body = {}, headers = {} }: Reply): Response {
  const isBytes = body instanceof Uint8Array;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = isBytes ? "application/x-protobuf" : "application/json";
  return new Response(isBytes ? (body as Uint8Array<ArrayBuffer>) : text, {
    status,
    headers: { "content-type": type, ...headers },
  });
}
