/**
 * Arguments against an API's parameters. Every complaint names the parameter, what was expected and what came.
 */
import type { z } from "zod";
import { nearest } from "../../core/index.ts";
import { type JsonSchema, typeText } from "./types.ts";

/** What the messages need to know of one API. */
export interface Signature {
  /** `<app>.<api>`. */
  readonly name: string;
  /** The JSON Schema of the parameters. */
  readonly params: JsonSchema;
}

/** The message for the agent when `args` is no object of named parameters; undefined when it is one. */
export function refuseShape(api: Signature, args: unknown): string | undefined {
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return undefined;
  const names = parameterNames(api);
  const example = names.length > 0 ? `{ ${names.join(", ")} }` : "";
  return `${api.name} takes one object of named parameters, as in apis.${api.name}(${example}); got ${show(args)}`;
}

/** One line for what zod found, and for `unknown` keys: the first complaint about each parameter, at most three. */
export function explain(
  api: Signature,
  args: object,
  issues: readonly z.core.$ZodIssue[],
  unknown: readonly string[] = [],
): string {
  const lines = new Map<string, string>();
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) lines.set(`?${key}`, unknownParameter(api, key));
    } else {
      const name = String(issue.path[0] ?? "");
      if (!lines.has(name)) lines.set(name, wrongParameter(api, args, name));
    }
  }
  for (const key of unknown) lines.set(`?${key}`, unknownParameter(api, key));
  return [...lines.values()].slice(0, 3).join("; ");
}

function unknownParameter(api: Signature, key: string): string {
  const names = parameterNames(api);
  const near = nearest(key, names);
  const hint = near ? `did you mean "${near}"? ` : "";
  const known = names.length > 0 ? `the parameters are ${names.join(", ")}` : "it takes none";
  return `${api.name} has no parameter "${key}"; ${hint}${known}`;
}

function wrongParameter(api: Signature, args: object, name: string): string {
  const schema = api.params.properties?.[name];
  const value = (args as Record<string, unknown>)[name];
  const expected = `${schema ? typeText(schema) : "another value"}${schema?.description ? ` (${schema.description})` : ""}`;
  return value === undefined
    ? `${api.name} needs parameter "${name}": ${expected}`
    : `parameter "${name}" of ${api.name}: expected ${expected}, got ${show(value)}`;
}

function parameterNames(api: Signature): string[] {
  return Object.keys(api.params.properties ?? {});
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
