/** A sampled answer in the words of a session: parts with ids, why it ended, what it cost. */
import type { AnswerEnd, ChatPart, SessionAnswer } from "../../spec/index.ts";
import type { ConversationRenderer, ReadAnswer } from "../tools/index.ts";
import type { SampledAnswer } from "./sampling.ts";

/** What was sampled, and what it says. */
export interface HeardAnswer {
  readonly parts: readonly ChatPart[];
  readonly end: AnswerEnd;
  readonly illFormed: number;
  readonly reasoningTokens: number;
  /** It has no stop token yet. */
  readonly open: boolean;
}

/** `opening`: ids that were put before the sampled ones. `id`: of the answer; its calls' are made from it. */
export function heardAnswer(
  renderer: ConversationRenderer,
  sampled: SampledAnswer,
  { id, opening, tools }: { id: string; opening: readonly number[]; tools: boolean },
): HeardAnswer {
  const { tokens, stop, stopText } = sampled;
  const open = stop !== "stop" || !renderer.stopIds.includes(tokens.at(-1)!);
  const said = open ? tokens : tokens.slice(0, -1);
  const read = renderer.read([...opening, ...said], { tools });
  const parts = withIds(stopText === undefined ? read : cutBefore(read, stopText), id);
  const calls = parts.some(({ type }) => type === "tool-call");
  return {
    parts,
    end: stop === "length" ? "length" : calls ? "tool-calls" : "stop",
    illFormed: read.statuses.filter((status) => status !== "ok").length,
    reasoningTokens: read.reasoningTokens,
    open,
  };
}

/** The text that an answer will have, from a part of it. */
export function textOfRead({ parts }: ReadAnswer): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

/** The text that ended an answer is no part of it. */
function cutBefore(read: ReadAnswer, stopText: string): ReadAnswer {
  const last = read.parts.at(-1);
  if (last === undefined || last.type === "call") return read;
  const at = last.text.indexOf(stopText);
  if (at < 0) return read;
  const rest = read.parts.slice(0, -1);
  const text = last.text.slice(0, at);
  return { ...read, parts: text === "" ? rest : [...rest, { ...last, text }] };
}

function withIds({ parts }: ReadAnswer, id: string): ChatPart[] {
  let calls = 0;
  return parts.map((part) => {
    if (part.type !== "call") return part;
    const { name } = part;
    return { type: "tool-call", id: `call_${id}_${calls++}`, name, arguments: part.arguments };
  });
}

/** What is answered to a caller who does not wait any longer. */
export function cancelledAnswer(id: string): SessionAnswer {
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
