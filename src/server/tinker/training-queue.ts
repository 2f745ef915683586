/**
 * Keeps one model's training requests in order.
 *
 * Clients number requests from 1 and may send them in any order and more than once. Requests run one at a time in the
 * order of their numbers; the queue waits for a missing number. A number that comes again must belong to the same
 * request. Requests without a number run after those that are ready.
 */
import { throwApiError } from "./api-error.ts";

/** How far a request's number may be ahead of the next one to run. */
const MAX_AHEAD = 1024;

interface NumberedRequest {
  readonly digest: string;
  readonly requestId: string;
}

export class TrainingQueue {
  /** The number of the next request to run. */
  #next = 1;
  readonly #seen = new Map<number, NumberedRequest>();
  readonly #early = new Map<number, () => void>();
  #tail: Promise<unknown>;
  #count = 0;

  /** No request runs before `ready` has settled. */
  constructor(ready: Promise<unknown>) {
    this.#tail = ready;
  }

  /** The missing number that later requests wait for, or undefined when none waits. */
  get missingNumber(): number | undefined {
    return this.#early.size > 0 ? this.#next : undefined;
  }

  /** Returns whether a request with this number would be the first one. */
  isFirst(number: number | undefined): boolean {
    return this.#count === 0 && (number === undefined || number === 1);
  }

  /** Returns the future of an equal earlier request, if any. Throws a 409 when another request has the number. */
  findRepeated(number: number | undefined, digest: string): string | undefined {
    if (number === undefined) return undefined;
    const before = this.#seen.get(number);
    if (before && before.digest !== digest) {
      throwApiError(
        409,
        `Training request sequence number was reused: ${number} belongs to another request`,
      );
    }
    if (!before && (number < 1 || number > this.#next + MAX_AHEAD)) {
      throwApiError(400, `seq_id ${number} is out of range: the next is ${this.#next}`);
    }
    return before?.requestId;
  }

  /** Adds a request. `run` must not reject. */
  enqueue(
    number: number | undefined,
    { digest, requestId }: NumberedRequest,
    run: () => Promise<void>,
  ) {
    this.#count += 1;
    if (number === undefined) {
      this.#runNext(run);
      return;
    }
    this.#seen.set(number, { digest, requestId });
    this.#early.set(number, () => this.#runNext(run));
    for (;;) {
      const ready = this.#early.get(this.#next);
      if (!ready) return;
      this.#early.delete(this.#next);
      this.#next += 1;
      ready();
    }
  }

  #runNext(run: () => Promise<void>): void {
    this.#tail = this.#tail.then(run, run);
  }
}
