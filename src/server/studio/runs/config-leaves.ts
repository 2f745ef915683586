/** Lists the leaves of a configuration: dotted path and value as JSON, in the order of the file. */
import { isPlainObject } from "../../../core/index.ts";
import { configLeaves } from "../../../train/index.ts";

export function listConfigLeaves(config: unknown): [path: string, value: string][] {
  if (!isPlainObject(config)) return [];
  try {
    return [...configLeaves(config)].map(([path, value]) => [
      path,
      // `configLeaves` gives a list as JSON text already.
      typeof value === "string" && !isStringAt(config, path)
        ? value
        : (JSON.stringify(value) ?? "null"),
    ]);
  } catch {
    // A configuration nested deeper than the stack cannot come from Bowline.
    return [];
  }
}

function isStringAt(config: object, path: string): boolean {
  let value: unknown = config;
  for (const name of path.split(".")) value = isPlainObject(value) ? value[name] : undefined;
  return typeof value === "string";
}
