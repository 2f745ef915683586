/**
 * Builds the answer of a chat completion: a `chat.completion`, or its chunks and `[DONE]`.
 *
 * It adds to the dialect `reasoning_content`, which some clients send back, and with `return_token_ids`, as in vLLM,
 * the exact ids of prompt and answer. Log-probs name ids, as in `token_id:17`, because a token is not always a text.
 */
import type { SessionAnswer } from "../../../spec/index.ts";
import { filterToolCalls, joinReasoning, joinText } from "../answer-blocks.ts";
import {
  type AnswerMetadata,
  type AnswerStream,
  formatEvent,
  type ParsedCall,
} from "../dialect.ts";
import type { GatewayError } from "../gateway-error.ts";

export function buildAnswer(
  answer: SessionAnswer,
  parsed: ParsedCall,
  metadata: AnswerMetadata,
): object {
  const { parts, tokens } = answer;
  const calls = filterToolCalls(parts);
  const reasoning = joinReasoning(parts);
  const text = joinText(parts);
  const message = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map(toToolCall) }),
  };
  const wantsIds = parsed.body["return_token_ids"] === true;
  return {
    ...commonAnswerFields("chat.completion", metadata),
    choices: [
      {
        index: 0,
        message,
        finish_reason: finishReason(answer),
        logprobs: buildLogprobs(answer, parsed),
        ...(wantsIds && { token_ids: tokens.ids }),
      },
    ],
    usage: buildUsage(answer),
    ...(wantsIds && { prompt_token_ids: tokens.prompt }),
  };
}

export function streamAnswer(parsed: ParsedCall, metadata: AnswerMetadata): AnswerStream {
  let streamedText = "";
  let isOpen = false;
  const formatChunk = (delta: object, rest: object = { finish_reason: null }) =>
    formatEvent({
      ...commonAnswerFields("chat.completion.chunk", metadata),
      choices: [{ index: 0, delta, logprobs: null, ...rest }],
      // With the option, all chunks have the field, and the last one has the numbers.
      ...(wantsUsage(parsed) && { usage: null }),
    });
  const openStream = () => {
    const first = isOpen ? "" : formatChunk({ role: "assistant", content: "" });
    isOpen = true;
    return first;
  };
  return {
    writeText(delta) {
      const first = openStream();
      streamedText += delta;
      return first + formatChunk({ content: delta });
    },
    finish(answer) {
      const { parts } = answer;
      const reasoning = joinReasoning(parts);
      const rest = joinText(parts).slice(streamedText.length);
      return [
        openStream(),
        reasoning && formatChunk({ reasoning_content: reasoning }),
        rest && formatChunk({ content: rest }),
        ...filterToolCalls(parts).map((call, index) => {
          const { function: said, ...about } = toToolCall(call);
          return (
            formatChunk({
              tool_calls: [{ index, ...about, function: { name: said.name, arguments: "" } }],
            }) + formatChunk({ tool_calls: [{ index, function: { arguments: said.arguments } }] })
          );
        }),
        formatChunk(
          {},
          { finish_reason: finishReason(answer), logprobs: buildLogprobs(answer, parsed) },
        ),
        wantsUsage(parsed) &&
          formatEvent({
            ...commonAnswerFields("chat.completion.chunk", metadata),
            choices: [],
            usage: buildUsage(answer),
          }),
        "data: [DONE]\n\n",
      ]
        .filter(Boolean)
        .join("");
    },
    writeError: (failure) => formatEvent(buildError(failure)),
  };
}

export function buildError({ status, code, message, param }: GatewayError): object {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return { error: { message, type, param: param ?? null, code } };
}

function commonAnswerFields(object: string, { id, createdSeconds, model }: AnswerMetadata) {
  return { id: `chatcmpl-${id}`, object, created: createdSeconds, model };
}

function toToolCall({ id, name, arguments: json }: ReturnType<typeof filterToolCalls>[number]) {
  return { id, type: "function", function: { name, arguments: json } };
}

function finishReason({ end }: SessionAnswer): string {
  return end === "tool-calls" ? "tool_calls" : end === "length" ? "length" : "stop";
}

function buildLogprobs({ tokens }: SessionAnswer, { body }: ParsedCall) {
  if (body["logprobs"] !== true) return null;
  const content = tokens.ids.map((id, i) => ({
    token: `token_id:${id}`,
    bytes: null,
    logprob: tokens.logprobs[i],
    top_logprobs: [],
  }));
  return { content, refusal: null };
}

function wantsUsage({ body }: ParsedCall): boolean {
  const options = body["stream_options"];
  return typeof options === "object" && options !== null && "include_usage" in options
    ? options.include_usage === true
    : false;
}

function buildUsage({ usage }: SessionAnswer) {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = usage;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}
