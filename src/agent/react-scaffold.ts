/**
 * The scaffold of instruction-tuned models: the paper's ReAct prompt (arXiv 2502.01600, appendices D and G).
 *
 * A message holds thoughts and fenced code. The task is repeated after every observation. Observations are cut to a
 * number of tokens, counted with the model's own tokenizer. The default limits are the paper's: 40 turns, 1,500 tokens
 * per turn, 3,000 tokens per observation, and 32K tokens in all.
 */
import type { RolloutLimits, Scaffold, Tokenizer } from "../spec/index.ts";
import { extractReactCode, wrapCodeInFence } from "./react-code.ts";
import { REACT_EXAMPLE } from "./react-example.ts";
import { observationMessage, openingMessages } from "./react-prompt.ts";
import { requireValidLimits } from "./require-valid-limits.ts";

export interface ReactLimits extends RolloutLimits {
  /** The number of tokens to which an observation is cut, not counting the note that says so. */
  readonly maxObservationTokens: number;
}

export const REACT_LIMITS: ReactLimits = {
  maxTurns: 40,
  maxTurnTokens: 1500,
  maxTokens: 32_000,
  maxObservationTokens: 3000,
};

/** Estimates the characters of a token of English text. It is used when there is no tokenizer to count with. */
const CHARACTERS_PER_TOKEN = 3;
/** No tokenizer averages more characters per token than this, so the text beyond this length need not be encoded. */
const MAX_CHARACTERS_PER_TOKEN = 32;

/**
 * Creates the `react` scaffold. Without a tokenizer, observations are cut by characters, which is enough for display.
 */
export function reactScaffold(
  limits: Partial<ReactLimits> = {},
  tokenizer?: Pick<Tokenizer, "encode" | "decode">,
): Scaffold {
  const { maxObservationTokens, ...rest } = { ...REACT_LIMITS, ...limits };
  requireValidLimits({ ...rest, maxObservationTokens });
  const { maxTurns, maxTurnTokens, maxTokens } = rest;
  return {
    name: "react",
    limits: { maxTurns, maxTurnTokens, maxTokens },
    start: (task) => openingMessages(task.instruction, REACT_EXAMPLE),
    observe: (task, { text }) =>
      observationMessage(cutToTokens(text, maxObservationTokens, tokenizer), task.instruction),
    extractCode: extractReactCode,
    messageOf: wrapCodeInFence,
  };
}

/**
 * Cuts a text to at most `maxTokens` tokens, at the end of a line or a word, and appends a note that says how much is
 * shown.
 */
export function cutToTokens(
  text: string,
  maxTokens: number,
  tokenizer?: Pick<Tokenizer, "encode" | "decode">,
): string {
  // A token has at least one byte, so a text with at most `maxTokens` bytes fits without being encoded.
  if (tokenizer && Buffer.byteLength(text) <= maxTokens) return text;
  const head = tokenizer
    ? takeFirstTokens(text, maxTokens, tokenizer)
    : text.slice(0, maxTokens * CHARACTERS_PER_TOKEN);
  if (head.length >= text.length) return text;
  const shown = cutAtLastBreak(head);
  return `${shown}\n[cut: this is ${shown.length} of ${text.length} characters]`;
}

/** Returns the first `maxTokens` tokens as text. A character of which the last token holds only a part is left out. */
function takeFirstTokens(
  text: string,
  maxTokens: number,
  { encode, decode }: Pick<Tokenizer, "encode" | "decode">,
): string {
  const ids = encode(text.slice(0, maxTokens * MAX_CHARACTERS_PER_TOKEN));
  if (ids.length <= maxTokens) return text.slice(0, maxTokens * MAX_CHARACTERS_PER_TOKEN);
  return text.slice(0, decode(ids.slice(0, maxTokens)).replace(/\uFFFD+$/, "").length);
}

function cutAtLastBreak(head: string): string {
  const at = Math.max(head.lastIndexOf("\n"), head.lastIndexOf(" "));
  if (at > head.length / 2) return head.slice(0, at);
  // A cut must not separate the halves of a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
}
