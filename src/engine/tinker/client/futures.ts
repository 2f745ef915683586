/**
 * The result of a call that the server does later: a long poll of `retrieve_future` until it is there.
 *
 * The poll holds the connection, so a pending answer is followed by the next poll at once; only a broken connection or a
 * rate limit waits. A result is what arrives with 200 and is neither "try again" nor an error, in protobuf or JSON.
 */
import { completeMetadataSchema, failedFutureSchema, tryAgainSchema } from "../wire/index.ts";
import { kindOfRefusal, TinkerError, type TinkerErrorKind } from "./errors.ts";
import type { RetryParts } from "./retry.ts";
import type { HttpAnswer } from "./transport.ts";

export interface FutureOptions {
  /** Accept the result as protobuf; a server may send it as JSON all the same. */
  readonly protobuf: boolean;
  /** Told to the hosted service, for its own records: "ForwardBackward", "Sample", ... */
  readonly requestType: string;
  readonly signal?: AbortSignal | undefined;
}

/** Longer than any server holds a poll that it means to answer; then we ask again. */
const POLL_MS = 45_000;
const MOST_NOISE = 3;
/** A server that fails at once must not be asked in a tight loop. */
const FAST_FAILURE_MS = 250;

export interface FutureLimits {
  /** A future that stays pending for longer is taken for lost. */
  readonly pendingMs: number;
}

/** The raw result of a future. Throws what protocol section 6 says of each status, as a TinkerError. */
export async function retrieveFuture(
  parts: RetryParts,
  requestId: string,
  options: FutureOptions,
  limits: FutureLimits,
): Promise<HttpAnswer> {
  const state = new PollState(parts, requestId, limits);
  for (let iteration = 0; ; iteration++) {
    let answer: HttpAnswer;
    try {
      answer = await poll(parts, requestId, options, iteration, state.wantsMetadata);
    } catch (error) {
      if (!TinkerError.is(error, "unreachable")) throw error;
      await state.afterSilence(error, options.signal);
      continue;
    }
    if (await state.isFinal(answer, options.signal)) return answer;
  }
}

function poll(
  { transport }: RetryParts,
  requestId: string,
  { protobuf, requestType, signal }: FutureOptions,
  iteration: number,
  allowMetadata: boolean,
): Promise<HttpAnswer> {
  return transport.send({
    path: "/retrieve_future",
    body: { request_id: requestId, allow_metadata_only: allowMetadata },
    acceptProtobuf: protobuf,
    headers: {
      "X-Tinker-Request-Iteration": String(iteration),
      "X-Tinker-Request-Type": requestType,
    },
    timeoutMs: POLL_MS,
    signal,
  });
}

class PollState {
  readonly #parts: RetryParts;
  readonly #requestId: string;
  readonly #limits: FutureLimits;
  readonly #startMs: number;
  #polledMs: number;
  #failures = 0;
  #silentSinceMs: number | undefined;
  #noise = 0;
  #billingSinceMs: number | undefined;
  #queue = "active";
  wantsMetadata = true;

  constructor(parts: RetryParts, requestId: string, limits: FutureLimits) {
    this.#parts = parts;
    this.#requestId = requestId;
    this.#limits = limits;
    this.#startMs = parts.clock.now();
    this.#polledMs = this.#startMs;
  }

  /** No answer at all. A poll that ran into our own time limit is as good as "pending". */
  async afterSilence(error: TinkerError, signal: AbortSignal | undefined): Promise<void> {
    const { clock, policy } = this.#parts;
    this.#requirePatience();
    const elapsedMs = clock.now() - this.#polledMs;
    this.#polledMs = clock.now();
    if (elapsedMs >= POLL_MS) return;
    this.#silentSinceMs ??= clock.now();
    if (clock.now() - this.#silentSinceMs > policy.budgetMs) throw error;
    await this.#backoff(error.message, signal);
  }

  /** True: the answer is the result. False: poll again, now. */
  async isFinal(answer: HttpAnswer, signal: AbortSignal | undefined): Promise<boolean> {
    this.#silentSinceMs = undefined;
    if (answer.status !== 402) this.#billingSinceMs = undefined;
    if (answer.status >= 200 && answer.status < 300) return this.#isResult(answer);
    await this.#pending(answer, signal);
    return false;
  }

  #isResult(answer: HttpAnswer): boolean {
    this.#failures = 0;
    if (answer.isProtobuf) return true;
    const body = answer.json();
    const again = tryAgainSchema.safeParse(body);
    if (again.success) {
      this.#queued(again.data.queue_state);
      this.#requirePatience();
      this.#polledMs = this.#parts.clock.now();
      return false;
    }
    if (completeMetadataSchema.safeParse(body).success) {
      this.wantsMetadata = false;
      return false;
    }
    const failed = failedFutureSchema.safeParse(body);
    if (!failed.success) return true;
    const { category, error } = failed.data;
    throw this.#failed(category === "user" ? 400 : 500, this.#parts.transport.redact(error));
  }

  async #pending(answer: HttpAnswer, signal: AbortSignal | undefined): Promise<void> {
    const { status } = answer;
    this.#requirePatience();
    if (status === 408) return this.#stillPending(answer, signal);
    if (status === 410) throw this.#lost("the server has lost it");
    if (status === 404) throw this.#lost(answer.text() || "the server does not know it");
    if (status === 402) return this.#billing(answer, signal);
    if (status === 401 && this.#parts.renewToken()) return;
    if (status === 429) return this.#backoff("HTTP 429", signal);
    if (status >= 500) return this.#serverError(answer, signal);
    if (status === 400 && answer.body.length === 0 && this.#noise < MOST_NOISE) {
      this.#noise += 1;
      return;
    }
    throw this.#failed(status, answer.text() || "no reason given");
  }

  async #stillPending(answer: HttpAnswer, signal: AbortSignal | undefined): Promise<void> {
    this.#failures = 0;
    this.#noise = 0;
    try {
      this.#queued((answer.json() as { queue_state?: string }).queue_state);
    } catch {
      // A 408 needs no body.
    }
    await this.#notTooFast(signal);
  }

  /** Asked again at once, as the protocol says, unless that would be a tight loop; and not for ever. */
  async #serverError(answer: HttpAnswer, signal: AbortSignal | undefined): Promise<void> {
    this.#failures += 1;
    const { clock, policy } = this.#parts;
    this.#silentSinceMs ??= clock.now();
    if (this.#failures > policy.budgetMs / policy.longestDelayMs + 5) {
      throw this.#failed(
        answer.status,
        answer.text() || `only HTTP ${answer.status}`,
        "unreachable",
      );
    }
    if (this.#failures === 1) return this.#notTooFast(signal);
    await this.#wait(
      Math.min(2 ** (this.#failures - 2) * 1000, policy.longestDelayMs),
      `HTTP ${answer.status}`,
      signal,
    );
  }

  async #notTooFast(signal: AbortSignal | undefined): Promise<void> {
    const { clock, policy } = this.#parts;
    const leastMs = Math.min(FAST_FAILURE_MS, policy.longestDelayMs);
    const missingMs = this.#polledMs + leastMs - clock.now();
    if (missingMs > 0) await clock.sleep(missingMs, signal).catch(() => {});
    this.#polledMs = clock.now();
  }

  async #billing(answer: HttpAnswer, signal: AbortSignal | undefined): Promise<void> {
    const { clock, policy, onEvent } = this.#parts;
    this.#billingSinceMs ??= clock.now();
    if (clock.now() - this.#billingSinceMs >= policy.billingMs) {
      throw new TinkerError("billing", `payment is due: ${answer.text()}`, { status: 402 });
    }
    onEvent({ type: "billing-pause", path: "/retrieve_future" });
    await clock.sleep(5000, signal).catch(() => {});
  }

  #backoff(why: string, signal: AbortSignal | undefined): Promise<void> {
    const delayMs = Math.min(2 ** this.#failures * 1000, this.#parts.policy.longestDelayMs);
    this.#failures += 1;
    return this.#wait(delayMs, why, signal);
  }

  async #wait(delayMs: number, why: string, signal: AbortSignal | undefined): Promise<void> {
    const { clock, onEvent } = this.#parts;
    onEvent({ type: "retry", path: "/retrieve_future", why, delayMs });
    await clock.sleep(delayMs, signal).catch(() => {});
    this.#polledMs = clock.now();
  }

  #queued(state: string | null | undefined): void {
    if (state === undefined || state === null || state === this.#queue) return;
    this.#queue = state;
    this.#parts.onEvent({ type: "queue", requestId: this.#requestId, state });
  }

  #requirePatience(): void {
    if (this.#parts.clock.now() - this.#startMs <= this.#limits.pendingMs) return;
    throw this.#lost(`it stayed pending for ${this.#limits.pendingMs / 60_000} minutes`);
  }

  #lost(why: string): TinkerError {
    const message = `the result of request ${this.#requestId} is gone: ${why}`;
    return new TinkerError("future-lost", message, { requestId: this.#requestId });
  }

  #failed(status: number, text: string, kind = failureKind(status, text)): TinkerError {
    const message = `request ${this.#requestId} failed: ${text}`;
    return new TinkerError(kind, message, { requestId: this.#requestId, status });
  }
}

/** The call was accepted, so what is not the caller's fault is a failure of the server. */
function failureKind(status: number, text: string): TinkerErrorKind {
  const kind = kindOfRefusal(status, text);
  return kind === "unreachable" ? "failed" : kind;
}
