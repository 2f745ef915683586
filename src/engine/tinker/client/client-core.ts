/**
 * The core of the client: calls with retries, and calls whose result is a future.
 *
 * A future call is recorded in the journal, sent, recorded as accepted, and awaited. When the server lost the result,
 * the call is sent again with the same number and idempotency key: a server that did the work returns its result, and
 * one that did not does the work now.
 */
import type { z } from "zod";
import { untypedFutureSchema } from "../wire/index.ts";
import type { Clock } from "./clock.ts";
import { Deadline } from "./deadline.ts";
import { TinkerError, type TinkerErrorKind } from "./errors.ts";
import { type FutureLimits, retrieveFuture } from "./futures.ts";
import { type CallJournal, computeDigest, uuidFromText } from "./journal.ts";
import { type CallOptions, type RetryContext, sendWithRetries } from "./retry.ts";
import type { HttpAnswer, HttpRequest } from "./transport.ts";

export interface ClientLimits extends FutureLimits {
  readonly timeoutMs: number;
  /**
   * How often a call is sent again because the server lost its result. After that, what the call was made with is made
   * again: the model or the sampler.
   */
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
  /** Names the call in the journal. The idempotency key is derived from it. */
  readonly key: string;
  /**
   * Identifies the call's content, to tell whether two calls are the same. The default is the digest of path and body.
   */
  readonly digest?: string;
  readonly requestType: string;
  /** Whether the server may send the result as protobuf. */
  readonly protobuf: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Whether the journal's entry must be on the disk before the call is sent. */
  readonly durable: boolean;
  /** Decodes the answer. Throws a `malformed` or `non-finite` error. */
  readonly decode: (answer: HttpAnswer) => T;
}

export interface AcceptedCall {
  readonly requestId: string;
  /** The new model's id, when the immediate answer already holds it. */
  readonly modelId?: string | undefined;
}

/** The kinds of errors after which the server surely did not accept the call. */
const REFUSAL_KINDS: readonly TinkerErrorKind[] = [
  "rejected",
  "denied",
  "missing",
  "unsupported",
  "model-lost",
  "session-lost",
];

export class ClientCore {
  readonly retryContext: RetryContext;
  readonly journal: CallJournal | undefined;
  readonly limits: ClientLimits;
  #closed = false;

  constructor(context: RetryContext, limits: ClientLimits, journal: CallJournal | undefined) {
    this.retryContext = context;
    this.limits = limits;
    this.journal = journal;
  }

  get clock(): Clock {
    return this.retryContext.clock;
  }

  close(): void {
    this.#closed = true;
    this.retryContext.transport.close();
  }

  /** Makes a call that the server answers at once, and checks the answer with `schema`. */
  async callDirectly<S extends z.ZodType>(
    path: string,
    body: object | undefined,
    schema: S,
    options: CallOptions &
      Partial<Pick<HttpRequest, "method" | "signal" | "useRawKey" | "headers">> = {},
  ): Promise<z.output<S>> {
    const { isRepeatable, backpressureMs, ...rest } = options;
    const request = { path, ...(body && { body }), timeoutMs: this.limits.timeoutMs, ...rest };
    const answer = await this.send(request, {
      ...(isRepeatable !== undefined && { isRepeatable }),
      ...(backpressureMs !== undefined && { backpressureMs }),
    });
    return parseAnswer(path, answer, schema);
  }

  async send(request: HttpRequest, options: CallOptions = {}): Promise<HttpAnswer> {
    this.throwIfClosed(request.path);
    return sendWithRetries(this.retryContext, request, options);
  }

  /** Returns the deadline of one operation that gets back what the server has lost. */
  startRecovery(): Deadline {
    return new Deadline(this.retryContext, this.retryContext.policy.recoveryMs);
  }

  /** Sends the call, unless the journal already holds it. Resolves when the server has accepted the call. */
  async submitFuture(call: FutureCall<unknown>): Promise<AcceptedCall> {
    const digest = call.digest ?? computeDigest(call.path, call.body);
    const last = this.journal?.find(call.key);
    const known = last?.refused ? undefined : last;
    if (known !== undefined && known.digest !== digest) {
      throw new TinkerError(
        "conflict",
        `${call.path}: the journal already has a different call under the key ${call.key}`,
      );
    }
    if (known?.requestId !== undefined) return { requestId: known.requestId };
    if (known !== undefined && call.isRepeatable === false) {
      throw new TinkerError(
        "uncertain",
        `${call.path}: an earlier process may already have sent the call ${call.key}`,
      );
    }
    this.journal?.record({ key: call.key, digest }, call.durable);
    try {
      return await this.#sendFutureCall(call, digest);
    } catch (error) {
      if (TinkerError.is(error, ...REFUSAL_KINDS)) {
        this.journal?.record({ key: call.key, digest, refused: true }, call.durable);
      }
      throw error;
    }
  }

  /** Waits for the result of an accepted call. Sends the call again when the server lost the result. */
  async awaitFuture<T>(call: FutureCall<T>, accepted: AcceptedCall): Promise<T> {
    let { requestId } = accepted;
    for (let issue = 1; ; issue++) {
      try {
        this.throwIfClosed(call.path);
        return call.decode(await retrieveFuture(this.retryContext, requestId, call, this.limits));
      } catch (error) {
        if (!TinkerError.is(error, "future-lost") || issue > this.limits.reissues) throw error;
        if (call.isRepeatable === false) throw new TinkerError("uncertain", error.message);
        this.retryContext.onEvent({ type: "re-issue", path: call.path, why: error.message });
        if (issue > 1) await this.clock.sleep(Math.min(2 ** issue * 100, 10_000), call.signal);
        ({ requestId } = await this.#sendFutureCall(
          call,
          call.digest ?? computeDigest(call.path, call.body),
        ));
      }
    }
  }

  async runFuture<T>(call: FutureCall<T>): Promise<T> {
    return this.awaitFuture(call, await this.submitFuture(call));
  }

  async #sendFutureCall(call: FutureCall<unknown>, digest: string): Promise<AcceptedCall> {
    const { path, body, key, headers, signal, durable } = call;
    const answer = await this.send(
      {
        path,
        body,
        headers: { "X-Idempotency-Key": uuidFromText(key), ...headers },
        timeoutMs: this.limits.timeoutMs,
        signal,
      },
      call,
    );
    const future = parseAnswer(path, answer, untypedFutureSchema);
    this.journal?.record({ key, digest, requestId: future.request_id }, durable);
    return { requestId: future.request_id, modelId: future.model_id ?? undefined };
  }

  throwIfClosed(path: string): void {
    if (this.#closed) throw new TinkerError("closed", `${path}: the client is closed`);
  }
}

/** Parses the JSON of an answer. Throws a `malformed` error that names the first wrong field. */
export function parseAnswer<S extends z.ZodType>(
  path: string,
  answer: HttpAnswer,
  schema: S,
): z.output<S> {
  const parsed = schema.safeParse(answer.parseJson());
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || "the answer";
  throw new TinkerError("malformed", `${path}: ${where}: ${issue?.message}`, {
    status: answer.status,
  });
}
