/** A configuration as its leaves: dotted path and value as JSON, in the order in which it was written. */
import { isRaw } from "../../../core/index.ts";
import { configLeaves } from "../../../train/index.ts";

export function leavesOf(config: unknown): [path: string, value: string][] {
  if (!isRaw(config)) return [];
  try {
    return [...configLeaves(config)].map(([path, value]) => [
      path,
      JSON.stringify(value) ?? "null",
    ]);
  } catch {
    // Nested deeper than the stack: of no run of ours.
    return [];
  }
}
