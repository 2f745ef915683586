/**
 * Which calls repeat an earlier one. A repetition must not add a turn, and a body that comes twice proves nothing: compaction
 * and loops repeat bodies. So a call repeats the newest one of the same body where something else says so too: the client's
 * own count, the same idempotency key, or that the earlier connection ended before its answer was out.
 */

import { dropOldest } from "./answer-memory.ts";
import { GatewayError } from "./gateway-error.ts";

/** What a call says of itself. */
export interface CallMarks {
  /** Of path and body. */
  readonly digest: string;
  /** `x-stainless-retry-count`; 0 where there is none. */
  readonly retryCount: number;
  /** `idempotency-key`. */
  readonly idempotencyKey: string | undefined;
}

/** A call, and its repetitions. */
export interface CallEntry {
  /** For the session. */
  readonly retryKey: string;
  readonly digest: string;
  /** Connections that asked for it so far. */
  connections: number;
  /** The newest of them ended before its answer was out. */
  isLost: boolean;
}

/** Calls that are remembered. */
const MAX_ENTRIES = 64;

export class RetryRegistry {
  readonly #entries = new Map<string, CallEntry>();
  #calls = 0;

  /** The entry of the call that this one repeats, or a new one. Throws 400 where an idempotency key names another body. */
  register(marks: CallMarks): CallEntry {
    const { digest, idempotencyKey } = marks;
    const known =
      idempotencyKey === undefined ? this.#findByDigest(marks) : this.#findByIdempotencyKey(marks);
    if (known) {
      known.isLost = false;
      known.connections++;
      return known;
    }
    const retryKey =
      idempotencyKey === undefined ? `call-${this.#calls++}` : `key-${idempotencyKey}`;
    const entry: CallEntry = { retryKey, digest, connections: 1, isLost: false };
    this.#entries.set(retryKey, entry);
    dropOldest(this.#entries, MAX_ENTRIES);
    return entry;
  }

  /** What failed is no answer that a repetition could be given. */
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
        "idempotency-key: it belongs to another request of this session",
      );
    }
    return entry;
  }
}
