/**
 * Parses the request of a chat completion: `POST /v1/chat/completions`.
 *
 * Clients differ in how they send an answer back. Content may be a string, null or a list of parts; a part may repeat
 * the whole message besides its text (the Agents SDK); names, annotations and reasoning may be there or not. Only the
 * fields that a session compares are read.
 */
import { z } from "zod";
import { withoutUndefined } from "../../../core/index.ts";
import type { ChatPart, SessionMessage, SessionRequest, ToolChoice } from "../../../spec/index.ts";
import type { ParsedCall } from "../dialect.ts";
import { GatewayError, invalidField } from "../gateway-error.ts";
import {
  joinToolResults,
  jsonSchema,
  listIgnoredFields,
  parseBody,
  positiveInteger,
  temperature,
  toolName,
  toToolSpec,
  unitInterval,
} from "../parse-body.ts";

const part = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
});
const content = z
  .union([z.string(), z.array(part)], { error: "expected a string or a list of parts" })
  .nullish();
const toolCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal("function").nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content,
  tool_calls: z.array(toolCall).nullish(),
  tool_call_id: z.string().nullish(),
  name: z.string().nullish(),
  reasoning_content: z.string().nullish(),
});
const tool = z.looseObject({
  type: z.literal("function", { error: "only function tools are supported" }),
  function: z.looseObject({
    name: toolName,
    description: z.string().nullish(),
    parameters: jsonSchema.nullish(),
  }),
});
const toolChoice = z.union(
  [
    z.enum(["auto", "none", "required"]),
    z.looseObject({ type: z.literal("function"), function: z.looseObject({ name: z.string() }) }),
  ],
  { error: 'expected "auto", "none", "required" or the name of a function' },
);
const format = z.looseObject({
  type: z.enum(["text", "json_object", "json_schema"]),
  json_schema: z.looseObject({ schema: jsonSchema.nullish() }).nullish(),
});
const schema = z.looseObject({
  messages: z.array(message).min(1),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_tokens: positiveInteger.nullish(),
  max_completion_tokens: positiveInteger.nullish(),
  stop: z
    .union([z.string(), z.array(z.string()).max(16)], { error: "expected a text or a list" })
    .nullish(),
  temperature: temperature.nullish(),
  top_p: unitInterval.nullish(),
  seed: z.int().nullish(),
  n: z.literal(1, { error: "only one choice per answer is supported" }).nullish(),
  response_format: format.nullish(),
  stream: z.boolean().nullish(),
  functions: z.null({ error: "not supported; use tools" }).optional(),
  function_call: z.null({ error: "not supported; use tool_choice" }).optional(),
});
type Body = z.output<typeof schema>;

const IGNORED_FIELDS = ["frequency_penalty", "presence_penalty", "logit_bias", "top_logprobs"];

export function parseRequest(raw: unknown): ParsedCall {
  const body = parseBody(schema, raw);
  const format = body.response_format;
  const request = withoutUndefined<SessionRequest>({
    messages: joinToolResults(body.messages.map(toSessionMessage)),
    tools: body.tools?.length
      ? body.tools.map(({ function: tool }) => toToolSpec(tool))
      : undefined,
    toolChoice: body.tool_choice ? toToolChoice(body.tool_choice) : undefined,
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    stop: readStops(body.stop),
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    seed: body.seed ?? undefined,
    json:
      format && format.type !== "text"
        ? withoutUndefined<NonNullable<SessionRequest["json"]>>({
            schema: format.json_schema?.schema ?? undefined,
          })
        : undefined,
    role: undefined,
    retryKey: undefined,
  });
  return {
    request,
    isStream: body.stream ?? false,
    ignored: listIgnoredFields(body, IGNORED_FIELDS),
    body,
  };
}

function toSessionMessage(message: Body["messages"][number], i: number): SessionMessage {
  const fieldPath = `messages.${i}`;
  const texts = readTextParts(message.content, `${fieldPath}.content`);
  switch (message.role) {
    case "system":
    case "developer":
      return { role: "system", parts: texts };
    case "user":
      return { role: "user", parts: texts };
    case "tool": {
      if (!message.tool_call_id)
        throw invalidField(`${fieldPath}.tool_call_id`, "a tool message must name its call");
      const text = texts.map(({ text }) => text).join("");
      return { role: "tool", parts: [{ type: "tool-result", callId: message.tool_call_id, text }] };
    }
    case "assistant":
      return { role: "assistant", parts: buildAssistantParts(message, texts) };
  }
}

function buildAssistantParts(
  { reasoning_content: reasoning, tool_calls: calls }: Body["messages"][number],
  texts: readonly ChatPart[],
): ChatPart[] {
  return [
    ...(reasoning ? [{ type: "reasoning" as const, text: reasoning }] : []),
    ...texts,
    ...(calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
      type: "tool-call" as const,
      id,
      name,
      arguments: json,
    })),
  ];
}

const TEXT_TYPES = ["text", "input_text", "output_text"];

function readTextParts(content: Body["messages"][number]["content"], fieldPath: string) {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  return parts.flatMap(({ type, text, refusal }, i) => {
    const said = TEXT_TYPES.includes(type) ? text : type === "refusal" ? refusal : undefined;
    if (said === undefined) {
      throw invalidField(
        `${fieldPath}.${i}.type`,
        `expected a text part, got a part of type ${type}`,
      );
    }
    return said ? [{ type: "text" as const, text: said }] : [];
  });
}

function toToolChoice(choice: NonNullable<Body["tool_choice"]>): ToolChoice {
  return typeof choice === "string" ? choice : { name: choice.function.name };
}

function readStops(stop: Body["stop"]): readonly string[] | undefined {
  const stops = typeof stop === "string" ? [stop] : (stop ?? []);
  if (stops.includes(""))
    throw new GatewayError(400, "invalid_request", "stop: a stop text must not be empty", "stop");
  return stops.length > 0 ? stops : undefined;
}
