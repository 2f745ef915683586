/** Measures what a program retains: the memory that it needs after garbage was collected. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
export const collectGarbage: () => void = runInNewContext("gc");

/** Returns the retained bytes. Resident memory would depend on the test runner, too. */
export function readRetainedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * Returns the usual growth between measurements: the middle one, or the lower of the two in the middle. What is left
 * behind grows every time, but a buffer that is made once, or grows once, grows at one of them.
 */
export function usualGrowth(retained: readonly number[]): number {
  const growths = retained.slice(1).map((bytes, i) => bytes - retained[i]!);
  return growths.sort((a, b) => a - b)[Math.floor((growths.length - 1) / 2)]!;
}
