/** Resolves the references inside a JSON Schema, because documentation shows types without names. */
import type { JsonSchema } from "../api/index.ts";

/** How deep references are followed. Types that contain themselves end there as `any`. */
const MAX_DEPTH = 4;

/** Returns the schema with its local references (`#/...`) replaced by what they name. */
export function inlineReferences(schema: JsonSchema): JsonSchema {
  const { $defs: _, definitions: __, ...rest } = schema as Record<string, unknown>;
  return resolveIn(rest, schema, 0) as JsonSchema;
}

function resolveIn(value: unknown, root: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveIn(item, root, depth));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as Record<string, unknown>;
  if (typeof $ref === "string") {
    const target = depth < MAX_DEPTH ? findTarget(root, $ref) : undefined;
    return { ...(resolveIn(target ?? {}, root, depth + 1) as object), ...rest };
  }
  const entries = Object.entries(rest).map(([name, inner]) => [
    name,
    resolveIn(inner, root, depth),
  ]);
  return Object.fromEntries(entries);
}

function findTarget(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  const names = reference
    .slice(2)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  let target = root;
  for (const name of names) {
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, name))
      return undefined;
    target = (target as Record<string, unknown>)[name];
  }
  return target;
}
