/** Parses the request of a chat completion: `POST /v1/chat/completions`. `format.ts` says what each field does. */
import { withoutUndefined } from "../../../core/index.ts";
import type { ChatPart, SessionMessage, SessionRequest, ToolChoice } from "../../../spec/index.ts";
import type { ParsedCall } from "../dialect.ts";
import { joinToolResults, parseBody, toToolSpec } from "../parse-body.ts";
import { collectVariables, effortVariables, readFilters } from "../request-settings.ts";
import { type ChatMessageBody, type ChatRequestBody, chatRequestSchema } from "./format.ts";

export function parseRequest(raw: unknown): ParsedCall {
  const body = parseBody(chatRequestSchema, raw);
  const { variables, fields } = collectVariables([
    { field: "reasoning_effort", variables: effortVariables(body.reasoning_effort) },
    { field: "chat_template_kwargs.*", variables: body.chat_template_kwargs ?? undefined },
  ]);
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
    ...readFilters(body),
    seed: body.seed ?? undefined,
    templateVariables: variables,
    json: readJsonFormat(body.response_format),
    role: undefined,
    retryKey: undefined,
  });
  return {
    request,
    isStream: body.stream ?? false,
    settingFields: { ...SETTINGS, ...fields },
    body,
  };
}

const SETTINGS = { topP: "top_p", topK: "top_k", minP: "min_p", json: "response_format" };

function readJsonFormat(format: ChatRequestBody["response_format"]): SessionRequest["json"] {
  if (!format || format.type === "text") return undefined;
  return withoutUndefined<NonNullable<SessionRequest["json"]>>({
    schema: format.json_schema?.schema ?? undefined,
  });
}

function toSessionMessage(message: ChatMessageBody): SessionMessage {
  const texts = readTextParts(message.content);
  switch (message.role) {
    case "system":
    case "developer":
      return { role: "system", parts: texts };
    case "user":
      return { role: "user", parts: texts };
    case "tool": {
      const text = texts.map((part) => part.text).join("");
      return { role: "tool", parts: [{ type: "tool-result", callId: message.tool_call_id, text }] };
    }
    case "assistant":
      return { role: "assistant", parts: buildAssistantParts(message, texts) };
  }
}

function buildAssistantParts(
  message: Extract<ChatMessageBody, { role: "assistant" }>,
  texts: readonly ChatPart[],
): ChatPart[] {
  const { refusal, tool_calls: calls } = message;
  const reasoning = message.reasoning_content ?? message.reasoning;
  return [
    ...(reasoning ? [{ type: "reasoning" as const, text: reasoning }] : []),
    ...texts,
    ...(refusal ? [{ type: "text" as const, text: refusal }] : []),
    ...(calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
      type: "tool-call" as const,
      id,
      name,
      arguments: json,
    })),
  ];
}

function readTextParts(content: ChatMessageBody["content"]) {
  return (content ?? []).flatMap((part) => {
    const said = part.type === "refusal" ? part.refusal : part.text;
    return said ? [{ type: "text" as const, text: said }] : [];
  });
}

function toToolChoice(choice: NonNullable<ChatRequestBody["tool_choice"]>): ToolChoice {
  return typeof choice === "string" ? choice : { name: choice.function.name };
}

function readStops(stop: ChatRequestBody["stop"]): readonly string[] | undefined {
  const stops = typeof stop === "string" ? [stop] : (stop ?? []);
  return stops.length > 0 ? stops : undefined;
}
