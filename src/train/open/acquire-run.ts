/**
 * This third step of opening a run does everything that has effects. In this order, it opens the world, locks the
 * directory, restores the newest checkpoint, runs demonstrations and opens the engine. When one step fails, the earlier
 * ones are undone in reverse order. Closing the run does the same.
 */
import {
  allowManyListeners,
  combineSignals,
  errorMessage,
  OpenedResources,
  startStopwatch,
  THIS_CALL,
  trustModule,
} from "../../core/index.ts";
import type { World } from "../../spec/index.ts";
import { readDials } from "../config/config.ts";
import { listNamedModules } from "../config/module-fields.ts";
import { createScaffold } from "../parts/agent.ts";
import { requireCapabilities } from "../parts/engine-needs.ts";
import { createRunEngines } from "../parts/run-engines.ts";
import { findFailingAttempt } from "../run/example-rollouts.ts";
import { createExceptionLog } from "../run/handler-exceptions.ts";
import { createProgress } from "../run/progress.ts";
import { lockRun, type RunLock } from "../run/run-lock.ts";
import { describeOwner } from "../run/run-owner.ts";
import { makeRunFolders, openRun, type RunStore } from "../run/run-store.ts";
import { createTrainerState, restoreState, type TrainerState } from "../run/trainer-state.ts";
import { saveRun, type TrainingRun } from "../run/training-run.ts";
import { digestDrawnTasks } from "../run/world-digest.ts";
import { copyWarmStart } from "../warm/copy-warm-start.ts";
import { prepareImitation } from "../warm/prepare-imitation.ts";
import type { RunPlan } from "./plan-run.ts";
import { requireSuitableWorld } from "./require-world.ts";

/**
 * Opens everything that the plan needs. The run is then ready for its first optimizer step, or continues at its
 * checkpoint.
 */
export async function acquireRun(plan: RunPlan): Promise<TrainingRun> {
  const opened = new OpenedResources();
  try {
    return await openRunParts(plan, opened);
  } catch (error) {
    await opened.close().catch(() => {});
    throw error;
  }
}

async function openRunParts(plan: RunPlan, opened: OpenedResources): Promise<TrainingRun> {
  const { config, method, options, source, participants, extensions, given } = plan;
  const onEvent = options.onEvent ?? (() => {});
  allowManyListeners(options.signal);
  for (const text of plan.notes) onEvent({ type: "note", text });
  const world = await openWorld(plan, opened);
  const { store, lock } = lockDirectory(plan, world, opened);
  trustOwnModules(plan);
  const signal = combineSignals(options.signal, lock.lost);
  const start = findStart(plan, store);
  const { state } = start;
  const watch = startStopwatch(state.seconds);
  const tasks = world.tasks("train", config.world.trainScenarios);
  const isNew = start.from === undefined || start.from === "policy";
  if (isNew) await showFailingAttempt(plan, world);
  const progress = createProgress(onEvent, store, watch);
  const exceptions = createExceptionLog(state, onEvent);
  const imitation = await prepareImitation(
    { config, source, tokenizer: start.tokenizer, scaffold: plan.scaffold, agent: options.agent },
    { world, tasks, state, progress, exceptions, onEvent, signal },
  );
  const { tokenizer, vocabularySize, files, agent, rows } = imitation;
  const engines = createRunEngines(plan.makers, plan, { store, source, vocabularySize });
  const engine = opened.add(await engines.createMain(), (one) => one.close());
  const { spending, takeLearned } = engines;
  const run: TrainingRun = {
    ...{ config, method, onEvent, world, store, lock, state, watch, tasks, tokenizer, agent, rows },
    ...{ engine, exceptions, progress, participants, extensions, spending, takeLearned },
    ...{ files, given },
    createEngine: engines.createAnother,
    resumed: !isNew,
    signal: combineSignals(signal, spending?.signal),
    close: () => opened.close(),
  };
  await loadWeights(run, start, plan.start?.weights);
  return run;
}

async function openWorld(plan: RunPlan, opened: OpenedResources): Promise<World> {
  const { config, options, makers, worldUrl } = plan;
  const { name, seed, workers } = config.world;
  options.onEvent?.({ type: "phase-start", phase: "world", detail: name });
  const dials = readDials(config);
  const asked = { seed, workers, dials, origin: THIS_CALL };
  const world = opened.add(await makers.openWorld(worldUrl, asked), (one) => one.close());
  requireSuitableWorld(world, plan, options.agent !== undefined);
  return world;
}

/** Locks the run directory, so that no other process writes in it, and opens its store. */
function lockDirectory(
  { config, options: { out, onEvent }, given, worldSources }: RunPlan,
  world: World,
  opened: OpenedResources,
): { readonly store: RunStore; readonly lock: RunLock } {
  const record = { ...worldSources, tasks: digestDrawnTasks(world, config) };
  makeRunFolders(out);
  const lock = opened.add(lockRun(out), (one) => one.release());
  if (lock.takenFrom !== undefined) {
    const text = `${out} was locked by ${describeOwner(lock.takenFrom)}, which no longer exists: this run takes the lock and continues`;
    onEvent?.({ type: "note", text });
  }
  return { store: openRun(out, config, { given, world: record }), lock };
}

/**
 * Trusts the modules that this call names and loads, so that whatever reads the run later may load them too. A run is
 * made even where the user's own folder cannot be written.
 */
function trustOwnModules({ config, options, worldUrl }: RunPlan): void {
  const passed = [
    ...(worldUrl === "" ? ["world.name"] : []),
    ...(options.engine ? ["engine.name"] : []),
    ...(options.scaffold ? ["scaffold.name"] : []),
  ];
  try {
    for (const { field, path } of listNamedModules(config)) {
      if (!passed.includes(field)) trustModule(path);
    }
  } catch (error) {
    const text = `the modules of ${options.out} could not be recorded as trusted, so a later eval will refuse them (bowline trust ${options.out} allows them): ${errorMessage(error)}`;
    options.onEvent?.({ type: "note", text });
  }
}

/** The state and weights that a run starts from. */
interface Start {
  readonly state: TrainerState;
  readonly tokenizer?: string | undefined;
  /** A checkpoint of this run, or the policy of `warm.policy`; undefined for a run that starts from its source. */
  readonly from?: "latest" | "warm" | "policy";
}

/**
 * Returns where the run starts: at its newest checkpoint, otherwise after another run's warm start, otherwise from a
 * policy, otherwise from nothing.
 */
function findStart(plan: RunPlan, store: RunStore): Start {
  const { warmFrom } = plan.options;
  const resumed = restoreState(store);
  if (resumed !== undefined) return { ...resumed, from: "latest" };
  if (warmFrom !== undefined) return { ...copyWarmStart(store, plan, warmFrom), from: "warm" };
  const state = createTrainerState();
  return plan.start ? { state, tokenizer: plan.start.tokenizer, from: "policy" } : { state };
}

/** Reports a hasty attempt that fails, as an example. So a person sees a task before training starts. */
async function showFailingAttempt(
  { config, options, scaffold }: RunPlan,
  world: World,
): Promise<void> {
  if (!world.hasSolutions || options.agent !== undefined) return;
  const rollout = await findFailingAttempt(world, createScaffold(config, undefined, scaffold));
  if (rollout !== undefined) options.onEvent?.({ type: "example", when: "start", rollout });
}

/** Loads the weights that the run starts from. If a limit on time or cost has changed, the new one is saved. */
async function loadWeights(
  run: TrainingRun,
  { from }: Start,
  policyWeights: string | undefined,
): Promise<void> {
  const { config, engine, state, store } = run;
  requireCapabilities(run, engine.info);
  const ceiling = config.budget?.ceiling ?? null;
  const hasSameCeilings = state.minutes === config.run.minutes && state.ceiling === ceiling;
  state.minutes = config.run.minutes;
  state.ceiling = ceiling;
  if (from === undefined) return;
  if (from === "policy") {
    if (policyWeights !== undefined) await engine.load(policyWeights, config.optimizer);
    return;
  }
  const path = store.path("checkpoints", from, "engine");
  await engine.load(path, ...(from === "warm" ? [config.optimizer] : []));
  if (from === "warm" || !hasSameCeilings) await saveRun(run);
}
