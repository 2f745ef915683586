/** A pool of environment servers. A server serves one episode at a time, because it has one world. */
import { BowlineError } from "../../core/index.ts";
import type { AppWorldSettings } from "./define.ts";
import { AppWorldServer } from "./server-process.ts";

export class ServerPool {
  readonly #settings: AppWorldSettings;
  readonly #probeTask: string;
  readonly #idle: AppWorldServer[] = [];
  readonly #open = new Set<AppWorldServer>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #isClosed = false;

  constructor(settings: AppWorldSettings, probeTask: string) {
    this.#settings = settings;
    this.#probeTask = probeTask;
  }

  /** The process ids of the servers that run now. */
  get processIds(): readonly number[] {
    return [...this.#open].flatMap(({ processId }) => processId ?? []);
  }

  /** Waits for a server, and starts one if none is idle. */
  async lease(): Promise<AppWorldServer> {
    if (this.#busy >= this.#settings.servers) {
      await new Promise<void>((enter) => this.#waiting.push(enter));
    } else this.#busy += 1;
    try {
      return this.#idle.pop() ?? (await this.#start());
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Gives a server back. One that has served its number of episodes is replaced. */
  async release(server: AppWorldServer): Promise<void> {
    server.episodes += 1;
    if (server.episodes >= this.#settings.episodesPerServer) return this.discard(server);
    if (this.#isClosed) return this.discard(server);
    this.#idle.push(server);
    this.#leave();
  }

  /** Ends a server that is lost or busy with a cell that nobody waits for. */
  async discard(server: AppWorldServer): Promise<void> {
    await server.end();
    this.#open.delete(server);
    this.#leave();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#idle.length = 0;
    await Promise.all([...this.#open].map((server) => server.end()));
    this.#open.clear();
  }

  async #start(): Promise<AppWorldServer> {
    if (this.#isClosed) throw new BowlineError("world", "the world is closed");
    const server = await AppWorldServer.start(this.#settings, this.#probeTask);
    if (this.#isClosed) {
      await server.end();
      throw new BowlineError("world", "the world is closed");
    }
    this.#open.add(server);
    return server;
  }

  #leave(): void {
    const enter = this.#waiting.shift();
    if (enter) enter();
    else this.#busy -= 1;
  }
}
