/**
 * This third step of opening a run does everything that has effects. In this order, it opens the world, locks the
 * directory, restores the newest checkpoint, runs demonstrations, fits the limits to them, writes `run.json` and opens
 * the engine. When one step fails, the earlier ones are undone in reverse order. Closing the run does the same.
 */
import { existsSync } from "node:fs";
import {
  allowManyListeners,
  combineSignals,
  errorMessage,
  OpenedResources,
  startStopwatch,
  THIS_CALL,
  trustModule,
  trustServer,
} from "../../core/index.ts";
import type { FrozenBase, World } from "../../spec/index.ts";
import { readDials } from "../config/config.ts";
import { listNamedModules, listNamedServers } from "../config/module-fields.ts";
import { describeMissingScores } from "../evaluate/evaluations-of-run.ts";
import { fitBatch } from "../fitting/fit-batch.ts";
import type { FittedValue, Fitting } from "../fitting/fit-limits.ts";
import { createScaffold } from "../parts/agent.ts";
import { requireCapabilities } from "../parts/engine-needs.ts";
import { createRunEngines } from "../parts/run-engines.ts";
import { findFailingAttempt } from "../run/example-rollouts.ts";
import { createExceptionLog } from "../run/handler-exceptions.ts";
import { createProgress } from "../run/progress.ts";
import { openProgressFile } from "../run/progress-file.ts";
import { lockRun, type RunLock } from "../run/run-lock.ts";
import { describeOwner } from "../run/run-owner.ts";
import type { WorldRecord } from "../run/run-record.ts";
import {
  hasRunRecord,
  makeRunFolders,
  openRunStore,
  type RunStore,
  removeUnbegunRun,
  writeRunRecord,
} from "../run/run-store.ts";
import { createTrainerState, restoreState, type TrainerState } from "../run/trainer-state.ts";
import { saveRun, type TrainingRun } from "../run/training-run.ts";
import { digestDrawnTasks } from "../run/world-digest.ts";
import { copyWarmStart } from "../warm/copy-warm-start.ts";
import { prepareImitation } from "../warm/prepare-imitation.ts";
import { fitOwnAgent } from "./fit-own-agent.ts";
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

async function openRunParts(asked: RunPlan, opened: OpenedResources): Promise<TrainingRun> {
  const { options, source } = asked;
  const onEvent = options.onEvent ?? (() => {});
  allowManyListeners(options.signal);
  for (const text of asked.notes) onEvent({ type: "note", text });
  const { world, plan: suited, batch } = await openWorld(asked, opened);
  const { store, lock, record } = lockDirectory(suited, world, opened);
  trustOwnModules(suited);
  const signal = combineSignals(options.signal, lock.lost);
  const start = findStart(suited, store);
  const { state } = start;
  const watch = startStopwatch(state.seconds);
  const tasks = world.tasks("train", suited.config.world.trainScenarios);
  const isNew = start.from === undefined || start.from === "policy";
  if (isNew) await showFailingAttempt(suited, world);
  const file = opened.add(openProgressFile(store.directory, watch), (one) => one.remove());
  const progress = createProgress(onEvent, store, watch, file.report);
  const exceptions = createExceptionLog(state, onEvent);
  const { scaffold, mayChangeLimits, serverContext } = suited;
  const prepared = await prepareImitation(
    {
      ...{ config: suited.config, source, tokenizer: start.tokenizer, scaffold, mayChangeLimits },
      ...{ agent: options.agent, serverContext },
    },
    { world, tasks, state, progress, exceptions, onEvent, signal },
  );
  const { tokenizer, vocabularySize, files, rows } = prepared;
  const parts = { store, source, vocabularySize };
  const imitation = await fitOwnAgent(suited, prepared, {
    ...{ world, tasks, signal },
    createEngine: (one) =>
      createRunEngines(suited.makers, { ...suited, config: one }, parts).createAnother(),
  });
  const { config, agent } = imitation;
  const plan = { ...suited, config };
  const fitting = joinFittings(imitation.fitting, batch);
  beginRun(plan, record, fitting);
  const engines = createRunEngines(plan.makers, plan, parts);
  const engine = opened.add(await engines.createMain(), (one) => one.close());
  const { spending, takeLearned } = engines;
  const { method, participants, extensions, given } = plan;
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
  const { base } = engine.info;
  if (base) onEvent({ type: "note", text: describeFrozenBase(base) });
  return run;
}

/** Opens the world, and returns it with a plan whose batch is not larger than the world's training tasks. */
export async function openWorld(
  plan: RunPlan,
  opened: OpenedResources,
): Promise<{
  readonly world: World;
  readonly plan: RunPlan;
  readonly batch: readonly FittedValue[];
}> {
  const { options, makers, worldUrl } = plan;
  const { name, seed, workers } = plan.config.world;
  options.onEvent?.({ type: "phase-start", phase: "world", detail: name });
  const dials = readDials(plan.config);
  const asked = { seed, workers, dials, origin: THIS_CALL };
  const world = opened.add(await makers.openWorld(worldUrl, asked), (one) => one.close());
  const { config, values } = plan.mayChangeLimits
    ? fitBatch(plan.config, world)
    : { config: plan.config, values: [] };
  const suited = { ...plan, config };
  requireSuitableWorld(world, suited, options.agent !== undefined);
  const text = describeMissingScores(world, config);
  if (text !== undefined) options.onEvent?.({ type: "note", text });
  return { world, plan: suited, batch: values };
}

/**
 * Locks the run directory, so that no other process writes in it, and opens its store. `run.json` of a new run is not
 * written yet, because its limits are not known. If the run fails before, nothing is left in the directory.
 */
function lockDirectory(
  { config, options: { out, onEvent }, given, worldSources }: RunPlan,
  world: World,
  opened: OpenedResources,
): { readonly store: RunStore; readonly lock: RunLock; readonly record: WorldRecord } {
  const { version } = world;
  const record = {
    ...worldSources,
    ...(version !== undefined && { version }),
    tasks: digestDrawnTasks(world, config),
  };
  const isOwn = !existsSync(out);
  opened.add(out, () => removeUnbegunRun(out, isOwn));
  makeRunFolders(out);
  const lock = opened.add(lockRun(out), (one) => one.release());
  if (lock.takenFrom !== undefined) {
    const text = `${out} was locked by ${describeOwner(lock.takenFrom)}, which no longer exists: this run takes the lock and continues`;
    onEvent?.({ type: "note", text });
  }
  return { store: openRunStore(out, config, { given, world: record }), lock, record };
}

/** Adds the fitted batch to what was fitted to demonstrations. Returns undefined when nothing was fitted. */
export function joinFittings(
  fitting: Fitting | undefined,
  batch: readonly FittedValue[],
): Fitting | undefined {
  if (batch.length === 0) return fitting;
  const nothing = { measured: 0, fitsBefore: 1, fitsAfter: 1, values: [] };
  const { values, ...rest } = fitting ?? nothing;
  return { ...rest, values: [...values, ...batch] };
}

/** Writes `run.json` of a new run, and reports the limits when some were changed or something does not fit. */
function beginRun(
  { config, options: { out, onEvent }, given }: RunPlan,
  world: WorldRecord,
  fitting: Fitting | undefined,
): void {
  if (!hasRunRecord(out)) writeRunRecord(out, config, { given, world, fitting });
  if (fitting === undefined) return;
  const isChanged = fitting.values.some(({ before, after }) => before !== after);
  if (isChanged || fitting.fitsAfter < 1) onEvent?.({ type: "fitting", fitting });
}

/**
 * Trusts the modules and the server that this call names and uses, so that whatever reads the run later may load them too. A run is
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
    for (const { field, url } of listNamedServers(config)) {
      if (field !== "engine.url" || !options.engine) trustServer(url);
    }
  } catch (error) {
    const text = `the modules of ${options.out} could not be recorded as trusted, so a later eval will refuse them (bowline trust ${options.out} allows them): ${errorMessage(error)}`;
    options.onEvent?.({ type: "note", text });
  }
}

/** Says how a frozen base is stored and what rounding to fewer bits cost. */
function describeFrozenBase({ type, relativeError, sizeBytes }: FrozenBase): string {
  const cost =
    relativeError === 0
      ? "exactly as in its file"
      : `with a rounding error of ${(100 * relativeError).toPrecision(2)}% of the weights' size`;
  return `the frozen weights are stored in ${type}: ${Math.round(sizeBytes / 2 ** 20)} MiB, ${cost}`;
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
