/** Clients' sessions: an id, and when it last gave a sign of life. Ids are never given twice, also after a restart. */
import { throwApiError } from "./api-error.ts";

export class Sessions {
  readonly #newId: () => string;
  /** Seconds, from any origin. */
  readonly #now: () => number;
  readonly #lastActivity = new Map<string, number>();

  constructor(newId: () => string, now: () => number) {
    this.#newId = newId;
    this.#now = now;
  }

  create(): string {
    const id = this.#newId();
    this.#lastActivity.set(id, this.#now());
    return id;
  }

  /** A sign of life. Throws a 404 when there is no such session. */
  recordActivity(id: string): void {
    if (!this.#lastActivity.has(id))
      throwApiError(404, `there is no session ${id}; create_session first`);
    this.#lastActivity.set(id, this.#now());
  }

  /** Seconds since the last sign of life. */
  secondsSinceActivity(id: string): number {
    return this.#now() - (this.#lastActivity.get(id) ?? Number.NEGATIVE_INFINITY);
  }
}
