/** Parses bodies with their schema, and holds the small conversions that all dialects share. */
import type { z } from "zod";
import { type ExactJson, printExactJson, toPlainJson, withoutUndefined } from "../../core/index.ts";
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

interface ToolBody {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly parameters?: ToolSpec["parameters"] | Map<string, ExactJson> | null | undefined;
}

/** Converts a function of the request to a tool; a function without parameters may leave them out. */
export function toToolSpec({ name, description, parameters }: ToolBody): ToolSpec {
  const schema = parameters instanceof Map ? toPlainJson(parameters) : parameters;
  const source = parameters instanceof Map ? printExactJson(parameters) : undefined;
  return withoutUndefined<ToolSpec>({
    name,
    description: description ?? undefined,
    parameters: (schema ?? NO_PARAMETERS) as ToolSpec["parameters"],
    // The source is needed only where plain data has lost something.
    parametersJson: source === JSON.stringify(schema) ? undefined : source,
  });
}

const NO_PARAMETERS = { type: "object", properties: {} };

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
