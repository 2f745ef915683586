/** One environment server of AppWorld: a process group of its own on a free port, which ends when it must. */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { BowlineError, errorMessage, signalGroup } from "../../core/index.ts";
import type { AppWorldSettings } from "./define.ts";
import { AppWorldClient } from "./server-client.ts";

const POLL_MS = 200;
/** How long a server has to end after SIGINT, before SIGKILL. */
const END_GRACE_MS = 3000;
const MAX_KEPT_OUTPUT = 2000;

export class AppWorldServer {
  readonly client: AppWorldClient;
  /** The name of the folder that the server writes to. */
  readonly experiment: string;
  /** The episodes that it has served. */
  episodes = 0;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #output = "";
  #hasEnded = false;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.client = new AppWorldClient(`http://127.0.0.1:${port}`);
    this.experiment = `bowline-${process.pid}-${port}`;
    const keep = (text: Buffer) => {
      this.#output = (this.#output + text).slice(-MAX_KEPT_OUTPUT);
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#hasEnded = true;
        resolve();
      };
      child.once("exit", end);
      child.once("error", (error) => {
        this.#output += errorMessage(error);
        end();
      });
    });
    liveServers.add(this);
  }

  /**
   * Starts a server and waits until it answers for `taskId`, which proves that it has the data. Rejects with a `world`
   * error that has the end of the server's output.
   */
  static async start(settings: AppWorldSettings, taskId: string): Promise<AppWorldServer> {
    const port = await findFreePort();
    const [program, ...words] = settings.command;
    const args = ["serve", "environment", "--port", String(port), "--root", settings.root];
    const child = spawn(program!, [...words, ...args, "--no-show-usage"], {
      cwd: settings.root,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const server = new AppWorldServer(child, port);
    try {
      await server.#waitUntilReady(taskId, settings.startMs);
      return server;
    } catch (error) {
      await server.end();
      throw error;
    }
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  /** Ends the server with everything that it started. Never rejects. */
  async end(): Promise<void> {
    this.#signal("SIGINT");
    const timer = setTimeout(() => this.#signal("SIGKILL"), END_GRACE_MS);
    await this.#ended;
    clearTimeout(timer);
    this.#signal("SIGKILL");
    liveServers.delete(this);
  }

  /** Ends the server at once, for the end of this process. */
  killNow(): void {
    this.#signal("SIGKILL");
  }

  async #waitUntilReady(taskId: string, startMs: number): Promise<void> {
    const until = performance.now() + startMs;
    let why = "";
    while (!this.#hasEnded && performance.now() < until) {
      try {
        await this.client.readTask(taskId, Math.ceil(until - performance.now()));
        return;
      } catch (error) {
        why = errorMessage(error);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    }
    const state = this.#hasEnded ? "ended" : `did not answer within ${startMs / 1000} s (${why})`;
    const said = this.#output.trim().split("\n").slice(-3).join(" | ");
    throw new BowlineError(
      "world",
      `AppWorld's server ${state}${said ? `: ${said}` : ""}; does \`${this.#child.spawnargs.join(" ")}\` run here?`,
    );
  }

  /** Sends a signal to the whole group. A group that is gone is no error. */
  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, signal);
  }
}

const liveServers = new Set<AppWorldServer>();
process.once("exit", () => {
  for (const server of liveServers) server.killNow();
});

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { readonly port: number };
      probe.close(() => resolve(port));
    });
  });
}
