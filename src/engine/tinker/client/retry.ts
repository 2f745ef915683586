/**
 * When a call is sent again, and how long that goes on.
 *
 * The rules are the official SDK's: connection errors, 408, 429 and everything from 500 wait min(2^n, 30) s, or what the
 * server asks for up to a minute, five minutes in all; an unpaid bill waits longer and in silence; an empty 400 is a
 * proxy's noise. A repeated call carries the same idempotency key and number, so it is the same call. Where a server
 * runs repeated calls twice (`repeatable: false`), only what surely was not accepted is sent again.
 */
import type { Clock } from "./clock.ts";
import { kindOfRefusal, TinkerError, type TinkerErrorKind } from "./errors.ts";
import type { HttpAnswer, HttpRequest, Transport } from "./transport.ts";

export interface RetryPolicy {
  /** Of all attempts together. */
  readonly budgetMs: number;
  readonly longestDelayMs: number;
  /** Of a bill that stays unpaid. */
  readonly billingMs: number;
}

export const RETRY_POLICY: RetryPolicy = {
  budgetMs: 5 * 60_000,
  longestDelayMs: 30_000,
  billingMs: 60 * 60_000,
};

/** What a caller may want to know while it waits. No secrets. */
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

export interface RetryParts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly policy: RetryPolicy;
  readonly onEvent: (event: ClientEvent) => void;
  /** True: there was a token, and the next attempt brings a new one. */
  readonly renewToken: () => boolean;
}

export interface CallOptions {
  /** False: a call that may have been accepted is not sent again. Default true. */
  readonly repeatable?: boolean;
  /** True: a 500 is an answer, not an accident; of calls that find out what a server understands. */
  readonly probe?: boolean;
  /** Delay after a 429, for calls that ask for back-pressure. */
  readonly backpressureMs?: number;
}

const BILLING_DELAY_MS = 5000;
const MOST_NOISE = 3;
const LONGEST_ASKED_MS = 60_000;

/** Sends until an answer with 2xx comes. Throws a TinkerError that says what the last answer was. */
export async function sendWithRetries(
  parts: RetryParts,
  request: HttpRequest,
  options: CallOptions = {},
): Promise<HttpAnswer> {
  const { transport, clock, onEvent } = parts;
  const attempt = new Attempt(parts, request, options);
  for (;;) {
    const outcome = await sendOnce(transport, request);
    const failed = outcome instanceof TinkerError;
    const bound = request.isRedirect ? 400 : 300;
    if (!failed && outcome.status >= 200 && outcome.status < bound) return outcome;
    const delayMs = failed ? attempt.afterSilence(outcome) : attempt.afterAnswer(outcome);
    const why = failed ? outcome.message : `HTTP ${outcome.status}`;
    if (delayMs > 0) onEvent({ type: "retry", path: request.path, why, delayMs });
    await sleepUnlessCancelled(clock, delayMs, request);
  }
}

/** An answer, or the error of there being none. */
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

async function sleepUnlessCancelled(
  clock: Clock,
  ms: number,
  { path, signal }: HttpRequest,
): Promise<void> {
  try {
    if (ms > 0) await clock.sleep(ms, signal);
  } catch {
    // Told below.
  }
  if (signal?.aborted) throw new TinkerError("cancelled", `${path} was cancelled`);
}

/** What the attempts of one call have used up. Each method gives the delay before the next, or throws. */
class Attempt {
  readonly #parts: RetryParts;
  readonly #path: string;
  readonly #options: CallOptions;
  readonly #startMs: number;
  #failures = 0;
  #noise = 0;
  #billingSinceMs: number | undefined;
  #tokenRenewed = false;

  constructor(parts: RetryParts, { path }: HttpRequest, options: CallOptions) {
    this.#parts = parts;
    this.#path = path;
    this.#options = options;
    this.#startMs = parts.clock.now();
  }

  afterSilence(error: TinkerError): number {
    // A refused connection never reached the server.
    if (!/ECONNREFUSED/.test(error.message)) this.#requireRepeatable(error.message);
    return this.#backoff(undefined, error);
  }

  afterAnswer(answer: HttpAnswer): number {
    const { status } = answer;
    if (status === 402) return this.#billingPause(answer);
    if (status === 401 && !this.#tokenRenewed && this.#parts.renewToken()) {
      this.#tokenRenewed = true;
      return 0;
    }
    const error = this.#errorOf(answer);
    const asked = answer.headers.get("x-should-retry");
    if (asked === "false") throw error;
    if (status === 400 && answer.body.length === 0 && this.#noise < MOST_NOISE) {
      this.#noise += 1;
      return 0;
    }
    const isAnswer =
      !isTransient(status, error) || (this.#options.probe === true && status === 500);
    if (asked !== "true" && isAnswer) throw error;
    if (status >= 500 || status === 408) this.#requireRepeatable(`HTTP ${status}`);
    return this.#backoff(answer, error);
  }

  #errorOf(answer: HttpAnswer): TinkerError {
    const text = answer.text() || "no reason given";
    const kind = kindOfRefusal(answer.status, text);
    const { status } = answer;
    return new TinkerError(kind, `${this.#path}: HTTP ${status}, ${text}`, { status });
  }

  #billingPause(answer: HttpAnswer): number {
    const { clock, policy, onEvent } = this.#parts;
    this.#billingSinceMs ??= clock.now();
    if (clock.now() - this.#billingSinceMs >= policy.billingMs) {
      throw new TinkerError("billing", `${this.#path}: payment is due: ${answer.text()}`, {
        status: 402,
      });
    }
    onEvent({ type: "billing-pause", path: this.#path });
    return BILLING_DELAY_MS;
  }

  #requireRepeatable(why: string): void {
    if (this.#options.repeatable ?? true) return;
    throw new TinkerError(
      "uncertain",
      `${this.#path}: ${why}; it may have been accepted, and this server would run it a second time`,
    );
  }

  #backoff(answer: HttpAnswer | undefined, error: TinkerError): number {
    const { clock, policy } = this.#parts;
    const exponential = Math.min(2 ** this.#failures * 1000, policy.longestDelayMs);
    this.#failures += 1;
    const pressed = answer?.status === 429 ? this.#options.backpressureMs : undefined;
    const delayMs = (answer && askedDelayMs(answer, clock)) ?? pressed ?? exponential;
    if (pressed !== undefined) return delayMs; // Back-pressure is no failure, however long it lasts.
    if (clock.now() + delayMs - this.#startMs > policy.budgetMs) {
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

const FINAL: ReadonlySet<TinkerErrorKind> = new Set(["model-lost", "session-lost", "unsupported"]);

/** 425: SkyRL's answer while a sampler is being made. A 409 without a reason is a lock that will go. */
function isTransient(status: number, error: TinkerError): boolean {
  if (FINAL.has(error.kind)) return false;
  if (status === 409) return !/reused|already|exists|duplicate|sequence/i.test(error.message);
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date; at most a minute. */
function askedDelayMs({ headers }: HttpAnswer, clock: Clock): number | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (ms >= 0) return Math.min(ms, LONGEST_ASKED_MS);
  const after = headers.get("retry-after");
  if (after === null) return undefined;
  const seconds = Number(after);
  const wait = Number.isNaN(seconds) ? Date.parse(after) - clock.now() : seconds * 1000;
  return wait >= 0 ? Math.min(wait, LONGEST_ASKED_MS) : undefined;
}
