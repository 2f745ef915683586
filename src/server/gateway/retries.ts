/**
 * Finds out which calls repeat an earlier one, because a repetition must not add a turn. Equal bodies are not enough:
 * compaction and loops also send the same body again. So a call counts as a repetition of the newest call with the same
 * body only if the client's retry count says so, the idempotency key is the same, or the earlier connection ended
 * before its answer was sent.
 */

import { dropOldest } from "./answer-memory.ts";
import { GatewayError } from "./gateway-error.ts";

/** The marks of a call that show whether it repeats another. */
export interface CallMarks {
  /** The digest of path and body. */
  readonly digest: string;
  /** The header `x-stainless-retry-count`, or 0 without it. */
  readonly retryCount: number;
  /** The header `idempotency-key`. */
  readonly idempotencyKey: string | undefined;
}

/** A call and its repetitions. */
export interface CallEntry {
  /** The key by which the session recognises repetitions. */
  readonly retryKey: string;
  readonly digest: string;
  /** How many connections have made this call so far. */
  connections: number;
  /** True when the newest of these connections ended before its answer was sent. */
  isLost: boolean;
}

/** How many calls are remembered. */
const MAX_ENTRIES = 64;

export class RetryRegistry {
  readonly #entries = new Map<string, CallEntry>();
  #calls = 0;

  /**
   * Returns the entry of the call that this one repeats, or a new one. Throws a 400 when a key is reused for another
   * body.
   */
  findOrRegister(marks: CallMarks): CallEntry {
    const { digest, idempotencyKey } = marks;
    const knownEntry =
      idempotencyKey === undefined ? this.#findByDigest(marks) : this.#findByIdempotencyKey(marks);
    if (knownEntry) {
      knownEntry.isLost = false;
      knownEntry.connections++;
      return knownEntry;
    }
    const retryKey =
      idempotencyKey === undefined ? `call-${this.#calls++}` : `key-${idempotencyKey}`;
    const entry: CallEntry = { retryKey, digest, connections: 1, isLost: false };
    this.#entries.set(retryKey, entry);
    dropOldest(this.#entries, MAX_ENTRIES);
    return entry;
  }

  /** Removes a call that failed, so that a repetition is not given its answer. */
  remove({ retryKey }: CallEntry): void {
    this.#entries.delete(retryKey);
  }

  #findByDigest({ digest, retryCount }: CallMarks): CallEntry | undefined {
    return [...this.#entries.values()].findLast(
      (entry) => entry.digest === digest && (retryCount > 0 || entry.isLost),
    );
  }

  #findByIdempotencyKey({ digest, idempotencyKey }: CallMarks): CallEntry | undefined {
    const entry = this.#entries.get(`key-${idempotencyKey}`);
    if (entry && entry.digest !== digest) {
      throw new GatewayError(
        400,
        "idempotency_key_reused",
        "idempotency-key: this key was used for another request of this session",
      );
    }
    return entry;
  }
}
