/**
 * Responses, the question: `POST /v1/responses`.
 *
 * A conversation is a list of items here. What the model said before comes back as whole items with their ids (the Agents
 * SDK), as bare references to them (the AI SDK: the text is then known to us alone), or not at all behind a
 * `previous_response_id`. All three are resolved from what the gateway kept.
 */
import { z } from "zod";
import { withoutUndefined } from "../../../core/index.ts";
import type { SessionRequest, ToolChoice } from "../../../spec/index.ts";
import type { Asked } from "../dialect.ts";
import { GatewayError } from "../gateway-error.ts";
import type { Kept } from "../kept.ts";
import {
  ignoredOf,
  jsonSchema,
  positive,
  read,
  share,
  temperature,
  toolName,
  toolSpec,
} from "../read.ts";
import { item, messagesOf } from "./items.ts";

const tool = z.looseObject({
  type: z.literal("function", { error: "only function tools are served here" }),
  name: toolName,
  description: z.string().nullish(),
  parameters: jsonSchema.nullish(),
});
const toolChoice = z.union(
  [
    z.enum(["auto", "none", "required"]),
    z.looseObject({ type: z.literal("function"), name: z.string() }),
  ],
  { error: 'expected "auto", "none", "required" or a function by name' },
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
  input: z.union([z.string(), z.array(item).min(1)], {
    error: "expected a text or a list of items",
  }),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.null({ error: "say previous_response_id" }).optional(),
  background: z.literal(false, { error: "answers are not made in the background" }).nullish(),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_output_tokens: positive.nullish(),
  temperature: temperature.nullish(),
  top_p: share.nullish(),
  text: text.nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
});
type Body = z.output<typeof schema>;

const IGNORED = ["top_logprobs", "max_tool_calls"];

export function ask(raw: unknown, kept: Kept): Asked {
  const body = read(schema, inputRead(raw));
  const { instructions, text } = body;
  const format = text?.format;
  const conversation = conversationOf(body, kept);
  const request = withoutUndefined<SessionRequest>({
    messages: instructions
      ? [{ role: "system", parts: [{ type: "text", text: instructions }] }, ...conversation]
      : conversation,
    tools: body.tools?.length ? body.tools.map((tool) => toolSpec(tool)) : undefined,
    toolChoice: body.tool_choice ? choiceOf(body.tool_choice) : undefined,
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
  return { request, stream: body.stream ?? false, ignored: ignoredOf(body, IGNORED), body };
}

/** A union's error would not say which item is wrong: a list is read as one. */
function inputRead(raw: unknown): unknown {
  const input = (raw as { readonly input?: unknown } | null)?.input;
  if (Array.isArray(input)) read(z.object({ input: z.array(item).min(1) }), { input });
  return raw;
}

function conversationOf({ input, previous_response_id: previous }: Body, kept: Kept) {
  const before = previous ? kept.conversation(previous) : [];
  if (before === undefined) {
    throw new GatewayError(
      400,
      "previous_response_not_found",
      `previous_response_id: ${previous} is no response of this session, or one of long ago`,
      "previous_response_id",
    );
  }
  return messagesOf(input, before, kept);
}

function choiceOf(choice: NonNullable<Body["tool_choice"]>): ToolChoice {
  return typeof choice === "string" ? choice : { name: choice.name };
}
