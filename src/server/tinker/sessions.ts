/** Keeps clients' sessions: their ids and the time of their last activity. Ids are unique, also across restarts. */
import { throwApiError } from "./api-error.ts";

export class Sessions {
  readonly #newId: () => string;
  /** Returns the time in seconds, from any origin. */
  readonly #now: () => number;
  readonly #lastActivity = new Map<string, number>();

  constructor(newId: () => string, now: () => number) {
    this.#newId = newId;
    this.#now = now;
  }

  createSession(): string {
    const id = this.#newId();
    this.#lastActivity.set(id, this.#now());
    return id;
  }

  /** Records that the session is active now. Throws a 404 when there is no such session. */
  recordActivity(id: string): void {
    if (!this.#lastActivity.has(id))
      throwApiError(404, `there is no session ${id}; call create_session first`);
    this.#lastActivity.set(id, this.#now());
  }

  /** Returns the seconds since the session was last active. */
  secondsSinceActivity(id: string): number {
    return this.#now() - (this.#lastActivity.get(id) ?? Number.NEGATIVE_INFINITY);
  }
}
