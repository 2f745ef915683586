/** Parses bodies with their schema, and holds the small schemas and conversions that all dialects share. */
import { z } from "zod";
import { withoutUndefined } from "../../core/index.ts";
import type { SessionMessage, ToolSpec } from "../../spec/index.ts";
import { GatewayError, invalidField } from "./gateway-error.ts";

/** Parses a body with its schema. Throws a 400 that names the first wrong field. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  if (path === "") {
    throw new GatewayError(400, "invalid_request", `the body: ${issue?.message}`);
  }
  throw invalidField(path, issue?.message ?? "invalid");
}

/** The names of functions that every provider accepts. */
export const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, "expected a name of letters, digits, _ and -");
export const jsonSchema = z.record(z.string(), z.unknown());
export const positiveInteger = z.int().min(1);
export const temperature = z.number().min(0).max(2);
export const unitInterval = z.number().min(0).max(1);

interface ToolBody {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly parameters?: ToolSpec["parameters"] | null | undefined;
}

/** Converts a function of the request to a tool; a function without parameters may leave them out. */
export function toToolSpec({ name, description, parameters }: ToolBody): ToolSpec {
  return withoutUndefined<ToolSpec>({
    name,
    description: description ?? undefined,
    parameters: parameters ?? { type: "object", properties: {} },
  });
}

/** Joins tool messages that follow each other into one, because they hold the results of one answer's calls. */
export function joinToolResults(messages: readonly SessionMessage[]): SessionMessage[] {
  const joined: SessionMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === "tool" && last?.role === "tool") {
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
    } else joined.push(message);
  }
  return joined;
}

/** Returns those of the field names that the body sets. */
export function listIgnoredFields(
  body: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string[] {
  return names.filter((name) => body[name] !== undefined && body[name] !== null);
}
