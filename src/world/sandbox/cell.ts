/**
 * Runs one cell on an instance that already holds the REPL's image, and meters it.
 *
 * Every limit is a count, so the same cell ends at the same place on any machine. Once one is passed the host answers
 * nothing more and every further interrupt stops the code; the caller then throws the state away.
 */
import type {
  JSContextPointer,
  JSRuntimePointer,
  JSValueConstPointerPointer,
  JSValuePointer,
} from "quickjs-emscripten";
import type { Limit } from "../../spec/index.ts";
import { type Hooks, IDLE, type Instance, newChars, newString } from "./instance.ts";
import { PRELUDE } from "./prelude.ts";
import type { SandboxLimits } from "./types.ts";

/** Pointers into an image. */
export interface Roots {
  readonly rt: JSRuntimePointer;
  readonly ctx: JSContextPointer;
  /** Function of the prelude: a thrown value -> JSON of [name, message]. */
  readonly describe: JSValuePointer;
  /** The string "value". */
  readonly valueKey: JSValuePointer;
}

/** The far side of the boundary, live or recorded. `args` and the reply are JSON. */
export interface Outside {
  call(app: string, api: string, args: string): { readonly reply: string; readonly now: number };
  hint(app: string, name: string): string;
}

export type SandboxLimit = Exclude<Limit, "wall-clock">;

export interface CellOutcome {
  readonly stdout: string;
  readonly error?: { readonly name: string; readonly message: string };
  readonly limit?: SandboxLimit;
  /** What the outside threw: its bug, or a replay that went another way. */
  readonly failure?: { readonly cause: unknown };
}

/** Less than V8 has: QuickJS must notice a deep recursion before the thread's own stack ends. */
const QUICKJS_STACK_BYTES = 256 * 1024;
const HOST_CALLS_PER_FUEL = 100;
const EVAL_FLAG_ASYNC = 128;
const PENDING = 0;
const REJECTED = 2;

/** Makes a context in a pristine instance. `now` is the clock of that moment, from which `Math.random` is seeded. */
export function boot(
  instance: Instance,
  apps: Readonly<Record<string, readonly string[]>>,
  stdoutChars: number,
  now: number,
): Roots {
  const { ffi } = instance;
  instance.plug({ ...IDLE, now });
  const rt = ffi.QTS_NewRuntime();
  ffi.QTS_RuntimeSetMaxStackSize(rt, QUICKJS_STACK_BYTES);
  const ctx = ffi.QTS_NewContext(rt, 0 as never);
  const prelude = evaluate(instance, ctx, PRELUDE, 0);
  const host = ffi.QTS_NewFunction(ctx, "host", 0, false, 1 as never);
  const describe = callFunction(instance, ctx, prelude, [
    host,
    newString(instance, ctx, JSON.stringify(apps)),
    ffi.QTS_NewFloat64(ctx, stdoutChars + 1),
  ]);
  if (ffi.QTS_ResolveException(ctx, describe) !== 0)
    throw new Error("invariant violated: the prelude failed");
  ffi.QTS_RuntimeEnableInterruptHandler(rt);
  return { rt, ctx, describe, valueKey: newString(instance, ctx, "value") };
}

/** After a `limit` or a `failure` the instance's memory is worthless. Never throws. */
export function runCell(
  instance: Instance,
  roots: Roots,
  script: string,
  limits: SandboxLimits,
  now: number,
  outside: Outside,
): CellOutcome {
  const meter = new Meter(limits, now, outside);
  instance.plug(meter);
  let error: CellOutcome["error"];
  try {
    error = execute(instance, roots, script, meter);
  } catch (thrown) {
    instance.broken = true;
    meter.limit ??= thrown instanceof RangeError ? "stack" : "memory";
  }
  const { failure, limit, stdout } = meter;
  if (failure) return { stdout, failure };
  if (limit) return { stdout, limit };
  return error ? { stdout, error } : { stdout };
}

class Meter implements Hooks {
  limit: SandboxLimit | undefined;
  failure: { readonly cause: unknown } | undefined;
  stdout = "";
  now: number;
  readonly #limits: SandboxLimits;
  readonly #outside: Outside;
  #fuel = 0;
  #calls = 0;
  #hostCalls = 0;
  #jobs = 0;
  #full = false;

  constructor(limits: SandboxLimits, now: number, outside: Outside) {
    this.#limits = limits;
    this.#outside = outside;
    this.now = now;
  }

  get stopped(): boolean {
    return this.limit !== undefined || this.failure !== undefined;
  }

  get maxBytes(): number {
    return this.#limits.memoryBytes;
  }

  outOfMemory(): void {
    this.#end("memory");
  }

  interrupted(): boolean {
    if (++this.#fuel > this.#limits.fuel) this.#end("fuel");
    return this.stopped;
  }

  /** False when no further promise job may run. */
  job(): boolean {
    if (++this.#jobs > this.#limits.jobs) this.#end("jobs");
    return !this.stopped;
  }

  #end(limit: SandboxLimit): void {
    this.limit ??= limit;
  }

  host([kind, ...args]: readonly string[]): string | undefined {
    if (++this.#hostCalls % HOST_CALLS_PER_FUEL === 0) this.interrupted();
    if (this.stopped) return undefined;
    try {
      if (kind === "print") return this.#print(JSON.parse(args[0]!));
      if (kind === "call") return this.#call(args[0]!, args[1]!, args[2]!);
      return JSON.stringify(this.#outside.hint(args[0]!, JSON.parse(args[1]!)));
    } catch (cause) {
      if (cause instanceof RangeError) this.#end("stack");
      else this.failure = { cause };
      return undefined;
    }
  }

  #print(text: string): undefined {
    if (this.#full) return;
    const room = Math.max(0, this.#limits.stdoutChars - this.stdout.length);
    if (text.length <= room) {
      this.stdout += `${text}\n`;
      return;
    }
    this.#full = true;
    const cut = text.slice(0, room).replace(/[\uD800-\uDBFF]$/, "");
    this.stdout += `${cut}\n[output cut at ${this.#limits.stdoutChars} characters]\n`;
  }

  #call(app: string, api: string, args: string): string | undefined {
    if (++this.#calls > this.#limits.calls) {
      this.#end("calls");
      return undefined;
    }
    const { reply, now } = this.#outside.call(app, api, args);
    this.now = now;
    return reply;
  }
}

function execute(
  instance: Instance,
  roots: Roots,
  script: string,
  meter: Meter,
): CellOutcome["error"] {
  const { ffi } = instance;
  const { ctx } = roots;
  const promise = evaluate(instance, ctx, script, EVAL_FLAG_ASYNC);
  if (promise === 0) return undefined; // no room for the script: the memory limit is set
  let thrown = ffi.QTS_ResolveException(ctx, promise);
  runJobs(instance, roots, meter);
  if (meter.stopped) return undefined;
  if (thrown === 0) {
    const state = ffi.QTS_PromiseState(ctx, promise);
    if (state === PENDING) {
      return { name: "Error", message: "the cell awaits something that never happens" };
    }
    const settled = ffi.QTS_PromiseResult(ctx, promise);
    thrown = state === REJECTED ? settled : rejectionOf(instance, roots, settled);
    if (thrown !== settled) ffi.QTS_FreeValuePointer(ctx, settled);
  }
  ffi.QTS_FreeValuePointer(ctx, promise);
  return thrown === 0 ? undefined : describe(instance, roots, thrown);
}

function runJobs(instance: Instance, { rt, ctx }: Roots, meter: Meter): void {
  const { ffi, module } = instance;
  const context = module._malloc(4);
  while (!meter.stopped && ffi.QTS_IsJobPending(rt) && meter.job()) {
    ffi.QTS_FreeValuePointer(ctx, ffi.QTS_ExecutePendingJob(rt, 1, context as never));
  }
  module._free(context);
}

/** The reason when the cell's last expression is a promise that failed and that nobody awaited; otherwise 0. */
function rejectionOf(
  { ffi }: Instance,
  { ctx, valueKey }: Roots,
  settled: JSValuePointer,
): JSValuePointer {
  const value = ffi.QTS_GetProp(ctx, settled, valueKey);
  const rejected = ffi.QTS_PromiseState(ctx, value) === REJECTED;
  const reason = rejected ? ffi.QTS_PromiseResult(ctx, value) : (0 as JSValuePointer);
  ffi.QTS_FreeValuePointer(ctx, value);
  return reason;
}

/** Consumes `thrown`. */
function describe(instance: Instance, roots: Roots, thrown: JSValuePointer): CellOutcome["error"] {
  const { ffi, module } = instance;
  const { ctx } = roots;
  const result = callFunction(instance, ctx, roots.describe, [thrown]);
  ffi.QTS_FreeValuePointer(ctx, thrown);
  const failed = ffi.QTS_ResolveException(ctx, result);
  if (failed !== 0) {
    ffi.QTS_FreeValuePointer(ctx, failed);
    return { name: "Error", message: "an error that fails to describe itself" };
  }
  const chars = ffi.QTS_GetString(ctx, result);
  const [name, message] = JSON.parse(module.UTF8ToString(chars)) as [string, string];
  ffi.QTS_FreeCString(ctx, chars);
  ffi.QTS_FreeValuePointer(ctx, result);
  return { name, message };
}

function evaluate(
  instance: Instance,
  ctx: JSContextPointer,
  code: string,
  flags: number,
): JSValuePointer {
  const chars = newChars(instance, code);
  if (!chars) return 0 as JSValuePointer;
  const result = instance.ffi.QTS_Eval(
    ctx,
    chars.at,
    chars.size,
    "cell",
    0 as never,
    flags as never,
  );
  instance.module._free(chars.at);
  return result;
}

function callFunction(
  { ffi, module }: Instance,
  ctx: JSContextPointer,
  target: JSValuePointer,
  args: readonly JSValuePointer[],
): JSValuePointer {
  const list = module._malloc(4 * args.length);
  new Uint32Array(module.HEAPU8.buffer, list, args.length).set(args);
  const result = ffi.QTS_Call(
    ctx,
    target,
    ffi.QTS_GetUndefined(),
    args.length,
    list as JSValueConstPointerPointer,
  );
  module._free(list);
  return result;
}
