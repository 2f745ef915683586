/**
 * The keys under which a sampler keeps the prefixes of a session's rows. A row that goes on has the key of its last answer;
 * a branch, and what is asked while another answer is sampled, has one of its own. Of rows that nobody goes on with only
 * a few are kept: a forgotten prefix costs time and changes nothing.
 */

/** Prefixes of one session that are kept while none of its calls needs them. */
const MAX_IDLE_PREFIXES = 4;

export class KeptPrefixes {
  readonly #id: string;
  readonly #release: (cacheKey: string) => void;
  /** Keys that the sampler may know, the least recently used first. */
  readonly #known = new Map<string, "busy" | "idle">();
  #made = 0;

  constructor(id: string, release: (cacheKey: string) => void) {
    this.#id = id;
    this.#release = release;
  }

  /** The first is the session's id itself. */
  createKey(): string {
    const number = this.#made++;
    return number === 0 ? this.#id : `${this.#id}#${number}`;
  }

  markBusy(key: string): void {
    this.#known.delete(key);
    this.#known.set(key, "busy");
  }

  markIdle(key: string): void {
    this.#known.delete(key);
    this.#known.set(key, "idle");
    const idle = [...this.#known].filter(([, state]) => state === "idle");
    for (const [old] of idle.slice(0, -MAX_IDLE_PREFIXES)) this.#forget(old);
  }

  releaseAll(): void {
    for (const key of [...this.#known.keys()]) this.#forget(key);
  }

  /** A sampler that cannot release says so when it is next asked to sample. */
  #forget(key: string): void {
    this.#known.delete(key);
    try {
      this.#release(key);
    } catch {}
  }
}
