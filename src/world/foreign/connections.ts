/**
 * Opens connections, puts them into start states, and lets them serve one episode after the other where that is safe.
 *
 * With isolation by process, every episode has a new connection, and the next ones are opened ahead. With isolation by
 * reset, a connection that is given back is put into the empty state, and the probe has to answer as it did on a new
 * connection; if it does not, the connection is ended and a new one is opened.
 *
 * When all connections are in use, the one that was not used for the longest time is taken away from its episode. Only a
 * deterministic world allows that: there, the episode makes its calls again when it needs them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BowlineError, createConcurrencyLimiter } from "../../core/index.ts";
import type {
  ForeignApp,
  ForeignApps,
  ForeignCall,
  ForeignConnection,
  ForeignStart,
  ForeignWorldDefinition,
} from "./define.ts";
import { replaceFolder, writeFiles } from "./folder-files.ts";
import type { ForeignLease } from "./lease.ts";
import { ShownFolder } from "./shown-folder.ts";
import { withTimeout } from "./timeout.ts";

/** A connection with its folder. */
interface OpenConnection {
  readonly connection: ForeignConnection;
  readonly directory: string;
  readonly abort: AbortController;
}

type ConnectionSettings = Pick<ForeignWorldDefinition, "isolation" | "probe" | "snapshot"> & {
  readonly connections: number;
  readonly startTimeoutMs: number;
  readonly callTimeoutMs: number;
  /** True if an episode can make its calls again on another connection. */
  readonly mayRevoke: boolean;
};

/** A lease that its episode holds. */
interface ActiveLease {
  readonly open: OpenConnection;
  isRevoked: boolean;
  isHeld: boolean;
  /** The number of calls in progress. */
  calls: number;
}

/** One who waits for a connection. */
interface Waiting {
  readonly enter: () => void;
  readonly reject: (error: Error) => void;
}

/** The resets that may fail one after the other before the world says that it cannot be reset. */
const MAX_FAILED_RESETS = 3;
/** How long one waits for a connection to be given back before another one is taken away. */
const REVOKE_AFTER_MS = 1000;
/** The number of connections that are opened ahead with isolation by process. */
const WARM_CONNECTIONS = 2;
const EMPTY_START: ForeignStart = { task: undefined, seed: 0, files: {}, data: undefined };

export class Connections {
  readonly #apps: ForeignApps;
  readonly #settings: ConnectionSettings;
  readonly #idle: OpenConnection[] = [];
  readonly #open = new Set<OpenConnection>();
  /** Leases in the order of their last use, the oldest first. */
  readonly #active = new Set<ActiveLease>();
  /** Connections that were opened ahead and never used. */
  readonly #warm: Promise<OpenConnection>[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #limit = createConcurrencyLimiter(4);
  /** Aborts connections that are being opened. */
  readonly #opening = new Set<AbortController>();
  #busy = 0;
  #pristine: string | undefined;
  #failedResets = 0;
  /** Why connections of this world cannot be reset, when that was found out. */
  #cannotReset: BowlineError | undefined;
  #isClosed = false;

  constructor(apps: ForeignApps, settings: ConnectionSettings) {
    this.#apps = apps;
    this.#settings = settings;
  }

  /** The number of connections that are open now. */
  get openCount(): number {
    return this.#open.size;
  }

  /** Describes the apps, once. */
  async describe(): Promise<readonly ForeignApp[]> {
    const directory = mkdtempSync(join(tmpdir(), "bowline-apps-"));
    const abort = new AbortController();
    try {
      const described = this.#apps.describe({ directory, signal: abort.signal });
      return await withTimeout(described, this.#settings.startTimeoutMs, "describing the apps");
    } finally {
      abort.abort();
      rmSync(directory, { recursive: true, force: true });
    }
  }

  /** Returns a connection in the given start state. `copyFrom` is a folder whose files it starts with instead. */
  async lease(start: ForeignStart, copyFrom?: string): Promise<ForeignLease> {
    await this.#enter();
    try {
      if (this.#cannotReset) throw this.#cannotReset;
      const open = await this.#begin(start, copyFrom);
      return this.#makeLease(open, start);
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closedError());
    for (const abort of this.#opening) abort.abort();
    await Promise.allSettled(this.#warm.splice(0));
    await Promise.all([...this.#open].map((open) => this.#end(open)));
  }

  async #begin(start: ForeignStart, copyFrom: string | undefined): Promise<OpenConnection> {
    const { startTimeoutMs } = this.#settings;
    const open = await this.#take();
    try {
      if (copyFrom === undefined) writeFiles(open.directory, start.files);
      else replaceFolder(copyFrom, open.directory);
      await withTimeout(open.connection.begin(start), startTimeoutMs, "the start of an episode");
      return open;
    } catch (error) {
      await this.#end(open);
      throw error;
    }
  }

  async #connect(): Promise<OpenConnection> {
    if (this.#isClosed) throw closedError();
    const directory = mkdtempSync(join(tmpdir(), "bowline-apps-"));
    const abort = new AbortController();
    this.#opening.add(abort);
    const { startTimeoutMs } = this.#settings;
    try {
      const connection = await this.#limit(() =>
        withTimeout(
          this.#apps.connect({ directory, signal: abort.signal }),
          startTimeoutMs,
          "opening a connection to the apps",
        ),
      );
      const open = { connection, directory, abort };
      this.#open.add(open);
      if (this.#isClosed) await this.#end(open);
      return open;
    } catch (error) {
      abort.abort();
      rmSync(directory, { recursive: true, force: true });
      throw error;
    } finally {
      this.#opening.delete(abort);
    }
  }

  /** Returns a connection for a new episode: one that was reset, one that was opened ahead, or a new one. */
  async #take(): Promise<OpenConnection> {
    const reset = await this.#takeReset();
    if (reset) return reset;
    const warm = this.#warm.shift();
    const open = warm ? await warm.catch(() => this.#connect()) : await this.#connect();
    this.#warmUp();
    return open;
  }

  /** Opens connections ahead. One that fails is reported when it is taken. */
  #warmUp(): void {
    const { isolation, connections } = this.#settings;
    const wanted = isolation === "process" ? Math.min(WARM_CONNECTIONS, connections) : 0;
    while (this.#warm.length < wanted && !this.#isClosed) {
      const opening = this.#connect();
      opening.catch(() => {});
      this.#warm.push(opening);
    }
  }

  /** Returns an idle connection that was reset, if there is one. */
  async #takeReset(): Promise<OpenConnection | undefined> {
    for (let open = this.#idle.pop(); open; open = this.#idle.pop()) {
      const { isAlive, why } = await this.#reset(open);
      if (isAlive && why === undefined) {
        this.#failedResets = 0;
        return open;
      }
      await this.#end(open);
      // A server that died since its last episode says nothing about resets.
      if (!isAlive || ++this.#failedResets < MAX_FAILED_RESETS) continue;
      this.#cannotReset = new BowlineError(
        "world",
        `isolation: "reset" does not work in this world: after ${MAX_FAILED_RESETS} resets ${why}; use isolation: "process"`,
      );
      throw this.#cannotReset;
    }
    return undefined;
  }

  /** Puts a connection into the empty state. Returns why a connection that is alive is not in it. */
  async #reset({
    connection,
    directory,
  }: OpenConnection): Promise<{ readonly isAlive: boolean; readonly why?: string }> {
    const { probe, startTimeoutMs, callTimeoutMs } = this.#settings;
    try {
      writeFiles(directory, {});
      await withTimeout(connection.begin(EMPTY_START), startTimeoutMs, "a reset");
      if (!probe) return { isAlive: true };
      const reply = await withTimeout(connection.call(probe), callTimeoutMs, "the probe");
      const text = JSON.stringify(reply);
      this.#pristine ??= await this.#readPristine(probe);
      if (text === this.#pristine) return { isAlive: true };
      const why = `the probe answered ${text.slice(0, 200)}, on a new connection ${this.#pristine.slice(0, 200)}`;
      return { isAlive: true, why };
    } catch {
      return { isAlive: false };
    }
  }

  /** Returns the probe's answer in the empty state of a new connection. */
  async #readPristine(probe: ForeignCall): Promise<string> {
    const { startTimeoutMs, callTimeoutMs } = this.#settings;
    const open = await this.#connect();
    try {
      await withTimeout(open.connection.begin(EMPTY_START), startTimeoutMs, "a reset");
      const reply = await withTimeout(open.connection.call(probe), callTimeoutMs, "the probe");
      return JSON.stringify(reply);
    } finally {
      await this.#end(open);
    }
  }

  #makeLease(open: OpenConnection, start: ForeignStart): ForeignLease {
    const { connection, directory } = open;
    const { callTimeoutMs, snapshot, isolation } = this.#settings;
    const active: ActiveLease = { open, isRevoked: false, isHeld: true, calls: 0 };
    this.#active.add(active);
    const folder = new ShownFolder(directory);
    const use = <T>(work: () => Promise<T>) => this.#useActive(active, work);
    return {
      directory,
      get isRevoked() {
        return active.isRevoked;
      },
      call: (call) =>
        use(async () => {
          const inFolder = { ...call, args: folder.toReal(call.args) };
          const what = `${call.app}.${call.api}`;
          return folder.toShown(await withTimeout(connection.call(inFolder), callTimeoutMs, what));
        }),
      evaluate: (end) => use(async () => connection.evaluate?.(end)),
      copy: () =>
        use(async () => (snapshot === "directory" ? this.lease(start, directory) : undefined)),
      release: () => this.#giveBack(active, isolation === "reset"),
      discard: () => this.#giveBack(active, false),
    };
  }

  /** Runs `work` with a connection that nobody takes away meanwhile. */
  async #useActive<T>(active: ActiveLease, work: () => Promise<T>): Promise<T> {
    if (!active.isHeld) throw new BowlineError("world", "the connection was given back");
    active.calls += 1;
    this.#active.delete(active);
    this.#active.add(active);
    try {
      return await work();
    } finally {
      active.calls -= 1;
    }
  }

  async #giveBack(active: ActiveLease, isReusable: boolean): Promise<void> {
    if (!active.isHeld) return;
    active.isHeld = false;
    this.#active.delete(active);
    // The answer of a call in progress must not come into another episode.
    const isIdle = active.calls === 0 && !this.#isClosed;
    if (isReusable && isIdle) this.#idle.push(active.open);
    else await this.#end(active.open);
    this.#leave();
  }

  /** Takes a connection away from the episode that did not use its own for the longest time. */
  #revokeOne(): void {
    if (!this.#settings.mayRevoke) return;
    const active = [...this.#active].find(({ calls }) => calls === 0);
    if (!active) return;
    active.isRevoked = true;
    void this.#giveBack(active, this.#settings.isolation === "reset");
  }

  async #end(open: OpenConnection): Promise<void> {
    if (!this.#open.delete(open)) return;
    await open.connection.close().catch(() => {});
    open.abort.abort();
    rmSync(open.directory, { recursive: true, force: true });
  }

  async #enter(): Promise<void> {
    if (this.#isClosed) throw closedError();
    if (this.#busy < this.#settings.connections) {
      this.#busy += 1;
      return;
    }
    const timer = setInterval(() => this.#revokeOne(), REVOKE_AFTER_MS);
    try {
      await new Promise<void>((enter, reject) => this.#waiting.push({ enter, reject }));
    } finally {
      clearInterval(timer);
    }
  }

  #leave(): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting.enter();
    else this.#busy -= 1;
  }
}

function closedError(): BowlineError {
  return new BowlineError("world", "the world is closed");
}
