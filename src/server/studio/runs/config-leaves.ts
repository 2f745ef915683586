/** A configuration as its leaves: dotted path and value as JSON, in the order in which it was written. */
import { isPlainObject } from "../../../core/index.ts";
import { configLeaves } from "../../../train/index.ts";

export function listConfigLeaves(config: unknown): [path: string, value: string][] {
  if (!isPlainObject(config)) return [];
  try {
    return [...configLeaves(config)].map(([path, value]) => [
      path,
      // A list is a leaf as JSON already.
      typeof value === "string" && !isStringAt(config, path)
        ? value
        : (JSON.stringify(value) ?? "null"),
    ]);
  } catch {
    // Nested deeper than the stack: of no run of ours.
    return [];
  }
}

function isStringAt(config: object, path: string): boolean {
  let value: unknown = config;
  for (const name of path.split(".")) value = isPlainObject(value) ? value[name] : undefined;
  return typeof value === "string";
}
