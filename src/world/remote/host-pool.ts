/**
 * The hosts of a world, and which episode is on which of them. Where an episode is decides nothing but the time: it goes
 * to the host with the largest share of free places, and moves when it loses its host.
 */
import { BowlineError } from "../../core/index.ts";
import { Host, type HostLimits, isLost } from "./host.ts";
import type { HostClient } from "./host-client.ts";
import type { Seat } from "./seat.ts";
import type { WorldFacts } from "./world-facts.ts";

export interface PoolLimits extends HostLimits {
  /** For so long an episode waits until some host can be used. */
  readonly recoveryMs: number;
  /** After so long without a free place, the episode that rested longest gives its place away. */
  readonly patienceMs: number;
}

/** An episode's seat and its host. */
export interface TakenSeat {
  readonly host: Host;
  readonly seat: Seat;
}

/** How often a waiting episode looks again, because a host that other programs filled says nothing when it is free. */
const LOOK_MS = 200;

export class HostPool {
  readonly #hosts: readonly Host[];
  readonly #limits: PoolLimits;
  readonly #timer: NodeJS.Timeout;
  readonly #waiting: (() => void)[] = [];
  /** Seats whose episodes make no call now. The first rested longest. */
  readonly #resting = new Map<Seat, Host>();
  #isClosed = false;

  constructor(hosts: readonly { client: HostClient; facts: WorldFacts }[], limits: PoolLimits) {
    this.#limits = limits;
    const wake = () => this.#wakeAll();
    this.#hosts = hosts.map(({ client, facts }) => new Host(client, facts, limits, wake));
    this.#timer = setInterval(() => this.#watch(), limits.healthMs).unref();
  }

  /** The number of hosts; an episode is tried on one more than that before it fails. */
  get size(): number {
    return this.#hosts.length;
  }

  /** The hosts that can be used now, or all if there is none. For questions that need no place. */
  get clients(): readonly HostClient[] {
    const up = this.#hosts.filter(({ isUp }) => isUp);
    return (up.length > 0 ? up : this.#hosts).map(({ client }) => client);
  }

  /**
   * Opens a task on a host, if possible on none of `avoided`. Rejects with a `world` error that says what is wrong with
   * each host, when none can be used for too long.
   */
  async take(taskId: string, avoided: ReadonlySet<Host>): Promise<TakenSeat> {
    const start = Date.now();
    let patience = start + this.#limits.patienceMs;
    for (;;) {
      this.#requireOpen();
      const host = this.#choose(avoided);
      if (host !== undefined) {
        try {
          return { host, seat: await host.open(taskId) };
        } catch (error) {
          if (!isLost(error)) throw error;
          continue;
        }
      }
      const isAnyUp = this.#hosts.some(({ isUp }) => isUp);
      if (!isAnyUp && Date.now() > start + this.#limits.recoveryMs) throw this.#noHost(taskId);
      await this.#waitForChange();
      if (isAnyUp && Date.now() > patience && this.#takePlaceOfResting()) {
        patience = Date.now() + this.#limits.patienceMs;
      }
    }
  }

  /** Gives a seat back. `problem` says what went wrong on its host. */
  leave({ host, seat }: TakenSeat, problem?: unknown): void {
    this.#resting.delete(seat);
    host.leave(seat);
    if (problem !== undefined) host.doubt(problem);
    this.#waiting.shift()?.();
  }

  /** Says that the episode of a seat makes no call now. */
  rest({ host, seat }: TakenSeat): void {
    if (!seat.isClosed) this.#resting.set(seat, host);
  }

  /** Says that the episode of a seat makes a call now. */
  use({ seat }: TakenSeat): void {
    this.#resting.delete(seat);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const host of this.#hosts) for (const seat of host.seats) host.leave(seat);
    this.#wakeAll();
  }

  #choose(avoided: ReadonlySet<Host>): Host | undefined {
    const free = this.#hosts.filter(({ hasPlace }) => hasPlace);
    const preferred = free.filter((host) => !avoided.has(host));
    const [first, ...others] = preferred.length > 0 ? preferred : free;
    return others.reduce((best, host) => (best && host.load < best.load ? host : best), first);
  }

  #takePlaceOfResting(): boolean {
    const [longest] = this.#resting;
    if (longest === undefined) return false;
    const [seat, host] = longest;
    this.#resting.delete(seat);
    host.leave(seat);
    return true;
  }

  async #waitForChange(): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(wake), 1);
        resolve();
      }, LOOK_MS);
      this.#waiting.push(wake);
    });
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #watch(): void {
    for (const host of this.#hosts) void host.watch();
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new BowlineError("world", "the world is closed");
  }

  #noHost(taskId: string): BowlineError {
    const problems = this.#hosts.map(({ problem }) => problem).join("; ");
    const seconds = this.#limits.recoveryMs / 1000;
    return new BowlineError(
      "world",
      `task ${taskId}: no host of the world could be used for ${seconds} s: ${problems}; start one of them again and run the same command`,
    );
  }
}
