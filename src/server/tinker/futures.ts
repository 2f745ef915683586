/**
 * Futures: work that continues after its request was answered. A future is accepted, runs, and ends in an outcome that
 * can be read any number of times.
 */
import { BowlineError, errorMessage } from "../../core/index.ts";
import { ApiError } from "./api-error.ts";
import type { Outcome } from "./outcome.ts";
import type { ResultLog } from "./result-log.ts";

interface RunningFuture {
  readonly done: Promise<void>;
  readonly abort: AbortController;
}

export class Futures {
  readonly #log: ResultLog;
  readonly #running = new Map<string, RunningFuture>();
  readonly #limit: number;
  #closed = false;

  /** `limit` is the number of futures that may run or wait at the same time. */
  constructor(log: ResultLog, limit = 4096) {
    this.#log = log;
    this.#limit = limit;
  }

  /** True when no other future may be started now. */
  get isFull(): boolean {
    return this.#running.size >= this.#limit;
  }

  status(id: string): "running" | "done" | "lost" | "unknown" {
    if (this.#running.has(id)) return "running";
    const logged = this.#log.status(id);
    if (logged === "done") return "done";
    return logged === "accepted" ? "lost" : "unknown";
  }

  /**
   * Accepts a future and runs its work; an error of `work` becomes its outcome. Throws a 429 when too many are running.
   */
  start(id: string, work: (signal: AbortSignal) => Promise<Outcome>): void {
    if (this.isFull)
      throw new ApiError(429, `more than ${this.#limit} requests are pending; try again later`);
    const abort = new AbortController();
    this.#log.recordAccepted(id);
    const done = work(abort.signal)
      .catch(errorOutcome)
      .then((outcome) => {
        if (!this.#closed) this.#log.recordOutcome(id, outcome);
        this.#running.delete(id);
      });
    this.#running.set(id, { done, abort });
  }

  /** Asks a future to end early. Returns whether it was running. */
  cancel(id: string): boolean {
    const running = this.#running.get(id);
    running?.abort.abort();
    return running !== undefined;
  }

  /** Waits for a future's outcome for up to `limitMs`. Returns undefined when the future is still running then. */
  async waitForOutcome(
    id: string,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Outcome | undefined> {
    const running = this.#running.get(id);
    if (running) await waitUntilDone(running.done, limitMs, signal);
    return this.#log.readOutcome(id);
  }

  /** Aborts all running futures. They get no outcome, as if the process had ended. */
  close(): void {
    this.#closed = true;
    for (const { abort } of this.#running.values()) abort.abort();
  }
}

function errorOutcome(error: unknown): Outcome {
  const isUserError = error instanceof ApiError ? error.isUserError : BowlineError.is(error);
  return { type: "error", error: errorMessage(error), category: isUserError ? "user" : "server" };
}

function waitUntilDone(done: Promise<void>, limitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finishWaiting = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finishWaiting);
      resolve();
    };
    const timer = setTimeout(finishWaiting, limitMs);
    signal.addEventListener("abort", finishWaiting, { once: true });
    void done.then(finishWaiting);
  });
}
