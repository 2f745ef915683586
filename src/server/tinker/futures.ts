/**
 * Work that goes on after its request was answered: a future is accepted, runs, and ends in an outcome that may be read
 * as often as one likes. Waiting is a long poll, which costs nothing while nothing happens.
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

  /** `limit`: futures that may run or wait at a time. */
  constructor(log: ResultLog, limit = 4096) {
    this.#log = log;
    this.#limit = limit;
  }

  /** Whether another one may be started. */
  get isFull(): boolean {
    return this.#running.size >= this.#limit;
  }

  status(id: string): "running" | "done" | "lost" | "unknown" {
    if (this.#running.has(id)) return "running";
    const logged = this.#log.status(id);
    if (logged === "done") return "done";
    return logged === "accepted" ? "lost" : "unknown";
  }

  /** Accepts it and lets it run; whatever `work` throws becomes an outcome. Throws a 429 when too many are running. */
  start(id: string, work: (signal: AbortSignal) => Promise<Outcome>): void {
    if (this.isFull) throw new ApiError(429, `more than ${this.#limit} requests are pending`);
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

  /** Asks it to end early; true: it was running. */
  cancel(id: string): boolean {
    const running = this.#running.get(id);
    running?.abort.abort();
    return running !== undefined;
  }

  /** Of a future that is known; undefined: not yet. */
  async waitForOutcome(
    id: string,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Outcome | undefined> {
    const running = this.#running.get(id);
    if (running) await waitUntilDone(running.done, limitMs, signal);
    return this.#log.readOutcome(id);
  }

  /** What is running gets no outcome any more, as if the process had ended. */
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
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, limitMs);
    signal.addEventListener("abort", finish, { once: true });
    void done.then(finish);
  });
}
