/**
 * From a configuration to a run that can be trained: refusals first, then the world, the directory, what a checkpoint
 * remembers, demonstrations, the tokenizer and the engine. Nothing is written before everything that can be refused is.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { anySignal, BowlineError } from "../core/index.ts";
import type { Summary, World } from "../spec/index.ts";
import { trainTokenizer } from "../text/index.ts";
import { agentOf, scaffoldOf } from "./agent.ts";
import type { Config } from "./config.ts";
import { collectDemonstrations, imitationRows, textsOf } from "./demonstrations.ts";
import { requireEngine, requireServed } from "./engine-needs.ts";
import { failingAttempt } from "./examples.ts";
import { requireSuitedWorld } from "./mechanisms/suited.ts";
import {
  ignoredNote,
  type ModelSource,
  modelSourceOf,
  talksCompactly,
  textOf,
  tokenizerOf,
} from "./model-source.ts";
import { enginesOf } from "./open-engine.ts";
import type { Parts } from "./parts.ts";
import { progressOf } from "./progress.ts";
import { requireServer } from "./remote-engine.ts";
import { resolveWorld } from "./resolve-world.ts";
import { openRun } from "./run-store.ts";
import { type Company, companyOf } from "./shapes/index.ts";
import { startStopwatch } from "./stopwatch.ts";
import { freshState, lastCeilings, restoreState } from "./trainer-state.ts";
import { type Opened, Training, type TrainOptions } from "./training.ts";
import { adoptWarmStart } from "./warm-cache.ts";

/** Opens or continues a run; a finished one gives its summary at once. */
export async function openTraining(
  parts: Parts,
  config: Config,
  options: TrainOptions,
): Promise<Training | { readonly summary: Summary }> {
  const { url } = resolveWorld(config.world.name);
  if (existsSync(join(options.out, "run.json"))) {
    const summary = openRun(options.out, config).readSummary();
    if (summary !== undefined && !mayGoOn(summary, config, options.out)) return { summary };
  }
  requireServer(config);
  refuseWithoutModel(config);
  refuseWithoutWarmStart(config);
  await parts.checkEngine?.(config.engine);
  await requireEngine(parts, config);
  const company = await companyOf(config);
  const source = await modelSourceOf(config);
  const onEvent = options.onEvent ?? (() => {});
  const ignored = ignoredNote(source);
  if (ignored !== undefined) onEvent({ type: "note", text: ignored });
  if (talksCompactly(source, config)) onEvent({ type: "note", text: COMPACT_NOTE });
  onEvent({ type: "phase-start", phase: "world", detail: config.world.name });
  const { seed, workers, dials } = config.world;
  const world = await parts.openWorld(url, { seed, workers, dials });
  try {
    refuseUnsuitable(world, config);
    requireSuitedWorld(world, config);
    const store = openRun(options.out, config);
    return await prepare(parts, config, { ...options, onEvent, world, store, source, company });
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** A run that a ceiling ended goes on when that ceiling was raised. */
function mayGoOn({ stoppedEarly }: Summary, { run, budget }: Config, directory: string): boolean {
  if (stoppedEarly === undefined) return false;
  const { minutes, ceiling } = lastCeilings(directory);
  const raised = (now: number | null, last: number | null) =>
    (now ?? Infinity) > (last ?? Infinity);
  return raised(run.minutes, minutes) || raised(budget.ceiling, ceiling);
}

const COMPACT_NOTE =
  "the model has a chat template, but scaffold.name is compact, which it was not made for; an instruction-tuned model wants --scaffold.name react";

/** Recipes for published models cannot know where one lies. */
function refuseWithoutModel({ scaffold, engine, recipe }: Config): void {
  if (scaffold.name === "compact" || engine.model !== null) return;
  throw new BowlineError(
    "config",
    `recipe ${recipe} has scaffold.name react, which speaks in a model's own chat template: give --engine.model the folder with the model's tokenizer.json and chat template; with random weights use --scaffold.name compact`,
  );
}

/** A policy of random weights never earns a reward, so there is nothing that LOOP could reinforce. */
function refuseWithoutWarmStart({ warm, recipe, engine }: Config): void {
  if (warm.demonstrations > 0 || engine.model !== null) return;
  throw new BowlineError(
    "config",
    `recipe ${recipe} has no warm start (warm.demonstrations is 0), and the onnx engine starts from random weights, which never earn a reward; ` +
      "use the recipe `starter`, set warm.demonstrations (4000 is a start), or start from a trained model (engine.model)",
  );
}

function refuseUnsuitable(world: World, config: Config): void {
  const { algo, warm } = config;
  const { name, trainScenarios } = config.world;
  if (!world.hasSolutions && warm.demonstrations > 0) {
    throw new BowlineError(
      "config",
      `the tasks of ${name} bring no solutions, so there is nothing to warm up a policy of random weights with; ` +
        "give each task a `solution`, or train on a world that has them (everyday/starter, toy)",
    );
  }
  const tasks = world.tasks("train", trainScenarios).length;
  if (tasks >= algo.tasksPerIteration || algo.iterations === 0) return;
  throw new BowlineError(
    "config",
    `${name} has ${tasks} training tasks in ${trainScenarios} scenarios, but algo.tasksPerIteration is ${algo.tasksPerIteration}; ` +
      "raise world.trainScenarios or lower algo.tasksPerIteration",
  );
}

/** Everything up to the first optimizer step, or up to where a checkpoint left off. */
async function prepare(
  parts: Parts,
  config: Config,
  {
    source,
    company,
    ...opened
  }: Opened & { readonly source: ModelSource; readonly company: Company },
): Promise<Training> {
  const { world, store, onEvent, signal } = opened;
  const published = textOf(source);
  const resumed = restoreState(store);
  const { warmFrom } = opened;
  const adopted =
    resumed === undefined && warmFrom !== undefined
      ? adoptWarmStart(store, config, warmFrom)
      : undefined;
  const restored = resumed ?? adopted;
  const state = restored?.state ?? freshState();
  const watch = startStopwatch(state.seconds);
  const tasks = world.tasks("train", config.world.trainScenarios);
  const scaffold = scaffoldOf(config);
  if (restored === undefined && world.hasSolutions) {
    const rollout = await failingAttempt(world, scaffold);
    if (rollout !== undefined) onEvent({ type: "example", when: "start", rollout });
  }
  const progress = progressOf(onEvent, store, watch);
  const demonstrations = state.warmDone
    ? []
    : await progress.demonstrations(config.warm.demonstrations, (onDone) =>
        collectDemonstrations(world, tasks, config, { onDone, signal }),
      );
  const tokenizer =
    restored?.tokenizer ??
    published?.tokenizerJson ??
    progress.tokenizer(() => trainTokenizer(textsOf(demonstrations, scaffold), config.tokenizer));
  const runner = tokenizerOf(source, tokenizer, config);
  const agent = agentOf(config, runner, published);
  const rows = state.warmDone ? [] : imitationRows(demonstrations, agent);
  if (!state.warmDone) state.demonstrations = rows.length;
  if (rows.length < demonstrations.length) {
    const text = `${demonstrations.length - rows.length} of ${demonstrations.length} demonstrations are longer than the scaffold's limits and are left out`;
    onEvent({ type: "note", text });
  }
  const engines = enginesOf(parts, config, {
    store,
    source,
    vocabularySize: runner.vocabularySize,
  });
  const { spending, takeLearned } = engines;
  const engine = await engines.main();
  const sameCeilings =
    state.minutes === config.run.minutes && (state.ceiling ?? null) === config.budget.ceiling;
  state.minutes = config.run.minutes;
  state.ceiling = config.budget.ceiling;
  const work = { config, state, watch, tasks, tokenizer, agent, rows, engine, progress };
  const counting = { spending, takeLearned, resumed: restored !== undefined };
  const files = published?.files;
  const stopping = anySignal(signal, spending?.signal);
  const training = new Training({
    ...opened,
    ...work,
    ...counting,
    ...(stopping && { signal: stopping }),
    company,
    files,
    createEngine: engines.another,
  });
  try {
    requireServed(config, engine.info);
    const newest = adopted ? "warm" : "latest";
    if (restored !== undefined) await engine.load(store.path("checkpoints", newest, "engine"));
    if (restored !== undefined && (adopted || !sameCeilings)) await training.save();
  } catch (error) {
    await engine.close();
    throw error;
  }
  return training;
}
