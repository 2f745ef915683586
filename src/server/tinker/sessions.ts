/** Clients' sessions: an id, and when it last gave a sign of life. Ids are never given twice, also after a restart. */
import { refuse } from "./api-error.ts";

export class Sessions {
  readonly #newId: () => string;
  /** Seconds, from any origin. */
  readonly #now: () => number;
  readonly #seen = new Map<string, number>();

  constructor(newId: () => string, now: () => number) {
    this.#newId = newId;
    this.#now = now;
  }

  create(): string {
    const id = this.#newId();
    this.#seen.set(id, this.#now());
    return id;
  }

  /** A sign of life. Throws a 404 when there is no such session. */
  touch(id: string): void {
    if (!this.#seen.has(id)) refuse(404, `there is no session ${id}; create_session first`);
    this.#seen.set(id, this.#now());
  }

  /** Seconds since the last sign of life. */
  silence(id: string): number {
    return this.#now() - (this.#seen.get(id) ?? Number.NEGATIVE_INFINITY);
  }
}
