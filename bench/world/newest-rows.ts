/**
 * Plays an agent that knows which APIs to call and takes the newest rows. It runs the solution of the most similar
 * training task with this task's values (`bowline eval nearest`), or with `--own` the task's own solution. Lists are
 * asked for without filters where the API allows it, and only the row with the largest id is seen, or the first row
 * where rows have no ids. It measures a world: where this agent passes, a task needs no looking.
 *
 *   npx tsx bench/world/newest-rows.ts ./examples/presents.ts --split dev --tasks 60 --seed 1
 */
import { parseArgs } from "node:util";
import { THIS_CALL } from "../../src/core/index.ts";
import type { Demonstration, Split, TaskInfo } from "../../src/spec/index.ts";
import { createNearestSolutionPolicy } from "../../src/train/evaluate/nearest-solution.ts";
import { resolveWorld } from "../../src/train/index.ts";
import { runSolution } from "../../src/world/check/run-solution.ts";
import type { Solution } from "../../src/world/define.ts";
import {
  demonstrate,
  LiveEpisode,
  loadDefinition,
  WorldInstance,
} from "../../src/world/episode/index.ts";
import { createSandbox, type HostCall, type Sandbox } from "../../src/world/sandbox/index.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: "string", default: "test-normal" },
    tasks: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    training: { type: "string", default: "120" },
    own: { type: "boolean", default: false },
  },
});

/** Leaves only the newest row in every list of rows with ids. Other values stay. */
function keepNewest(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, keepNewest(inner)]),
    );
  if (value.length < 2 || value.some((row) => typeof row !== "object")) return value;
  const ids = value.map((row: { readonly id?: unknown }) =>
    typeof row.id === "number" ? row.id : 0,
  );
  return [value[ids.indexOf(Math.max(...ids))]];
}

/** Leaves out all arguments but ids, which say in which list to look. */
const withoutFilters = (args: unknown) =>
  Object.fromEntries(
    Object.entries(Object(args)).filter(
      ([key, value]) => typeof value === "number" && key !== "page",
    ),
  );

const sandbox = await createSandbox();
const showNewest: Sandbox = {
  ...sandbox,
  open: (options) => {
    const call: HostCall = (app, api, args) => {
      const isKit = app === "me" || app === "docs" || app === "owner";
      if (isKit || !/^(list|find|search)/.test(api)) return options.call(app, api, args);
      const unfiltered = options.call(app, api, withoutFilters(args));
      const reply = unfiltered.ok ? unfiltered : options.call(app, api, args);
      return reply.ok ? { ok: true, value: keepNewest(reply.value) } : reply;
    };
    return sandbox.open({ ...options, call });
  },
};

const seed = Number(values.seed);
const world = new WorldInstance(
  await loadDefinition(resolveWorld(positionals[0] ?? "everyday").url, THIS_CALL),
  seed,
);

const demonstrations: Demonstration[] = [];
for (const { id } of values.own
  ? []
  : world.tasks("train", Math.ceil(Number(values.training) / 3))) {
  const episode = LiveEpisode.open(world, sandbox, id);
  demonstrations.push(await demonstrate(episode, "careful", seed));
  episode.close();
}
const nearest = createNearestSolutionPolicy(demonstrations);

/** Returns the cells that the nearest training task suggests; undefined for the task's own solution. */
async function findProgram(task: TaskInfo): Promise<Solution | undefined> {
  if (values.own || nearest.kind !== "messages") return undefined;
  const cells: string[] = [];
  while (!cells.at(-1)?.includes("finishTask") && cells.length < 50) {
    const said = cells.map((content) => ({ role: "assistant" as const, content }));
    cells.push(await nearest.complete(said, task));
  }
  return function* () {
    yield* cells;
  };
}

const tasks = world.tasks(values.split as Split, Math.ceil(Number(values.tasks) / 3));
const passed: string[] = [];
for (const task of tasks) {
  const target = { world, sandbox: showNewest, taskId: task.id, seed };
  const outcome = await runSolution(target, "careful", await findProgram(task));
  if (outcome.passed) passed.push(task.id);
}
console.log(
  JSON.stringify({
    ...{ world: world.definition.name, split: values.split, seed, tasks: tasks.length },
    ...{ passed: passed.length, share: Number((passed.length / tasks.length).toFixed(4)) },
    which: passed,
  }),
);
