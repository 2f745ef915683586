/**
 * Which calls repeat an earlier one. A repetition must not add a turn, and a body that comes twice proves nothing: compaction
 * and loops repeat bodies. So a call repeats the newest one of the same body where something else says so too: the client's
 * own count, the same idempotency key, or that the earlier connection ended before its answer was out.
 */
import { GatewayError } from "./gateway-error.ts";
import { forgetOldest } from "./kept.ts";

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
export interface Entry {
  /** For the session. */
  readonly retryKey: string;
  readonly digest: string;
  /** Connections that asked for it so far. */
  connections: number;
  /** The newest of them ended before its answer was out. */
  isLost: boolean;
}

/** Calls that are remembered. */
const KEPT = 64;

export class Retries {
  readonly #entries = new Map<string, Entry>();
  #calls = 0;

  /** The entry of the call that this one repeats, or a new one. Throws 400 where an idempotency key names another body. */
  admit(marks: CallMarks): Entry {
    const { digest, idempotencyKey } = marks;
    const known = idempotencyKey === undefined ? this.#newest(marks) : this.#named(marks);
    if (known) {
      known.isLost = false;
      known.connections++;
      return known;
    }
    const retryKey =
      idempotencyKey === undefined ? `call-${this.#calls++}` : `key-${idempotencyKey}`;
    const entry: Entry = { retryKey, digest, connections: 1, isLost: false };
    this.#entries.set(retryKey, entry);
    forgetOldest(this.#entries, KEPT);
    return entry;
  }

  /** What failed is no answer that a repetition could be given. */
  forget({ retryKey }: Entry): void {
    this.#entries.delete(retryKey);
  }

  #newest({ digest, retryCount }: CallMarks): Entry | undefined {
    return [...this.#entries.values()].findLast(
      (entry) => entry.digest === digest && (retryCount > 0 || entry.isLost),
    );
  }

  #named({ digest, idempotencyKey }: CallMarks): Entry | undefined {
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
