/**
 * What every part of the client stands on: calls with retries, and calls whose result is a future.
 *
 * A future call is noted, sent, noted as accepted, awaited. When its result was lost it is sent again with the same
 * number and idempotency key, so a server that did the work gives its result and one that did not does it now.
 */
import type { z } from "zod";
import { untypedFutureSchema } from "../wire/index.ts";
import type { Clock } from "./clock.ts";
import { TinkerError, type TinkerErrorKind } from "./errors.ts";
import { type FutureLimits, retrieveFuture } from "./futures.ts";
import { type CallJournal, digestOf, uuidOf } from "./journal.ts";
import { type CallOptions, type RetryParts, sendWithRetries } from "./retry.ts";
import type { HttpAnswer, HttpRequest } from "./transport.ts";

export interface ClientLimits extends FutureLimits {
  readonly timeoutMs: number;
  /** A lost result is asked for again this often. */
  readonly reissues: number;
}

export const CLIENT_LIMITS: ClientLimits = {
  timeoutMs: 60_000,
  pendingMs: 6 * 60 * 60_000,
  reissues: 8,
};

export interface FutureCall<T> extends CallOptions {
  readonly path: string;
  readonly body: Uint8Array | object;
  /** Names the call in the journal and makes its idempotency key. */
  readonly key: string;
  /** Of what makes it the same call; default: of path and body. */
  readonly digest?: string;
  readonly requestType: string;
  /** Accept the result as protobuf. */
  readonly protobuf: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** On the disk before the call is sent. */
  readonly durable: boolean;
  /** Throws `malformed` or `non-finite`. */
  readonly decode: (answer: HttpAnswer) => T;
}

export interface Accepted {
  readonly requestId: string;
  /** What the immediate answer said beside the request id. */
  readonly modelId?: string | undefined;
}

/** After these a call was surely not accepted. */
const REFUSALS: readonly TinkerErrorKind[] = [
  "rejected",
  "denied",
  "missing",
  "unsupported",
  "model-lost",
  "session-lost",
];

export class ClientCore {
  readonly parts: RetryParts;
  readonly journal: CallJournal | undefined;
  readonly limits: ClientLimits;
  #closed = false;

  constructor(parts: RetryParts, limits: ClientLimits, journal: CallJournal | undefined) {
    this.parts = parts;
    this.limits = limits;
    this.journal = journal;
  }

  get clock(): Clock {
    return this.parts.clock;
  }

  close(): void {
    this.#closed = true;
    this.parts.transport.close();
  }

  /** A call that is answered at once, checked by `schema`. */
  async call<S extends z.ZodType>(
    path: string,
    body: object | undefined,
    schema: S,
    options: CallOptions &
      Partial<Pick<HttpRequest, "method" | "signal" | "buysToken" | "headers">> = {},
  ): Promise<z.output<S>> {
    const { repeatable, backpressureMs, ...rest } = options;
    const request = { path, ...(body && { body }), timeoutMs: this.limits.timeoutMs, ...rest };
    const answer = await this.send(request, {
      ...(repeatable !== undefined && { repeatable }),
      ...(backpressureMs !== undefined && { backpressureMs }),
    });
    return parseAnswer(path, answer, schema);
  }

  async send(request: HttpRequest, options: CallOptions = {}): Promise<HttpAnswer> {
    this.requireOpen(request.path);
    return sendWithRetries(this.parts, request, options);
  }

  /** Sends the call, unless the journal knows it. Resolves when the server has accepted it. */
  async submit(call: FutureCall<unknown>): Promise<Accepted> {
    const digest = call.digest ?? digestOf(call.path, call.body);
    const last = this.journal?.find(call.key);
    const known = last?.refused ? undefined : last;
    if (known !== undefined && known.digest !== digest) {
      throw new TinkerError(
        "conflict",
        `${call.path}: the journal has another call as ${call.key}`,
      );
    }
    if (known?.requestId !== undefined) return { requestId: known.requestId };
    if (known !== undefined && call.repeatable === false) {
      throw new TinkerError("uncertain", `${call.path}: ${call.key} may have been sent before`);
    }
    this.journal?.record({ key: call.key, digest }, call.durable);
    try {
      return await this.#issue(call, digest);
    } catch (error) {
      if (TinkerError.is(error, ...REFUSALS)) {
        this.journal?.record({ key: call.key, digest, refused: true }, call.durable);
      }
      throw error;
    }
  }

  /** The result of an accepted call. */
  async result<T>(call: FutureCall<T>, accepted: Accepted): Promise<T> {
    let { requestId } = accepted;
    for (let issue = 1; ; issue++) {
      try {
        this.requireOpen(call.path);
        return call.decode(await retrieveFuture(this.parts, requestId, call, this.limits));
      } catch (error) {
        if (!TinkerError.is(error, "future-lost") || issue > this.limits.reissues) throw error;
        if (call.repeatable === false) throw new TinkerError("uncertain", error.message);
        this.parts.onEvent({ type: "re-issue", path: call.path, why: error.message });
        if (issue > 1) await this.clock.sleep(Math.min(2 ** issue * 100, 10_000), call.signal);
        ({ requestId } = await this.#issue(call, call.digest ?? digestOf(call.path, call.body)));
      }
    }
  }

  async run<T>(call: FutureCall<T>): Promise<T> {
    return this.result(call, await this.submit(call));
  }

  async #issue(call: FutureCall<unknown>, digest: string): Promise<Accepted> {
    const { path, body, key, headers, signal, durable } = call;
    const answer = await this.send(
      {
        path,
        body,
        headers: { "X-Idempotency-Key": uuidOf(key), ...headers },
        timeoutMs: this.limits.timeoutMs,
        signal,
      },
      call,
    );
    const future = parseAnswer(path, answer, untypedFutureSchema);
    this.journal?.record({ key, digest, requestId: future.request_id }, durable);
    return { requestId: future.request_id, modelId: future.model_id ?? undefined };
  }

  requireOpen(path: string): void {
    if (this.#closed) throw new TinkerError("closed", `${path}: the client is closed`);
  }
}

/** Throws a `malformed` error that names the first field that is not as expected. */
export function parseAnswer<S extends z.ZodType>(
  path: string,
  answer: HttpAnswer,
  schema: S,
): z.output<S> {
  const parsed = schema.safeParse(answer.json());
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || "the answer";
  throw new TinkerError("malformed", `${path}: ${where}: ${issue?.message}`, {
    status: answer.status,
  });
}
