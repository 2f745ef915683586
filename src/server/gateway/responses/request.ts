/**
 * Parses the request of OpenAI's responses: `POST /v1/responses`.
 *
 * A conversation is a list of items. Earlier answers come back as whole items with their ids (the Agents SDK), as
 * references to them (the AI SDK; only the gateway then knows the text), or only as a `previous_response_id`. All three
 * are resolved from what the gateway remembers.
 */
import { z } from "zod";
import { withoutUndefined } from "../../../core/index.ts";
import type { SessionRequest, ToolChoice } from "../../../spec/index.ts";
import type { AnswerMemory } from "../answer-memory.ts";
import type { ParsedCall } from "../dialect.ts";
import { GatewayError } from "../gateway-error.ts";
import {
  jsonSchema,
  listIgnoredFields,
  parseBody,
  positiveInteger,
  temperature,
  toolName,
  toToolSpec,
  unitInterval,
} from "../parse-body.ts";
import { itemSchema, toSessionMessages } from "./items.ts";

const tool = z.looseObject({
  type: z.literal("function", { error: "only function tools are supported" }),
  name: toolName,
  description: z.string().nullish(),
  parameters: jsonSchema.nullish(),
});
const toolChoice = z.union(
  [
    z.enum(["auto", "none", "required"]),
    z.looseObject({ type: z.literal("function"), name: z.string() }),
  ],
  { error: 'expected "auto", "none", "required" or the name of a function' },
);
const text = z.looseObject({
  format: z
    .looseObject({
      type: z.enum(["text", "json_object", "json_schema"]),
      schema: jsonSchema.nullish(),
    })
    .nullish(),
});
const schema = z.looseObject({
  input: z.union([z.string(), z.array(itemSchema).min(1)], {
    error: "expected a text or a list of items",
  }),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.null({ error: "not supported; use previous_response_id" }).optional(),
  background: z.literal(false, { error: "answers in the background are not supported" }).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_output_tokens: positiveInteger.nullish(),
  temperature: temperature.nullish(),
  top_p: unitInterval.nullish(),
  text: text.nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
});
type Body = z.output<typeof schema>;

const IGNORED_FIELDS = ["top_logprobs", "max_tool_calls"];

export function parseRequest(raw: unknown, memory: AnswerMemory): ParsedCall {
  const body = parseBody(schema, checkInputItems(raw));
  const { instructions, text } = body;
  const format = text?.format;
  const conversation = readConversation(body, memory);
  const request = withoutUndefined<SessionRequest>({
    messages: instructions
      ? [{ role: "system", parts: [{ type: "text", text: instructions }] }, ...conversation]
      : conversation,
    tools: body.tools?.length ? body.tools.map((tool) => toToolSpec(tool)) : undefined,
    toolChoice: body.tool_choice ? toToolChoice(body.tool_choice) : undefined,
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    maxTokens: body.max_output_tokens ?? undefined,
    stop: undefined,
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    seed: undefined,
    json:
      format && format.type !== "text"
        ? withoutUndefined<NonNullable<SessionRequest["json"]>>({
            schema: format.schema ?? undefined,
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

/** Parses a list of items on its own, because the error of the union would not say which item is wrong. */
function checkInputItems(raw: unknown): unknown {
  const input = (raw as { readonly input?: unknown } | null)?.input;
  if (Array.isArray(input)) parseBody(z.object({ input: z.array(itemSchema).min(1) }), { input });
  return raw;
}

function readConversation({ input, previous_response_id: previous }: Body, memory: AnswerMemory) {
  const before = previous ? memory.findConversation(previous) : [];
  if (before === undefined) {
    throw new GatewayError(
      400,
      "previous_response_not_found",
      `previous_response_id: ${previous} is not a response of this session, or is too old and was dropped`,
      "previous_response_id",
    );
  }
  return toSessionMessages(input, before, memory);
}

function toToolChoice(choice: NonNullable<Body["tool_choice"]>): ToolChoice {
  return typeof choice === "string" ? choice : { name: choice.name };
}
