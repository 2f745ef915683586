/**
 * One host and what is known about it. A host is used while it is `up`. After anything went wrong it is `doubted` until
 * it has said again what it serves: a host that comes back with another world is not used.
 */
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { HostClient } from "./host-client.ts";
import { FullHostError, LostHostError, Seat } from "./seat.ts";
import { describeDifferences, type WorldFacts } from "./world-facts.ts";

/** The number of questions in a row that a host may leave unanswered before its episodes go elsewhere. */
const MAX_MISSED = 3;
/** The largest time for what a host serves, which a busy one says late. */
const MAX_VERIFY_MS = 10_000;
/** For so long no episode goes to a host that had no place. */
const FULL_PAUSE_MS = 1000;

export interface HostLimits {
  /** How long an answer to a cell may take. */
  readonly answerTimeoutMs: number;
  /** The time between two questions whether a host is healthy, which is also the time for an answer. */
  readonly healthMs: number;
}

export class Host {
  readonly client: HostClient;
  readonly seats = new Set<Seat>();
  /** The number of episodes that are on this host or on the way to it. */
  taken = 0;
  #facts: WorldFacts;
  #status: "up" | "doubted" = "up";
  #problem = "";
  #missed = 0;
  #fullUntil = 0;
  #verifying: Promise<void> | undefined;
  readonly #limits: HostLimits;
  readonly #onChange: () => void;

  /** `onChange` is called when the host can be used again. */
  constructor(client: HostClient, facts: WorldFacts, limits: HostLimits, onChange: () => void) {
    this.client = client;
    this.#facts = facts;
    this.#limits = limits;
    this.#onChange = onChange;
  }

  get isUp(): boolean {
    return this.#status === "up";
  }

  get hasPlace(): boolean {
    return this.isUp && this.taken < this.#facts.episodes && Date.now() >= this.#fullUntil;
  }

  /** The share of the host's places that are taken. */
  get load(): number {
    return this.taken / this.#facts.episodes;
  }

  /** What is wrong, for a person. */
  get problem(): string {
    const isFull = this.isUp && !this.hasPlace;
    const full = `${this.client.url}: all its ${this.#facts.episodes} places are taken`;
    return isFull ? full : this.#problem;
  }

  /** Opens a task here. Rejects with a `LostHostError`, after which the host is doubted unless it was only full. */
  async open(taskId: string): Promise<Seat> {
    this.taken += 1;
    const { server } = this.#facts;
    const { answerTimeoutMs: timeoutMs } = this.#limits;
    try {
      const seat = await Seat.open({ client: this.client, server, taskId, timeoutMs });
      this.seats.add(seat);
      return seat;
    } catch (error) {
      this.taken -= 1;
      if (error instanceof FullHostError) this.#fullUntil = Date.now() + FULL_PAUSE_MS;
      else this.doubt(error);
      throw error;
    }
  }

  /** Gives the place of an episode back. */
  leave(seat: Seat): void {
    seat.close();
    if (this.seats.delete(seat)) this.taken -= 1;
  }

  /** Uses the host no more until it has said again what it serves. */
  doubt(reason: unknown): void {
    this.#status = "doubted";
    this.#problem = errorMessage(reason);
    void this.verify();
  }

  /** Asks a doubted host what it serves. It is used again if that is what it served when the world was opened. */
  verify(): Promise<void> {
    this.#verifying ??= this.#verify().finally(() => {
      this.#verifying = undefined;
    });
    return this.#verifying;
  }

  /** Asks an idle host nothing and another one whether it is healthy. */
  async watch(): Promise<void> {
    if (!this.isUp) return this.verify();
    if (this.seats.size === 0) return;
    try {
      await this.client.checkHealth(this.#limits.healthMs);
      this.#missed = 0;
    } catch (error) {
      this.#missed += 1;
      if (this.#missed >= MAX_MISSED && this.isUp) this.#lose(errorMessage(error));
    }
  }

  async #verify(): Promise<void> {
    try {
      const timeoutMs = Math.min(this.#limits.answerTimeoutMs, MAX_VERIFY_MS);
      const facts = await this.client.readFacts(timeoutMs);
      const differences = describeDifferences(this.#facts, facts);
      if (differences.length > 0) {
        const what = `it serves another world than when it was opened: ${differences.join(", ")}`;
        throw new BowlineError("world", `${this.client.url}: ${what}`);
      }
      this.#facts = facts;
      this.#missed = 0;
      this.#status = "up";
      this.#onChange();
    } catch (error) {
      this.#lose(errorMessage(error));
    }
  }

  /** Ends the sockets of all episodes here, so that none waits for an answer that does not come. */
  #lose(problem: string): void {
    this.#status = "doubted";
    this.#problem = problem;
    for (const seat of this.seats) seat.close();
  }
}

/** Returns true for an error after which an episode is played again elsewhere. */
export const isLost = (error: unknown): error is LostHostError => error instanceof LostHostError;
