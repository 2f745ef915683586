/**
 * Samples one answer. It is sampled in one call, or in pieces when its text is streamed or may contain a stop text.
 *
 * A sampled token depends only on the weights, the tokens before it, the stream and its position, so pieces give the
 * same tokens as one call. When a stop text is found, the tokens after the one that completed it are dropped. Where to
 * stop is decided by the tokens so far, so the log-probs of the kept tokens are right. A stop text inside the JSON of a
 * tool call does not end the answer, and neither does a token that would end a call but stands in a string of it.
 */
import type { Sample, SampleRequest, TokenPolicy } from "../../spec/index.ts";
import { requireValidSample } from "../valid-sample.ts";

export interface SampledAnswer extends Omit<Sample, "stop"> {
  /** Says why sampling stopped. `text` means that a stop text was found. */
  readonly stop: Sample["stop"] | "text";
  /** The stop text that ended the answer. */
  readonly stopText?: string;
}

export interface SamplingOptions {
  readonly policy: TokenPolicy;
  readonly request: SampleRequest;
  /** Returns the texts of sampled ids in which stop texts are searched for. */
  readonly searchedTexts: (ids: readonly number[]) => readonly string[];
  readonly stopTexts: readonly string[];
  /** Tells whether an answer goes on after its last token, although that is one of the request's stop ids. */
  readonly continuesAfter: (ids: readonly number[]) => boolean;
  /** Called with the ids so far, including a stop token, while more may follow. */
  readonly onIds?: (ids: readonly number[]) => void;
  readonly signal?: AbortSignal;
}

/** The number of tokens that are sampled before the text is checked again. */
const TOKENS_PER_PIECE = 8;

export async function sampleAnswer(options: SamplingOptions): Promise<SampledAnswer> {
  const { policy, request, stopTexts, onIds, signal } = options;
  const tokens: number[] = [];
  const logprobs: number[] = [];
  let policyVersion: number | undefined;
  for (;;) {
    const left = request.maxTokens - tokens.length;
    const maxTokens = onIds || stopTexts.length > 0 ? Math.min(TOKENS_PER_PIECE, left) : left;
    const piece = { ...request, tokens: [...request.tokens, ...tokens], maxTokens };
    const sample = await policy.sample(piece, signal);
    requireValidSample(sample, maxTokens, request.stopIds);
    // An answer that continues during a weight update keeps the version that began it.
    policyVersion ??= sample.policyVersion;
    const lengthBefore = tokens.length;
    tokens.push(...sample.tokens);
    logprobs.push(...sample.logprobs);
    if (sample.stop === "cancelled") return { tokens, logprobs, policyVersion, stop: "cancelled" };
    const isEnd = sample.stop === "stop" && !options.continuesAfter(tokens);
    const withoutEnd = isEnd ? tokens.slice(0, -1) : tokens;
    const stopMatch = findStopText(withoutEnd, lengthBefore, options);
    if (stopMatch) {
      const { length, stopText } = stopMatch;
      const kept = { tokens: tokens.slice(0, length), logprobs: logprobs.slice(0, length) };
      return { ...kept, policyVersion, stop: "text", stopText };
    }
    if (isEnd) return { tokens, logprobs, policyVersion, stop: "stop" };
    if (tokens.length >= request.maxTokens)
      return { tokens, logprobs, policyVersion, stop: "length" };
    onIds?.(tokens);
  }
}

/**
 * Finds the shortest beginning of the answer, longer than `lengthBefore` tokens, that contains a complete stop text.
 */
function findStopText(
  ids: readonly number[],
  lengthBefore: number,
  { stopTexts, searchedTexts }: SamplingOptions,
): { readonly length: number; readonly stopText: string } | undefined {
  const findStopTextIn = (answer: readonly number[]) => {
    const texts = searchedTexts(answer);
    return stopTexts.find((stop) => texts.some((text) => text.includes(stop)));
  };
  if (stopTexts.length === 0 || findStopTextIn(ids) === undefined) return undefined;
  for (let length = lengthBefore + 1; length <= ids.length; length++) {
    const stopText = findStopTextIn(ids.slice(0, length));
    if (stopText !== undefined) return { length, stopText };
  }
  return undefined;
}

/** Returns `text` without an ending that could be the beginning of a stop text. */
export function withoutPartialStopText(text: string, stopTexts: readonly string[]): string {
  const most = Math.max(0, ...stopTexts.map((stop) => stop.length - 1));
  for (let length = Math.min(most, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (stopTexts.some((stop) => stop.startsWith(end))) return text.slice(0, -length);
  }
  return text;
}
