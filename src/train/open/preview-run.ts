/**
 * Previews a run: it is checked and planned, its demonstrations are run and its limits fitted to them, as when it
 * begins. Nothing is written and nothing is trained.
 */
import { OpenedResources, startStopwatch, THIS_CALL } from "../../core/index.ts";
import type { Config } from "../config/config.ts";
import type { Fitting } from "../fitting/fit-limits.ts";
import { createEngineRequest } from "../parts/engine-request.ts";
import { type Makers, realMakers } from "../parts/makers.ts";
import { createExceptionLog } from "../run/handler-exceptions.ts";
import { createProgress } from "../run/progress.ts";
import { readRunRecord } from "../run/run-record.ts";
import { readRunConfig } from "../run/run-store.ts";
import { createTrainerState } from "../run/trainer-state.ts";
import { prepareImitation } from "../warm/prepare-imitation.ts";
import { joinFittings, openWorld } from "./acquire-run.ts";
import type { TrainOptions } from "./check-request.ts";
import { fitOwnAgent } from "./fit-own-agent.ts";
import { planRun, type RunPlan } from "./plan-run.ts";
import { requirePossibleRequest } from "./require-possible-request.ts";

/** What a run would do. */
export interface RunPreview {
  /** The configuration with the limits that the run would have, or has if it exists. */
  readonly config: Config;
  /** What the limits are derived from; undefined if the run imitates nothing. */
  readonly fitting: Fitting | undefined;
}

/** Previews the run that `train()` would start with the same arguments. Rejects with the errors of `train()`. */
export function previewRun(config: Config, options: TrainOptions): Promise<RunPreview> {
  return previewRunWith(realMakers, config, options);
}

/** Works like `previewRun`, but the caller supplies the functions that make worlds and engines. */
export async function previewRunWith(
  makers: Makers,
  config: Config,
  options: TrainOptions,
): Promise<RunPreview> {
  const request = await requirePossibleRequest(makers, config, options);
  const plan = await planRun(makers, request);
  if ("summary" in plan || !plan.mayChangeLimits) {
    const { out } = options;
    const ownMethod = { name: request.config.method, method: request.method };
    return { config: readRunConfig(out, ownMethod), fitting: readRunRecord(out).fitting };
  }
  return previewPlan(plan);
}

async function previewPlan(asked: RunPlan): Promise<RunPreview> {
  const { signal, agent, onEvent = () => {} } = asked.options;
  const opened = new OpenedResources();
  try {
    const { world, plan, batch } = await openWorld(asked, opened);
    const state = createTrainerState();
    const tasks = world.tasks("train", plan.config.world.trainScenarios);
    const prepared = await prepareImitation(
      { ...plan, tokenizer: plan.start?.tokenizer, agent },
      {
        ...{ world, state, onEvent, signal, tasks },
        progress: createProgress(onEvent, NO_FILES, startStopwatch(0)),
        exceptions: createExceptionLog(state, onEvent),
      },
    );
    const { makers, source, method } = plan;
    const imitation = await fitOwnAgent(plan, prepared, {
      ...{ world, tasks, signal },
      createEngine: (config) => {
        const asked = createEngineRequest({ config, method }, prepared.vocabularySize, source);
        return makers.createEngine(config.engine.name, asked, THIS_CALL);
      },
    });
    return { config: imitation.config, fitting: joinFittings(imitation.fitting, batch) };
  } finally {
    await opened.close();
  }
}

const NO_FILES = { appendMetrics: () => {}, appendTiming: () => {} };
