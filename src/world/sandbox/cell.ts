/**
 * Creates a context, and runs one cell on an instance that already holds the REPL's memory image.
 *
 * A cell is a global script that is evaluated asynchronously: QuickJS returns a promise of `{ value }`, and this file
 * runs its jobs one by one until none is left. Values of the C library are pointers. Each pointer that is taken must be
 * freed again, or the image would grow with every cell.
 */
import type {
  JSContextPointer,
  JSRuntimePointer,
  JSValueConstPointerPointer,
  JSValuePointer,
} from "quickjs-emscripten";
import { assert } from "../../core/index.ts";
import { allocateJsString, allocateUtf8, IDLE_HOOKS, type Instance } from "./instance.ts";
import { type ApiHost, CellMeter, isStackOverflow, type SandboxLimit } from "./meter.ts";
import { PRELUDE } from "./prelude.ts";
import type { SandboxLimits } from "./types.ts";

/** Pointers into an image that stay valid between cells. */
export interface ContextPointers {
  readonly rt: JSRuntimePointer;
  readonly ctx: JSContextPointer;
  /** Points to the prelude's function that turns a thrown value into JSON of [name, message]. */
  readonly describe: JSValuePointer;
  /** Points to the string "value". */
  readonly valueKey: JSValuePointer;
}

export interface CellOutcome {
  readonly stdout: string;
  readonly error?: { readonly name: string; readonly message: string };
  readonly limit?: SandboxLimit;
  /** What the host threw: a bug of its own, or a replay that differs from the record. */
  readonly failure?: { readonly cause: unknown };
}

/**
 * The stack size for QuickJS. It is smaller than V8's stack, so that QuickJS notices a deep recursion before the
 * thread's own stack ends.
 */
const QUICKJS_STACK_BYTES = 256 * 1024;
/**
 * Work that one unit of fuel pays for. Interpreted code uses its fuel up at branches and calls before its work, so it
 * is mostly loops inside built-in functions that reach this limit.
 */
const WORK_PER_FUEL = 500_000;
const MAX_WORK = 2 ** 31 - 1;
const EVAL_FLAG_ASYNC = 128;
const PROMISE_PENDING = 0;
const PROMISE_REJECTED = 2;

/** Creates a context in a new instance. `now` is the clock at that moment, which seeds `Math.random`. */
export function bootContext(
  instance: Instance,
  apps: Readonly<Record<string, readonly string[]>>,
  stdoutChars: number,
  now: number,
): ContextPointers {
  const { ffi } = instance;
  instance.setHooks({ ...IDLE_HOOKS, now });
  instance.work.value = MAX_WORK;
  const rt = ffi.QTS_NewRuntime();
  ffi.QTS_RuntimeSetMaxStackSize(rt, QUICKJS_STACK_BYTES);
  const ctx = ffi.QTS_NewContext(rt, 0 as never);
  const prelude = evaluateCode(instance, ctx, PRELUDE, 0);
  const host = ffi.QTS_NewFunction(ctx, "host", 0, false, 1 as never);
  const describe = callFunction(instance, ctx, prelude, [
    host,
    allocateJsString(instance, ctx, encodeApiNames(apps)),
    ffi.QTS_NewFloat64(ctx, stdoutChars + 1),
  ]);
  assert(ffi.QTS_ResolveException(ctx, describe) === 0, "the sandbox's prelude runs");
  ffi.QTS_RuntimeEnableInterruptHandler(rt);
  return { rt, ctx, describe, valueKey: allocateJsString(instance, ctx, "value") };
}

/**
 * Encodes API names, by app, as JSON inside JSON. So the prelude parses an app's names only when the app is first used.
 */
function encodeApiNames(apps: Readonly<Record<string, readonly string[]>>): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(apps).map(([app, names]) => [app, JSON.stringify(names)])),
  );
}

/** Runs one cell and never throws. After a `limit` or a `failure`, the instance's memory must not be used any more. */
export function runCell(
  instance: Instance,
  pointers: ContextPointers,
  script: string,
  limits: SandboxLimits,
  now: number,
  apiHost: ApiHost,
): CellOutcome {
  const meter = new CellMeter(limits, now, apiHost);
  instance.setHooks(meter);
  instance.work.value = Math.min(limits.fuel * WORK_PER_FUEL, MAX_WORK);
  let error: CellOutcome["error"];
  try {
    error = executeScript(instance, pointers, script, meter);
  } catch (thrown) {
    instance.isBroken = true;
    const isWorkDone = instance.work.value < 0;
    meter.limit ??= isWorkDone ? "fuel" : isStackOverflow(thrown) ? "stack" : "memory";
  }
  const { failure, limit, stdout } = meter;
  if (failure) return { stdout, failure };
  if (limit) return { stdout, limit };
  return error ? { stdout, error } : { stdout };
}

function executeScript(
  instance: Instance,
  pointers: ContextPointers,
  script: string,
  meter: CellMeter,
): CellOutcome["error"] {
  const { ffi } = instance;
  const { ctx } = pointers;
  const promise = evaluateCode(instance, ctx, script, EVAL_FLAG_ASYNC);
  if (promise === 0) return undefined; // The memory had no room for the script, so this is reported as the memory
  // limit.
  const syntax = ffi.QTS_ResolveException(ctx, promise);
  runJobs(instance, pointers, meter);
  if (meter.isStopped) return undefined;
  const pending = syntax === 0 && ffi.QTS_PromiseState(ctx, promise) === PROMISE_PENDING;
  const thrown = syntax === 0 && !pending ? findRejection(instance, pointers, promise) : syntax;
  ffi.QTS_FreeValuePointer(ctx, promise);
  if (pending) return { name: "Error", message: "the cell awaits something that never happens" };
  return thrown === 0 ? undefined : describeThrown(instance, pointers, thrown);
}

function runJobs(instance: Instance, { rt, ctx }: ContextPointers, meter: CellMeter): void {
  const { ffi, module } = instance;
  const context = module._malloc(4);
  while (!meter.isStopped && ffi.QTS_IsJobPending(rt) && meter.countJob()) {
    ffi.QTS_FreeValuePointer(ctx, ffi.QTS_ExecutePendingJob(rt, 1, context as never));
  }
  module._free(context);
}

/**
 * Finds why a settled cell failed: it threw, or its last expression is a rejected promise. Returns 0 when it did not
 * fail.
 */
function findRejection(
  { ffi }: Instance,
  { ctx, valueKey }: ContextPointers,
  cell: JSValuePointer,
): JSValuePointer {
  const settled = ffi.QTS_PromiseResult(ctx, cell);
  if (ffi.QTS_PromiseState(ctx, cell) === PROMISE_REJECTED) return settled;
  const value = ffi.QTS_GetProp(ctx, settled, valueKey);
  const rejected = ffi.QTS_PromiseState(ctx, value) === PROMISE_REJECTED;
  const reason = rejected ? ffi.QTS_PromiseResult(ctx, value) : (0 as JSValuePointer);
  ffi.QTS_FreeValuePointer(ctx, value);
  ffi.QTS_FreeValuePointer(ctx, settled);
  return reason;
}

/** Turns a thrown value into a name and a message, and frees `thrown`. */
function describeThrown(
  instance: Instance,
  pointers: ContextPointers,
  thrown: JSValuePointer,
): CellOutcome["error"] {
  const { ffi, module } = instance;
  const { ctx } = pointers;
  const result = callFunction(instance, ctx, pointers.describe, [thrown]);
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

function evaluateCode(
  instance: Instance,
  ctx: JSContextPointer,
  code: string,
  flags: number,
): JSValuePointer {
  const chars = allocateUtf8(instance, code);
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
