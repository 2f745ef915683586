/**
 * Converts errors of the worker to plain data that can be sent between threads. Running out of memory is a limit of
 * the machine and not a bug, wherever it was noticed: an array that could not be allocated, ONNX Runtime, or V8's own
 * heap.
 */
import { BowlineError, errorMessage } from "../../../core/index.ts";
import type { WireError } from "./protocol.ts";

const OUT_OF_MEMORY_PATTERN =
  /array buffer allocation failed|invalid typed array length|bad_alloc|failed to allocate memory|ERR_WORKER_OUT_OF_MEMORY|reached heap limit|memory limit/i;

export function isOutOfMemory(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return OUT_OF_MEMORY_PATTERN.test(`${errorMessage(error)} ${code}`);
}

export function toWireError(error: unknown): WireError {
  if (isOutOfMemory(error)) {
    const message = `the engine ran out of memory: ${errorMessage(error)}; use a smaller model, fewer live rows or shorter rows`;
    return { code: "engine", message };
  }
  if (BowlineError.is(error)) return { code: error.code, message: error.message };
  return { message: error instanceof Error ? (error.stack ?? error.message) : errorMessage(error) };
}
