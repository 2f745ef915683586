/**
 * Decides when a call is sent again, and for how long.
 *
 * The rules are those of the official SDK. After a connection error, 408, 429 or 5xx the client waits min(2^n, 30) s,
 * or as long as the server asks for (at most a minute), for five minutes in all. A 402 (unpaid bill) is retried for
 * longer. An empty 400 comes from a proxy and is retried at once. A repeated call carries the same idempotency key and
 * number, so a server can tell that it is the same call. When the server would run it twice (`isRepeatable: false`),
 * the client sends it again only when the first attempt surely did not arrive.
 */
import type { Clock } from "./clock.ts";
import { classifyRefusal, TinkerError, type TinkerErrorKind } from "./errors.ts";
import type { HttpAnswer, HttpRequest, Transport } from "./transport.ts";

export interface RetryPolicy {
  /** The time for all attempts of one call together. */
  readonly budgetMs: number;
  /**
   * The time for getting back what the server has lost (a model, a sampler, a session), from the first loss that one
   * operation meets.
   */
  readonly recoveryMs: number;
  readonly longestDelayMs: number;
  /** The time for the first answer, when nothing listens at the address: then the address is probably wrong. */
  readonly firstContactMs: number;
  /** How long the client waits for an unpaid bill to be paid. */
  readonly billingMs: number;
}

export const RETRY_POLICY: RetryPolicy = {
  budgetMs: 5 * 60_000,
  recoveryMs: 30 * 60_000,
  longestDelayMs: 30_000,
  firstContactMs: 8000,
  billingMs: 60 * 60_000,
};

/** An event that a caller may want to show while it waits. Events hold no secrets. */
export type ClientEvent =
  | {
      readonly type: "retry";
      readonly path: string;
      readonly why: string;
      readonly delayMs: number;
    }
  | { readonly type: "billing-pause"; readonly path: string }
  | { readonly type: "queue"; readonly requestId: string; readonly state: string }
  | { readonly type: "re-issue"; readonly path: string; readonly why: string }
  | { readonly type: "session"; readonly text: string };

export interface RetryContext {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly policy: RetryPolicy;
  readonly onEvent: (event: ClientEvent) => void;
  /** Drops the access token, so that the next attempt fetches a new one. Returns false when there was no token. */
  readonly renewToken: () => boolean;
  /** Whether the server has ever answered; a refusal counts as an answer. */
  readonly contact: { hasAnswered: boolean };
}

export interface CallOptions {
  /** When false, a call that the server may have accepted is not sent again. The default is true. */
  readonly isRepeatable?: boolean;
  /** When true, a 500 is not retried: the call only finds out what the server understands. */
  readonly isProbe?: boolean;
  /** The delay after a 429, for calls that ask the server for back-pressure. */
  readonly backpressureMs?: number;
}

/** Matches connection errors of an address where no server is. */
const NOBODY_LISTENS = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|bad port/;
const BILLING_DELAY_MS = 5000;
const MAX_EMPTY_400S = 3;
const MAX_RETRY_AFTER_MS = 60_000;

/** Sends the request until a 2xx answer comes. Throws a TinkerError that quotes the last answer. */
export async function sendWithRetries(
  context: RetryContext,
  request: HttpRequest,
  options: CallOptions = {},
): Promise<HttpAnswer> {
  const { transport, clock, onEvent } = context;
  const attempt = new RetryState(context, request, options);
  for (;;) {
    const outcome = await sendOnce(transport, request);
    const failed = outcome instanceof TinkerError;
    if (!failed) context.contact.hasAnswered = true;
    const bound = request.expectsRedirect ? 400 : 300;
    if (!failed && outcome.status >= 200 && outcome.status < bound) return outcome;
    const delayMs = failed
      ? attempt.delayAfterNoAnswer(outcome)
      : attempt.delayAfterAnswer(outcome);
    const why = failed ? outcome.message : `HTTP ${outcome.status}`;
    if (delayMs > 0) onEvent({ type: "retry", path: request.path, why, delayMs });
    await sleepOrThrowIfCancelled(clock, delayMs, request);
  }
}

/** Returns the answer, or the `unreachable` error when no answer came. Throws every other error. */
async function sendOnce(
  transport: Transport,
  request: HttpRequest,
): Promise<HttpAnswer | TinkerError> {
  try {
    return await transport.send(request);
  } catch (error) {
    if (TinkerError.is(error, "unreachable")) return error;
    throw error;
  }
}

async function sleepOrThrowIfCancelled(
  clock: Clock,
  ms: number,
  { path, signal }: HttpRequest,
): Promise<void> {
  try {
    if (ms > 0) await clock.sleep(ms, signal);
  } catch {
    // The signal aborted; the line below reports it.
  }
  if (signal?.aborted) throw new TinkerError("cancelled", `${path} was cancelled`);
}

/**
 * Counts the attempts of one call. Its methods return the delay before the next attempt, or throw when there is none.
 */
class RetryState {
  readonly #context: RetryContext;
  readonly #path: string;
  readonly #options: CallOptions;
  readonly #startMs: number;
  #failures = 0;
  #empty400s = 0;
  #billingSinceMs: number | undefined;
  #tokenRenewed = false;

  constructor(context: RetryContext, { path }: HttpRequest, options: CallOptions) {
    this.#context = context;
    this.#path = path;
    this.#options = options;
    this.#startMs = context.clock.now();
  }

  delayAfterNoAnswer(error: TinkerError): number {
    // A refused connection never reached the server.
    if (!/ECONNREFUSED/.test(error.message)) this.#requireRepeatable(error.message);
    return this.#backoffDelay(undefined, error);
  }

  delayAfterAnswer(answer: HttpAnswer): number {
    const { status } = answer;
    if (status === 402) return this.#billingDelay(answer);
    if (status === 401 && !this.#tokenRenewed && this.#context.renewToken()) {
      this.#tokenRenewed = true;
      return 0;
    }
    const error = this.#refusalError(answer);
    const shouldRetry = answer.headers.get("x-should-retry");
    if (shouldRetry === "false") throw error;
    if (status === 400 && answer.body.length === 0 && this.#empty400s < MAX_EMPTY_400S) {
      this.#empty400s += 1;
      return 0;
    }
    const isAnswer =
      !isTransient(status, error) || (this.#options.isProbe === true && status === 500);
    if (shouldRetry !== "true" && isAnswer) throw error;
    if (status >= 500 || status === 408) this.#requireRepeatable(`HTTP ${status}`);
    return this.#backoffDelay(answer, error);
  }

  #refusalError(answer: HttpAnswer): TinkerError {
    const text = answer.errorText() || "no reason given";
    const kind = classifyRefusal(answer.status, text);
    const { status } = answer;
    return new TinkerError(kind, `${this.#path}: HTTP ${status}, ${text}`, { status });
  }

  #billingDelay(answer: HttpAnswer): number {
    const { clock, policy, onEvent } = this.#context;
    this.#billingSinceMs ??= clock.now();
    if (clock.now() - this.#billingSinceMs >= policy.billingMs) {
      throw new TinkerError("billing", `${this.#path}: payment is due: ${answer.errorText()}`, {
        status: 402,
      });
    }
    onEvent({ type: "billing-pause", path: this.#path });
    return BILLING_DELAY_MS;
  }

  #requireRepeatable(why: string): void {
    if (this.#options.isRepeatable ?? true) return;
    throw new TinkerError(
      "uncertain",
      `${this.#path}: ${why}; the server may have accepted the call and would run it a second time, so it is not sent again`,
    );
  }

  /** Returns the time for all attempts of this call. */
  #budgetMs({ message }: TinkerError): number {
    const { policy, contact } = this.#context;
    const isNobodyThere = !contact.hasAnswered && NOBODY_LISTENS.test(message);
    return isNobodyThere ? Math.min(policy.firstContactMs, policy.budgetMs) : policy.budgetMs;
  }

  #backoffDelay(answer: HttpAnswer | undefined, error: TinkerError): number {
    const { clock, policy } = this.#context;
    const exponential = Math.min(2 ** this.#failures * 1000, policy.longestDelayMs);
    this.#failures += 1;
    const backpressureMs = answer?.status === 429 ? this.#options.backpressureMs : undefined;
    const delayMs = (answer && readRetryAfterMs(answer, clock)) ?? backpressureMs ?? exponential;
    if (backpressureMs !== undefined) return delayMs; // Back-pressure may last any time: it is not a failure.
    if (clock.now() + delayMs - this.#startMs > this.#budgetMs(error)) {
      const seconds = Math.round((clock.now() - this.#startMs) / 1000);
      throw new TinkerError(
        "unreachable",
        `${error.message}; given up after ${this.#failures} attempts in ${seconds} s`,
        error.status === undefined ? {} : { status: error.status },
      );
    }
    return delayMs;
  }
}

const FINAL_KINDS: ReadonlySet<TinkerErrorKind> = new Set([
  "model-lost",
  "session-lost",
  "unsupported",
]);

/** SkyRL answers 425 while it makes a sampler. A 409 that gives no reason is a lock that the server will release. */
function isTransient(status: number, error: TinkerError): boolean {
  if (FINAL_KINDS.has(error.kind)) return false;
  if (status === 409) return !/reused|already|exists|duplicate|sequence/i.test(error.message);
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** Reads `retry-after-ms`, or `retry-after` in seconds or as a date. The result is at most a minute. */
function readRetryAfterMs({ headers }: HttpAnswer, clock: Clock): number | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (ms >= 0) return Math.min(ms, MAX_RETRY_AFTER_MS);
  const after = headers.get("retry-after");
  if (after === null) return undefined;
  const seconds = Number(after);
  const wait = Number.isNaN(seconds) ? Date.parse(after) - clock.now() : seconds * 1000;
  return wait >= 0 ? Math.min(wait, MAX_RETRY_AFTER_MS) : undefined;
}
