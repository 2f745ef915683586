/**
 * Builds the answer of OpenAI's responses: a list of items, or the events of a stream. Every item has an id that later
 * calls may refer to. A stream ends with `response.completed` and the whole answer, not with `[DONE]`.
 */
import type { SessionAnswer } from "../../../spec/index.ts";
import { answerBlocks, type Block } from "../answer-blocks.ts";
import type { AnswerMemory } from "../answer-memory.ts";
import {
  type AnswerMetadata,
  type AnswerStream,
  formatEvent,
  type ParsedCall,
} from "../dialect.ts";

export function buildAnswer(
  answer: SessionAnswer,
  parsed: ParsedCall,
  metadata: AnswerMetadata,
): object {
  const output = answerBlocks(answer).map((block, i) => toOutputItem(block, i, metadata));
  return buildResponse(parsed, metadata, answer, output);
}

/** Remembers items and conversation for later calls. A call with `store: false` gets no conversation remembered. */
export function rememberAnswer(
  answer: SessionAnswer,
  parsed: ParsedCall,
  metadata: AnswerMetadata,
  { memory, streamedText }: { readonly memory: AnswerMemory; readonly streamedText: string },
): void {
  for (const [i, block] of answerBlocks(answer, streamedText).entries()) {
    memory.rememberItem(itemId(block, i, metadata), { answer: answer.id, block });
  }
  const { store, instructions } = parsed.body;
  if (store === false) return;
  const { messages } = parsed.request;
  // Instructions hold for their own call only.
  const conversation = instructions ? messages.slice(1) : messages;
  const said = { role: "assistant", parts: answer.parts, ids: [answer.id] } as const;
  memory.rememberConversation(`resp_${metadata.id}`, [...conversation, said]);
}

const PREFIX = { text: "msg", reasoning: "rs", "tool-call": "fc" } as const;

function itemId({ type }: Block, i: number, { id }: AnswerMetadata): string {
  return `${PREFIX[type]}_${id}_${i}`;
}

function toOutputItem(block: Block, i: number, metadata: AnswerMetadata) {
  const id = itemId(block, i, metadata);
  switch (block.type) {
    case "text":
      return {
        id,
        type: "message",
        role: "assistant",
        status: "completed",
        content: [toOutputText(block.text)],
      };
    case "reasoning":
      return { id, type: "reasoning", summary: [{ type: "summary_text", text: block.text }] };
    case "tool-call": {
      const { id: call_id, name, arguments: json } = block;
      return { id, type: "function_call", status: "completed", call_id, name, arguments: json };
    }
  }
}

function toOutputText(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function buildResponse(
  { body, request }: ParsedCall,
  { id, createdSeconds, model }: AnswerMetadata,
  answer?: SessionAnswer,
  output: readonly object[] = [],
): object {
  const isCut = answer?.end === "length";
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: createdSeconds,
    status: answer === undefined ? "in_progress" : isCut ? "incomplete" : "completed",
    background: false,
    error: null,
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    instructions: body["instructions"] ?? null,
    max_output_tokens: request.maxTokens ?? null,
    metadata: body["metadata"] ?? {},
    model,
    output,
    parallel_tool_calls: request.parallelToolCalls ?? true,
    previous_response_id: body["previous_response_id"] ?? null,
    reasoning: { effort: readEffort(body), summary: null },
    store: body["store"] ?? true,
    temperature: request.temperature ?? null,
    text: body["text"] ?? { format: { type: "text" } },
    tool_choice: body["tool_choice"] ?? "auto",
    tools: listTools(body),
    top_p: request.topP ?? null,
    truncation: "disabled",
    usage: answer ? buildUsage(answer) : null,
    user: null,
  };
}

type Body = ParsedCall["body"];

function readEffort(body: Body): string | null {
  const reasoning = body["reasoning"] as { readonly effort?: string | null } | null | undefined;
  return reasoning?.effort ?? null;
}

/** Returns the tools as they were read. Their arguments are not constrained. */
function listTools(body: Body): readonly object[] {
  const tools = body["tools"] as readonly object[] | null | undefined;
  return (tools ?? []).map((tool) => ({ ...tool, strict: false }));
}

function buildUsage({ usage }: SessionAnswer) {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = usage;
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}

export function streamAnswer(parsed: ParsedCall, metadata: AnswerMetadata): AnswerStream {
  let sequence = 0;
  let streamedText = "";
  const say = (type: string, rest: object) =>
    formatEvent({ type, sequence_number: sequence++, ...rest }, type);
  const openStream = () => {
    if (sequence > 0) return "";
    const response = buildResponse(parsed, metadata);
    return say("response.created", { response }) + say("response.in_progress", { response });
  };
  return {
    writeText(delta) {
      const first = streamedText === "" ? openStream() + textOpenEvents(say, metadata, 0) : "";
      streamedText += delta;
      return first + textDeltaEvent(say, metadata, 0, delta);
    },
    finish(answer) {
      const first = openStream();
      const blocks = answerBlocks(answer, streamedText);
      const output = blocks.map((block, i) => toOutputItem(block, i, metadata));
      const events = blocks.map((block, i) => {
        const isOpen = streamedText !== "" && i === 0;
        return itemEvents(say, metadata, block, i, isOpen ? streamedText : undefined);
      });
      const end = answer.end === "length" ? "response.incomplete" : "response.completed";
      const response = buildResponse(parsed, metadata, answer, output);
      return [first, ...events, say(end, { response })].join("");
    },
    writeError(failure) {
      const { message, code, param } = failure;
      return say("error", { code, message, param: param ?? null });
    },
  };
}

type EventFormatter = (type: string, rest: object) => string;

function textOpenEvents(say: EventFormatter, metadata: AnswerMetadata, index: number): string {
  const id = `msg_${metadata.id}_${index}`;
  const item = { id, type: "message", role: "assistant", status: "in_progress", content: [] };
  return (
    say("response.output_item.added", { output_index: index, item }) +
    say("response.content_part.added", {
      item_id: id,
      output_index: index,
      content_index: 0,
      part: toOutputText(""),
    })
  );
}

function textDeltaEvent(
  say: EventFormatter,
  metadata: AnswerMetadata,
  index: number,
  delta: string,
): string {
  const position = {
    item_id: `msg_${metadata.id}_${index}`,
    output_index: index,
    content_index: 0,
  };
  return say("response.output_text.delta", { ...position, delta, logprobs: [] });
}

/** Returns the events of one item. `streamedText` is the part of its text that was already streamed. */
function itemEvents(
  say: EventFormatter,
  metadata: AnswerMetadata,
  block: Block,
  output_index: number,
  streamedText?: string,
): string {
  const item = toOutputItem(block, output_index, metadata);
  const position = { item_id: item.id, output_index };
  const itemDoneEvent = () => say("response.output_item.done", { output_index, item });
  switch (block.type) {
    case "text": {
      const rest = block.text.slice(streamedText?.length ?? 0);
      const opened = streamedText === undefined ? textOpenEvents(say, metadata, output_index) : "";
      const delta = rest && textDeltaEvent(say, metadata, output_index, rest);
      return opened + delta + textDoneEvents(say, position, block.text) + itemDoneEvent();
    }
    case "reasoning": {
      const added = { id: item.id, type: "reasoning", summary: [] };
      return (
        say("response.output_item.added", { output_index, item: added }) +
        reasoningEvents(say, position, block.text) +
        itemDoneEvent()
      );
    }
    case "tool-call": {
      const added = { ...item, status: "in_progress", arguments: "" };
      const { name, arguments: json } = block;
      return (
        say("response.output_item.added", { output_index, item: added }) +
        say("response.function_call_arguments.delta", { ...position, delta: json }) +
        say("response.function_call_arguments.done", { ...position, name, arguments: json }) +
        itemDoneEvent()
      );
    }
  }
}

type ItemPosition = { readonly item_id: string; readonly output_index: number };

function textDoneEvents(say: EventFormatter, at: ItemPosition, text: string): string {
  const where = { ...at, content_index: 0 };
  return (
    say("response.output_text.done", { ...where, text, logprobs: [] }) +
    say("response.content_part.done", { ...where, part: toOutputText(text) })
  );
}

function reasoningEvents(say: EventFormatter, at: ItemPosition, text: string): string {
  const where = { ...at, summary_index: 0 };
  const createSummaryPart = (said: string) => ({ type: "summary_text", text: said });
  return (
    say("response.reasoning_summary_part.added", { ...where, part: createSummaryPart("") }) +
    say("response.reasoning_summary_text.delta", { ...where, delta: text }) +
    say("response.reasoning_summary_text.done", { ...where, text }) +
    say("response.reasoning_summary_part.done", { ...where, part: createSummaryPart(text) })
  );
}
