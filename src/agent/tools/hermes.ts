/**
 * Reads answers in the form of Hermes, Qwen2.5, Qwen3 and the models trained here:
 *
 *     <think> ... </think> text <tool_call> {"name": ..., "arguments": {...}} </tool_call>
 *
 * The four marks are single tokens and are found by their ids, never as text. So a document that quotes them, or a
 * model that spells them out, calls nothing. Only where a tokenizer has no such token are marks found as text. A mark
 * in a string of a call's JSON belongs to the string, if a later mark makes the call whole. A call inside a thought
 * ends the thought. After the first thought, further thoughts are not recognised.
 */
import { findJsonObject } from "./json-extent.ts";
import {
  type CallStatus,
  isJson,
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
  /** The mark before it. It is empty at the beginning. */
  readonly mark: string;
  readonly state: ReaderState;
  readonly text: string;
  readonly tokens: number;
  readonly closed: boolean;
}

type AnswerItem = { readonly mark: Mark } | { readonly id: number } | { readonly word: string };

/** Reads sampled answers, given without the token that ended them. */
export interface HermesReader {
  read(ids: readonly number[], options: ReadOptions): ReadAnswer;
  /** Returns the text of an answer in pieces, without the JSON of its calls, which would stand between two pieces. */
  textsOutsideCalls(ids: readonly number[]): string[];
  /** Tells whether the last of the ids stands inside of a call that is not whole yet. */
  endsInCall(ids: readonly number[]): boolean;
}

export function createHermesReader(options: HermesOptions): HermesReader {
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
  const split = (ids: readonly number[], partial: boolean) =>
    splitIntoStretches(listItems(ids, partial), options, partial);
  return {
    read: (ids, { tools, partial = false }) =>
      answerFromStretches(split(ids, partial), tools, partial),
    textsOutsideCalls: (ids) => removeCalls(split(ids, true)),
    endsInCall: (ids) => split(ids, true).at(-1)?.state === "call",
  };
}

/** Joins the texts and marks of stretches and cuts at the JSON of calls. */
function removeCalls(stretches: readonly AnswerStretch[]): string[] {
  const pieces = [""];
  for (const { state, mark, text } of stretches) {
    const json = state === "call" ? findJsonObject(text) : undefined;
    const last = pieces.length - 1;
    pieces[last] += mark + text.slice(0, json?.start);
    if (json) pieces.push(json.end === undefined ? "" : text.slice(json.end));
  }
  return pieces;
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

/**
 * Finds the mark that closes the call whose items begin at `from`. Marks in strings of its JSON are passed over, if a
 * later mark makes the JSON whole. Returns undefined when the first mark decides, and `open` when more tokens could
 * still make the call whole.
 */
function findCloseOfCall(
  items: readonly AnswerItem[],
  from: number,
  { text }: HermesOptions,
): number | "open" | undefined {
  let words = "";
  let ids: number[] = [];
  let hasMark = false;
  for (let i = from; i < items.length; i++) {
    const item = items[i]!;
    if ("id" in item) ids.push(item.id);
    else if ("word" in item) words += item.word;
    else {
      words += text(ids);
      ids = [];
      if (item.mark === "close" && isJson(words)) return i;
      const decides = item.mark === "close" || item.mark === "open";
      if (decides && !findJsonObject(words)?.endsInString) return undefined;
      words += HERMES_MARKS[item.mark];
      hasMark ||= decides;
    }
  }
  words += text(ids);
  const json = findJsonObject(words);
  const mayBeWhole = json && (json.end === undefined || words.slice(json.end).trim() === "");
  return hasMark && mayBeWhole ? "open" : undefined;
}

function splitIntoStretches(
  items: readonly AnswerItem[],
  options: HermesOptions,
  partial: boolean,
): AnswerStretch[] {
  const stretches: AnswerStretch[] = [];
  let state: ReaderState = options.thinks ? "think" : "text";
  let thought = options.thinks;
  let mark = "";
  let words = "";
  let ids: number[] = [];
  let tokens = 0;
  /** The marks before this position belong to the text of a call. */
  let callEnd = 0;
  const endStretch = (closed: boolean) => {
    words += options.text(ids);
    stretches.push({ state, mark, text: words, tokens, closed });
    [words, ids, tokens] = ["", [], 0];
  };
  for (const [i, item] of items.entries()) {
    const next: ReaderState | undefined =
      "mark" in item && i >= callEnd ? nextState(item.mark, state, thought) : undefined;
    if ("mark" in item && next !== undefined) {
      endStretch(item.mark === "close" || item.mark === "unthink");
      mark = HERMES_MARKS[item.mark];
      state = next;
      thought ||= next === "think";
      const close = next === "call" ? findCloseOfCall(items, i + 1, options) : undefined;
      callEnd = close === "open" ? (partial ? items.length : 0) : (close ?? 0);
    } else if ("mark" in item) {
      words += options.text(ids) + HERMES_MARKS[item.mark];
      ids = [];
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
