/**
 * Messages about wrong arguments. Each message names the parameter, what was expected and what came.
 */
import type { z } from "zod";
import { nearestWord } from "../../core/index.ts";
import { formatType, type JsonSchema } from "./types.ts";

/** What the messages need to know about one API. */
export interface ApiSignature {
  /** The name of the API, as `<app>.<api>`. */
  readonly name: string;
  /** The JSON Schema of the parameters. */
  readonly params: JsonSchema;
}

/** Returns a message for the agent when `args` is not an object of named parameters; undefined when it is one. */
export function explainWrongShape(api: ApiSignature, args: unknown): string | undefined {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return undefined;
  const names = listParameterNames(api);
  const example = names.length > 0 ? `{ ${names.join(", ")} }` : "";
  return `${api.name} takes one object of named parameters, as in apis.${api.name}(${example}); got ${formatShort(args)}`;
}

/** Returns one line about zod's issues and `unknown` keys: the first problem of each parameter, at most three. */
export function explainIssues(
  api: ApiSignature,
  args: object,
  issues: readonly z.core.$ZodIssue[],
  unknown: readonly string[] = [],
): string {
  const lines = new Map<string, string>();
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) lines.set(`?${key}`, explainUnknownParameter(api, key));
    } else {
      const name = String(issue.path[0] ?? "");
      if (!lines.has(name)) lines.set(name, explainWrongParameter(api, args, name));
    }
  }
  for (const key of unknown) lines.set(`?${key}`, explainUnknownParameter(api, key));
  return [...lines.values()].slice(0, 3).join("; ");
}

function explainUnknownParameter(api: ApiSignature, key: string): string {
  const names = listParameterNames(api);
  const near = nearestWord(key, names);
  const hint = near ? `did you mean "${near}"? ` : "";
  const known = names.length > 0 ? `the parameters are ${names.join(", ")}` : "it takes none";
  return `${api.name} has no parameter "${key}"; ${hint}${known}`;
}

function explainWrongParameter(api: ApiSignature, args: object, name: string): string {
  const schema = api.params.properties?.[name];
  const value = (args as Record<string, unknown>)[name];
  const expected = `${schema ? formatType(schema) : "another value"}${schema?.description ? ` (${schema.description})` : ""}`;
  return value === undefined
    ? `${api.name} needs parameter "${name}": ${expected}`
    : `parameter "${name}" of ${api.name}: expected ${expected}, got ${formatShort(value)}`;
}

function listParameterNames(api: ApiSignature): string[] {
  return Object.keys(api.params.properties ?? {});
}

function formatShort(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
