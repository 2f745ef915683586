/** Builds the answer of Anthropic's messages: a message of blocks, or the named events of a stream. */
import { parseExactJson } from "../../../core/index.ts";
import type { PromptUsage, SessionAnswer } from "../../../spec/index.ts";
import { answerBlocks, type Block } from "../answer-blocks.ts";
import {
  type AnswerMetadata,
  type AnswerStream,
  formatEvent,
  type ParsedCall,
} from "../dialect.ts";
import type { GatewayError } from "../gateway-error.ts";
import { createSignature } from "../signature.ts";

export function buildAnswer(
  answer: SessionAnswer,
  _: ParsedCall,
  metadata: AnswerMetadata,
): object {
  return {
    ...commonAnswerFields(metadata),
    content: answerBlocks(answer).map((block) => toContentBlock(block, answer)),
    ...buildStop(answer),
    usage: buildUsage(answer),
  };
}

export function streamAnswer(_: ParsedCall, metadata: AnswerMetadata): AnswerStream {
  let streamedText = "";
  let isOpen = false;
  let promptUsage: PromptUsage = { promptTokens: 0, cachedTokens: 0 };
  const openStream = () => {
    if (isOpen) return "";
    isOpen = true;
    const message = {
      ...commonAnswerFields(metadata),
      content: [],
      stop_reason: null,
      stop_sequence: null,
    };
    const usage = buildUsage({ usage: { ...promptUsage, completionTokens: 0 } });
    return formatTypedEvent("message_start", { message: { ...message, usage } });
  };
  return {
    start: (usage) => {
      promptUsage = usage;
    },
    writeText(delta) {
      const first =
        streamedText === "" ? openStream() + blockStartEvent(0, { type: "text", text: "" }) : "";
      streamedText += delta;
      return first + textDeltaEvent(0, delta);
    },
    finish(answer) {
      promptUsage = answer.usage;
      const blocks = answerBlocks(answer, streamedText).map((block, i) =>
        streamedText !== "" && i === 0
          ? remainingTextEvent(block, streamedText) +
            formatTypedEvent("content_block_stop", { index: i })
          : blockEvents(block, i, answer),
      );
      const delta = buildStop(answer);
      return [
        openStream(),
        ...blocks,
        formatTypedEvent("message_delta", { delta, usage: buildUsage(answer) }),
        formatTypedEvent("message_stop", {}),
      ].join("");
    },
    writeError: (failure) => formatEvent(buildError(failure), "error"),
  };
}

const ERROR_TYPES: { readonly [status: number]: string } = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  500: "api_error",
};

export function buildError({ status, message, code }: GatewayError): object {
  const type = ERROR_TYPES[status] ?? "invalid_request_error";
  // Clients recognise this text and then compact their conversation.
  const text = code === "context_length_exceeded" ? `prompt is too long: ${message}` : message;
  return { type: "error", error: { type, message: text, code }, request_id: null };
}

function commonAnswerFields({ id, model }: AnswerMetadata) {
  return { id: `msg_${id}`, type: "message", role: "assistant", model };
}

function toContentBlock(block: Block, { id }: SessionAnswer) {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "reasoning":
      return { type: "thinking", thinking: block.text, signature: createSignature(id) };
    case "tool-call":
      return {
        type: "tool_use",
        id: block.id,
        name: block.name,
        input: parseToolInput(block.arguments),
      };
  }
}

/**
 * Parses the arguments of a call. They stay a map, which keeps the source of numbers. Unreadable calls were turned into text
 * before, but the arguments may not be an object.
 */
function parseToolInput(json: string): object {
  try {
    const input = parseExactJson(json);
    return input instanceof Map ? input : {};
  } catch {
    return {};
  }
}

/** Says why an answer ended. The text of a stop sequence is named also when calls came before it. */
function buildStop({ end, stopText }: SessionAnswer) {
  const stopped = stopText === undefined ? "end_turn" : "stop_sequence";
  const stop_reason = end === "tool-calls" ? "tool_use" : end === "length" ? "max_tokens" : stopped;
  return { stop_reason, stop_sequence: stopText ?? null };
}

function buildUsage({
  usage,
}: {
  readonly usage: PromptUsage & Pick<SessionAnswer["usage"], "completionTokens">;
}) {
  return {
    input_tokens: usage.promptTokens - usage.cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedTokens,
    output_tokens: usage.completionTokens,
  };
}

function formatTypedEvent(type: string, rest: object): string {
  return formatEvent({ type, ...rest }, type);
}

function blockStartEvent(index: number, content_block: object): string {
  return formatTypedEvent("content_block_start", { index, content_block });
}

function textDeltaEvent(index: number, text: string): string {
  return formatTypedEvent("content_block_delta", { index, delta: { type: "text_delta", text } });
}

function remainingTextEvent(block: Block, streamedText: string): string {
  const rest = block.type === "text" ? block.text.slice(streamedText.length) : "";
  return rest && textDeltaEvent(0, rest);
}

function blockEvents(block: Block, index: number, answer: SessionAnswer): string {
  const deltaEvent = (delta: object) => formatTypedEvent("content_block_delta", { index, delta });
  const stop = formatTypedEvent("content_block_stop", { index });
  switch (block.type) {
    case "text":
      return (
        blockStartEvent(index, { type: "text", text: "" }) +
        textDeltaEvent(index, block.text) +
        stop
      );
    case "reasoning":
      return (
        blockStartEvent(index, { type: "thinking", thinking: "", signature: "" }) +
        deltaEvent({ type: "thinking_delta", thinking: block.text }) +
        deltaEvent({ type: "signature_delta", signature: createSignature(answer.id) }) +
        stop
      );
    case "tool-call": {
      const { id, name, arguments: json } = block;
      return (
        blockStartEvent(index, { type: "tool_use", id, name, input: {} }) +
        deltaEvent({ type: "input_json_delta", partial_json: json }) +
        stop
      );
    }
  }
}
