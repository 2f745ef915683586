/**
 * From values to advantages and to what values are fitted to: generalised advantage estimation over action tokens, or over
 * turns (arXiv 2502.01600, appendix C).
 */
import {
  type ActionRow,
  clampValues,
  type GradedRollout,
  generalisedAdvantages,
  lengthAdaptiveLambda,
  payAtLastTokenOfTurn,
  repeatPerToken,
  whitenAdvantages,
} from "../../algo/index.ts";
import type { TokenOutputs } from "../../spec/index.ts";
import type { ObjectiveTrace } from "../learning/metrics.ts";
import type { CriticConfig } from "./config.ts";

/** A rollout that is learned from, with its values. */
export interface CriticItem extends Estimates {
  readonly graded: GradedRollout;
  readonly row: ActionRow;
  /** Log-probs and values under the policy of the iteration's start. */
  readonly old: Float32Array;
  readonly oldValues: Float32Array;
  current: TokenOutputs & { readonly values: Float32Array };
  /** In its last minibatch. */
  trace?: ObjectiveTrace;
}

interface Estimates {
  /** Of each action token. */
  readonly advantages: Float64Array;
  /** What values are fitted to, and at which action tokens; absent: at all. */
  readonly returns: Float64Array;
  readonly valuedTokens?: readonly number[];
}

export function estimateAdvantages(
  graded: GradedRollout,
  row: ActionRow,
  oldValues: Float32Array,
  config: CriticConfig,
): Estimates {
  const values = boundValues(oldValues, graded);
  return (config.critic.unit === "turn" ? estimateByTurn : estimateByToken)(
    graded,
    row,
    values,
    config,
  );
}

/** Outcomes lie in [0, 1], so values of them are read as clamped to it; sums of terms may be anything. */
function boundValues(values: Float32Array, { turnRewards }: GradedRollout): Float64Array {
  return turnRewards === undefined ? clampValues(values, 0, 1) : Float64Array.from(values);
}

/** Steps are action tokens. Without terms the whole reward comes with the last one. */
function estimateByToken(
  { reward, turnRewards }: GradedRollout,
  { at, turnLengths }: ActionRow,
  values: Float64Array,
  config: CriticConfig,
): Estimates {
  if (turnRewards)
    return estimateSteps(payAtLastTokenOfTurn(turnRewards, turnLengths), values, config);
  const rewards = new Float64Array(at.length);
  if (rewards.length > 0) rewards[rewards.length - 1] = reward;
  return estimateSteps(rewards, values, config);
}

/** Steps are turns, each valued before its first token; all tokens of a turn share its advantage. */
function estimateByTurn(
  { reward, turnRewards }: GradedRollout,
  { turnLengths }: ActionRow,
  values: Float64Array,
  config: CriticConfig,
): Estimates {
  let next = 0;
  const firsts = turnLengths.map((length) => {
    const first = next;
    next += length;
    return first;
  });
  const earned =
    turnRewards ?? turnLengths.map((_, j) => (j === turnLengths.length - 1 ? reward : 0));
  // A turn without tokens has no state of its own to value.
  const spoken = [...turnLengths.keys()].filter((j) => turnLengths[j]! > 0);
  const paid = spoken.map((j, k) => sumBetween(earned, j, spoken[k + 1] ?? earned.length));
  const before = spoken.map((j) => values[firsts[j]!]!);
  const { advantages, returns } = estimateSteps(paid, before, config);
  return {
    advantages: repeatPerToken(turnLengths, (j) => advantages[spoken.indexOf(j)]!),
    returns,
    valuedTokens: spoken.map((j) => firsts[j]!),
  };
}

/** With a lambda by length, values are still fitted to whole returns (lambda 1): only the policy's estimate is cut. */
function estimateSteps(
  rewards: ArrayLike<number>,
  values: ArrayLike<number>,
  { critic }: CriticConfig,
): { readonly advantages: Float64Array; readonly returns: Float64Array } {
  const { discount: gamma } = critic;
  if (critic.lambdaBy === "constant") {
    return generalisedAdvantages(rewards, values, { gamma, lambda: critic.lambda });
  }
  const byLength = lengthAdaptiveLambda(values.length, critic.adaptiveLambda);
  const { advantages } = generalisedAdvantages(rewards, values, { gamma, lambda: byLength });
  const { returns } = generalisedAdvantages(rewards, values, { gamma, lambda: 1 });
  return { advantages, returns };
}

export function whitenItems(items: readonly CriticItem[]): CriticItem[] {
  const advantages = whitenAdvantages(items.map((item) => item.advantages));
  return items.map((item, i) => ({ ...item, advantages: advantages[i]! }));
}

function sumBetween(values: readonly number[], start: number, end: number): number {
  return values.slice(start, end).reduce((sum, value) => sum + value, 0);
}

/** The slopes of a row's values, back at the action tokens that they belong to. */
export function spreadValueSlopes(
  { row, valuedTokens }: Pick<CriticItem, "row" | "valuedTokens">,
  slopes: Float64Array,
): Float64Array {
  if (valuedTokens === undefined) return slopes;
  const all = new Float64Array(row.at.length);
  valuedTokens.forEach((t, k) => {
    all[t] = slopes[k]!;
  });
  return all;
}
