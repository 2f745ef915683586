/**
 * The scaffold of small models: the instruction, then code cells and what they printed. It says nothing else, because
 * every token of a row costs a small model context and time. What an agent must know, it learned by imitation.
 */
import type { Message, RolloutLimits, Scaffold } from "../spec/index.ts";
import { requireValidLimits } from "./require-valid-limits.ts";

export interface CompactLimits extends RolloutLimits {
  /** The number of characters to which an observation is cut, not counting the note that says so. */
  readonly maxObservationCharacters: number;
  readonly maxObservationLines: number;
}

export const COMPACT_LIMITS: CompactLimits = {
  maxTurns: 12,
  maxTurnTokens: 96,
  maxTokens: 512,
  maxObservationCharacters: 600,
  maxObservationLines: 24,
};

/**
 * Creates the `compact` scaffold. The whole message is code. An observation is the text of the step, cut at the end of
 * a line or a word, with a note that says how much is missing.
 */
export function compactScaffold(limits: Partial<CompactLimits> = {}): Scaffold {
  const all = { ...COMPACT_LIMITS, ...limits };
  requireValidLimits(all);
  const { maxTurns, maxTurnTokens, maxTokens, ...observation } = all;
  return {
    name: "compact",
    limits: { maxTurns, maxTurnTokens, maxTokens },
    start: (task): Message[] => [{ role: "user", content: task.instruction }],
    observe: (_task, result) => ({
      role: "environment",
      content: cutText(result.text, observation),
    }),
    extractCode: (message) => message,
  };
}

/**
 * Cuts a text to the limits, at the end of a line or a word when one ends in the second half of the text that fits. A
 * note says how many characters are missing.
 */
export function cutText(
  text: string,
  limits: Pick<CompactLimits, "maxObservationCharacters" | "maxObservationLines">,
): string {
  const lines = text.split("\n", limits.maxObservationLines + 1);
  const short = lines.slice(0, limits.maxObservationLines).join("\n");
  const head = cutAtLastBreak(short, limits.maxObservationCharacters);
  const missing = text.length - head.length;
  const onlyBreaks = text.slice(head.length).trim() === "";
  return onlyBreaks ? text : `${head}\n[${missing} more characters]`;
}

function cutAtLastBreak(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length);
  const at = Math.max(head.lastIndexOf("\n"), head.lastIndexOf(" "));
  if (at > length / 2) return head.slice(0, at);
  // A cut must not separate the halves of a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
}
