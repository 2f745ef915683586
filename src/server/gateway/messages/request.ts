/**
 * Parses the request of Anthropic's messages: `POST /v1/messages`.
 *
 * Tool results are part of a user message; here they become a message of their own before it. Cache marks move from
 * block to block between calls and are not read. A thinking block carries our signature, which holds the id of its
 * answer.
 */
import { z } from "zod";
import { withoutUndefined } from "../../../core/index.ts";
import type { ChatPart, SessionMessage, SessionRequest, ToolChoice } from "../../../spec/index.ts";
import type { ParsedCall } from "../dialect.ts";
import { invalidField } from "../gateway-error.ts";
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
import { readAnswerId } from "./signature.ts";

const textBlock = z.looseObject({ type: z.literal("text"), text: z.string() });
const texts = z.union([z.string(), z.array(textBlock)], {
  error: "expected a text or a list of text blocks",
});
const block = z.discriminatedUnion(
  "type",
  [
    textBlock,
    z.looseObject({
      type: z.literal("thinking"),
      thinking: z.string(),
      signature: z.string().nullish(),
    }),
    z.looseObject({ type: z.literal("redacted_thinking") }),
    z.looseObject({
      type: z.literal("tool_use"),
      id: z.string().min(1),
      name: z.string(),
      input: z.record(z.string(), z.unknown()),
    }),
    z.looseObject({
      type: z.literal("tool_result"),
      tool_use_id: z.string().min(1),
      content: z
        .union([
          z.string(),
          z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })),
        ])
        .nullish(),
      is_error: z.boolean().nullish(),
    }),
  ],
  {
    error: ({ code }) =>
      code === "invalid_union"
        ? "expected a text, thinking, tool_use or tool_result block"
        : undefined,
  },
);
const message = z.looseObject({
  role: z.enum(["user", "assistant", "system"]),
  content: z.preprocess(
    (content) => (typeof content === "string" ? [{ type: "text", text: content }] : content),
    z.array(block),
  ),
});
const tool = z.looseObject({
  type: z.literal("custom", { error: "tools that the provider runs are not supported" }).nullish(),
  name: toolName,
  description: z.string().nullish(),
  input_schema: jsonSchema.nullish(),
});
const toolChoice = z.looseObject({
  type: z.enum(["auto", "any", "tool", "none"]),
  name: z.string().nullish(),
  disable_parallel_tool_use: z.boolean().nullish(),
});
const format = z.looseObject({ type: z.literal("json_schema"), schema: jsonSchema.nullish() });
const conversation = {
  system: texts.nullish(),
  messages: z.array(message).min(1),
  tools: z.array(tool).nullish(),
};
const countTokensSchema = z.looseObject(conversation);
const schema = z.looseObject({
  ...conversation,
  max_tokens: positiveInteger,
  tool_choice: toolChoice.nullish(),
  stop_sequences: z.array(z.string().min(1)).nullish(),
  temperature: temperature.nullish(),
  top_p: unitInterval.nullish(),
  output_config: z.looseObject({ format: format.nullish() }).nullish(),
  stream: z.boolean().nullish(),
});
type Body = z.output<typeof schema>;

const IGNORED_FIELDS = ["top_k", "thinking", "context_management"];

export function parseRequest(raw: unknown): ParsedCall {
  const body = parseBody(schema, raw);
  const { tool_choice: choice, stop_sequences: stop, output_config: config } = body;
  const request = withoutUndefined<SessionRequest>({
    ...toConversation(body),
    toolChoice: choice ? toToolChoice(choice) : undefined,
    parallelToolCalls: choice?.disable_parallel_tool_use ? false : undefined,
    maxTokens: body.max_tokens,
    stop: stop?.length ? stop : undefined,
    temperature: body.temperature ?? undefined,
    topP: body.top_p ?? undefined,
    seed: undefined,
    json: config?.format
      ? withoutUndefined<NonNullable<SessionRequest["json"]>>({
          schema: config.format.schema ?? undefined,
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

/** Parses the body of `count_tokens`. */
export function parseConversation(raw: unknown): Pick<SessionRequest, "messages" | "tools"> {
  return toConversation(parseBody(countTokensSchema, raw));
}

function toConversation({ system, messages, tools }: z.output<typeof countTokensSchema>) {
  const parts = readSystemParts(system);
  return withoutUndefined<Pick<SessionRequest, "messages" | "tools">>({
    messages: [
      ...(parts.length > 0 ? [{ role: "system" as const, parts }] : []),
      ...messages.flatMap(toSessionMessages),
    ],
    tools: tools?.length
      ? tools.map(({ input_schema, ...tool }) => toToolSpec({ ...tool, parameters: input_schema }))
      : undefined,
  });
}

function readSystemParts(system: Body["system"]): ChatPart[] {
  const blocks = typeof system === "string" ? [{ text: system }] : (system ?? []);
  return blocks.flatMap(({ text }) => (text ? [{ type: "text" as const, text }] : []));
}

type Block = Body["messages"][number]["content"][number];

function toSessionMessages(
  { role, content }: Body["messages"][number],
  i: number,
): SessionMessage[] {
  const parts = content.flatMap((block, j) => toParts(block, `messages.${i}.content.${j}`));
  const results = parts.filter(({ type }) => type === "tool-result");
  if (role === "assistant") {
    const ids = new Set(content.flatMap(readAnswerIds));
    return [
      withoutUndefined<SessionMessage>({ role, parts, ids: ids.size > 0 ? [...ids] : undefined }),
    ];
  }
  const said = parts.filter(({ type }) => type !== "tool-result");
  return [
    ...(results.length > 0 ? [{ role: "tool" as const, parts: results }] : []),
    ...(said.length > 0 || results.length === 0 ? [{ role, parts: said }] : []),
  ];
}

function readAnswerIds(block: Block): string[] {
  const answer = block.type === "thinking" ? readAnswerId(block.signature ?? "") : undefined;
  return answer === undefined ? [] : [answer];
}

function toParts(block: Block, fieldPath: string): ChatPart[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      return [{ type: "reasoning", text: block.thinking }];
    case "redacted_thinking":
      return [];
    case "tool_use": {
      const { id, name, input } = block;
      return [{ type: "tool-call", id, name, arguments: JSON.stringify(input) }];
    }
    case "tool_result": {
      const text = readResultText(block.content, `${fieldPath}.content`);
      const part = { type: "tool-result", callId: block.tool_use_id, text } as const;
      return [block.is_error ? { ...part, isError: true } : part];
    }
  }
}

function readResultText(
  content: Extract<Block, { type: "tool_result" }>["content"],
  fieldPath: string,
): string {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  return blocks
    .map(({ type, text }, i) => {
      if (type === "text") return text ?? "";
      throw invalidField(
        `${fieldPath}.${i}.type`,
        `expected a text block, got a block of type ${type}`,
      );
    })
    .join("");
}

function toToolChoice({ type, name }: NonNullable<Body["tool_choice"]>): ToolChoice {
  if (type === "any") return "required";
  if (type !== "tool") return type;
  if (!name) throw invalidField("tool_choice.name", "the type tool needs the name of a tool");
  return { name };
}
