/**
 * Parses the request of Anthropic's messages: `POST /v1/messages`. `format.ts` says what each field does.
 *
 * Tool results are part of a user message; here they become a message of their own before it. A thinking block carries
 * our signature, which holds the id of its answer.
 */
import { printExactJson, withoutUndefined } from "../../../core/index.ts";
import type {
  ChatPart,
  PromptRequest,
  SessionMessage,
  SessionRequest,
  ToolChoice,
} from "../../../spec/index.ts";
import type { ParsedCall, ParsedPrompt } from "../dialect.ts";
import { invalidField } from "../gateway-error.ts";
import { parseBody, toToolSpec } from "../parse-body.ts";
import {
  collectVariables,
  effortVariables,
  type RequestedVariables,
  readFilters,
  thinkingVariables,
} from "../request-settings.ts";
import { readAnswerId } from "../signature.ts";
import {
  type Block,
  type ConversationBody,
  countTokensSchema,
  type MessagesRequestBody,
  messagesRequestSchema,
} from "./format.ts";

export function parseRequest(raw: unknown): ParsedCall {
  const body = parseBody(messagesRequestSchema, raw);
  const { tool_choice: choice, stop_sequences: stop } = body;
  const { variables, fields } = readVariables(body);
  const request = withoutUndefined<SessionRequest>({
    ...toConversation(body),
    toolChoice: choice ? toToolChoice(choice) : undefined,
    parallelToolCalls: choice?.disable_parallel_tool_use ? false : undefined,
    maxTokens: body.max_tokens,
    stop: stop?.length ? stop : undefined,
    temperature: body.temperature ?? undefined,
    ...readFilters(body),
    seed: undefined,
    templateVariables: variables,
    json: readJsonFormat(body),
    role: undefined,
    retryKey: undefined,
  });
  const json = body.output_config?.format ? "output_config.format" : "output_format";
  const settingFields = { topP: "top_p", topK: "top_k", json, ...fields };
  return { request, isStream: body.stream ?? false, settingFields, body };
}

/** Parses the body of `count_tokens`. A request that forbids calls has a prompt without tools. */
export function parsePrompt(raw: unknown): ParsedPrompt {
  const body = parseBody(countTokensSchema, raw);
  const { tools, messages } = toConversation(body);
  const { variables, fields } = readVariables(body);
  const request = withoutUndefined<PromptRequest>({
    messages,
    tools: body.tool_choice?.type === "none" ? undefined : tools,
    templateVariables: variables,
  });
  return { request, settingFields: fields, body };
}

function readVariables({
  thinking,
  output_config: config,
  chat_template_kwargs,
}: ConversationBody): RequestedVariables {
  // No template knows thoughts between tool calls only, so that request is named like one that no template reads.
  const thinks =
    thinking?.type === "between_tools"
      ? { think_between_tools: true }
      : thinking && thinkingVariables(thinking.type !== "disabled");
  return collectVariables([
    { field: "output_config.effort", variables: effortVariables(config?.effort) },
    { field: "thinking", variables: thinks ?? undefined },
    { field: "chat_template_kwargs.*", variables: chat_template_kwargs ?? undefined },
  ]);
}

function readJsonFormat({
  output_config: config,
  output_format: earlier,
}: MessagesRequestBody): SessionRequest["json"] {
  const format = config?.format ?? earlier;
  if (!format) return undefined;
  return withoutUndefined<NonNullable<SessionRequest["json"]>>({
    schema: format.schema ?? undefined,
  });
}

function toConversation({ system, messages, tools }: ConversationBody) {
  const parts = (system ?? []).flatMap(({ text }) =>
    text ? [{ type: "text" as const, text }] : [],
  );
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

function toSessionMessages({
  role,
  content,
}: ConversationBody["messages"][number]): SessionMessage[] {
  const parts = content.flatMap(toParts);
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

function toParts(block: Block): ChatPart[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      return [{ type: "reasoning", text: block.thinking }];
    case "redacted_thinking":
      return [];
    case "tool_use": {
      const { id, name, input } = block;
      return [{ type: "tool-call", id, name, arguments: printExactJson(input) }];
    }
    case "tool_result": {
      const text = (block.content ?? []).map((part) => part.text).join("");
      const part = { type: "tool-result", callId: block.tool_use_id, text } as const;
      return [block.is_error ? { ...part, isError: true } : part];
    }
  }
}

function toToolChoice({ type, name }: NonNullable<MessagesRequestBody["tool_choice"]>): ToolChoice {
  if (type === "any") return "required";
  if (type !== "tool") return type;
  if (!name) throw invalidField("tool_choice.name", "the type tool needs the name of a tool");
  return { name };
}
