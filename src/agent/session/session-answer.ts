/** A sampled answer in the words of a session: parts with ids, why it ended, what it cost. */
import type { AnswerEnd, ChatPart, SessionAnswer } from "../../spec/index.ts";
import type { ConversationRenderer, ReadAnswer, ReadPart } from "../tools/index.ts";
import type { AnswerPlan } from "./answer-plan.ts";
import { digestMessages, toolCallIds } from "./message-digest.ts";
import type { SampledAnswer } from "./sample-answer.ts";
import { type AnswerNode, promptBefore, type StoredAnswer } from "./session-tree.ts";

/** What was sampled, and what it says. */
export interface ParsedAnswer {
  readonly parts: readonly ChatPart[];
  readonly end: AnswerEnd;
  readonly illFormed: number;
  readonly reasoningTokens: number;
  /** It has no stop token yet. */
  readonly open: boolean;
}

/** `opening`: ids that were put before the sampled ones. `id`: of the answer; its calls' are made from it. */
export function parseAnswer(
  renderer: ConversationRenderer,
  sampled: SampledAnswer,
  { id, opening, tools }: { id: string; opening: readonly number[]; tools: boolean },
): ParsedAnswer {
  const { tokens, stop, stopText } = sampled;
  const open = stop !== "stop" || !renderer.stopIds.includes(tokens.at(-1)!);
  const said = open ? tokens : tokens.slice(0, -1);
  const read = renderer.read([...opening, ...said], { tools });
  const parts = assignCallIds(stopText === undefined ? read : cutAtStopText(read, stopText), id);
  const calls = parts.some(({ type }) => type === "tool-call");
  return {
    parts,
    end: stop === "length" ? "length" : calls ? "tool-calls" : "stop",
    illFormed: read.statuses.filter((status) => status !== "ok").length,
    reasoningTokens: read.reasoningTokens,
    open,
  };
}

/** The text of an answer, or of what has been read of one. */
export function joinAnswerText({
  parts,
}: {
  readonly parts: readonly (ChatPart | ReadPart)[];
}): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

/** The answer as its asker gets it. */
export function createSessionAnswer(
  id: string,
  { parts, end, illFormed, reasoningTokens }: ParsedAnswer,
  { tokens, logprobs, policyVersion }: SampledAnswer,
  { node, prompt, cachedTokens }: AnswerPlan,
): SessionAnswer {
  return {
    id,
    parts,
    end,
    illFormed,
    usage: {
      promptTokens: prompt.length,
      cachedTokens,
      completionTokens: tokens.length,
      reasoningTokens,
    },
    tokens: createAnswerTokens(node, tokens, logprobs),
    policyVersion,
  };
}

/** Answers are kept for repetitions, and prompts grow with every turn: theirs are put together when somebody asks. */
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

/** What the tree keeps of it. */
export function toStoredAnswer(
  { id, parts, policyVersion, tokens }: SessionAnswer,
  { open }: ParsedAnswer,
): StoredAnswer {
  const message = { role: "assistant" as const, parts };
  return {
    answer: { id, parts, policyVersion },
    ids: tokens.ids,
    logprobs: tokens.logprobs,
    open,
    digest: digestMessages([message])[0]!.digest,
    callIds: toolCallIds(message),
  };
}

/** The text that ended an answer is no part of it. */
function cutAtStopText(read: ReadAnswer, stopText: string): ReadAnswer {
  const last = read.parts.at(-1);
  if (last === undefined || last.type === "call") return read;
  const at = last.text.indexOf(stopText);
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

/** What is answered to a caller who does not wait any longer. */
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
