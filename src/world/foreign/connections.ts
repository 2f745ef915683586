/**
 * Opens connections, puts them into start states, and lets them serve one episode after the other where that is safe.
 *
 * With isolation by process, every episode has a new connection. With isolation by reset, a connection that is given back
 * is put into the empty state, and the probe has to answer as it did on a new connection; if it does not, the connection
 * is ended and a new one is opened.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve, sep } from "node:path";
import { BowlineError, createConcurrencyLimiter, errorMessage } from "../../core/index.ts";
import type {
  ForeignApp,
  ForeignApps,
  ForeignCall,
  ForeignConnection,
  ForeignStart,
  ForeignWorldDefinition,
} from "./define.ts";
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
};

/** The resets that may fail one after the other before the world says that it cannot be reset. */
const MAX_FAILED_RESETS = 3;
const EMPTY_START: ForeignStart = { task: undefined, seed: 0, files: {}, data: undefined };

export class Connections {
  readonly #apps: ForeignApps;
  readonly #settings: ConnectionSettings;
  readonly #idle: OpenConnection[] = [];
  readonly #open = new Set<OpenConnection>();
  readonly #waiting: (() => void)[] = [];
  readonly #limit = createConcurrencyLimiter(4);
  #busy = 0;
  #pristine: string | undefined;
  #failedResets = 0;
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
    await Promise.all([...this.#open].map((open) => this.#end(open)));
  }

  async #begin(start: ForeignStart, copyFrom: string | undefined): Promise<OpenConnection> {
    const { startTimeoutMs } = this.#settings;
    const open = (await this.#takeReset()) ?? (await this.#connect());
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
    if (this.#isClosed) throw new BowlineError("world", "the world is closed");
    const directory = mkdtempSync(join(tmpdir(), "bowline-apps-"));
    const abort = new AbortController();
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
    }
  }

  /** Returns an idle connection that was reset, if there is one. */
  async #takeReset(): Promise<OpenConnection | undefined> {
    for (let open = this.#idle.pop(); open; open = this.#idle.pop()) {
      const why = await this.#reset(open);
      if (why === undefined) {
        this.#failedResets = 0;
        return open;
      }
      await this.#end(open);
      if (++this.#failedResets < MAX_FAILED_RESETS) continue;
      throw new BowlineError(
        "world",
        `isolation: "reset" does not work in this world: after ${MAX_FAILED_RESETS} resets ${why}; use isolation: "process"`,
      );
    }
    return undefined;
  }

  /** Puts a connection into the empty state. Returns why it is not in it; undefined if it is. */
  async #reset({ connection, directory }: OpenConnection): Promise<string | undefined> {
    const { probe, startTimeoutMs, callTimeoutMs } = this.#settings;
    try {
      writeFiles(directory, {});
      await withTimeout(connection.begin(EMPTY_START), startTimeoutMs, "a reset");
      if (!probe) return undefined;
      const reply = await withTimeout(connection.call(probe), callTimeoutMs, "the probe");
      const text = JSON.stringify(reply);
      this.#pristine ??= await this.#readPristine(probe);
      return text === this.#pristine
        ? undefined
        : `the probe answered ${text.slice(0, 200)}, on a new connection ${this.#pristine.slice(0, 200)}`;
    } catch (error) {
      return errorMessage(error);
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
    const folder = new ShownFolder(directory);
    let isHeld = true;
    const giveBack = async (isReusable: boolean) => {
      if (!isHeld) return;
      isHeld = false;
      if (isReusable && !this.#isClosed) this.#idle.push(open);
      else await this.#end(open);
      this.#leave();
    };
    return {
      directory,
      call: async (call) => {
        const inFolder = { ...call, args: folder.toReal(call.args) };
        const what = `${call.app}.${call.api}`;
        return folder.toShown(await withTimeout(connection.call(inFolder), callTimeoutMs, what));
      },
      evaluate: async (end) => connection.evaluate?.(end),
      copy: async () => (snapshot === "directory" ? this.lease(start, directory) : undefined),
      release: () => giveBack(isolation === "reset"),
      discard: () => giveBack(false),
    };
  }

  async #end(open: OpenConnection): Promise<void> {
    if (!this.#open.delete(open)) return;
    await open.connection.close().catch(() => {});
    open.abort.abort();
    rmSync(open.directory, { recursive: true, force: true });
  }

  async #enter(): Promise<void> {
    if (this.#busy >= this.#settings.connections)
      await new Promise<void>((enter) => this.#waiting.push(enter));
    else this.#busy += 1;
  }

  #leave(): void {
    const enter = this.#waiting.shift();
    if (enter) enter();
    else this.#busy -= 1;
  }
}

/** Empties a folder and writes files into it. Throws a `world` error for a path that leads out of it. */
function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  emptyFolder(directory);
  for (const [name, content] of Object.entries(files)) {
    const path = resolve(directory, name);
    const within = relative(directory, path);
    if (within === "" || within === ".." || within.startsWith(`..${sep}`)) {
      throw new BowlineError(
        "world",
        `files: expected a path inside the folder, got ${JSON.stringify(name)}`,
      );
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** Removes what is in a folder and keeps the folder, in which a server may have been started. */
function emptyFolder(directory: string): void {
  for (const name of readdirSync(directory)) {
    rmSync(join(directory, name), { recursive: true, force: true });
  }
}

function replaceFolder(from: string, to: string): void {
  emptyFolder(to);
  cpSync(from, to, { recursive: true });
}
