/**
 * Estimates advantages, and the returns that values are trained on, by generalised advantage estimation over action
 * tokens or over turns (arXiv 2502.01600, appendix C).
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

/** A rollout to learn from, with its values and advantages. */
export interface CriticItem extends Estimates {
  readonly graded: GradedRollout;
  readonly row: ActionRow;
  /** Log-probabilities under the policy at the start of the iteration. */
  readonly old: Float32Array;
  /** Values under the policy at the start of the iteration. */
  readonly oldValues: Float32Array;
  current: TokenOutputs & { readonly values: Float32Array };
  /** What the objective used for the rollout's tokens in its last minibatch. */
  trace?: ObjectiveTrace;
}

interface Estimates {
  /** Advantage of each action token. */
  readonly advantages: Float64Array;
  /** The returns that values are trained on, one for each step. */
  readonly returns: Float64Array;
  /** Indices of the action tokens that have a value, one for each step. Absent when every action token has one. */
  readonly valuedTokens?: readonly number[];
}

/** Estimates the advantages of a rollout's tokens, and the returns that its values are trained on. */
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

/**
 * Returns the values limited to [0, 1], the range of outcomes. With reward terms, whose sums have no range, returns
 * them as they are.
 */
function boundValues(values: Float32Array, { turnRewards }: GradedRollout): Float64Array {
  return turnRewards === undefined ? clampValues(values, 0, 1) : Float64Array.from(values);
}

/** Estimates with action tokens as steps. Without reward terms, the last token gets the whole reward. */
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

/**
 * Estimates with turns as steps. The value of a turn is the one before its first token, and all its tokens share its
 * advantage.
 */
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
  // A turn without tokens has no token at which a value could be computed.
  const turnsWithTokens = [...turnLengths.keys()].filter((j) => turnLengths[j]! > 0);
  const paid = turnsWithTokens.map((j, k) =>
    sumBetween(earned, j, turnsWithTokens[k + 1] ?? earned.length),
  );
  const before = turnsWithTokens.map((j) => values[firsts[j]!]!);
  const { advantages, returns } = estimateSteps(paid, before, config);
  return {
    advantages: repeatPerToken(turnLengths, (j) => advantages[turnsWithTokens.indexOf(j)]!),
    returns,
    valuedTokens: turnsWithTokens.map((j) => firsts[j]!),
  };
}

/**
 * Runs generalised advantage estimation over the steps of a rollout. A lambda that depends on the rollout's length is
 * used only for advantages; values are then trained on whole returns (lambda 1).
 */
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

/**
 * Returns the derivatives with respect to a row's values as an array over its action tokens. The array is 0 where a
 * token has no value.
 */
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
