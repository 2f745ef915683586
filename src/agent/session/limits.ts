/** What an episode may spend, and the refusals when it is spent. */
import type { RolloutLimits } from "../../spec/index.ts";
import { SessionError } from "./session-error.ts";

/** `maxTurns`: answers. `maxTurnTokens`: of one answer. `maxTokens`: of a row, prompt and answers. */
export interface SessionLimits extends RolloutLimits {
  /** Sampled tokens of the whole episode; calls that overlap may go over it together. Default: no limit. */
  readonly maxSampledTokens?: number;
}

/** `answers`: given and being sampled. `steps`: tokens that were sampled. */
export interface SpentBudget {
  readonly answers: number;
  readonly sampledTokens: number;
}

/** Throws a `SessionError` (`ceiling`) when there is nothing left for one more answer. */
export function requireBudget(
  id: string,
  limits: SessionLimits,
  { answers, sampledTokens: steps }: SpentBudget,
): void {
  const { maxTurns, maxSampledTokens = Infinity } = limits;
  const what =
    answers >= maxTurns
      ? `had its ${maxTurns} answers`
      : steps >= maxSampledTokens
        ? `spent its ${maxSampledTokens} tokens`
        : undefined;
  if (what) throw new SessionError("ceiling", `session ${id}: the episode has ${what}`);
}

/** Tokens that an answer behind a prompt of this length may have. Throws a `SessionError` (`context`) where it is none. */
export function maxAnswerTokens(
  promptTokens: number,
  requestedTokens: number | undefined,
  limits: SessionLimits,
  { sampledTokens: steps }: SpentBudget,
): number {
  const { maxTurnTokens, maxTokens, maxSampledTokens = Infinity } = limits;
  if (promptTokens < maxTokens) {
    const left = Math.min(maxTokens - promptTokens, maxSampledTokens - steps);
    return Math.min(requestedTokens ?? Infinity, maxTurnTokens, left);
  }
  throw new SessionError(
    "context",
    `messages: the prompt is ${promptTokens} tokens, and the context of ${maxTokens} leaves no room for an answer`,
  );
}
