/**
 * Grades an iteration's rollouts: rewards become returns, and returns become advantages. With no mechanism enabled the
 * result equals that of `gradeBatch`, which uses LOOP's outcome and leave-one-out.
 */
import {
  type AdvantageOptions,
  type Branch,
  batchGainFactor,
  counterfactualAdvantages,
  type GradedRollout,
  gradeBatch,
  gradeTurns,
  groupBy,
  mixAdvantages,
  nameChoiceNodes,
  nameNodesBeforeTurns,
  type ReturnOptions,
  type RewardTerm,
  sharedPrefixAdvantages,
  sumTerms,
  totalReward,
} from "../../algo/index.ts";
import type { FieldValue } from "../../core/index.ts";
import type { Rollout } from "../../spec/index.ts";
import { computeExtraRewards } from "../extensions.ts";
import { meanOrZero, rewardOptions } from "../learning/metrics.ts";
import type { Grading, Iteration } from "../method.ts";
import type { credit } from "../sections/credit.ts";
import type { RewardTermsConfig } from "./config.ts";
import type { HeadState, OnPolicyState } from "./on-policy-state.ts";
import { buildRewardTerm, buildWeightedTerm, type TurnScores } from "./turn-rewards.ts";
import { scoreTurns } from "./turn-scores.ts";

type CreditConfig = FieldValue<typeof credit>;

/** The credit settings of methods that give credit only to whole rollouts. */
const WHOLE_ROLLOUTS: CreditConfig = {
  unit: "rollout",
  key: "task",
  branches: "own",
  batchGain: false,
  entropyFactor: 0,
};

/** How a method turns returns into advantages. */
export interface GradingOptions {
  readonly advantage: Pick<AdvantageOptions, "baseline" | "scale" | "decay">;
  /** Credit settings. When absent, a rollout has one advantage. */
  readonly credit?: CreditConfig;
  /** Solutions of the iteration's tasks, which contain the known answers. */
  readonly solutions?: readonly Rollout[] | undefined;
}

type PaidIteration = Iteration<RewardTermsConfig, HeadState & Pick<OnPolicyState, "running">>;

/**
 * Grades a batch by the configured reward terms and the user's own. Updates the running baselines and heads in the
 * state.
 */
export async function gradeWithTerms(
  batch: readonly Rollout[],
  iteration: PaidIteration,
  options: GradingOptions,
): Promise<Grading> {
  const { config, state, number, extensions } = iteration;
  const { credit = WHOLE_ROLLOUTS, solutions = [] } = options;
  const heads = state.heads ?? {};
  const scored = await scoreTurns(batch, { ...iteration, solutions, heads });
  if (Object.keys(scored.heads).length > 0) state.heads = scored.heads;
  const extra = await computeExtraRewards(batch, extensions);
  const paid = buildRewardTerm(config, scored.scores);
  const isExtended = Object.keys(extensions.rewards).length > 0;
  const term = isExtended ? sumTerms(paid, extra.turnRewards) : paid;
  const isOutcome = config.rewards.terms.length === 0 && !isExtended;
  const all = creditRollouts(batch, { term, isOutcome }, iteration, { ...options, credit });
  const graded = applyBatchGain(applyBranchCredit(all, credit), credit);
  const metrics = {
    ...computeTermMetrics(graded, scored.scores, config, number - 1),
    ...extra.metrics,
  };
  return { graded, metrics };
}

/** What the rollouts of an iteration are paid. */
interface Payment {
  readonly term: RewardTerm;
  /** True when only the outcome is paid. */
  readonly isOutcome: boolean;
}

type CreditedOptions = GradingOptions & { readonly credit: CreditConfig };

function creditRollouts(
  batch: readonly Rollout[],
  payment: Payment,
  iteration: PaidIteration,
  options: CreditedOptions,
): GradedRollout[] {
  const { credit } = options;
  const turns = credit.unit === "rollout" ? [] : gradeByTurn(batch, payment, iteration, options);
  if (credit.unit === "turn") return turns;
  const { key } = credit;
  const rolloutKey = key === "task-turn" || key === "task-branch" ? "task" : key;
  const whole = gradeByRollout(batch, payment, iteration, {
    ...options.advantage,
    key: rolloutKey,
  });
  if (credit.unit === "rollout") return whole;
  const episodes = new Map(whole.map(({ rollout, advantage }) => [rollout, advantage]));
  const weights = { episode: credit.episodeWeight, turn: credit.turnWeight };
  return turns.map((item) => {
    const episode = episodes.get(item.rollout) ?? 0;
    return setTurnAdvantages(item, mixAdvantages(episode, item.turnAdvantages ?? [], weights));
  });
}

function gradeByRollout(
  batch: readonly Rollout[],
  { term, isOutcome }: Payment,
  { config, state, number }: PaidIteration,
  advantage: AdvantageOptions,
): GradedRollout[] {
  const { graded, running } = gradeBatch(batch, advantage, {
    reward: rewardOptions(config),
    ...(!isOutcome && { returnOf: (rollout) => totalReward(term, rollout, number - 1) }),
    ...(state.running && { running: state.running }),
  });
  if (advantage.baseline === "running") state.running = running;
  if (isOutcome) return graded;
  return graded.map((item) => ({ ...item, turnRewards: term(item.rollout, number - 1) }));
}

function gradeByTurn(
  batch: readonly Rollout[],
  { term }: Payment,
  { number }: PaidIteration,
  { credit, advantage: { baseline, scale } }: CreditedOptions,
): GradedRollout[] {
  if (credit.unit === "rollout") return [];
  const returns: ReturnOptions =
    credit.returns === "broadcast"
      ? { type: "broadcast" }
      : { type: "to-go", gamma: credit.discount };
  return gradeTurns(batch, {
    term,
    returns,
    advantage: { baseline, scale, key: credit.key },
    iteration: number - 1,
    ...(credit.returns === "to-go" &&
      credit.restart === "errors" && {
        breaks: ({ turns }) => turns.map(({ status }) => status !== "ok"),
      }),
    ...(credit.key === "task-branch" && { nodes: (all) => nameNodesByTask(all) }),
  });
}

/** Computes the advantages of turns that are part of several forked rollouts, by the rule in `credit.branches`. */
function applyBranchCredit(
  graded: readonly GradedRollout[],
  credit: CreditConfig,
): GradedRollout[] {
  if (credit.unit !== "rollout" || credit.branches === "own") return [...graded];
  const groups = groupBy([...graded.keys()], (i) => graded[i]!.rollout.task.id);
  const next = [...graded];
  for (const members of groups.values()) {
    const items = members.map((i) => graded[i]!);
    const turns =
      credit.branches === "shared-prefix"
        ? sharedPrefixAdvantages(buildBranches(items)).map(({ advantages }) => advantages)
        : counterfactualTurnAdvantages(items);
    members.forEach((i, k) => {
      next[i] = setTurnAdvantages(graded[i]!, turns[k]!);
    });
  }
  return next;
}

/**
 * Returns counterfactual advantages. The advantage at a fork is the return minus the mean return of rollouts that chose
 * another turn there. Elsewhere it is the rollout's own advantage.
 */
function counterfactualTurnAdvantages(items: readonly GradedRollout[]): number[][] {
  const nodes = nameNodesBeforeTurns(buildBranches(items));
  const choices = items.flatMap(({ rollout, reward }, i) =>
    rollout.turns.map((turn, j) => ({
      node: nodes[i]![j]!,
      choice: turn.message,
      return: reward,
    })),
  );
  const values = counterfactualAdvantages(choices);
  let next = 0;
  return items.map(({ rollout, advantage }) =>
    rollout.turns.map((_, j) => {
      const value = values[next++];
      return j === 0 ? advantage : (value ?? advantage);
    }),
  );
}

function buildBranches(items: readonly GradedRollout[]): Branch[] {
  return locateInTree(items.map(({ rollout }) => rollout)).map((place, i) => ({
    ...place,
    advantage: items[i]!.advantage,
  }));
}

/**
 * Returns where the rollouts of one task were forked from each other. A rollout whose parent is not in the list starts
 * a tree of its own.
 */
function locateInTree(rollouts: readonly Rollout[]): Omit<Branch, "advantage">[] {
  const indices = new Map(rollouts.map(({ id }, i) => [id, i]));
  return rollouts.map(({ turns, branch }) => {
    const parent = branch && indices.get(branch.parent);
    return {
      turns: turns.length,
      ...(branch && parent !== undefined && { parent, fork: branch.turn }),
    };
  });
}

function nameNodesByTask(rollouts: readonly Rollout[]): string[][] {
  const groups = groupBy([...rollouts.keys()], (i) => rollouts[i]!.task.id);
  const nodes: string[][] = [];
  for (const members of groups.values()) {
    const named = nameChoiceNodes(locateInTree(members.map((i) => rollouts[i]!)));
    members.forEach((i, k) => {
      nodes[i] = named[k]!;
    });
  }
  return nodes;
}

function applyBatchGain(
  graded: readonly GradedRollout[],
  { batchGain: isOn }: CreditConfig,
): GradedRollout[] {
  if (!isOn) return [...graded];
  const groups = groupBy(graded, ({ rollout }) => rollout.task.id);
  const gain = batchGainFactor([...groups.values()].map((group) => group.flatMap(listAdvantages)));
  return graded.map((item) => ({
    ...item,
    advantage: gain * item.advantage,
    ...(item.turnAdvantages && { turnAdvantages: item.turnAdvantages.map((a) => gain * a) }),
  }));
}

function listAdvantages({ advantage, turnAdvantages }: GradedRollout): readonly number[] {
  return turnAdvantages ?? [advantage];
}

/**
 * Sets the advantages of a rollout's turns. The rollout's own advantage becomes the largest of them in absolute size,
 * so that a filter on advantages keeps a rollout if at least one of its turns teaches something.
 */
function setTurnAdvantages(item: GradedRollout, turnAdvantages: readonly number[]): GradedRollout {
  const advantage = turnAdvantages.reduce(
    (most, a) => (Math.abs(a) > Math.abs(most) ? a : most),
    0,
  );
  return { ...item, advantage, turnAdvantages };
}

/**
 * Returns the mean of each reward term over rollouts, as it is paid. A policy may exploit a reward term, and the sum
 * alone would not show which one.
 */
function computeTermMetrics(
  graded: readonly GradedRollout[],
  scores: TurnScores,
  config: RewardTermsConfig,
  iteration: number,
): Record<string, number> {
  const rollouts = graded.map(({ rollout }) => rollout);
  const means = config.rewards.terms.map((entry) => {
    const term = buildWeightedTerm(entry, config, scores);
    const mean = meanOrZero(rollouts.map((rollout) => totalReward(term, rollout, iteration)));
    return [`reward/term/${entry.term}`, mean] as const;
  });
  return Object.fromEntries(means);
}
