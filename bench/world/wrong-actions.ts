/**
 * Samples wrong actions in the tasks of a world, and prints what they earn beside an agent that does nothing but finish.
 *
 *   npx tsx bench/world/wrong-actions.ts ./examples/presents.ts --split train --tasks 60 --samples 10000 --seed 1
 *
 * A wrong action is one to three writing calls of the solutions of other scenarios, whose values differ, or a writing
 * call of the task's own solution with another value in an argument, alone. A writing call of the task's own solution as
 * it is, such as `shop.emptyCart({})`, is a right step and is left out. Logins of the task's own solution come first.
 * What passes is not counted. What earns more `progress` than abstaining is printed.
 */
import { parseArgs } from "node:util";
import { rewardOfEvaluation } from "../../src/algo/index.ts";
import { Rng, THIS_CALL } from "../../src/core/index.ts";
import type { Evaluation, Split } from "../../src/spec/index.ts";
import { resolveWorld } from "../../src/train/index.ts";
import { isFinishCall } from "../../src/world/check/call-kinds.ts";
import { otherValues } from "../../src/world/check/other-values.ts";
import { type Call, Replayer } from "../../src/world/check/replay.ts";
import { runSolution } from "../../src/world/check/run-solution.ts";
import { loadDefinition, WorldInstance } from "../../src/world/episode/index.ts";
import { createSandbox } from "../../src/world/sandbox/index.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: "string", default: "train" },
    tasks: { type: "string", default: "60" },
    samples: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
  },
});
const seed = Number(values.seed);
const world = new WorldInstance(
  await loadDefinition(resolveWorld(positionals[0] ?? "toy").url, THIS_CALL),
  seed,
);
const sandbox = await createSandbox();
const FINISH: Call = { app: "me", api: "finishTask", args: {} };

interface Prepared {
  readonly replayer: Replayer;
  readonly logins: readonly Call[];
  readonly writes: readonly Call[];
  /** Finishes all sessions of the task. */
  readonly ends: readonly Call[];
}

async function prepareTask(taskId: string): Promise<Prepared> {
  const { calls } = await runSolution({ world, sandbox, taskId, seed }, "careful");
  const replayer = new Replayer(world, world.prepareTask(taskId));
  const { results } = replayer.run(calls);
  return {
    replayer,
    logins: calls.filter((call) => replayer.isLoginCall(call)),
    writes: calls.filter((_, i) => replayer.changesContent(results[i]!)),
    ends: calls.filter(isFinishCall).map(() => FINISH),
  };
}

/** Returns the call with another value in one argument: another thing of the same kind, or another number or text. */
function changeArgument(call: Call, { replayer }: Prepared, rng: Rng): Call {
  const fields = Object.keys(call.args);
  if (fields.length === 0) return call;
  const field = rng.pick(fields);
  const value = call.args[field];
  const others = otherValues(replayer.catalog, replayer.start.state, [], value);
  const changed = typeof value === "number" ? value + rng.integer(1, 9) : `${value} and more`;
  return {
    ...call,
    args: { ...call.args, [field]: others.length > 0 ? rng.pick(others) : changed },
  };
}

const rewards = (evaluation: Evaluation) => ({
  progress: rewardOfEvaluation(evaluation, { reward: "progress", unfinished: "fail" }),
  fraction: rewardOfEvaluation(evaluation, { reward: "fraction", unfinished: "fail" }),
});
type Rewards = ReturnType<typeof rewards>;

const tasks = world.tasks(values.split as Split, Math.ceil(Number(values.tasks) / 3));
const prepared: Prepared[] = [];
for (const { id } of tasks) prepared.push(await prepareTask(id));
const idle = prepared.map(({ replayer, ends }) => rewards(replayer.run(ends).evaluation));
const rng = new Rng(seed).child("wrong actions");
const wrong: Rewards[] = [];
const moreThanIdle = { progress: 0, fraction: 0 };
for (
  let sample = 0;
  wrong.length < Number(values.samples) && sample < 3 * Number(values.samples);
  sample++
) {
  const i = sample % prepared.length;
  const task = prepared[i]!;
  const own = new Set(task.writes.map((call) => JSON.stringify(call)));
  const others = prepared
    .filter((_, j) => tasks[j]!.scenario !== tasks[i]!.scenario)
    .flatMap(({ writes }) => writes)
    .filter((call) => !own.has(JSON.stringify(call)));
  const isOwn = task.writes.length > 0 && rng.chance(0.5);
  if (!isOwn && others.length === 0) continue;
  const actions = isOwn
    ? [changeArgument(rng.pick(task.writes), task, rng)]
    : rng.sample(others, rng.integer(1, 3));
  if (actions.some((call) => own.has(JSON.stringify(call)))) continue;
  const { evaluation } = task.replayer.run([...task.logins, ...actions, ...task.ends]);
  if (evaluation.passed) continue;
  const earned = rewards(evaluation);
  wrong.push(earned);
  for (const name of ["progress", "fraction"] as const)
    if (earned[name] > idle[i]![name]) moreThanIdle[name] += 1;
  if (earned.progress > idle[i]!.progress)
    console.log(JSON.stringify({ task: tasks[i]!.id, progress: earned.progress, actions }));
}

const describe = (list: readonly Rewards[], name: keyof Rewards) => {
  const numbers = list.map((earned) => earned[name]);
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return { mean: Number(mean.toFixed(4)), max: Math.max(...numbers) };
};
for (const name of ["progress", "fraction"] as const)
  console.log(
    JSON.stringify({
      ...{ world: world.definition.name, split: values.split, seed, reward: name },
      ...{ tasks: tasks.length, idle: describe(idle, name), samples: wrong.length },
      ...{ wrong: describe(wrong, name), earnMoreThanIdle: moreThanIdle[name] },
    }),
  );
