/**
 * What the sandbox promises to the rest of the world kit.
 *
 * A REPL runs cells of JavaScript one after the other. Its whole state is the linear memory of a QuickJS
 * WebAssembly instance, kept as bytes between cells, so a REPL costs some 200 KB, a fork is a copy, and a cell that
 * hits a limit is undone by not keeping its bytes. What the cell did to the world through `call` stays done.
 */
import type { Limit } from "../../spec/index.ts";

/** Bounds of one cell. Every bound counts something; none looks at a clock. */
export interface SandboxLimits {
  /** Counts interrupt-handler calls: one per 10,000 branches or calls of the interpreter, or per 100 host calls. */
  readonly fuel: number;
  /** The most API calls that one cell may make. */
  readonly calls: number;
  /** The most UTF-16 units that one cell may print. What comes after is cut, with a note; this is not an error. */
  readonly stdoutChars: number;
  /** The most promise jobs that one cell may run. */
  readonly jobs: number;
  /** Size of the REPL's linear memory in bytes. It is at least 16 MiB, of which 5.4 are stack and constants. */
  readonly memoryBytes: number;
}

/** What an API answered. Values cross the sandbox boundary as JSON. */
export type HostReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: number; readonly message: string };

/** Calls an API synchronously. Throwing is a bug of the host: the cell ends and `run` rejects with the error. */
export type HostCall = (app: string, api: string, args: unknown) => HostReply;

export interface ReplOptions {
  /** Maps the name of an app to the names of its APIs. */
  readonly apps: Readonly<Record<string, readonly string[]>>;
  readonly call: HostCall;
  /** Returns the episode's clock, ISO in UTC. The sandbox asks before each cell and after each call. */
  readonly now: () => string;
  /** Seeds `Math.random` inside the sandbox. */
  readonly seed: number;
  readonly limits?: Partial<SandboxLimits>;
}

export interface CellResult {
  readonly status: "ok" | "error" | "limit";
  /** Everything that the cell printed, also before an error or a limit; a newline follows each `print`. */
  readonly stdout: string;
  readonly error?: { readonly name: string; readonly message: string };
  /** The limit that ended the cell; set when `status` is `limit`. The REPL is then as it was before the cell. */
  readonly limit?: Exclude<Limit, "wall-clock">;
}

/** One finished cell with all that entered it: enough to run it again without the world. It is plain data. */
export interface CellRecord {
  readonly code: string;
  /** The clock when the cell started, ISO in UTC. */
  readonly now: string;
  readonly calls: readonly CallRecord[];
}

export interface CallRecord {
  /** `app.api` and the arguments as JSON. A replay that makes another request is a bug and throws. */
  readonly request: string;
  /** The `HostReply` as JSON. */
  readonly reply: string;
  /** The clock after the call, ISO in UTC. */
  readonly now: string;
}

export interface Repl {
  /** Runs one cell. Calls must not overlap. Rejects after `close`, and when the host itself throws. */
  run(code: string): Promise<CellResult>;
  /** Returns an independent REPL in the same state: variables, random state, dates, everything. */
  fork(call: HostCall, now: () => string): Repl;
  /** Returns the cells that count (ok or error, not limit), oldest first, as plain data for `Sandbox.restore`. */
  history(): readonly CellRecord[];
  close(): void;
}

export interface Sandbox {
  open(options: ReplOptions): Repl;
  /** Returns a REPL in the state after `history`, in any thread. Cells run again; API replies come from the record. */
  restore(options: ReplOptions, history: readonly CellRecord[]): Promise<Repl>;
}
