/**
 * Manages the cache keys under which a sampler keeps the prefixes of a session's rows. A row that continues keeps the
 * key of its last answer. A branch, or a request that comes while another answer is sampled, gets a new key. Of rows
 * that nobody continues only a few are kept. Releasing a prefix too early costs time and changes nothing.
 */

/** The number of prefixes that a session keeps although no call is using them. */
const MAX_IDLE_PREFIXES = 4;

export class KeptPrefixes {
  readonly #id: string;
  readonly #release: (cacheKey: string) => void;
  /** The keys that the sampler may know, ordered from the least to the most recently used. */
  readonly #states = new Map<string, "busy" | "idle">();
  #keyCount = 0;

  constructor(id: string, release: (cacheKey: string) => void) {
    this.#id = id;
    this.#release = release;
  }

  /** Returns a new key. The first key is the session's id itself. */
  createKey(): string {
    const number = this.#keyCount++;
    return number === 0 ? this.#id : `${this.#id}#${number}`;
  }

  markBusy(key: string): void {
    this.#states.delete(key);
    this.#states.set(key, "busy");
  }

  markIdle(key: string): void {
    this.#states.delete(key);
    this.#states.set(key, "idle");
    const idle = [...this.#states].filter(([, state]) => state === "idle");
    for (const [old] of idle.slice(0, -MAX_IDLE_PREFIXES)) this.#releaseKey(old);
  }

  releaseAll(): void {
    for (const key of [...this.#states.keys()]) this.#releaseKey(key);
  }

  /** Releases a key. Errors are ignored here, because a failing sampler will report them at the next sampling call. */
  #releaseKey(key: string): void {
    this.#states.delete(key);
    try {
      this.#release(key);
    } catch {}
  }
}
