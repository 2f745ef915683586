/**
 * Says how long an operation is tried again. It ends at a deadline and never after a number of attempts: on a bad network
 * a dozen attempts may fail within a second, and on a good one the second attempt works.
 */
import { errorMessage } from "../../../core/index.ts";
import { TinkerError } from "./errors.ts";
import type { RetryContext } from "./retry.ts";

/** The delay after the second failure; it doubles with each further one. The first attempt is repeated at once. */
const FIRST_DELAY_MS = 100;

/** The deadline of one operation. The time counts from the operation's first failure. */
export class Deadline {
  readonly #context: Pick<RetryContext, "clock" | "policy">;
  readonly #limitMs: number;
  #firstFailureMs: number | undefined;
  #failures = 0;

  constructor(context: Pick<RetryContext, "clock" | "policy">, limitMs: number) {
    this.#context = context;
    this.#limitMs = limitMs;
  }

  /** Waits before the next attempt. Throws an `unreachable` error when the deadline would be over by then. */
  async waitOrThrow(error: unknown, signal?: AbortSignal): Promise<void> {
    const { clock, policy } = this.#context;
    this.#firstFailureMs ??= clock.now();
    this.#failures += 1;
    const exponentialMs = FIRST_DELAY_MS * 2 ** (this.#failures - 2);
    const delayMs = this.#failures === 1 ? 0 : Math.min(exponentialMs, policy.longestDelayMs);
    const elapsedMs = clock.now() - this.#firstFailureMs;
    if (elapsedMs + delayMs > this.#limitMs) {
      throw new TinkerError(
        "unreachable",
        `${errorMessage(error)}; given up after ${this.#failures} attempts in ${Math.round(elapsedMs / 1000)} s`,
        { cause: error },
      );
    }
    // A caller that cancels finds out by its signal.
    if (delayMs > 0) await clock.sleep(delayMs, signal).catch(() => {});
  }
}
