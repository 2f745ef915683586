/** Counters of what changes from iteration to iteration, of what is drawn, and of learning by imitation and by pairs. */
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
  both,
  type Count,
  counted,
  differs,
  type Evidence,
  fieldOf,
  isOneOf,
  isSet,
  type Mechanism,
} from "./mechanism.ts";

const NOTHING: Count = { meant: 0, fired: 0 };

/** Ids of the tasks that were drawn. */
const drawn = ({ rollouts }: Evidence) => [...new Set(rollouts.map(({ task }) => task.id))];
const imitated = ({ seen }: Evidence) => seen.imitated ?? [];

/** Rollouts with a flaw, and how many of them filters left out. */
function filtered({ graded, metrics }: Evidence): Count {
  const flaws: [string, (rollout: Rollout) => boolean][] = [
    ["filter/void_turns", hasVoidTurn],
    ["filter/over_turn", reachedTurnLimit],
    ["filter/over_long", reachedTokenLimit],
  ];
  const on = flaws.filter(([name]) => metrics[name] !== undefined);
  const flawed = graded.filter(({ rollout }) => on.some(([, has]) => has(rollout))).length;
  const fired = on.reduce((sum, [name]) => sum + metrics[name]!, 0);
  return { meant: Math.max(flawed, fired), fired };
}

/** Groups that failed as a whole, of tasks with a remembered success or a solution. */
function injected({ before, metrics, rollouts, config }: Evidence): Count {
  const fired = metrics["buffer/injected"] ?? 0;
  const reward = Number(fieldOf(config, "buffer.inject.reward") ?? 0);
  const failed = [...new Set(rollouts.map(({ task }) => task.id))].filter((id) => {
    const group = rollouts.filter(({ task, evaluation }) => task.id === id && evaluation);
    const knows =
      isSet("buffer.inject.solutions")(config) ||
      (before.buffer?.[id] ?? []).some((stored) => stored.reward >= reward);
    return knows && !group.some(isPassed);
  });
  return { meant: Math.max(failed.length, fired), fired };
}

/** Tasks that are mastered by now, of those that were drawn before. */
function pruned({ config, table, ...evidence }: Evidence): Count {
  const above = Number(fieldOf(config, "tasks.prune.above") ?? 1);
  const after = Number(fieldOf(config, "tasks.prune.after") ?? 1);
  const mastered = Object.entries(table).filter(
    ([, { success, groups }]) => groups >= after && success >= above,
  );
  const again = new Set(drawn({ config, table, ...evidence }));
  return counted(mastered, ([id]) => !again.has(id));
}

const difficultiesOf = (config: Parameters<typeof fieldOf>[0]) =>
  (fieldOf(config, "world.difficulties") ?? [1, 2, 3]) as readonly number[];

/** Tasks drawn, where others were ruled out by how hard they are. */
function narrowed(evidence: Evidence): Count {
  const { config, tasks, table } = evidence;
  const classes = (fieldOf(config, "tasks.classes") ?? []) as readonly string[];
  const declared = difficultiesOf(config);
  const fits = (task: { readonly id: string; readonly difficulty: number }) =>
    declared.includes(task.difficulty) &&
    (classes.length === 0 || classes.includes(classifyDifficulty(table[task.id])));
  if (tasks.every(fits)) return NOTHING;
  const ids = new Set(drawn(evidence));
  return counted(
    tasks.filter(({ id }) => ids.has(id)),
    fits,
  );
}

/** Tasks that nearly always or never succeed, and whether their groups are smaller. */
function smaller(evidence: Evidence): Count {
  const { rollouts, table, config } = evidence;
  const most = Number(fieldOf(config, "algo.groupSize"));
  const decided = drawn(evidence).filter((id) => {
    const success = table[id]?.success;
    return success !== undefined && 4 * success * (1 - success) < 0.5;
  });
  return counted(decided, (id) => rollouts.filter(({ task }) => task.id === id).length < most);
}

/** Iterations in which the known tasks that come again are worth more than all that are known. */
function teaching(evidence: Evidence): Count {
  const { config, table } = evidence;
  const known = Object.keys(table);
  const again = drawn(evidence).filter((id) => table[id] !== undefined);
  if (again.length === 0 || again.length === known.length) return NOTHING;
  const interest = fieldOf(config, "algo.taskSampling") === "variance" ? "variance" : "half";
  const worth = (ids: readonly string[]) =>
    ids.reduce((sum, id) => sum + taskSamplingWeight(table[id], interest), 0) / ids.length;
  return { meant: 1, fired: Number(worth(again) > worth(known)) };
}

/** Iterations after the first, and whether the value of a field has moved since the one before. */
function movedSince({ previous, config }: Evidence, path: string): Count {
  if (previous === undefined) return NOTHING;
  return { meant: 1, fired: Number(fieldOf(previous, path) !== fieldOf(config, path)) };
}

/** Where another configuration comes into force; a horizon that grows by itself is none. */
function staged({ previous, config }: Evidence): Count {
  const text = (of: object) => JSON.stringify({ ...of, scaffold: undefined });
  if (previous === undefined || previous === config) return NOTHING;
  const changed = Number(text(previous) !== text(config));
  return { meant: changed, fired: changed };
}

function squared({ seen: { pairs = [] } }: Evidence): Count {
  return counted(pairs, (pair) => pair.squared);
}

/** Trees whose rollouts earned different things, and have siblings that do. */
function grown({ graded, pairs }: Evidence): Count {
  const trees = groupBy(graded, ({ rollout }) => rollout.task.id);
  const open = [...trees.values()].filter((tree) =>
    tree.some(({ reward }) => differs(reward, tree[0]!.reward)),
  ).length;
  return { meant: open, fired: Math.min(open, pairs) };
}

export const ITERATION_MECHANISMS = {
  "warm start": {
    on: both(isSet("warm.demonstrations"), isSet("schedule")),
    unit: "runs",
    count: ({ number, demonstrations }) =>
      number === 1 ? { meant: 1, fired: Number(demonstrations > 0) } : NOTHING,
  },
  "filters of rollouts": {
    on: (config) =>
      ["filter.voidTurns", "filter.overTurn", "filter.overLong"].some((path) =>
        isSet(path)(config),
      ),
    unit: "rollouts with the flaw",
    count: filtered,
  },
  injection: { on: isSet("buffer.inject"), unit: "groups that failed", count: injected },
  replay: {
    on: isSet("buffer.replay"),
    unit: "iterations with something to replay",
    count: ({ before, metrics }) => {
      const stored = storedRollouts(before.buffer ?? {}).length;
      const fired = Number((metrics["buffer/replayed"] ?? 0) > 0);
      return { meant: Math.max(Number(stored > 0), fired), fired };
    },
  },
  pruning: { on: isSet("tasks.prune"), unit: "mastered tasks", count: pruned },
  difficulty: {
    on: (config) =>
      difficultiesOf(config).length < 3 ||
      ((fieldOf(config, "tasks.classes") ?? []) as readonly unknown[]).length % 4 > 0,
    unit: "tasks drawn",
    count: narrowed,
  },
  "group size by success": {
    on: isSet("tasks.minGroupSize"),
    unit: "groups of decided tasks",
    count: smaller,
  },
  "tasks that teach": {
    on: isOneOf("algo.taskSampling", "near-half", "variance"),
    unit: "iterations after the first",
    count: teaching,
  },
  "growing horizon": {
    on: isSet("schedule.maxTurns"),
    unit: "iterations after the first",
    count: (evidence) => movedSince(evidence, "scaffold.maxTurns"),
  },
  stages: {
    on: (config) => fieldOf(config, "schedule.stages") !== undefined,
    unit: "stages after the first",
    count: staged,
  },
  "expert iteration": {
    on: isSet("imitation.target"),
    unit: "passed rollouts",
    count: (evidence) => {
      const own = new Set(imitated(evidence).map(({ id }) => id));
      return counted(evidence.rollouts.filter(isPassed), ({ id }) => own.has(id));
    },
  },
  "weights by return": {
    on: isSet("imitation.temperature"),
    unit: "rollouts that are imitated",
    count: (evidence) => counted(imitated(evidence), ({ weight }) => differs(weight, 1)),
  },
  "world model": {
    on: isOneOf("imitation.target", "observations"),
    unit: "rollouts that are learned from",
    count: (evidence) => counted(imitated(evidence), ({ observations }) => observations),
  },
  "imitated again": {
    on: both(isSet("imitation"), isSet("buffer")),
    unit: "remembered rollouts",
    count: (evidence) => {
      const again = new Set(imitated(evidence).map(({ id }) => id));
      return counted(storedRollouts(evidence.before.buffer ?? {}), ({ rollout }) =>
        again.has(rollout.id),
      );
    },
  },
  "surprise band": {
    on: isSet("filter.surprise"),
    unit: "minibatches",
    count: ({ seen: { bands = [] } }) =>
      counted(bands, ({ meant, fired }) => fired < meant && fired * 2 > meant),
  },
  "segment of a pair": {
    on: isOneOf("preference.turns", "segment"),
    unit: "pairs longer than the segment",
    count: ({ seen: { pairs = [] }, config }) => {
      const segment = Number(fieldOf(config, "preference.segmentTurns") ?? 0);
      return counted(
        pairs.filter(({ turns }) => turns > segment),
        ({ turns, compared }) => compared > 0 && compared < turns,
      );
    },
  },
  "squared pairs": { on: isOneOf("preference.loss", "squared"), unit: "pairs", count: squared },
  "tree search": { on: isSet("tree"), unit: "trees", count: grown },
} satisfies Record<string, Mechanism>;
