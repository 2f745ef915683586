/**
 * Responses, the answer: a list of items, or the events by which it grows. Every item has an id of its own that later calls
 * may refer to; no `[DONE]` stands at the end, but `response.completed` with the whole answer.
 */
import type { SessionAnswer } from "../../../spec/index.ts";
import { type Block, blocksOf } from "../blocks.ts";
import { type Asked, event, type Stamp, type Told } from "../dialect.ts";
import type { Kept } from "../kept.ts";

export function whole(answer: SessionAnswer, asked: Asked, stamp: Stamp): object {
  const output = blocksOf(answer).map((block, i) => itemOf(block, i, stamp));
  return responseOf(asked, stamp, answer, output);
}

/** Items and conversation for later calls; no conversation of a call that asks not to be stored. */
export function keep(
  answer: SessionAnswer,
  asked: Asked,
  stamp: Stamp,
  { kept, told }: { readonly kept: Kept; readonly told: string },
): void {
  for (const [i, block] of blocksOf(answer, told).entries()) {
    kept.keepItem(idOf(block, i, stamp), { answer: answer.id, block });
  }
  const { store, instructions } = asked.body;
  if (store === false) return;
  const { messages } = asked.request;
  // Instructions are of their call alone; the next one brings its own.
  const conversation = instructions ? messages.slice(1) : messages;
  const said = { role: "assistant", parts: answer.parts, ids: [answer.id] } as const;
  kept.keepConversation(`resp_${stamp.id}`, [...conversation, said]);
}

const PREFIX = { text: "msg", reasoning: "rs", "tool-call": "fc" } as const;

function idOf({ type }: Block, i: number, { id }: Stamp): string {
  return `${PREFIX[type]}_${id}_${i}`;
}

function itemOf(block: Block, i: number, stamp: Stamp) {
  const id = idOf(block, i, stamp);
  switch (block.type) {
    case "text":
      return {
        id,
        type: "message",
        role: "assistant",
        status: "completed",
        content: [contentOf(block.text)],
      };
    case "reasoning":
      return { id, type: "reasoning", summary: [{ type: "summary_text", text: block.text }] };
    case "tool-call": {
      const { id: call_id, name, arguments: json } = block;
      return { id, type: "function_call", status: "completed", call_id, name, arguments: json };
    }
  }
}

function contentOf(text: string) {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

function responseOf(
  { body, request }: Asked,
  { id, createdS, model }: Stamp,
  answer?: SessionAnswer,
  output: readonly object[] = [],
): object {
  const isCut = answer?.end === "length";
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: createdS,
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
    reasoning: { effort: null, summary: null },
    store: body["store"] ?? true,
    temperature: request.temperature ?? null,
    text: body["text"] ?? { format: { type: "text" } },
    tool_choice: body["tool_choice"] ?? "auto",
    tools: body["tools"] ?? [],
    top_p: request.topP ?? null,
    truncation: "disabled",
    usage: answer ? usageOf(answer) : null,
    user: null,
  };
}

function usageOf({ usage }: SessionAnswer) {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = usage;
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}

export function tell(asked: Asked, stamp: Stamp): Told {
  let sequence = 0;
  let told = "";
  const say = (type: string, rest: object) =>
    event({ type, sequence_number: sequence++, ...rest }, type);
  const open = () => {
    if (sequence > 0) return "";
    const response = responseOf(asked, stamp);
    return say("response.created", { response }) + say("response.in_progress", { response });
  };
  return {
    text(delta) {
      const first = told === "" ? open() + textOpened(say, stamp, 0) : "";
      told += delta;
      return first + textDelta(say, stamp, 0, delta);
    },
    end(answer) {
      const first = open();
      const blocks = blocksOf(answer, told);
      const output = blocks.map((block, i) => itemOf(block, i, stamp));
      const events = blocks.map((block, i) => {
        const isOpen = told !== "" && i === 0;
        return itemEvents(say, stamp, block, i, isOpen ? told : undefined);
      });
      const end = answer.end === "length" ? "response.incomplete" : "response.completed";
      const response = responseOf(asked, stamp, answer, output);
      return [first, ...events, say(end, { response })].join("");
    },
    fail(failure) {
      const { message, code, param } = failure;
      return say("error", { code, message, param: param ?? null });
    },
  };
}

type Say = (type: string, rest: object) => string;

function textOpened(say: Say, stamp: Stamp, index: number): string {
  const id = `msg_${stamp.id}_${index}`;
  const item = { id, type: "message", role: "assistant", status: "in_progress", content: [] };
  return (
    say("response.output_item.added", { output_index: index, item }) +
    say("response.content_part.added", {
      item_id: id,
      output_index: index,
      content_index: 0,
      part: contentOf(""),
    })
  );
}

function textDelta(say: Say, stamp: Stamp, index: number, delta: string): string {
  const at = { item_id: `msg_${stamp.id}_${index}`, output_index: index, content_index: 0 };
  return say("response.output_text.delta", { ...at, delta, logprobs: [] });
}

/** The events of one item; `told` is what was told of it already. */
function itemEvents(
  say: Say,
  stamp: Stamp,
  block: Block,
  output_index: number,
  told?: string,
): string {
  const item = itemOf(block, output_index, stamp);
  const at = { item_id: item.id, output_index };
  const done = () => say("response.output_item.done", { output_index, item });
  switch (block.type) {
    case "text": {
      const rest = block.text.slice(told?.length ?? 0);
      const opened = told === undefined ? textOpened(say, stamp, output_index) : "";
      const delta = rest && textDelta(say, stamp, output_index, rest);
      return opened + delta + textDone(say, at, block.text) + done();
    }
    case "reasoning": {
      const added = { id: item.id, type: "reasoning", summary: [] };
      return (
        say("response.output_item.added", { output_index, item: added }) +
        thoughtEvents(say, at, block.text) +
        done()
      );
    }
    case "tool-call": {
      const added = { ...item, status: "in_progress", arguments: "" };
      const { name, arguments: json } = block;
      return (
        say("response.output_item.added", { output_index, item: added }) +
        say("response.function_call_arguments.delta", { ...at, delta: json }) +
        say("response.function_call_arguments.done", { ...at, name, arguments: json }) +
        done()
      );
    }
  }
}

type At = { readonly item_id: string; readonly output_index: number };

function textDone(say: Say, at: At, text: string): string {
  const where = { ...at, content_index: 0 };
  return (
    say("response.output_text.done", { ...where, text, logprobs: [] }) +
    say("response.content_part.done", { ...where, part: contentOf(text) })
  );
}

function thoughtEvents(say: Say, at: At, text: string): string {
  const where = { ...at, summary_index: 0 };
  const part = (said: string) => ({ type: "summary_text", text: said });
  return (
    say("response.reasoning_summary_part.added", { ...where, part: part("") }) +
    say("response.reasoning_summary_text.delta", { ...where, delta: text }) +
    say("response.reasoning_summary_text.done", { ...where, text }) +
    say("response.reasoning_summary_part.done", { ...where, part: part(text) })
  );
}
