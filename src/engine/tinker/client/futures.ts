/**
 * Fetches the result of a call that the server does later, by long polls of `retrieve_future`.
 *
 * The server holds each poll open, so a pending answer is followed by the next poll at once; the client waits only
 * after a broken connection or a rate limit. A 200 answer that is neither "try again" nor an error is the result, in
 * protobuf or JSON.
 */
import { giveWay } from "../../../core/index.ts";
import { completeMetadataSchema, failedFutureSchema, tryAgainSchema } from "../wire/index.ts";
import { classifyRefusal, TinkerError, type TinkerErrorKind } from "./errors.ts";
import type { RetryContext } from "./retry.ts";
import type { HttpAnswer } from "./transport.ts";

export interface FutureOptions {
  /** Whether the server may send the result as protobuf. It may send JSON in any case. */
  readonly protobuf: boolean;
  /** The kind of call, which the hosted service records: "ForwardBackward", "Sample", ... */
  readonly requestType: string;
  readonly signal?: AbortSignal | undefined;
}

/** The time limit of one poll. No server holds a poll open for longer, so the client then polls again. */
const POLL_MS = 45_000;
const MAX_EMPTY_400S = 3;
/** The least time between polls, so that a server that fails at once is not polled in a tight loop. */
const MIN_POLL_INTERVAL_MS = 250;

export interface FutureLimits {
  /** A future that stays pending for longer counts as lost. */
  readonly pendingMs: number;
}

/**
 * Returns the undecoded result of a future. Throws a TinkerError, by the meaning of each status in protocol section 6.
 */
export async function retrieveFuture(
  context: RetryContext,
  requestId: string,
  options: FutureOptions,
  limits: FutureLimits,
): Promise<HttpAnswer> {
  const state = new FuturePoller(context, requestId, limits);
  for (let iteration = 0; ; iteration++) {
    let answer: HttpAnswer;
    try {
      answer = await pollFuture(context, requestId, options, iteration, state.wantsMetadata);
    } catch (error) {
      if (!TinkerError.is(error, "unreachable")) throw error;
      await state.handleNoAnswer(error, options.signal);
      continue;
    }
    if (await state.handleAnswer(answer, options.signal)) return answer;
  }
}

async function pollFuture(
  { transport }: RetryContext,
  requestId: string,
  { protobuf, requestType, signal }: FutureOptions,
  iteration: number,
  allowMetadata: boolean,
): Promise<HttpAnswer> {
  await giveWay();
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

class FuturePoller {
  readonly #context: RetryContext;
  readonly #requestId: string;
  readonly #limits: FutureLimits;
  readonly #startMs: number;
  #lastPollMs: number;
  #failures = 0;
  #failingSinceMs: number | undefined;
  #empty400s = 0;
  #billingSinceMs: number | undefined;
  #queueState = "active";
  wantsMetadata = true;

  constructor(context: RetryContext, requestId: string, limits: FutureLimits) {
    this.#context = context;
    this.#requestId = requestId;
    this.#limits = limits;
    this.#startMs = context.clock.now();
    this.#lastPollMs = this.#startMs;
  }

  /** Handles a poll without an answer. A poll that reached the client's own time limit counts as "pending". */
  async handleNoAnswer(error: TinkerError, signal: AbortSignal | undefined): Promise<void> {
    const { clock, policy } = this.#context;
    this.#requireTimeLeft();
    const elapsedMs = clock.now() - this.#lastPollMs;
    this.#lastPollMs = clock.now();
    if (elapsedMs >= POLL_MS) return;
    this.#failingSinceMs ??= clock.now();
    if (clock.now() - this.#failingSinceMs > policy.budgetMs) throw error;
    await this.#waitWithBackoff(error.message, signal);
  }

  /** Returns true when the answer is the result, and false when the client should poll again at once. */
  async handleAnswer(answer: HttpAnswer, signal: AbortSignal | undefined): Promise<boolean> {
    if (answer.status < 500) this.#failingSinceMs = undefined;
    if (answer.status !== 402) this.#billingSinceMs = undefined;
    if (answer.status >= 200 && answer.status < 300) return this.#isResult(answer);
    await this.#handleErrorStatus(answer, signal);
    return false;
  }

  #isResult(answer: HttpAnswer): boolean {
    this.#failures = 0;
    if (answer.isProtobuf) return true;
    const body = answer.parseJson();
    const again = tryAgainSchema.safeParse(body);
    if (again.success) {
      this.#reportQueueState(again.data.queue_state);
      this.#requireTimeLeft();
      this.#lastPollMs = this.#context.clock.now();
      return false;
    }
    if (completeMetadataSchema.safeParse(body).success) {
      this.wantsMetadata = false;
      return false;
    }
    const failed = failedFutureSchema.safeParse(body);
    if (!failed.success) return true;
    const { category, error } = failed.data;
    throw this.#failedError(
      category === "user" ? 400 : 500,
      this.#context.transport.redactSecrets(error),
    );
  }

  async #handleErrorStatus(answer: HttpAnswer, signal: AbortSignal | undefined): Promise<void> {
    const { status } = answer;
    this.#requireTimeLeft();
    if (status === 408) return this.#handlePending(answer, signal);
    if (status === 410) throw this.#lostError("the server has dropped it");
    if (status === 404) throw this.#lostError(answer.errorText() || "the server does not know it");
    if (status === 402) return this.#waitForPayment(answer, signal);
    if (status === 401 && this.#context.renewToken()) return;
    if (status === 429) return this.#waitWithBackoff("HTTP 429", signal);
    if (status >= 500) return this.#handleServerError(answer, signal);
    if (status === 400 && answer.body.length === 0 && this.#empty400s < MAX_EMPTY_400S) {
      this.#empty400s += 1;
      return;
    }
    throw this.#failedError(status, answer.errorText() || "no reason given");
  }

  async #handlePending(answer: HttpAnswer, signal: AbortSignal | undefined): Promise<void> {
    this.#failures = 0;
    this.#empty400s = 0;
    try {
      this.#reportQueueState((answer.parseJson() as { queue_state?: string }).queue_state);
    } catch {
      // The 408 has no JSON body, which is allowed.
    }
    await this.#waitForNextPoll(signal);
  }

  /**
   * After the first server error the client polls again at once, as the protocol says. Later errors wait, then throw.
   */
  async #handleServerError(answer: HttpAnswer, signal: AbortSignal | undefined): Promise<void> {
    this.#failures += 1;
    const { clock, policy } = this.#context;
    this.#failingSinceMs ??= clock.now();
    if (clock.now() - this.#failingSinceMs > policy.budgetMs) {
      throw this.#failedError(
        answer.status,
        answer.errorText() || `only HTTP ${answer.status}`,
        "unreachable",
      );
    }
    if (this.#failures === 1) return this.#waitForNextPoll(signal);
    await this.#reportAndWait(
      Math.min(2 ** (this.#failures - 2) * 1000, policy.longestDelayMs),
      `HTTP ${answer.status}`,
      signal,
    );
  }

  async #waitForNextPoll(signal: AbortSignal | undefined): Promise<void> {
    const { clock, policy } = this.#context;
    const minIntervalMs = Math.min(MIN_POLL_INTERVAL_MS, policy.longestDelayMs);
    const remainingMs = this.#lastPollMs + minIntervalMs - clock.now();
    if (remainingMs > 0) await clock.sleep(remainingMs, signal).catch(() => {});
    this.#lastPollMs = clock.now();
  }

  async #waitForPayment(answer: HttpAnswer, signal: AbortSignal | undefined): Promise<void> {
    const { clock, policy, onEvent } = this.#context;
    this.#billingSinceMs ??= clock.now();
    if (clock.now() - this.#billingSinceMs >= policy.billingMs) {
      throw new TinkerError("billing", `payment is due: ${answer.errorText()}`, { status: 402 });
    }
    onEvent({ type: "billing-pause", path: "/retrieve_future" });
    await clock.sleep(5000, signal).catch(() => {});
  }

  #waitWithBackoff(why: string, signal: AbortSignal | undefined): Promise<void> {
    const delayMs = Math.min(2 ** this.#failures * 1000, this.#context.policy.longestDelayMs);
    this.#failures += 1;
    return this.#reportAndWait(delayMs, why, signal);
  }

  async #reportAndWait(
    delayMs: number,
    why: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { clock, onEvent } = this.#context;
    onEvent({ type: "retry", path: "/retrieve_future", why, delayMs });
    await clock.sleep(delayMs, signal).catch(() => {});
    this.#lastPollMs = clock.now();
  }

  #reportQueueState(state: string | null | undefined): void {
    if (state === undefined || state === null || state === this.#queueState) return;
    this.#queueState = state;
    this.#context.onEvent({ type: "queue", requestId: this.#requestId, state });
  }

  #requireTimeLeft(): void {
    if (this.#context.clock.now() - this.#startMs <= this.#limits.pendingMs) return;
    throw this.#lostError(`it stayed pending for ${this.#limits.pendingMs / 60_000} minutes`);
  }

  #lostError(why: string): TinkerError {
    const message = `the result of request ${this.#requestId} is lost: ${why}`;
    return new TinkerError("future-lost", message, { requestId: this.#requestId });
  }

  #failedError(status: number, text: string, kind = classifyFailure(status, text)): TinkerError {
    const message = `request ${this.#requestId} failed: ${text}`;
    return new TinkerError(kind, message, { requestId: this.#requestId, status });
  }
}

/** Returns the kind of a failed future. The call was accepted, so `unreachable` becomes `failed`. */
function classifyFailure(status: number, text: string): TinkerErrorKind {
  const kind = classifyRefusal(status, text);
  return kind === "unreachable" ? "failed" : kind;
}
