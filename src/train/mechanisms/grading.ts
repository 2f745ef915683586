/**
 * From an iteration's rollouts to graded ones: buffer -> rewards -> returns -> advantages. With nothing switched on it is
 * `gradeBatch`: LOOP's outcome and leave-one-out.
 */
import {
  type AdvantageOptions,
  type Branch,
  batchGain,
  choiceNodesOf,
  counterfactualAdvantages,
  type Graded,
  gradeBatch,
  gradeTurns,
  groupBy,
  mixedAdvantages,
  nodesOf,
  type ReturnOptions,
  type RewardTerm,
  sharedPrefixAdvantages,
  totalReward,
} from "../../algo/index.ts";
import type { Engine, Rollout } from "../../spec/index.ts";
import type { Config } from "../config.ts";
import type { Experience } from "../learner.ts";
import { meanOf, rewardOptions } from "../metrics.ts";
import type { Reference } from "../reference.ts";
import type { TrainerState } from "../trainer-state.ts";
import { withInjections } from "./memory.ts";
import { rewardTermOf, type TurnScores, weighted } from "./turn-rewards.ts";
import { turnScores } from "./turn-scores.ts";

export interface GradingContext {
  readonly engine: Pick<Engine, "evaluate">;
  /** That of the iteration. */
  readonly config: Config;
  /** 1-based. */
  readonly iteration: number;
  readonly reference?: Reference | undefined;
  readonly state: TrainerState;
}

export interface Grading {
  readonly graded: readonly Graded[];
  /** `reward/term/<name>` and what the buffer gave; empty for LOOP. */
  readonly metrics: Record<string, number>;
}

/** Advances the running baselines and heads in the state. */
export async function gradeIteration(
  { rollouts, solutions = [] }: Pick<Experience, "rollouts" | "solutions">,
  context: GradingContext,
): Promise<Grading> {
  const { config, state, iteration } = context;
  const batch = withInjections(rollouts, state, config);
  const heads = state.heads ?? {};
  const scored = await turnScores(batch, { ...context, solutions, heads });
  if (Object.keys(scored.heads).length > 0) state.heads = scored.heads;
  const term = rewardTermOf(config, scored.scores);
  const graded = withGain(withBranches(credited(batch, term, context), config), config);
  const isStored = (rollout: Rollout) => !rollouts.includes(rollout);
  const marked = config.buffer.inject
    ? graded.map((item) => (isStored(item.rollout) ? { ...item, stored: true as const } : item))
    : graded;
  return {
    graded: marked,
    metrics: {
      ...termMetrics(marked, scored.scores, config, iteration - 1),
      ...(config.buffer.inject && {
        "buffer/injected": marked.filter(({ stored }) => stored).length,
      }),
    },
  };
}

function credited(
  batch: readonly Rollout[],
  term: RewardTerm,
  { config, state, iteration }: GradingContext,
): Graded[] {
  const { unit, episodeWeight, turnWeight, key } = config.credit;
  const turns = unit === "rollout" ? [] : byTurn(batch, term, config, iteration);
  if (unit === "turn") return turns;
  const rolloutKey = key === "task-turn" || key === "task-branch" ? "task" : key;
  const whole = byRollout(batch, term, { config, state, iteration, key: rolloutKey });
  if (unit === "rollout") return whole;
  const episodes = new Map(whole.map(({ rollout, advantage }) => [rollout, advantage]));
  const weights = { episode: episodeWeight, turn: turnWeight };
  return turns.map((item) => {
    const episode = episodes.get(item.rollout) ?? 0;
    return withTurns(item, mixedAdvantages(episode, item.turnAdvantages ?? [], weights));
  });
}

function byRollout(
  batch: readonly Rollout[],
  term: RewardTerm,
  {
    config,
    state,
    iteration,
    key,
  }: Pick<GradingContext, "config" | "state" | "iteration"> & Pick<AdvantageOptions, "key">,
): Graded[] {
  const { baseline, scale } = config.algo;
  const options = { baseline, scale, ...(key && { key }), decay: config.credit.baselineDecay };
  const isOutcome = config.rewards.terms.length === 0;
  const { graded, running } = gradeBatch(batch, options, {
    reward: rewardOptions(config),
    ...(!isOutcome && { returnOf: (rollout) => totalReward(term, rollout, iteration - 1) }),
    ...(state.running && { running: state.running }),
  });
  if (baseline === "running") state.running = running;
  if (isOutcome) return graded;
  return graded.map((item) => ({ ...item, turnRewards: term(item.rollout, iteration - 1) }));
}

function byTurn(
  batch: readonly Rollout[],
  term: RewardTerm,
  { algo, credit }: Config,
  iteration: number,
): Graded[] {
  const returns: ReturnOptions =
    credit.returns === "broadcast"
      ? { type: "broadcast" }
      : { type: "to-go", gamma: credit.discount };
  return gradeTurns(batch, {
    term,
    returns,
    advantage: { baseline: algo.baseline, scale: algo.scale, key: credit.key },
    iteration: iteration - 1,
    ...(credit.restart === "errors" && {
      breaks: ({ turns }) => turns.map(({ status }) => status !== "ok"),
    }),
    ...(credit.key === "task-branch" && { nodes: (all) => nodesByTask(all) }),
  });
}

/** Advantages of turns that several forked rollouts hold. */
function withBranches(graded: readonly Graded[], { credit }: Config): Graded[] {
  if (credit.branches === "own") return [...graded];
  const groups = groupBy([...graded.keys()], (i) => graded[i]!.rollout.task.id);
  const next = [...graded];
  for (const members of groups.values()) {
    const items = members.map((i) => graded[i]!);
    const turns =
      credit.branches === "shared-prefix"
        ? sharedPrefixAdvantages(branchesOf(items)).map(({ advantages }) => advantages)
        : counterfactuals(items);
    members.forEach((i, k) => {
      next[i] = withTurns(graded[i]!, turns[k]!);
    });
  }
  return next;
}

/** At a fork, the return less the mean of those that chose otherwise there; elsewhere the rollout's own advantage. */
function counterfactuals(items: readonly Graded[]): number[][] {
  const nodes = nodesOf(branchesOf(items));
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

function branchesOf(items: readonly Graded[]): Branch[] {
  return treeOf(items.map(({ rollout }) => rollout)).map((place, i) => ({
    ...place,
    advantage: items[i]!.advantage,
  }));
}

/** Where rollouts of one task grew from one another. A parent that is not among them leaves a tree of its own. */
function treeOf(rollouts: readonly Rollout[]): Omit<Branch, "advantage">[] {
  const indices = new Map(rollouts.map(({ id }, i) => [id, i]));
  return rollouts.map(({ turns, branch }) => {
    const parent = branch && indices.get(branch.parent);
    return {
      turns: turns.length,
      ...(branch && parent !== undefined && { parent, fork: branch.turn }),
    };
  });
}

function nodesByTask(rollouts: readonly Rollout[]): string[][] {
  const groups = groupBy([...rollouts.keys()], (i) => rollouts[i]!.task.id);
  const nodes: string[][] = [];
  for (const members of groups.values()) {
    const named = choiceNodesOf(treeOf(members.map((i) => rollouts[i]!)));
    members.forEach((i, k) => {
      nodes[i] = named[k]!;
    });
  }
  return nodes;
}

function withGain(graded: readonly Graded[], { credit }: Config): Graded[] {
  if (!credit.batchGain) return [...graded];
  const groups = groupBy(graded, ({ rollout }) => rollout.task.id);
  const gain = batchGain([...groups.values()].map((group) => group.flatMap(advantagesOf)));
  return graded.map((item) => ({
    ...item,
    advantage: gain * item.advantage,
    ...(item.turnAdvantages && { turnAdvantages: item.turnAdvantages.map((a) => gain * a) }),
  }));
}

function advantagesOf({ advantage, turnAdvantages }: Graded): readonly number[] {
  return turnAdvantages ?? [advantage];
}

/** The largest in size stands for the rollout, so that a filter keeps it when one of its turns teaches. */
function withTurns(item: Graded, turnAdvantages: readonly number[]): Graded {
  const advantage = turnAdvantages.reduce(
    (most, a) => (Math.abs(a) > Math.abs(most) ? a : most),
    0,
  );
  return { ...item, advantage, turnAdvantages };
}

/** Each term by itself, as it is paid: the mean over rollouts. Rewards can be gamed, and the sum hides by which. */
function termMetrics(
  graded: readonly Graded[],
  scores: TurnScores,
  config: Config,
  iteration: number,
): Record<string, number> {
  const rollouts = graded.map(({ rollout }) => rollout);
  const means = config.rewards.terms.map((entry) => {
    const term = weighted(entry, config, scores);
    const mean = meanOf(rollouts.map((rollout) => totalReward(term, rollout, iteration)));
    return [`reward/term/${entry.term}`, mean] as const;
  });
  return Object.fromEntries(means);
}
