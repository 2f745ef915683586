/**
 * REPLs over one shared instance: put a REPL's image in, run a cell, keep the new image or the old one.
 *
 * So a limit needs no undo, a fork is a copy, and an instance that broke is simply replaced: no REPL lives in it.
 * The history is kept for another thread, should this one have to be terminated.
 */
import { BowlineError, mix32, nearest } from "../../core/index.ts";
import { boot, type CellOutcome, type Outside, type Roots, runCell } from "./cell.ts";
import { copyImage, findLayout, type Image, type Layout, loadImage, saveImage } from "./image.ts";
import { INITIAL_BYTES, type Instance, instanceFactory } from "./instance.ts";
import { rewriteCell } from "./rewrite.ts";
import type {
  CallRecord,
  CellRecord,
  CellResult,
  HostCall,
  HostReply,
  Repl,
  ReplOptions,
  Sandbox,
  SandboxLimits,
} from "./types.ts";

export const DEFAULT_LIMITS: SandboxLimits = {
  fuel: 1_000,
  calls: 500,
  stdoutChars: 20_000,
  jobs: 10_000,
  memoryBytes: INITIAL_BYTES,
};

/** `holds`: the image of what the instance is left with; absent when that is worthless. */
interface Held<T> {
  readonly result: T;
  readonly holds?: Image;
}

interface State {
  readonly image: Image;
  readonly roots: Roots;
}

/** One per thread: it compiles QuickJS and holds the instance that all its REPLs take turns in. */
export async function createSandbox(): Promise<Sandbox> {
  const make = await instanceFactory();
  const layout = findLayout(await make());
  const first = await make();
  return new QuickJsSandbox(make, layout, first);
}

class QuickJsSandbox implements Sandbox {
  readonly layout: Layout;
  /** An instance before its first context. */
  readonly pristine: Image;
  readonly #make: (bytes?: number) => Promise<Instance>;
  #instance: Instance;
  #resident: Image | undefined;

  constructor(make: (bytes?: number) => Promise<Instance>, layout: Layout, first: Instance) {
    this.#make = make;
    this.layout = layout;
    this.#instance = first;
    this.pristine = saveImage(first, layout);
  }

  open(options: ReplOptions): Repl {
    return new QuickJsRepl(this, options);
  }

  async restore(options: ReplOptions, history: readonly CellRecord[]): Promise<Repl> {
    const repl = new QuickJsRepl(this, options);
    for (const cell of history) await repl.replay(cell);
    return repl;
  }

  /** Runs `use`, which is synchronous, on an instance that holds `image`. */
  async with<T>(image: Image, use: (instance: Instance) => Held<T>): Promise<T> {
    const grown = this.#instance.memory.buffer.byteLength > INITIAL_BYTES;
    if (this.#instance.broken || grown || image.end > INITIAL_BYTES) {
      this.#instance = await this.#make(image.end);
      this.#resident = undefined;
    }
    if (this.#resident !== image) loadImage(this.#instance, this.layout, image);
    this.#resident = undefined;
    const { result, holds } = use(this.#instance);
    this.#resident = holds;
    return result;
  }
}

class QuickJsRepl implements Repl {
  readonly #sandbox: QuickJsSandbox;
  readonly #options: ReplOptions;
  readonly #limits: SandboxLimits;
  /** Undefined until the first cell. */
  #state: State | undefined;
  #history: CellRecord[];
  #closed = false;

  constructor(
    sandbox: QuickJsSandbox,
    options: ReplOptions,
    from?: { state: State | undefined; history: readonly CellRecord[] },
  ) {
    this.#sandbox = sandbox;
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
      this.#live(calls),
    );
    if (failure) throw failure.cause;
    if (limit) return { status: "limit", stdout, limit };
    this.#history.push({ code, now, calls });
    return error ? { status: "error", stdout, error } : { status: "ok", stdout };
  }

  /** Runs a recorded cell. Throws when it does not go the way it went. */
  async replay(cell: CellRecord): Promise<void> {
    const rewritten = rewriteCell(cell.code);
    if (!rewritten.ok) throw diverged("the code no longer parses");
    const { failure, limit } = await this.#cell(
      rewritten.script,
      cell.now,
      this.#recorded(cell.calls),
    );
    if (failure) throw failure.cause;
    if (limit) throw diverged(`it hit the ${limit} limit`);
    this.#history.push(cell);
  }

  fork(call: HostCall, now: () => string): Repl {
    this.#assertOpen();
    const state = this.#state && { ...this.#state, image: copyImage(this.#state.image) };
    return new QuickJsRepl(
      this.#sandbox,
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
    const { layout } = this.#sandbox;
    const state = (this.#state ??= await this.#boot());
    return this.#sandbox.with(state.image, (instance) => {
      const result = runCell(instance, state.roots, script, this.#limits, instant(now), outside);
      if (result.limit || result.failure) return { result };
      return { result, holds: saveImage(instance, layout, state.image) };
    });
  }

  async #boot(): Promise<State> {
    const { layout, pristine } = this.#sandbox;
    const { apps, seed } = this.#options;
    return this.#sandbox.with(pristine, (instance) => {
      const roots = boot(instance, apps, mix32(seed), this.#limits.stdoutChars);
      const image = saveImage(instance, layout);
      return { result: { roots, image }, holds: image };
    });
  }

  #live(record: CallRecord[]): Outside {
    const { call, now } = this.#options;
    return {
      call: (app, api, args) => {
        const reply = JSON.stringify(wire(call(app, api, JSON.parse(args))));
        const after = now();
        record.push({ request: `${app}.${api} ${args}`, reply, now: after });
        return { reply, now: instant(after) };
      },
      hint: (app, name) => hint(this.#options.apps, app, name),
    };
  }

  #recorded(calls: readonly CallRecord[]): Outside {
    let next = 0;
    return {
      call: (app, api, args) => {
        const request = `${app}.${api} ${args}`;
        const recorded = calls[next++];
        if (recorded?.request !== request) {
          throw diverged(`call ${next} was ${recorded?.request ?? "absent"}, now it is ${request}`);
        }
        return { reply: recorded.reply, now: instant(recorded.now) };
      },
      hint: (app, name) => hint(this.#options.apps, app, name),
    };
  }

  #assertOpen(): void {
    if (this.#closed) throw new BowlineError("world", "cannot run code in a REPL that was closed");
  }
}

/** `undefined` has no JSON. */
function wire(reply: HostReply): HostReply {
  return reply.ok ? { ok: true, value: reply.value ?? null } : reply;
}

function instant(iso: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms))
    throw new BowlineError("world", `the clock must tell an ISO instant, but told '${iso}'`);
  return ms;
}

function diverged(how: string): BowlineError {
  return new BowlineError("world", `a recorded cell did not replay: ${how}`);
}

/** Why `apis.<name>` or `apis.<app>.<name>` is not there. `app` is empty for the former. */
function hint(apps: ReplOptions["apps"], app: string, name: string): string {
  const known = app === "" ? Object.keys(apps) : [...(apps[app] ?? [])];
  const near = nearest(name, known);
  const meant = near === undefined ? "" : `; did you mean '${near}'?`;
  const list = known.length > 40 ? `${known.slice(0, 40).join(", ")}, ...` : known.join(", ");
  return app === ""
    ? `there is no app '${name}'${meant} Apps: ${list}`.replace("' Apps", "'; apps")
    : `app '${app}' has no API '${name}'${meant} APIs: ${list}`.replace("' APIs", "'; APIs");
}
