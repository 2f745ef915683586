/**
 * The order of one model's training requests.
 *
 * Clients number them from 1 and may send them in any order and more than once: they run by number, one at a time, a
 * number that is missing is waited for, and a number that comes again is the same request or refused. Requests without
 * a number run when they come to their turn.
 */
import { throwApiError } from "./api-error.ts";

/** Numbers that may be ahead of the one that is waited for. */
const MAX_AHEAD = 1024;

interface NumberedRequest {
  readonly digest: string;
  readonly requestId: string;
}

export class TrainingQueue {
  /** The number that runs next. */
  #next = 1;
  readonly #seen = new Map<number, NumberedRequest>();
  readonly #early = new Map<number, () => void>();
  #tail: Promise<unknown>;
  #count = 0;

  /** Nothing runs before `ready` is settled. */
  constructor(ready: Promise<unknown>) {
    this.#tail = ready;
  }

  /** The number that everything behind waits for; undefined: nothing is held up. */
  get missingNumber(): number | undefined {
    return this.#early.size > 0 ? this.#next : undefined;
  }

  /** No request came before this number. */
  isFirst(number: number | undefined): boolean {
    return this.#count === 0 && (number === undefined || number === 1);
  }

  /** The future of the same request, if it came before. Throws a 409 when the number was another request's. */
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

  /** `run` never rejects. Resolves when it has run. */
  enqueue(
    number: number | undefined,
    { digest, requestId }: NumberedRequest,
    run: () => Promise<void>,
  ) {
    this.#count += 1;
    if (number === undefined) {
      this.#runAfterTail(run);
      return;
    }
    this.#seen.set(number, { digest, requestId });
    this.#early.set(number, () => this.#runAfterTail(run));
    for (;;) {
      const ready = this.#early.get(this.#next);
      if (!ready) return;
      this.#early.delete(this.#next);
      this.#next += 1;
      ready();
    }
  }

  #runAfterTail(run: () => Promise<void>): void {
    this.#tail = this.#tail.then(run, run);
  }
}
