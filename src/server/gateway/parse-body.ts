/** Bodies checked against their schema, and the small shapes that all dialects share. */
import { z } from "zod";
import { withoutUndefined } from "../../core/index.ts";
import type { SessionMessage, ToolSpec } from "../../spec/index.ts";
import { GatewayError, invalidField } from "./gateway-error.ts";

/** The body as its schema reads it; a 400 names the first field that is wrong. */
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

/** Names of functions as every provider takes them. */
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

/** A function that is offered; one without parameters may leave them out. */
export function toToolSpec({ name, description, parameters }: ToolBody): ToolSpec {
  return withoutUndefined<ToolSpec>({
    name,
    description: description ?? undefined,
    parameters: parameters ?? { type: "object", properties: {} },
  });
}

/** Messages of tools that follow each other are one: the results of one answer's calls. */
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

/** Those of the names that the body sets. */
export function listIgnoredFields(
  body: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string[] {
  return names.filter((name) => body[name] !== undefined && body[name] !== null);
}
