/**
 * Sends one HTTP request and returns the answer with its status. It neither retries nor interprets the answer;
 * `bowline doctor` works at this level, because it has to see what a server really answers.
 *
 * The API key is written into a header here and nowhere else.
 */
import { errorMessage } from "../../../core/index.ts";
import { PROTOBUF } from "../wire/index.ts";
import type { Clock } from "./clock.ts";
import { extractErrorText, redactSecrets, TinkerError } from "./errors.ts";
import {
  createFetchSender,
  type Fetch,
  type HttpCall,
  type HttpReply,
  HttpSender,
  type SendHttp,
} from "./http.ts";
import { PromptBody } from "./prompt.ts";

export interface HttpRequest {
  readonly method?: "GET" | "POST" | "DELETE";
  /** The path below `/api/v1`, with a leading slash. */
  readonly path: string;
  /** Bytes are sent as protobuf, anything else as JSON without its undefined fields. */
  readonly body?: Uint8Array | object;
  /** Whether the server may answer in protobuf. */
  readonly acceptProtobuf?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** When true, a redirect is returned and not followed, because the API key must not be sent to its target. */
  readonly expectsRedirect?: boolean;
  /** When true, the API key itself is sent, even if access tokens are in use. */
  readonly useRawKey?: boolean;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  readonly body: Uint8Array;
  readonly isProtobuf: boolean;
  /** Parses the body. Throws a `malformed` error when it is not JSON. */
  parseJson(): unknown;
  /** Returns the text of an error body, without secrets. */
  errorText(): string;
}

/** Supplies the API key or access token for each request. */
export interface KeySource {
  /** Returns undefined when no key header is sent. With `useRawKey`, returns the key and never a token. */
  currentKey(useRawKey?: boolean): Promise<string | undefined>;
  /** All texts that must never appear in a message. */
  readonly secrets: Iterable<string>;
}

export class Transport {
  readonly #base: string;
  readonly #fetch: Fetch;
  readonly #http = new HttpSender();
  readonly #send: SendHttp;
  readonly #clock: Clock;
  readonly #keys: KeySource;
  readonly #inFlight = new Set<AbortController>();
  #closed = false;

  /**
   * `baseUrl` comes without `/api/v1`. Requests go through `parts.fetch` if it is given. Throws an `invalid` error when
   * the URL is not an HTTP URL or contains a password.
   */
  constructor(
    baseUrl: string,
    parts: { readonly fetch?: Fetch | undefined; readonly clock: Clock; readonly keys: KeySource },
  ) {
    this.#base = `${requireHttpBaseUrl(baseUrl)}/api/v1`;
    this.#fetch = parts.fetch ?? ((url, init) => fetch(url, init));
    this.#send = parts.fetch ? createFetchSender(parts.fetch) : this.#http.send;
    this.#clock = parts.clock;
    this.#keys = parts.keys;
  }

  /** Throws `unreachable` when no answer came, `cancelled` when the signal aborted and `closed` after `close()`. */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    const { method = "POST", path, timeoutMs, signal } = request;
    const deadline = this.#clock.startDeadline(timeoutMs);
    const requestAbort = new AbortController();
    const abortRequest = () => requestAbort.abort();
    for (const each of [signal, deadline.signal]) each?.addEventListener("abort", abortRequest);
    if (signal?.aborted || this.#closed) abortRequest();
    this.#inFlight.add(requestAbort);
    try {
      const reply = await this.#send(this.#base + path, {
        method,
        headers: await this.#buildHeaders(request),
        ...(request.body !== undefined && { body: encodeBody(request.body) }),
        expectsRedirect: request.expectsRedirect ?? false,
        signal: requestAbort.signal,
      });
      return this.#readAnswer(path, reply);
    } catch (cause) {
      if (TinkerError.is(cause)) throw cause;
      if (this.#closed) throw new TinkerError("closed", `${path}: the client is closed`);
      if (signal?.aborted) throw new TinkerError("cancelled", `${path} was cancelled`);
      const why = deadline.signal.aborted
        ? `no answer within ${timeoutMs} ms`
        : this.redactSecrets(describeFetchError(cause));
      throw new TinkerError("unreachable", `${method} ${path}: ${why}`);
    } finally {
      this.#inFlight.delete(requestAbort);
      signal?.removeEventListener("abort", abortRequest);
      deadline.clear();
    }
  }

  /** Downloads from a URL that the server named. No key is sent, because the URL may lead to another server. */
  async download(address: string, timeoutMs: number): Promise<Uint8Array> {
    const deadline = this.#clock.startDeadline(timeoutMs);
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
      const why = this.redactSecrets(describeFetchError(cause));
      throw new TinkerError("unreachable", `the archive cannot be downloaded: ${why}`);
    } finally {
      deadline.clear();
    }
  }

  /** Ends all requests, also those sent later, with a `closed` error. */
  close(): void {
    this.#closed = true;
    for (const each of this.#inFlight) each.abort();
    this.#http.close();
  }

  redactSecrets(text: string): string {
    return redactSecrets(text, this.#keys.secrets);
  }

  async #buildHeaders(request: HttpRequest): Promise<Record<string, string>> {
    const { body, acceptProtobuf, headers, useRawKey } = request;
    const key = await this.#keys.currentKey(useRawKey);
    return {
      Accept: acceptProtobuf ? `${PROTOBUF}, application/json` : "application/json",
      ...(body !== undefined && {
        "Content-Type": body instanceof Uint8Array ? PROTOBUF : "application/json",
      }),
      ...(key !== undefined && { "X-API-Key": key }),
      ...headers,
    };
  }

  #readAnswer(path: string, { status, headers, body }: HttpReply): HttpAnswer {
    const decodeText = () => new TextDecoder().decode(body);
    return {
      status,
      headers,
      body,
      isProtobuf: headers.get("content-type")?.startsWith(PROTOBUF) ?? false,
      errorText: () => this.redactSecrets(extractErrorText(decodeText())),
      parseJson: () => {
        try {
          return JSON.parse(decodeText());
        } catch {
          const start = this.redactSecrets(extractErrorText(decodeText())).slice(0, 80);
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

function encodeBody(body: Uint8Array | object): NonNullable<HttpCall["body"]> {
  if (body instanceof PromptBody) return body.toParts();
  return body instanceof Uint8Array ? [body] : JSON.stringify(body);
}

/**
 * Adds the cause to the message, because `fetch` only says "fetch failed". When a name has several addresses and none
 * answers, the error has no message of its own.
 */
function describeFetchError(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") {
    return error.errors.map(errorMessage).join(", ");
  }
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined
    ? errorMessage(error)
    : `${errorMessage(error)} (${errorMessage(cause)})`;
}

function requireHttpBaseUrl(baseUrl: string): string {
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
