/**
 * Parses the request of OpenAI's responses: `POST /v1/responses`. `format.ts` says what each field does.
 *
 * A conversation is a list of items. Earlier answers come back as whole items with their ids (the Agents SDK), as
 * references to them (the AI SDK; only the gateway then knows the text), or only as a `previous_response_id`. All three
 * are resolved from what the gateway remembers.
 */
import { withoutUndefined } from "../../../core/index.ts";
import type { SessionRequest, ToolChoice } from "../../../spec/index.ts";
import type { AnswerMemory } from "../answer-memory.ts";
import type { ParsedCall } from "../dialect.ts";
import { GatewayError } from "../gateway-error.ts";
import { parseBody, toToolSpec } from "../parse-body.ts";
import { collectVariables, effortVariables, readFilters } from "../request-settings.ts";
import { type ResponsesRequestBody, responsesRequestSchema } from "./format.ts";
import { toSessionMessages } from "./items.ts";

export function parseRequest(raw: unknown, memory: AnswerMemory): ParsedCall {
  const body = parseBody(responsesRequestSchema, raw);
  const { instructions } = body;
  const conversation = readConversation(body, memory);
  const { variables, fields } = collectVariables([
    { field: "reasoning.effort", variables: effortVariables(body.reasoning?.effort) },
    { field: "chat_template_kwargs.*", variables: body.chat_template_kwargs ?? undefined },
  ]);
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
    ...readFilters(body),
    seed: undefined,
    templateVariables: variables,
    json: readJsonFormat(body),
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

const SETTINGS = { topP: "top_p", topK: "top_k", minP: "min_p", json: "text.format" };

function readJsonFormat({ text }: ResponsesRequestBody): SessionRequest["json"] {
  const format = text?.format;
  if (!format || format.type === "text") return undefined;
  return withoutUndefined<NonNullable<SessionRequest["json"]>>({
    schema: format.schema ?? undefined,
  });
}

function readConversation(
  { input, previous_response_id: previous }: ResponsesRequestBody,
  memory: AnswerMemory,
) {
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

function toToolChoice(choice: NonNullable<ResponsesRequestBody["tool_choice"]>): ToolChoice {
  return typeof choice === "string" ? choice : { name: choice.name };
}
