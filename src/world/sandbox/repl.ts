/**
 * A REPL: its image, its history, and what happens to both when a cell ends.
 *
 * A cell that ends well or with an error leaves a new image. A cell that hits a limit leaves the old image, so its
 * variables are gone, while what it did to the world stays done. A fork is a copy of the image. The history can rebuild
 * the REPL in another thread when this thread has to be terminated.
 */
import { BowlineError } from "../../core/index.ts";
import { type CellOutcome, runCell } from "./cell.ts";
import { copyImage } from "./image.ts";
import { INITIAL_BYTES } from "./instance.ts";
import type { Outside } from "./meter.ts";
import { diverged, instant, liveOutside, recordedOutside } from "./outside.ts";
import { rewriteCell } from "./rewrite.ts";
import { Stage, type State } from "./stage.ts";
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

/** Compiles QuickJS and returns a sandbox. One sandbox per thread serves any number of REPLs. */
export async function createSandbox(): Promise<Sandbox> {
  const stage = await Stage.create();
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
  readonly #stage: Stage;
  readonly #options: ReplOptions;
  readonly #limits: SandboxLimits;
  /** The REPL's memory; undefined until the first cell runs. */
  #state: State | undefined;
  #history: CellRecord[];
  #closed = false;

  constructor(
    stage: Stage,
    options: ReplOptions,
    from?: { state: State | undefined; history: readonly CellRecord[] },
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
    const { stdout, error, limit, failure } = await this.#cell(
      rewritten.script,
      now,
      liveOutside(this.#options, calls),
    );
    if (failure) throw failure.cause;
    if (limit) return { status: "limit", stdout, limit };
    this.#history.push({ code, now, calls });
    return error ? { status: "error", stdout, error } : { status: "ok", stdout };
  }

  /** Runs a recorded cell again. Throws when the cell behaves differently from the record. */
  async replay(cell: CellRecord): Promise<void> {
    const rewritten = rewriteCell(cell.code);
    if (!rewritten.ok) throw diverged("the code no longer parses");
    const { failure, limit } = await this.#cell(
      rewritten.script,
      cell.now,
      recordedOutside(this.#options.apps, cell.calls),
    );
    if (failure) throw failure.cause;
    if (limit) throw diverged(`it hit the ${limit} limit`);
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

  async #cell(script: string, now: string, outside: Outside): Promise<CellOutcome> {
    this.#assertOpen();
    const { apps, seed } = this.#options;
    this.#state ??= await this.#stage.fresh(apps, this.#limits.stdoutChars, seed);
    const { image, roots } = this.#state;
    return this.#stage.with(image, (instance) => {
      const result = runCell(instance, roots, script, this.#limits, instant(now), outside);
      if (result.limit || result.failure) return { result };
      return { result, holds: this.#stage.save(instance, image) };
    });
  }

  #assertOpen(): void {
    if (this.#closed) throw new BowlineError("world", "cannot run code in a REPL that was closed");
  }
}
