/** Makes rollouts, marks, rewards and advantages that have the right sizes and say nothing. */
import {
  type GradedRollout,
  groupBy,
  type RewardTerm,
  type StoredRollout,
} from "../../../src/algo/index.ts";
import type { Rng } from "../../../src/core/index.ts";
import type { Collected, RewardFunction } from "../../../src/methods/index.ts";
import type { Rollout } from "../../../src/spec/index.ts";

type Mark = "judge" | "attempt";

/** Shuffles marks of this kind among all turns that have one. */
export function shuffleMarks(collected: Collected, mark: Mark, rng: Rng): Collected {
  const marks = rng.shuffle(listMarks(collected.rollouts, mark));
  let next = 0;
  return replaceMarks(collected, mark, () => marks[next++]!);
}

/** Gives every turn that has a mark the mean of all marks. */
export function levelMarks(collected: Collected, mark: Mark): Collected {
  const marks = listMarks(collected.rollouts, mark);
  const mean = marks.reduce((sum, value) => sum + value, 0) / Math.max(marks.length, 1);
  return replaceMarks(collected, mark, () => mean);
}

function listMarks(rollouts: readonly Rollout[], mark: Mark): number[] {
  return rollouts.flatMap(({ turns }) => turns.flatMap(({ grades }) => grades?.[mark] ?? []));
}

function replaceMarks(collected: Collected, mark: Mark, make: () => number): Collected {
  const rollouts = collected.rollouts.map((rollout) => ({
    ...rollout,
    turns: rollout.turns.map((turn) =>
      turn.grades?.[mark] === undefined
        ? turn
        : { ...turn, grades: { ...turn.grades, [mark]: make() } },
    ),
  }));
  return { ...collected, rollouts };
}

/** Shuffles the evaluations among the rollouts of each task. */
export function shuffleOutcomes(collected: Collected, rng: Rng): Collected {
  const rollouts = [...collected.rollouts];
  const groups = groupBy([...rollouts.keys()], (i) => rollouts[i]!.task.id);
  for (const [task, members] of groups) {
    const donors = rng.child(task).shuffle(members);
    members.forEach((i, k) => {
      const { evaluation } = collected.rollouts[donors[k]!]!;
      const { evaluation: _, ...rest } = collected.rollouts[i]!;
      rollouts[i] = { ...rest, ...(evaluation && { evaluation }) };
    });
  }
  return { ...collected, rollouts };
}

/** Gives each task the solution of another task. */
export function shuffleSolutions(collected: Collected): Collected {
  const { solutions = [] } = collected;
  const rotated = solutions.map((solution, i) => ({
    ...solutions[(i + 1) % solutions.length]!,
    id: solution.id,
    task: solution.task,
  }));
  return { ...collected, ...(collected.solutions && { solutions: rotated }) };
}

/** Swaps the better and the worse side of pairs at random. */
export function shufflePairs(collected: Collected, rng: Rng): Collected {
  const pairs = collected.pairs?.map((pair) =>
    rng.uniform() < 0.5 ? pair : { ...pair, chosen: pair.rejected, rejected: pair.chosen },
  );
  return { ...collected, ...(pairs && { pairs }) };
}

/**
 * Returns a reward that pays what a term pays, but shuffled among all turns of the batch. When the term pays all turns
 * the same, each rollout is paid what another one earned.
 */
export function shuffleReward(
  term: RewardTerm,
  rollouts: readonly Rollout[],
  iteration: number,
  rng: Rng,
): RewardFunction {
  const paid = rollouts.map((rollout) => term(rollout, iteration));
  if (new Set(paid.flat()).size === 1) return payOthers(term, rollouts, iteration, rng);
  const all = rng.shuffle(paid.flat());
  let next = 0;
  const byId = new Map(rollouts.map(({ id }, i) => [id, paid[i]!.map(() => all[next++]!)]));
  return ({ id, turns }) => byId.get(id) ?? turns.map(() => 0);
}

/** Returns a reward that pays each rollout, at its last turn, what a term pays another rollout of the batch. */
export function payOthers(
  term: RewardTerm,
  rollouts: readonly Rollout[],
  iteration: number,
  rng: Rng,
): RewardFunction {
  const sums = rollouts.map((rollout) => term(rollout, iteration).reduce((sum, r) => sum + r, 0));
  const order = rng.shuffle(sums);
  const byId = new Map(rollouts.map(({ id }, i) => [id, order[i]!]));
  return ({ id }) => byId.get(id) ?? 0;
}

/** Shuffles the advantages among the turns of each rollout. */
export function shuffleTurnAdvantages(graded: readonly GradedRollout[], rng: Rng): GradedRollout[] {
  return graded.map((item, i) =>
    item.turnAdvantages
      ? { ...item, turnAdvantages: rng.child(i).shuffle([...item.turnAdvantages]) }
      : item,
  );
}

/** Shuffles the advantages among the rollouts for which `among` holds. */
export function shuffleAdvantages(
  graded: readonly GradedRollout[],
  rng: Rng,
  among: (item: GradedRollout) => boolean,
): GradedRollout[] {
  const chosen = [...graded.keys()].filter((i) => among(graded[i]!));
  const donors = rng.shuffle(chosen);
  const next = [...graded];
  chosen.forEach((i, k) => {
    next[i] = { ...graded[i]!, advantage: graded[donors[k]!]!.advantage };
  });
  return next;
}

/** Computes normalised advantages again, with the mean and the spread of the returns of another group. */
export function shuffleBaselines(graded: readonly GradedRollout[], rng: Rng): GradedRollout[] {
  const groups = [...groupBy(graded, ({ rollout }) => rollout.task.id).values()]
    .map((group) => ({
      task: group[0]!.rollout.task.id,
      ...measure(group.map(({ reward }) => reward)),
    }))
    .filter(({ spread }) => spread > 0);
  const first = groups.length > 1 ? rng.integer(1, groups.length - 1) : 0;
  const pairs = new Map(
    groups.map((own, i) => [own.task, { own, other: groups[(i + first) % groups.length]! }]),
  );
  return graded.map((item) => {
    const pair = pairs.get(item.rollout.task.id);
    if (pair === undefined) return item;
    const { own, other } = pair;
    return mapAdvantages(item, (a) => (a * own.spread + own.mean - other.mean) / other.spread);
  });
}

function mapAdvantages(item: GradedRollout, change: (advantage: number) => number): GradedRollout {
  const { turnAdvantages } = item;
  return {
    ...item,
    advantage: change(item.advantage),
    ...(turnAdvantages && { turnAdvantages: turnAdvantages.map(change) }),
  };
}

function measure(values: readonly number[]): { readonly mean: number; readonly spread: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, spread: Math.sqrt(variance) };
}

/** Puts a random earlier rollout in the place of every remembered one. */
export function forgetSuccesses(
  buffer: Readonly<Record<string, readonly StoredRollout[]>>,
  earlier: readonly GradedRollout[],
  rng: Rng,
): Record<string, readonly StoredRollout[]> {
  if (earlier.length === 0) return { ...buffer };
  return Object.fromEntries(
    Object.entries(buffer).map(([task, items]) => [
      task,
      items.map((item) => {
        const { rollout } = rng.pick(earlier);
        return { ...item, rollout: { ...rollout, id: item.rollout.id, task: item.rollout.task } };
      }),
    ]),
  );
}

/** Shuffles the values of a table among its keys. */
export function shuffleTable<T>(table: Readonly<Record<string, T>>, rng: Rng): Record<string, T> {
  const keys = Object.keys(table);
  const donors = rng.shuffle(keys);
  return Object.fromEntries(keys.map((key, i) => [key, table[donors[i]!]!]));
}
