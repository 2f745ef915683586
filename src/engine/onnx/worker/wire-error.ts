/**
 * What went wrong in the worker, as words that cross the thread. Running out of memory is the machine's boundary, not a
 * bug, whoever noticed it: an array that could not be allocated, the runtime, or V8 about its own heap.
 */
import { BowlineError, errorMessage } from "../../../core/index.ts";
import type { WireError } from "./protocol.ts";

const NO_MEMORY =
  /array buffer allocation failed|invalid typed array length|bad_alloc|failed to allocate memory|ERR_WORKER_OUT_OF_MEMORY|reached heap limit|memory limit/i;

export function isOutOfMemory(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return NO_MEMORY.test(`${errorMessage(error)} ${code}`);
}

export function wireError(error: unknown): WireError {
  if (isOutOfMemory(error)) {
    const message = `the engine ran out of memory: ${errorMessage(error)}; a smaller model, fewer live rows or shorter rows need less`;
    return { code: "engine", message };
  }
  if (BowlineError.is(error)) return { code: error.code, message: error.message };
  return { message: error instanceof Error ? (error.stack ?? error.message) : errorMessage(error) };
}
