/**
 * Reads answers in the form of Hermes, Qwen2.5, Qwen3 and the models trained here:
 *
 *     <think> ... </think> text <tool_call> {"name": ..., "arguments": {...}} </tool_call>
 *
 * The four marks are single tokens and are found by their ids, never as text. So a document that quotes them, or a
 * model that spells them out, calls nothing. Only where a tokenizer has no such token are marks found as text. A call
 * inside a thought ends the thought. After the first thought, further thoughts are not recognised.
 */
import {
  type CallStatus,
  mergeAndTrimParts,
  parseCallJson,
  type ReadAnswer,
  type ReadOptions,
  type ReadPart,
  settledPrefix,
} from "./read-answer.ts";

export const HERMES_MARKS = {
  open: "<tool_call>",
  close: "</tool_call>",
  think: "<think>",
  unthink: "</think>",
} as const;

type Mark = keyof typeof HERMES_MARKS;
type ReaderState = "text" | "think" | "call";

export interface HermesOptions {
  /** Returns the token of a mark, or undefined when the tokenizer has none. */
  idOf(mark: string): number | undefined;
  /** Returns the text of ids without special tokens. */
  text(ids: readonly number[]): string;
  /** False when the model has no form for calls, so that only thoughts are looked for. */
  readonly calls: boolean;
  /** True when the header of an answer already opens a thought. */
  readonly thinks: boolean;
}

/** The part of an answer between two marks. */
interface AnswerStretch {
  readonly state: ReaderState;
  readonly text: string;
  readonly tokens: number;
  readonly closed: boolean;
}

type AnswerItem = { readonly mark: Mark } | { readonly id: number } | { readonly word: string };

/** Creates a reader for the ids of a sampled answer, given without the token that ended it. */
export function createHermesReader(options: HermesOptions) {
  const marks = new Map<number, Mark>();
  const names: readonly Mark[] = options.calls
    ? ["open", "close", "think", "unthink"]
    : ["think", "unthink"];
  for (const name of names) {
    const id = options.idOf(HERMES_MARKS[name]);
    if (id !== undefined) marks.set(id, name);
  }
  const marksAreTokens = !options.calls || options.idOf(HERMES_MARKS.open) !== undefined;
  const listItems = (ids: readonly number[], partial: boolean): AnswerItem[] =>
    marksAreTokens
      ? ids.map((id) => {
          const mark = marks.get(id);
          return mark === undefined ? { id } : { mark };
        })
      : splitAtMarks(options.text(ids), partial);
  return (ids: readonly number[], { tools, partial = false }: ReadOptions): ReadAnswer => {
    const stretches = splitIntoStretches(listItems(ids, partial), options);
    return answerFromStretches(stretches, tools, partial);
  };
}

const MARK_PATTERN = /(<tool_call>|<\/tool_call>|<think>|<\/think>)/;
const HALF_MARK =
  /<(?:\/?(?:t(?:o(?:o(?:l(?:_(?:c(?:a(?:l(?:l)?)?)?)?)?)?)?|h(?:i(?:n(?:k)?)?)?)?)?)?$/;

function splitAtMarks(text: string, partial: boolean): AnswerItem[] {
  const sure = partial ? text.replace(HALF_MARK, "") : text;
  return sure.split(MARK_PATTERN).map((word) => {
    const mark = (Object.keys(HERMES_MARKS) as Mark[]).find((name) => HERMES_MARKS[name] === word);
    return mark === undefined ? { word } : { mark };
  });
}

/** Returns the state after a mark, or undefined where the mark has no meaning and stays text. */
function nextState(mark: Mark, state: ReaderState, thought: boolean): ReaderState | undefined {
  switch (mark) {
    case "open":
      return "call";
    case "close":
      return state === "call" ? "text" : undefined;
    case "think":
      return state === "text" && !thought ? "think" : undefined;
    case "unthink":
      return state === "think" ? "text" : undefined;
    default:
      return mark satisfies never;
  }
}

function splitIntoStretches(
  items: readonly AnswerItem[],
  { text, thinks }: HermesOptions,
): AnswerStretch[] {
  const stretches: AnswerStretch[] = [];
  let state: ReaderState = thinks ? "think" : "text";
  let thought = thinks;
  let words = "";
  let ids: number[] = [];
  let tokens = 0;
  const flushIds = () => {
    words += text(ids);
    ids = [];
  };
  const endStretch = (closed: boolean) => {
    flushIds();
    stretches.push({ state, text: words, tokens, closed });
    words = "";
    tokens = 0;
  };
  for (const item of items) {
    const next: ReaderState | undefined =
      "mark" in item ? nextState(item.mark, state, thought) : undefined;
    if ("mark" in item && next !== undefined) {
      endStretch(item.mark === "close" || item.mark === "unthink");
      state = next;
      thought ||= next === "think";
    } else if ("mark" in item) {
      flushIds();
      words += HERMES_MARKS[item.mark];
      tokens += 1;
    } else if ("word" in item) words += item.word;
    else {
      ids.push(item.id);
      tokens += 1;
    }
  }
  endStretch(false);
  return stretches;
}

function answerFromStretches(
  stretches: readonly AnswerStretch[],
  tools: boolean,
  partial: boolean,
): ReadAnswer {
  const parts: ReadPart[] = [];
  const statuses: CallStatus[] = [];
  let reasoningTokens = 0;
  stretches.forEach((stretch, i) => {
    const last = i === stretches.length - 1;
    switch (stretch.state) {
      case "think":
        reasoningTokens += stretch.tokens;
        parts.push({ type: "reasoning", text: stretch.text });
        return;
      case "call": {
        if (partial && last && !stretch.closed) return;
        const [status, part] = parseCallStretch(stretch, tools);
        statuses.push(status);
        parts.push(part);
        return;
      }
      default:
        parts.push({
          type: "text",
          text: partial && last ? settledPrefix(stretch.text) : stretch.text,
        });
    }
  });
  return {
    parts: mergeAndTrimParts(partial ? withoutUnsettledText(parts) : parts),
    statuses,
    reasoningTokens,
  };
}

function parseCallStretch(stretch: AnswerStretch, tools: boolean): [CallStatus, ReadPart] {
  const raw = HERMES_MARKS.open + stretch.text + (stretch.closed ? HERMES_MARKS.close : "");
  const keepAsText = (status: CallStatus): [CallStatus, ReadPart] => [
    status,
    { type: "text", text: raw },
  ];
  if (!tools) return keepAsText("not-offered");
  if (!stretch.closed) return keepAsText("unclosed");
  const call = parseCallJson(stretch.text.trim(), ["arguments", "parameters"]);
  if (call.status !== "ok") return keepAsText(call.status);
  return ["ok", { type: "call", name: call.name, arguments: call.arguments }];
}

/** Removes white space at the end of the last text, because a call that may still follow would remove it. */
function withoutUnsettledText(parts: readonly ReadPart[]): ReadPart[] {
  const last = parts.at(-1);
  if (last?.type !== "text") return [...parts];
  return [...parts.slice(0, -1), { type: "text", text: settledPrefix(last.text) }];
}
