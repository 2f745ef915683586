/**
 * What the sandbox promises to the rest of the world kit.
 *
 * A REPL runs cells of JavaScript one after the other. Its whole state is the linear memory of a QuickJS
 * WebAssembly instance, kept as bytes between cells, so a REPL costs some 200 KB, a fork is a copy, and a cell that
 * hits a limit is undone by not keeping its bytes. What the cell did to the world through `call` stays done.
 */
import type { Limit } from "../../spec/index.ts";

/** Bounds of one cell; all of them count something, none looks at a clock. */
export interface SandboxLimits {
  /** Interrupt-handler calls: one per 10,000 branches or calls of the interpreter, or per 100 calls of the host. */
  readonly fuel: number;
  /** API calls. */
  readonly calls: number;
  /** Printed UTF-16 units; what comes after is cut, with a note. Not an error. */
  readonly stdoutChars: number;
  /** Promise jobs. */
  readonly jobs: number;
  /** Linear memory of the REPL. At least 16 MiB, of which 5.4 are stack and constants. */
  readonly memoryBytes: number;
}

/** What an API answered. Values cross as JSON. */
export type HostReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: number; readonly message: string };

/** Synchronous. Throwing is a bug of the host: the cell ends, and `run` rejects with what was thrown. */
export type HostCall = (app: string, api: string, args: unknown) => HostReply;

export interface ReplOptions {
  /** App name -> names of its APIs. */
  readonly apps: Readonly<Record<string, readonly string[]>>;
  readonly call: HostCall;
  /** The episode's clock, ISO in UTC. Asked before each cell and after each call; the sandbox's dates show it. */
  readonly now: () => string;
  /** Of `Math.random`. */
  readonly seed: number;
  readonly limits?: Partial<SandboxLimits>;
}

export interface CellResult {
  readonly status: "ok" | "error" | "limit";
  /** Everything printed, also before an error or a limit; a newline after each `print`. */
  readonly stdout: string;
  readonly error?: { readonly name: string; readonly message: string };
  /** Set when `status` is `limit`. The REPL is then as it was before the cell. */
  readonly limit?: Exclude<Limit, "wall-clock">;
}

/** One finished cell with all that entered it: enough to run it again without the world. Plain data. */
export interface CellRecord {
  readonly code: string;
  /** The clock when the cell started. */
  readonly now: string;
  readonly calls: readonly CallRecord[];
}

export interface CallRecord {
  /** `app.api` and the arguments as JSON; a replay that asks for anything else is a bug and throws. */
  readonly request: string;
  /** The HostReply as JSON. */
  readonly reply: string;
  /** The clock after the call. */
  readonly now: string;
}

export interface Repl {
  /** Runs one cell. Calls must not overlap. Rejects after `close` and when the host itself throws. */
  run(code: string): Promise<CellResult>;
  /** An independent REPL in the same state: variables, random state, dates, everything. */
  fork(call: HostCall, now: () => string): Repl;
  /** Every kept cell (ok or error, not limit), oldest first. Structured-cloneable; for `Sandbox.restore`. */
  history(): readonly CellRecord[];
  close(): void;
}

export interface Sandbox {
  open(options: ReplOptions): Repl;
  /** A REPL in the state after `history`, in any thread: cells run again, API replies come from the record. */
  restore(options: ReplOptions, history: readonly CellRecord[]): Promise<Repl>;
}
