/**
 * All sessions of a server. A session takes one of a fixed number of places until its episode is closed, so the memory
 * of a server is bounded. A session belongs to a socket and ends with it, or it was opened over HTTP and ends when it
 * is closed or idle.
 */
import { type Environment, EpisodeSession } from "./episode-session.ts";
import { OpenEnvError } from "./openenv-error.ts";

export interface RegistryOptions {
  readonly environment: Environment;
  readonly maxSessions: number;
  /** A session without a socket ends after so long without a call. */
  readonly idleMs: number;
}

interface Entry {
  readonly session: EpisodeSession;
  readonly idle: NodeJS.Timeout;
  hasSocket: boolean;
  isClosing: boolean;
}

export class SessionRegistry {
  readonly #options: RegistryOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** The number of sessions, also of those that are being closed. */
  get size(): number {
    return this.#entries.size;
  }

  /** Opens a session. Throws `CAPACITY_REACHED` when all places are taken. */
  open({ hasSocket }: { readonly hasSocket: boolean }): EpisodeSession {
    const { environment, maxSessions, idleMs } = this.#options;
    const active = this.#entries.size;
    if (active >= maxSessions) {
      throw new OpenEnvError(
        "CAPACITY_REACHED",
        `all ${maxSessions} places for episodes are taken; close a client, or start the server with more --episodes`,
        { active_sessions: active, max_sessions: maxSessions },
      );
    }
    const session = new EpisodeSession(environment);
    const endIdle = () => {
      const entry = this.#entries.get(session.id);
      if (entry?.hasSocket === false) void this.close(session.id);
    };
    const idle = setTimeout(endIdle, idleMs).unref();
    this.#entries.set(session.id, { session, idle, hasSocket, isClosing: false });
    return session;
  }

  /** Returns a session that was opened over HTTP. Throws a `SESSION_ERROR` when there is none with this id. */
  find(id: string): EpisodeSession {
    return this.#findEntry(id).session;
  }

  /** Gives a session that was opened over HTTP to a socket. Throws when there is none or another socket has it. */
  attach(id: string): EpisodeSession {
    const entry = this.#findEntry(id);
    if (entry.hasSocket) {
      throw new OpenEnvError("SESSION_ERROR", `the session ${id} already has a socket`);
    }
    entry.hasSocket = true;
    return entry.session;
  }

  /** Gives a session back that `attach` returned. It ends when it is idle. */
  detach(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.hasSocket = false;
    entry.idle.refresh();
  }

  /** Closes a session and frees its place. It does nothing when the session is closed already. */
  async close(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.isClosing) return;
    entry.isClosing = true;
    clearTimeout(entry.idle);
    try {
      await entry.session.close();
    } finally {
      this.#entries.delete(id);
    }
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((id) => this.close(id)));
  }

  #findEntry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.isClosing) {
      throw new OpenEnvError("SESSION_ERROR", `Unknown session_id: ${id}`);
    }
    entry.idle.refresh();
    return entry;
  }
}
