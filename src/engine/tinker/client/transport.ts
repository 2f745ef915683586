/**
 * One exchange over HTTP: a body out, an answer with its status in. No retries and no opinion on what the answer means;
 * `bowline doctor` works at this level, because it has to see what a server really says.
 *
 * Nothing but the platform's fetch is used. The key goes into a header here and nowhere else.
 */
import { messageOf } from "../../../core/index.ts";
import { PROTOBUF } from "../wire/index.ts";
import type { Clock } from "./clock.ts";
import { redact, TinkerError, textOfBody } from "./errors.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpRequest {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Below `/api/v1`, with its slash. */
  readonly path: string;
  /** Bytes are protobuf; anything else is written as JSON, without its undefined fields. */
  readonly body?: Uint8Array | object;
  /** Ask for protobuf. */
  readonly acceptProtobuf?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** An answer that leads elsewhere is the answer: the key must not follow it. */
  readonly isRedirect?: boolean;
  /** Send the key itself although tokens are in use. */
  readonly buysToken?: boolean;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly isProtobuf: boolean;
  /** Throws a `malformed` error when the body is not JSON. */
  json(): unknown;
  /** What an error body says, without secrets. */
  text(): string;
}

/** Where the key of the next exchange comes from. */
export interface KeySource {
  /** Undefined: no header. `buysToken`: the key itself, for the exchange that buys a token. */
  key(buysToken?: boolean): Promise<string | undefined>;
  /** Everything that must never appear in a text. */
  readonly secrets: Iterable<string>;
}

export class Transport {
  readonly #base: string;
  readonly #fetch: Fetch;
  readonly #clock: Clock;
  readonly #keys: KeySource;
  readonly #sending = new Set<AbortController>();
  #closed = false;

  /** `baseUrl` without `/api/v1`. Throws an `invalid` error when it is no HTTP URL, or carries a password. */
  constructor(
    baseUrl: string,
    parts: { readonly fetch: Fetch; readonly clock: Clock; readonly keys: KeySource },
  ) {
    this.#base = `${checkedBase(baseUrl)}/api/v1`;
    this.#fetch = parts.fetch;
    this.#clock = parts.clock;
    this.#keys = parts.keys;
  }

  /** Throws `unreachable` when no answer came, `cancelled` for the caller's signal, `closed` after `close`. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const { method = "POST", path, timeoutMs, signal } = request;
    const deadline = this.#clock.deadline(timeoutMs);
    const ending = new AbortController();
    const end = () => ending.abort();
    for (const each of [signal, deadline.signal]) each?.addEventListener("abort", end);
    if (signal?.aborted || this.#closed) end();
    this.#sending.add(ending);
    try {
      const response = await this.#fetch(this.#base + path, {
        method,
        headers: await this.#headers(request),
        ...(request.body !== undefined && { body: bodyOf(request.body) }),
        ...(request.isRedirect && { redirect: "manual" }),
        signal: ending.signal,
      });
      return this.#answer(path, response, new Uint8Array(await response.arrayBuffer()));
    } catch (cause) {
      if (TinkerError.is(cause)) throw cause;
      if (this.#closed) throw new TinkerError("closed", `${path}: the client is closed`);
      if (signal?.aborted) throw new TinkerError("cancelled", `${path} was cancelled`);
      const why = deadline.signal.aborted
        ? `no answer within ${timeoutMs} ms`
        : this.redact(reasonOf(cause));
      throw new TinkerError("unreachable", `${method} ${path}: ${why}`);
    } finally {
      this.#sending.delete(ending);
      signal?.removeEventListener("abort", end);
      deadline.clear();
    }
  }

  /** What lies at a URL that the server named, which may be another's: no key is sent. Relative ones are the server's. */
  async download(address: string, timeoutMs: number): Promise<Uint8Array> {
    const deadline = this.#clock.deadline(timeoutMs);
    try {
      const response = await this.#fetch(new URL(address, this.#base).href, {
        signal: deadline.signal,
      });
      if (!response.ok) {
        throw new TinkerError("failed", `the archive's URL answers with HTTP ${response.status}`);
      }
      return new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      if (TinkerError.is(cause)) throw cause;
      const why = this.redact(reasonOf(cause));
      throw new TinkerError("unreachable", `the archive cannot be downloaded: ${why}`);
    } finally {
      deadline.clear();
    }
  }

  /** Whatever is under way ends with `closed`, and so does what comes later. */
  close(): void {
    this.#closed = true;
    for (const each of this.#sending) each.abort();
  }

  redact(text: string): string {
    return redact(text, this.#keys.secrets);
  }

  async #headers(request: HttpRequest): Promise<Record<string, string>> {
    const { body, acceptProtobuf, headers, buysToken } = request;
    const key = await this.#keys.key(buysToken);
    return {
      Accept: acceptProtobuf ? `${PROTOBUF}, application/json` : "application/json",
      ...(body !== undefined && {
        "Content-Type": body instanceof Uint8Array ? PROTOBUF : "application/json",
      }),
      ...(key !== undefined && { "X-API-Key": key }),
      ...headers,
    };
  }

  #answer(path: string, response: Response, body: Uint8Array): HttpAnswer {
    const { status, headers } = response;
    const decoded = () => new TextDecoder().decode(body);
    return {
      status,
      headers,
      body,
      isProtobuf: headers.get("content-type")?.startsWith(PROTOBUF) ?? false,
      text: () => this.redact(textOfBody(decoded())),
      json: () => {
        try {
          return JSON.parse(decoded());
        } catch {
          const start = this.redact(textOfBody(decoded())).slice(0, 80);
          throw new TinkerError(
            "malformed",
            `${path}: expected JSON, but the answer is "${start}"`,
            {
              status,
            },
          );
        }
      },
    };
  }
}

function bodyOf(body: Uint8Array | object): string | Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
}

/** undici says "fetch failed" and puts the reason below it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : `${messageOf(error)} (${messageOf(cause)})`;
}

function checkedBase(baseUrl: string): string {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new TinkerError(
      "invalid",
      `the server's URL must be absolute, such as http://127.0.0.1:8000`,
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TinkerError(
      "invalid",
      `the server's URL must be http or https, but it is ${url.protocol}`,
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "") {
    throw new TinkerError(
      "invalid",
      "the server's URL must not carry a password or a query; the key goes into TINKER_API_KEY",
    );
  }
  return (url.origin + url.pathname).replace(/\/+$/, "");
}
