/**
 * A REPL: its memory image, its history, and what happens to both when a cell ends.
 *
 * A cell that ends with or without an error leaves a new image. A cell that reaches a limit leaves the old image, so
 * its variables are lost, but what it did to the world remains. A fork is a copy of the image. From its history, the
 * REPL can be rebuilt in another thread when this thread has to be terminated.
 */
import { BowlineError } from "../../core/index.ts";
import { liveApiHost, parseInstant, recordedApiHost, replayError } from "./api-hosts.ts";
import { type CellOutcome, runCell } from "./cell.ts";
import { copyImage } from "./image.ts";
import { INITIAL_BYTES } from "./instance.ts";
import type { ApiHost } from "./meter.ts";
import { rewriteCell } from "./rewrite.ts";
import { type ReplState, SharedInstance } from "./shared-instance.ts";
import type {
  CallRecord,
  CellRecord,
  CellResult,
  HostCall,
  Repl,
  ReplOptions,
  Sandbox,
  SandboxLimits,
} from "./types.ts";

export const DEFAULT_LIMITS: SandboxLimits = {
  fuel: 500,
  calls: 500,
  stdoutChars: 20_000,
  jobs: 10_000,
  memoryBytes: INITIAL_BYTES,
};

/** Compiles QuickJS and returns a sandbox. One sandbox per thread is enough for any number of REPLs. */
export async function createSandbox(): Promise<Sandbox> {
  const stage = await SharedInstance.create();
  return {
    open: (options) => new QuickJsRepl(stage, options),
    async restore(options, history) {
      const repl = new QuickJsRepl(stage, options);
      for (const cell of history) await repl.replay(cell);
      return repl;
    },
  };
}

class QuickJsRepl implements Repl {
  readonly #stage: SharedInstance;
  readonly #options: ReplOptions;
  readonly #limits: SandboxLimits;
  /** The REPL's memory; undefined until the first cell runs. */
  #state: ReplState | undefined;
  #history: CellRecord[];
  #closed = false;

  constructor(
    stage: SharedInstance,
    options: ReplOptions,
    from?: { state: ReplState | undefined; history: readonly CellRecord[] },
  ) {
    this.#stage = stage;
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#state = from?.state;
    this.#history = [...(from?.history ?? [])];
  }

  async run(code: string): Promise<CellResult> {
    const rewritten = rewriteCell(code);
    if (!rewritten.ok) {
      this.#assertOpen();
      return {
        status: "error",
        stdout: "",
        error: { name: "SyntaxError", message: rewritten.message },
      };
    }
    const calls: CallRecord[] = [];
    const now = this.#options.now();
    const { stdout, error, limit, failure } = await this.#runScript(
      rewritten.script,
      now,
      liveApiHost(this.#options, calls),
    );
    if (failure) throw failure.cause;
    if (limit) return { status: "limit", stdout, limit };
    this.#history.push({ code, now, calls });
    return error ? { status: "error", stdout, error } : { status: "ok", stdout };
  }

  /** Runs a recorded cell again. Throws when the cell does anything that differs from the record. */
  async replay(cell: CellRecord): Promise<void> {
    const rewritten = rewriteCell(cell.code);
    if (!rewritten.ok) throw replayError("the code no longer parses");
    const { failure, limit } = await this.#runScript(
      rewritten.script,
      cell.now,
      recordedApiHost(this.#options.apps, cell.calls),
    );
    if (failure) throw failure.cause;
    if (limit) throw replayError(`it hit the ${limit} limit`);
    this.#history.push(cell);
  }

  fork(call: HostCall, now: () => string): Repl {
    this.#assertOpen();
    const state = this.#state && { ...this.#state, image: copyImage(this.#state.image) };
    return new QuickJsRepl(
      this.#stage,
      { ...this.#options, call, now },
      { state, history: this.#history },
    );
  }

  history(): readonly CellRecord[] {
    return [...this.#history];
  }

  close(): void {
    this.#closed = true;
    this.#state = undefined;
    this.#history = [];
  }

  async #runScript(script: string, now: string, apiHost: ApiHost): Promise<CellOutcome> {
    this.#assertOpen();
    const { apps, seed } = this.#options;
    this.#state ??= await this.#stage.newReplState(apps, this.#limits.stdoutChars, seed);
    const { image, roots } = this.#state;
    return this.#stage.withImage(image, (instance) => {
      const result = runCell(instance, roots, script, this.#limits, parseInstant(now), apiHost);
      if (result.limit || result.failure) return { result };
      return { result, heldImage: this.#stage.save(instance, image) };
    });
  }

  #assertOpen(): void {
    if (this.#closed) throw new BowlineError("world", "cannot run code: this REPL is closed");
  }
}
