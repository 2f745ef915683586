/** Turns a sampled answer into a session's answer: parts with ids, the reason why it ended, and its cost. */
import type { AnswerEndReason, ChatPart, SessionAnswer } from "../../spec/index.ts";
import type { ConversationRenderer, ReadAnswer, ReadPart } from "../tools/index.ts";
import type { AnswerPlan } from "./answer-plan.ts";
import { digestMessages, toolCallIds } from "./message-digest.ts";
import type { SampledAnswer } from "./sample-answer.ts";
import { type AnswerNode, promptBefore, type StoredAnswer } from "./session-tree.ts";

/** A sampled answer, parsed into parts. */
export interface ParsedAnswer {
  readonly parts: readonly ChatPart[];
  readonly end: AnswerEndReason;
  readonly illFormed: number;
  readonly reasoningTokens: number;
  /** True when the answer has no stop token yet. */
  readonly lacksEnd: boolean;
}

/**
 * Parses a sampled answer. `opening` holds the ids that were put before the sampled ones. The ids of calls are derived
 * from `id`, the id of the answer.
 */
export function parseAnswer(
  renderer: ConversationRenderer,
  sampled: SampledAnswer,
  { id, opening, tools }: { id: string; opening: readonly number[]; tools: boolean },
): ParsedAnswer {
  const { tokens, stop, stopText } = sampled;
  const open = stop !== "stop" || !renderer.stopIds.includes(tokens.at(-1)!);
  const withoutEnd = open ? tokens : tokens.slice(0, -1);
  const read = renderer.read([...opening, ...withoutEnd], { tools });
  const parts = assignCallIds(stopText === undefined ? read : cutAtStopText(read, stopText), id);
  const calls = parts.some(({ type }) => type === "tool-call");
  return {
    parts,
    end: stop === "length" ? "length" : calls ? "tool-calls" : "stop",
    illFormed: read.statuses.filter((status) => status !== "ok").length,
    reasoningTokens: read.reasoningTokens,
    lacksEnd: open,
  };
}

/** Joins the text parts of an answer, or of the part of an answer that was read so far. */
export function joinAnswerText({
  parts,
}: {
  readonly parts: readonly (ChatPart | ReadPart)[];
}): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

/** Creates the answer that the agent receives. */
export function createSessionAnswer(
  id: string,
  { parts, end, illFormed, reasoningTokens }: ParsedAnswer,
  { tokens, logprobs, policyVersion, stopText }: SampledAnswer,
  { node, cachedTokens }: AnswerPlan,
): SessionAnswer {
  return {
    id,
    parts,
    end,
    ...(stopText !== undefined && { stopText }),
    illFormed,
    usage: {
      promptTokens: node.promptLength,
      cachedTokens,
      completionTokens: tokens.length,
      reasoningTokens,
    },
    tokens: createAnswerTokens(node, tokens, logprobs),
    policyVersion,
  };
}

/**
 * Creates the token fields of an answer. The prompt is computed only when it is read, because answers are kept and
 * prompts grow with every turn.
 */
function createAnswerTokens(
  node: AnswerNode,
  ids: readonly number[],
  logprobs: readonly number[],
): SessionAnswer["tokens"] {
  return {
    get prompt() {
      return promptBefore(node);
    },
    ids,
    logprobs,
  };
}

/** Returns the part of an answer that the tree keeps. */
export function toStoredAnswer(
  { id, parts, policyVersion, tokens }: SessionAnswer,
  { lacksEnd }: ParsedAnswer,
): StoredAnswer {
  const message = { role: "assistant" as const, parts };
  return {
    answer: { id, parts, policyVersion },
    ids: tokens.ids,
    logprobs: tokens.logprobs,
    lacksEnd,
    digest: digestMessages([message])[0]!.digest,
    callIds: toolCallIds(message),
  };
}

/** Cuts the answer before the stop text, which is not part of it. */
function cutAtStopText(read: ReadAnswer, stopText: string): ReadAnswer {
  const last = read.parts.at(-1);
  if (last === undefined || last.type === "call") return read;
  // The JSON of a call that is not closed may contain the stop text, which did not end the answer there.
  const isUnclosed = read.statuses.includes("unclosed");
  const found = isUnclosed ? last.text.lastIndexOf(stopText) : last.text.indexOf(stopText);
  // White space between a call and a text was removed, also from the beginning of the stop text.
  const at = found < 0 && last.text.startsWith(stopText.trimStart()) ? 0 : found;
  if (at < 0) return read;
  const rest = read.parts.slice(0, -1);
  const text = last.text.slice(0, at);
  return { ...read, parts: text === "" ? rest : [...rest, { ...last, text }] };
}

function assignCallIds({ parts }: ReadAnswer, id: string): ChatPart[] {
  let calls = 0;
  return parts.map((part) => {
    if (part.type !== "call") return part;
    const { name } = part;
    return { type: "tool-call", id: `call_${id}_${calls++}`, name, arguments: part.arguments };
  });
}

/** Returns the answer for a caller who stopped waiting. */
export function createCancelledAnswer(id: string): SessionAnswer {
  return {
    id,
    parts: [],
    end: "cancelled",
    illFormed: 0,
    usage: { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 },
    tokens: { prompt: [], ids: [], logprobs: [] },
    policyVersion: -1,
  };
}
