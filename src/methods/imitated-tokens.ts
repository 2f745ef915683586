/** Which tokens of a row imitation learns from, where it is not simply all that the agent said. */
import { type ActionRow, actionRow, surpriseBand } from "../algo/index.ts";
import type { Cotangents, Engine, Rollout } from "../spec/index.ts";

/**
 * What the world answered, as the tokens to predict: after its first action, all that a rollout's agent did not say
 * itself. A policy that predicts them has learned what its actions lead to.
 */
export function observationRow(rollout: Rollout): ActionRow {
  const row = actionRow(rollout);
  const actions = new Set(row.at);
  const first = row.at[0] ?? row.tokens.length;
  const at = [...row.tokens.keys()].filter((i) => i > first && !actions.has(i));
  return { ...row, at, turnLengths: [at.length], sampled: [] };
}

/** Cotangents without those of turns that are mastered or noise: whose surprise lies outside of the configured band. */
export async function surpriseWeights(
  engine: Pick<Engine, "evaluate">,
  rows: readonly ActionRow[],
  cotangents: readonly Cotangents[],
  surprise: { readonly low: number; readonly high: number | null } | null,
): Promise<readonly Cotangents[]> {
  if (surprise === null) return cotangents;
  const outputs = await engine.evaluate(rows);
  const band = [surprise.low, surprise.high ?? Infinity] as const;
  return cotangents.map(({ logprobs }, i) => {
    const kept = surpriseBand(outputs[i]!.logprobs, rows[i]!.turnLengths, band);
    return { logprobs: Array.from(logprobs, (slope, t) => slope * kept[t]!) };
  });
}
