/** Builds rows for imitation in which other tokens are learned than all those that the agent wrote. */
import { type ActionRow, buildActionRow, surpriseBandMask, turnSurprises } from "../algo/index.ts";
import type { Cotangents, Engine, Rollout } from "../spec/index.ts";
import type { FiringCount } from "./mechanisms/learning-record.ts";
import { computeSurpriseBand } from "./on-policy/token-shaping.ts";
import type { Surprise } from "./sections/credit.ts";

/**
 * Builds a row whose tokens to predict are the world's answers: all tokens after the agent's first action except those
 * that the agent wrote. A policy that predicts them has learned what its actions lead to.
 */
export function buildObservationRow(rollout: Rollout): ActionRow {
  const row = buildActionRow(rollout);
  const actions = new Set(row.at);
  const first = row.at[0] ?? row.tokens.length;
  const at = [...row.tokens.keys()].filter((i) => i > first && !actions.has(i));
  return { ...row, at, turnLengths: [at.length], sampled: [] };
}

/**
 * Builds a row whose tokens to predict are the world's answer to the policy's first own action, in a rollout that
 * departed from a solution. Later answers are left out, because they come after states that no expert was in.
 */
export function buildAnswerRow(rollout: Rollout): ActionRow {
  const row = buildActionRow(rollout);
  const own = rollout.prefix?.turns ?? 0;
  const start = rollout.turns[own]?.span?.[1] ?? row.tokens.length;
  const end = rollout.turns[own + 1]?.span?.[0] ?? start;
  const at = Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
  return { ...row, at, turnLengths: [at.length], sampled: [] };
}

/** Derivatives after a surprise band was applied, with the number of turns that it kept. */
export interface BandedCotangents {
  readonly cotangents: readonly Cotangents[];
  readonly turns?: FiringCount;
}

/**
 * Sets the derivatives of turns outside of the configured surprise band to 0. Such turns are already mastered, or are
 * noise.
 */
export async function applySurpriseBand(
  engine: Pick<Engine, "evaluate">,
  rows: readonly ActionRow[],
  cotangents: readonly Cotangents[],
  surprise: Surprise | null,
): Promise<BandedCotangents> {
  if (surprise === null) return { cotangents };
  const outputs = await engine.evaluate(rows);
  const said = rows.map(({ turnLengths }, i) => ({ turnLengths, logprobs: outputs[i]!.logprobs }));
  const band = computeSurpriseBand(said, surprise);
  const left = said.map(({ logprobs, turnLengths }) =>
    surpriseBandMask(logprobs, turnLengths, band),
  );
  const spoken = turnSurprises(said);
  const fired = spoken.filter((value) => value >= band[0] && value <= band[1]).length;
  return {
    turns: { meant: spoken.length, fired },
    cotangents: cotangents.map(({ logprobs }, i) => ({
      logprobs: Array.from(logprobs, (slope, t) => slope * left[i]![t]!),
    })),
  };
}
