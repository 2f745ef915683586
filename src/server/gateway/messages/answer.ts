/** Anthropic's messages, the answer: a message of blocks, or the named events by which it grows. */
import type { SessionAnswer } from "../../../spec/index.ts";
import { type Block, blocksOf } from "../blocks.ts";
import { type Asked, event, type Stamp, type Told } from "../dialect.ts";
import type { GatewayError } from "../gateway-error.ts";
import { signatureOf } from "./signature.ts";

export function whole(answer: SessionAnswer, _: Asked, stamp: Stamp): object {
  return {
    ...head(stamp),
    content: blocksOf(answer).map((block) => contentOf(block, answer)),
    stop_reason: stopOf(answer),
    stop_sequence: null,
    usage: usageOf(answer),
  };
}

export function tell(_: Asked, stamp: Stamp): Told {
  let told = "";
  let isOpen = false;
  const open = () => {
    if (isOpen) return "";
    isOpen = true;
    const message = { ...head(stamp), content: [], stop_reason: null, stop_sequence: null };
    return say("message_start", { message: { ...message, usage: NOTHING_YET } });
  };
  return {
    text(delta) {
      const first = told === "" ? open() + started(0, { type: "text", text: "" }) : "";
      told += delta;
      return first + textDelta(0, delta);
    },
    end(answer) {
      const blocks = blocksOf(answer, told).map((block, i) =>
        told !== "" && i === 0
          ? restOf(block, told) + say("content_block_stop", { index: i })
          : blockEvents(block, i, answer),
      );
      const delta = { stop_reason: stopOf(answer), stop_sequence: null };
      return [
        open(),
        ...blocks,
        say("message_delta", { delta, usage: usageOf(answer) }),
        say("message_stop", {}),
      ].join("");
    },
    fail: (failure) => event(error(failure), "error"),
  };
}

const TYPES: { readonly [status: number]: string } = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  500: "api_error",
};

export function error({ status, message, code }: GatewayError): object {
  const type = TYPES[status] ?? "invalid_request_error";
  // Compaction of clients listens for these words.
  const text = code === "context_length_exceeded" ? `prompt is too long: ${message}` : message;
  return { type: "error", error: { type, message: text, code }, request_id: null };
}

function head({ id, model }: Stamp) {
  return { id: `msg_${id}`, type: "message", role: "assistant", model };
}

function contentOf(block: Block, { id }: SessionAnswer) {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "reasoning":
      return { type: "thinking", thinking: block.text, signature: signatureOf(id) };
    case "tool-call":
      return {
        type: "tool_use",
        id: block.id,
        name: block.name,
        input: inputOf(block.arguments),
      };
  }
}

/** Calls that could not be read are text by now, so what is here parses; an object it need not be. */
function inputOf(json: string): object {
  try {
    const input: unknown = JSON.parse(json);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
  } catch {
    return {};
  }
}

function stopOf({ end }: SessionAnswer): string {
  return end === "tool-calls" ? "tool_use" : end === "length" ? "max_tokens" : "end_turn";
}

/** The counts of a stream's first event; the true ones stand in its last. */
const NOTHING_YET = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};

function usageOf({ usage }: SessionAnswer) {
  return {
    input_tokens: usage.promptTokens - usage.cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedTokens,
    output_tokens: usage.completionTokens,
  };
}

function say(type: string, rest: object): string {
  return event({ type, ...rest }, type);
}

function started(index: number, content_block: object): string {
  return say("content_block_start", { index, content_block });
}

function textDelta(index: number, text: string): string {
  return say("content_block_delta", { index, delta: { type: "text_delta", text } });
}

function restOf(block: Block, told: string): string {
  const rest = block.type === "text" ? block.text.slice(told.length) : "";
  return rest && textDelta(0, rest);
}

function blockEvents(block: Block, index: number, answer: SessionAnswer): string {
  const grow = (delta: object) => say("content_block_delta", { index, delta });
  const stop = say("content_block_stop", { index });
  switch (block.type) {
    case "text":
      return started(index, { type: "text", text: "" }) + textDelta(index, block.text) + stop;
    case "reasoning":
      return (
        started(index, { type: "thinking", thinking: "", signature: "" }) +
        grow({ type: "thinking_delta", thinking: block.text }) +
        grow({ type: "signature_delta", signature: signatureOf(answer.id) }) +
        stop
      );
    case "tool-call": {
      const { id, name, arguments: json } = block;
      return (
        started(index, { type: "tool_use", id, name, input: {} }) +
        grow({ type: "input_json_delta", partial_json: json }) +
        stop
      );
    }
  }
}
