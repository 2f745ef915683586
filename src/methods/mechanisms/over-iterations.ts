/**
 * Counters for mechanisms that change over iterations, that decide which tasks are drawn, or that learn by imitation or
 * from pairs.
 */
import {
  classifyDifficulty,
  groupBy,
  hasVoidTurn,
  isPassed,
  reachedTokenLimit,
  reachedTurnLimit,
  storedRollouts,
  taskSamplingWeight,
} from "../../algo/index.ts";
import type { Rollout } from "../../spec/index.ts";
import {
  allHold,
  countActed,
  differsBeyondRounding,
  type Evidence,
  type FiringCount,
  isFieldOneOf,
  isFieldSet,
  type Mechanism,
  readField,
} from "./mechanism.ts";

const NO_OCCASION: FiringCount = { meant: 0, fired: 0 };

/** Returns the ids of the tasks that were drawn. */
const drawnTaskIds = ({ rollouts }: Evidence) => [...new Set(rollouts.map(({ task }) => task.id))];
const imitatedRollouts = ({ record }: Evidence) => record.imitated ?? [];

/** Counts rollouts with a flaw that a filter looks for, and how many rollouts filters left out. */
function countFilteredRollouts({ graded, metrics }: Evidence): FiringCount {
  const flaws: [string, (rollout: Rollout) => boolean][] = [
    ["filter/void_turns", hasVoidTurn],
    ["filter/over_turn", reachedTurnLimit],
    ["filter/over_long", reachedTokenLimit],
  ];
  const on = flaws.filter(([name]) => metrics[name] !== undefined);
  const flawed = graded.filter(({ rollout }) => on.some(([, hasFlaw]) => hasFlaw(rollout))).length;
  const fired = on.reduce((sum, [name]) => sum + metrics[name]!, 0);
  return { meant: Math.max(flawed, fired), fired };
}

/**
 * Counts groups that failed as a whole and whose task has a remembered success or a solution, and how many of them got
 * it injected.
 */
function countInjectedGroups({ before, metrics, rollouts, config }: Evidence): FiringCount {
  const fired = metrics["buffer/injected"] ?? 0;
  const reward = Number(readField(config, "buffer.inject.reward") ?? 0);
  const failed = [...new Set(rollouts.map(({ task }) => task.id))].filter((id) => {
    const group = rollouts.filter(({ task, evaluation }) => task.id === id && evaluation);
    const knows =
      isFieldSet("buffer.inject.solutions")(config) ||
      (before.buffer?.[id] ?? []).some((stored) => stored.reward >= reward);
    return knows && !group.some(isPassed);
  });
  return { meant: Math.max(failed.length, fired), fired };
}

/** Counts mastered tasks, and how many of them were not drawn. */
function countPrunedTasks({ config, table, ...evidence }: Evidence): FiringCount {
  const above = Number(readField(config, "tasks.prune.above") ?? 1);
  const after = Number(readField(config, "tasks.prune.after") ?? 1);
  const mastered = Object.entries(table).filter(
    ([, { success, groups }]) => groups >= after && success >= above,
  );
  const again = new Set(drawnTaskIds({ config, table, ...evidence }));
  return countActed(mastered, ([id]) => !again.has(id));
}

const readDifficulties = (config: Parameters<typeof readField>[0]) =>
  (readField(config, "world.difficulties") ?? [1, 2, 3]) as readonly number[];

/** Counts drawn tasks when some tasks are excluded by difficulty, and how many of them have an allowed difficulty. */
function countNarrowedTasks(evidence: Evidence): FiringCount {
  const { config, tasks, table } = evidence;
  const classes = (readField(config, "tasks.classes") ?? []) as readonly string[];
  const declared = readDifficulties(config);
  const fitsDifficulty = (task: { readonly id: string; readonly difficulty: number }) =>
    declared.includes(task.difficulty) &&
    (classes.length === 0 || classes.includes(classifyDifficulty(table[task.id])));
  if (tasks.every(fitsDifficulty)) return NO_OCCASION;
  const ids = new Set(drawnTaskIds(evidence));
  return countActed(
    tasks.filter(({ id }) => ids.has(id)),
    fitsDifficulty,
  );
}

/** Counts drawn tasks that nearly always or never succeed, and how many of them have smaller groups. */
function countSmallerGroups(evidence: Evidence): FiringCount {
  const { rollouts, table, config } = evidence;
  const most = Number(readField(config, "algo.groupSize"));
  const decided = drawnTaskIds(evidence).filter((id) => {
    const success = table[id]?.success;
    return success !== undefined && 4 * success * (1 - success) < 0.5;
  });
  return countActed(decided, (id) => rollouts.filter(({ task }) => task.id === id).length < most);
}

/**
 * Counts iterations that drew some known tasks, and how many of them drew tasks with larger sampling weights than known
 * tasks have on average.
 */
function countInformativeDraws(evidence: Evidence): FiringCount {
  const { config, table } = evidence;
  const known = Object.keys(table);
  const again = drawnTaskIds(evidence).filter((id) => table[id] !== undefined);
  if (again.length === 0 || again.length === known.length) return NO_OCCASION;
  const interest = readField(config, "algo.taskSampling") === "variance" ? "variance" : "half";
  const meanSamplingWeight = (ids: readonly string[]) =>
    ids.reduce((sum, id) => sum + taskSamplingWeight(table[id], interest), 0) / ids.length;
  return { meant: 1, fired: Number(meanSamplingWeight(again) > meanSamplingWeight(known)) };
}

/**
 * Counts iterations after the first, and how many of them have another value in the field at `path` than the previous
 * iteration.
 */
function countFieldChange({ previous, config }: Evidence, path: string): FiringCount {
  if (previous === undefined) return NO_OCCASION;
  return { meant: 1, fired: Number(readField(previous, path) !== readField(config, path)) };
}

/**
 * Counts iterations that begin another stage, and how many of them change the configuration. A change of `maxTurns` by
 * its own schedule does not count.
 */
function countStageChange({ previous, config }: Evidence): FiringCount {
  const serialiseConfig = (of: object) => JSON.stringify({ ...of, scaffold: undefined });
  if (previous === undefined || previous === config) return NO_OCCASION;
  const changed = Number(serialiseConfig(previous) !== serialiseConfig(config));
  return { meant: changed, fired: changed };
}

function countSquaredPairs({ record: { pairs = [] } }: Evidence): FiringCount {
  return countActed(pairs, (pair) => pair.squared);
}

/** Counts trees whose rollouts earned different returns, and how many of them have a pair of siblings. */
function countTreesWithPairs({ graded, pairs }: Evidence): FiringCount {
  const trees = groupBy(graded, ({ rollout }) => rollout.task.id);
  const open = [...trees.values()].filter((tree) =>
    tree.some(({ reward }) => differsBeyondRounding(reward, tree[0]!.reward)),
  ).length;
  return { meant: open, fired: Math.min(open, pairs) };
}

export const ITERATION_MECHANISMS = {
  "warm start": {
    isOn: allHold(isFieldSet("warm.demonstrations"), isFieldSet("schedule")),
    unit: "runs",
    count: ({ number, demonstrations }) =>
      number === 1 ? { meant: 1, fired: Number(demonstrations > 0) } : NO_OCCASION,
  },
  "filters of rollouts": {
    isOn: (config) =>
      ["filter.voidTurns", "filter.overTurn", "filter.overLong"].some((path) =>
        isFieldSet(path)(config),
      ),
    unit: "rollouts with a flaw that a filter looks for",
    count: countFilteredRollouts,
  },
  injection: {
    isOn: isFieldSet("buffer.inject"),
    unit: "groups that failed",
    count: countInjectedGroups,
  },
  replay: {
    isOn: isFieldSet("buffer.replay"),
    unit: "iterations with rollouts to replay",
    count: ({ before, metrics }) => {
      const stored = storedRollouts(before.buffer ?? {}).length;
      const fired = Number((metrics["buffer/replayed"] ?? 0) > 0);
      return { meant: Math.max(Number(stored > 0), fired), fired };
    },
  },
  pruning: { isOn: isFieldSet("tasks.prune"), unit: "mastered tasks", count: countPrunedTasks },
  difficulty: {
    isOn: (config) =>
      readDifficulties(config).length < 3 ||
      ((readField(config, "tasks.classes") ?? []) as readonly unknown[]).length % 4 > 0,
    unit: "tasks drawn",
    count: countNarrowedTasks,
  },
  "group size by success": {
    isOn: isFieldSet("tasks.minGroupSize"),
    unit: "groups of tasks that nearly always or never succeed",
    count: countSmallerGroups,
  },
  "tasks that teach": {
    isOn: isFieldOneOf("algo.taskSampling", "near-half", "variance"),
    unit: "iterations after the first",
    count: countInformativeDraws,
  },
  "growing horizon": {
    isOn: isFieldSet("schedule.maxTurns"),
    unit: "iterations after the first",
    count: (evidence) => countFieldChange(evidence, "scaffold.maxTurns"),
  },
  stages: {
    isOn: (config) => readField(config, "schedule.stages") !== undefined,
    unit: "stages after the first",
    count: countStageChange,
  },
  "expert iteration": {
    isOn: isFieldSet("imitation.target"),
    unit: "passed rollouts",
    count: (evidence) => {
      const own = new Set(imitatedRollouts(evidence).map(({ id }) => id));
      return countActed(evidence.rollouts.filter(isPassed), ({ id }) => own.has(id));
    },
  },
  "weights by return": {
    isOn: isFieldSet("imitation.temperature"),
    unit: "rollouts that are imitated",
    count: (evidence) =>
      countActed(imitatedRollouts(evidence), ({ weight }) => differsBeyondRounding(weight, 1)),
  },
  "world model": {
    isOn: isFieldOneOf("imitation.target", "observations"),
    unit: "rollouts that are learned from",
    count: (evidence) => countActed(imitatedRollouts(evidence), ({ observations }) => observations),
  },
  "imitated again": {
    isOn: allHold(isFieldSet("imitation"), isFieldSet("buffer")),
    unit: "remembered rollouts",
    count: (evidence) => {
      const again = new Set(imitatedRollouts(evidence).map(({ id }) => id));
      return countActed(storedRollouts(evidence.before.buffer ?? {}), ({ rollout }) =>
        again.has(rollout.id),
      );
    },
  },
  "surprise band": {
    isOn: isFieldSet("filter.surprise"),
    unit: "minibatches",
    count: ({ record: { bands = [] } }) =>
      countActed(bands, ({ meant, fired }) => fired < meant && fired * 2 > meant),
  },
  "segment of a pair": {
    isOn: isFieldOneOf("preference.turns", "segment"),
    unit: "pairs longer than the segment",
    count: ({ record: { pairs = [] }, config }) => {
      const segment = Number(readField(config, "preference.segmentTurns") ?? 0);
      return countActed(
        pairs.filter(({ turns }) => turns > segment),
        ({ turns, compared }) => compared > 0 && compared < turns,
      );
    },
  },
  "squared pairs": {
    isOn: isFieldOneOf("preference.loss", "squared"),
    unit: "pairs",
    count: countSquaredPairs,
  },
  "tree search": { isOn: isFieldSet("tree"), unit: "trees", count: countTreesWithPairs },
} satisfies Record<string, Mechanism>;
