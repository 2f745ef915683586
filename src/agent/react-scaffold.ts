/**
 * The scaffold of instruction-tuned models: the paper's ReAct prompt (arXiv 2502.01600, appendices D and G).
 *
 * A message holds thoughts and fenced code; the task is repeated after every observation, which is cut to a number of
 * the model's own tokens. Limits default to the paper's: 40 turns, 1,500 tokens a turn, 3,000 tokens an observation, 32K
 * tokens in all.
 */
import type { RolloutLimits, Scaffold, Tokenizer } from "../spec/index.ts";
import { extractReactCode, wrapCodeInFence } from "./react-code.ts";
import { REACT_EXAMPLE } from "./react-example.ts";
import { observationMessage, openingMessages } from "./react-prompt.ts";
import { requireValidLimits } from "./require-valid-limits.ts";

export interface ReactLimits extends RolloutLimits {
  /** What an observation is cut to, before the note that says so. */
  readonly maxObservationTokens: number;
}

export const REACT_LIMITS: ReactLimits = {
  maxTurns: 40,
  maxTurnTokens: 1500,
  maxTokens: 32_000,
  maxObservationTokens: 3000,
};

/** Where no tokenizer counts, an English text has about so many characters a token. */
const CHARACTERS_PER_TOKEN = 3;
/** No tokenizer puts more characters into a token on average, so what is behind is never looked at. */
const MAX_CHARACTERS_PER_TOKEN = 32;

/** Without a tokenizer observations are cut by characters: enough for people to look at. */
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

/** At most `most` tokens of a text, cut where a line or a word ends; a note says how much is shown. */
export function cutToTokens(
  text: string,
  most: number,
  tokenizer?: Pick<Tokenizer, "encode" | "decode">,
): string {
  // No token is shorter than a byte, so most observations need not be encoded to be known to fit.
  if (tokenizer && Buffer.byteLength(text) <= most) return text;
  const head = tokenizer
    ? takeFirstTokens(text, most, tokenizer)
    : text.slice(0, most * CHARACTERS_PER_TOKEN);
  if (head.length >= text.length) return text;
  const shown = cutAtLastBreak(head);
  return `${shown}\n[cut: this is ${shown.length} of ${text.length} characters]`;
}

/** A prefix of the text. A character that the last token holds only a part of is left out. */
function takeFirstTokens(
  text: string,
  most: number,
  { encode, decode }: Pick<Tokenizer, "encode" | "decode">,
): string {
  const ids = encode(text.slice(0, most * MAX_CHARACTERS_PER_TOKEN));
  if (ids.length <= most) return text.slice(0, most * MAX_CHARACTERS_PER_TOKEN);
  return text.slice(0, decode(ids.slice(0, most)).replace(/\uFFFD+$/, "").length);
}

function cutAtLastBreak(head: string): string {
  const at = Math.max(head.lastIndexOf("\n"), head.lastIndexOf(" "));
  if (at > head.length / 2) return head.slice(0, at);
  // Not between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head;
}
