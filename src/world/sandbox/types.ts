/**
 * What the sandbox promises to the rest of the world kit.
 *
 * A REPL runs cells of JavaScript one after the other. Its whole state is the linear memory of a QuickJS WebAssembly
 * instance, which is kept as bytes between cells. So a REPL takes about 200 KB, a fork is a copy, and a cell that
 * reaches a limit is undone by not keeping its bytes. What the cell did to the world through `call` is not undone.
 */
import type { Limit } from "../../spec/index.ts";

/** The limits of one cell. Every limit is a count; none depends on a clock. */
export interface SandboxLimits {
  /**
   * One unit is 10,000 branches or calls of interpreted code, 100 host calls, or 500,000 units of work inside QuickJS
   * (`wasm/meter-quickjs.mjs`), whichever is used up first. So loops inside built-in functions end too.
   */
  readonly fuel: number;
  /** The most API calls that one cell may make. */
  readonly calls: number;
  /** The largest number of UTF-16 units that one cell may print. The rest is cut, with a note; this is not an error. */
  readonly stdoutChars: number;
  /** The most promise jobs that one cell may run. */
  readonly jobs: number;
  /** The size of the REPL's linear memory in bytes. It is at least 16 MiB, of which 5.4 MiB are stack and constants. */
  readonly memoryBytes: number;
}

/** What an API answered. Values cross the sandbox boundary as JSON. */
export type HostReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: number; readonly message: string };

/**
 * Calls an API synchronously. If it throws, that is a bug of the host: the cell ends and `run` rejects with the error.
 */
export type HostCall = (app: string, api: string, args: unknown) => HostReply;

/** What a REPL is opened with: the names of APIs, the function that answers calls, the clock and the limits. */
export interface ReplOptions {
  /** Maps the name of an app to the names of its APIs. */
  readonly apps: Readonly<Record<string, readonly string[]>>;
  readonly call: HostCall;
  /** Returns the episode's clock, ISO in UTC. The sandbox reads it before each cell and after each call. */
  readonly now: () => string;
  /** Seeds `Math.random` inside the sandbox. */
  readonly seed: number;
  readonly limits?: Partial<SandboxLimits>;
}

/** How a cell ended, and what it printed. */
export interface CellResult {
  readonly status: "ok" | "error" | "limit";
  /** Everything that the cell printed, even before an error or a limit. Each `print` ends with a newline. */
  readonly stdout: string;
  readonly error?: { readonly name: string; readonly message: string };
  /** The limit that ended the cell; set when `status` is `limit`. The REPL is then as it was before the cell. */
  readonly limit?: Exclude<Limit, "wall-clock">;
}

/**
 * One finished cell with everything that it received, which is enough to run it again without the world. It is plain
 * data.
 */
export interface CellRecord {
  readonly code: string;
  /** The clock when the cell started, ISO in UTC. */
  readonly now: string;
  readonly calls: readonly CallRecord[];
}

/** A call of a recorded cell with its answer. */
export interface CallRecord {
  /** `app.api` and the arguments as JSON. If a replay makes another request, that is a bug, and it throws. */
  readonly request: string;
  /** The `HostReply` as JSON. */
  readonly reply: string;
  /** The clock after the call, ISO in UTC. */
  readonly now: string;
}

/** Runs cells of code one after the other. Variables stay between cells. */
export interface Repl {
  /** Runs one cell. Calls must not overlap. Rejects after `close`, and when the host itself throws. */
  run(code: string): Promise<CellResult>;
  /** Returns an independent REPL in the same state, including variables, random state and dates. */
  fork(call: HostCall, now: () => string): Repl;
  /**
   * Returns the cells that count (those that ended with or without an error, but not at a limit), oldest first, as
   * plain data for `Sandbox.restore`.
   */
  history(): readonly CellRecord[];
  close(): void;
}

/** Opens REPLs, in which code reaches nothing but the host that it was given. */
export interface Sandbox {
  open(options: ReplOptions): Repl;
  /**
   * Returns a REPL in the state after `history`, in any thread. The cells run again, and API replies come from the
   * record.
   */
  restore(options: ReplOptions, history: readonly CellRecord[]): Promise<Repl>;
}
