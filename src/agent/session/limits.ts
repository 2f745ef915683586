/** The budget of an episode, and the errors when it is used up. */
import type { RolloutLimits } from "../../spec/index.ts";
import { SessionError } from "./session-error.ts";

/**
 * The limits of a session. `maxTurns` limits the number of answers, `maxTurnTokens` the tokens of one answer, and
 * `maxTokens` the tokens of a row, prompt and answers together.
 */
export interface SessionLimits extends RolloutLimits {
  /**
   * The limit of sampled tokens in the whole episode. Calls that overlap may exceed it together. Without it there is no
   * limit.
   */
  readonly maxSampledTokens?: number;
}

/**
 * What a session has used. `answers` counts those given and those being sampled; `sampledTokens` counts sampled tokens.
 */
export interface SpentBudget {
  readonly answers: number;
  readonly sampledTokens: number;
}

/** Throws a `SessionError` (`ceiling`) when the budget allows no further answer. */
export function requireBudget(
  id: string,
  limits: SessionLimits,
  { answers, sampledTokens }: SpentBudget,
): void {
  const { maxTurns, maxSampledTokens = Infinity } = limits;
  const reachedLimit =
    answers >= maxTurns
      ? `reached its limit of ${maxTurns} answers`
      : sampledTokens >= maxSampledTokens
        ? `reached its limit of ${maxSampledTokens} sampled tokens`
        : undefined;
  if (reachedLimit)
    throw new SessionError("ceiling", `session ${id}: the episode has ${reachedLimit}`);
}

/**
 * Returns how many tokens an answer after a prompt of this length may have. Throws a `SessionError` (`context`) when
 * the prompt leaves no room.
 */
export function maxAnswerTokens(
  promptTokens: number,
  requestedTokens: number | undefined,
  limits: SessionLimits,
  { sampledTokens }: SpentBudget,
): number {
  const { maxTurnTokens, maxTokens, maxSampledTokens = Infinity } = limits;
  if (promptTokens < maxTokens) {
    const remaining = Math.min(maxTokens - promptTokens, maxSampledTokens - sampledTokens);
    return Math.min(requestedTokens ?? Infinity, maxTurnTokens, remaining);
  }
  throw new SessionError(
    "context",
    `messages: the prompt has ${promptTokens} tokens, so the context of ${maxTokens} tokens leaves no room for an answer`,
  );
}
