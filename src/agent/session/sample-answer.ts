/**
 * One answer, sampled. At once where nobody looks on; in pieces where its text is shown while it grows or may end it.
 *
 * A sampled token depends on the weights, the tokens before it, the stream and its position alone, so pieces give the
 * tokens of the whole. A text that ends the answer is completed by some token; what was sampled behind that token is
 * dropped. Where to stop is decided by the tokens so far, so the log-probs of those that stay are right.
 */
import type { Sample, SampleRequest, TokenPolicy } from "../../spec/index.ts";
import { requireValidSample } from "../token-transcript.ts";

export interface SampledAnswer extends Omit<Sample, "stop"> {
  /** `text`: one of the texts that end an answer; `call`: a token that ends one behind a call. */
  readonly stop: Sample["stop"] | "text";
  /** The text that ended it. */
  readonly stopText?: string;
}

export interface SamplingOptions {
  readonly policy: TokenPolicy;
  readonly request: SampleRequest;
  /** The text of sampled ids, in which stop texts are looked for. */
  readonly text: (ids: readonly number[]) => string;
  readonly stopTexts: readonly string[];
  /** Is told the ids so far, the stop token among them, while there may be more. */
  readonly onIds?: (ids: readonly number[]) => void;
  readonly signal?: AbortSignal;
}

/** Tokens between two looks at the text. */
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
    // Of an answer that outlives an update, the version that began it.
    policyVersion ??= sample.policyVersion;
    const lengthBefore = tokens.length;
    tokens.push(...sample.tokens);
    logprobs.push(...sample.logprobs);
    if (sample.stop === "cancelled") return { tokens, logprobs, policyVersion, stop: "cancelled" };
    const said = sample.stop === "stop" ? tokens.slice(0, -1) : tokens;
    const cut = findStopText(said, lengthBefore, options);
    if (cut) {
      const { length, stopText } = cut;
      const kept = { tokens: tokens.slice(0, length), logprobs: logprobs.slice(0, length) };
      return { ...kept, policyVersion, stop: "text", stopText };
    }
    const last = sample.stop === "stop" || tokens.length >= request.maxTokens;
    if (last) return { tokens, logprobs, policyVersion, stop: sample.stop };
    onIds?.(tokens);
  }
}

/** The shortest beginning of the answer, longer than `seen`, in which a stop text is whole. */
function findStopText(
  ids: readonly number[],
  lengthBefore: number,
  { stopTexts, text }: SamplingOptions,
): { readonly length: number; readonly stopText: string } | undefined {
  const inText = (said: string) => stopTexts.find((stop) => said.includes(stop));
  if (stopTexts.length === 0 || inText(text(ids)) === undefined) return undefined;
  for (let length = lengthBefore + 1; length <= ids.length; length++) {
    const stopText = inText(text(ids.slice(0, length)));
    if (stopText !== undefined) return { length, stopText };
  }
  return undefined;
}

/** A beginning of `text` that stays whatever comes: without what could be the beginning of a stop text. */
export function withoutPartialStopText(text: string, stopTexts: readonly string[]): string {
  const most = Math.max(0, ...stopTexts.map((stop) => stop.length - 1));
  for (let length = Math.min(most, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (stopTexts.some((stop) => stop.startsWith(end))) return text.slice(0, -length);
  }
  return text;
}
