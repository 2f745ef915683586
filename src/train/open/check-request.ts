/**
 * The first step of opening a run: can what was asked for be done at all? It looks at the configuration and the options
 * alone, so it gives the same answer on every machine.
 */
import {
  BowlineError,
  isModulePath,
  requireKnownFields,
  requireNonEmptyText,
} from "../../core/index.ts";
import { asShapedConfig, hasLinearRollouts, type Method } from "../../methods/index.ts";
import type { Config } from "../config/config.ts";
import { nameOwnMethod } from "../config/named-method.ts";
import { loadPhase } from "../config/parse-config.ts";
import { requireServerUrl } from "../config/remote-fields.ts";
import { requireMethod } from "../config/require-method.ts";
import { scaffoldNeedsModel } from "../config/scaffolds.ts";
import { listPhases, type Phase } from "../config/stages.ts";
import { listOwnParts, type OwnParts } from "../parts/own-parts.ts";
import type { OnEvent } from "../run/events.ts";

/** Where a run goes, who listens to it, and parts of the user's own. */
export interface TrainOptions extends OwnParts {
  /** The run directory: new, empty, or one of the same configuration. */
  readonly out: string;
  readonly onEvent?: OnEvent;
  /**
   * A run whose warm start is copied instead of made again. It changes no number, so it is not in the configuration.
   */
  readonly warmFrom?: string | undefined;
  /** When it is aborted, the run stops at the next step and can be continued. */
  readonly signal?: AbortSignal;
}

/** What was asked for, with the method as a value. */
export interface TrainRequest extends Phase {
  readonly options: TrainOptions;
  /** Names of the parts that `train()` was handed; `run.json` keeps them. */
  readonly given: readonly string[];
}

/** Returns the request. Throws a `config` error for the first thing that cannot be done. */
export async function checkRequest(asked: Config, options: TrainOptions): Promise<TrainRequest> {
  requireTrainOptions(options);
  if (options.method) requireMatchingMethod(asked, options.method);
  // A configuration is data, which anybody may have changed since it was resolved.
  const phase = await loadPhase(asked, options.method);
  requirePlayable(phase, options.agent !== undefined);
  requireServerUrl(phase.config);
  requireModel(phase.config);
  if (!options.engine) requireWarmStart(phase.config);
  return { ...phase, options, given: listOwnParts(options) };
}

const OPTION_NAMES = [
  "out",
  "onEvent",
  "warmFrom",
  "signal",
  "method",
  "scaffold",
  "rewards",
  "filters",
  "sampler",
  "engine",
  "world",
  "agent",
] as const satisfies (keyof TrainOptions)[];

function requireTrainOptions(options: TrainOptions): void {
  requireKnownFields("the options of train()", options, OPTION_NAMES);
  requireNonEmptyText("out", options.out, "the path of a run directory");
}

/** A method that was handed over is the one that the configuration names. */
function requireMatchingMethod(config: Config, method: Method): void {
  if (isModulePath(config.method)) {
    requireMethod(method, `the method ${config.method}`);
    return;
  }
  if (nameOwnMethod(method).name === config.method) return;
  throw new BowlineError(
    "config",
    `train() was handed the method ${method.name}, and its configuration is one of ${config.method}; resolve it with resolveConfig({ method })`,
  );
}

/** An agent of the user's plays whole episodes by itself, so a method that shapes rollouts cannot go with it. */
function requirePlayable(run: Phase, hasAgent: boolean): void {
  const { name } = run.config.scaffold;
  if ((name === "agent") !== hasAgent) {
    throw new BowlineError(
      "config",
      name === "agent"
        ? 'scaffold.name: "agent" is an agent of your own, which trainAgent() is handed (docs/agents.md); to train without one choose compact, fenced or react'
        : `scaffold.name: expected "agent" beside an agent of your own, got ${JSON.stringify(name)}`,
    );
  }
  if (!hasAgent) return;
  for (const { method, config } of listPhases(run)) {
    const shapes = asShapedConfig(config);
    if (!("tree" in method.sections) && (shapes === undefined || hasLinearRollouts(shapes)))
      continue;
    throw new BowlineError(
      "config",
      `the method ${method.name} shapes rollouts as it is configured here (branches, contexts, participants, memory or a tree), and an agent of your own plays whole episodes by itself; leave sections collect, context, participants and memory as they are, or choose loop, rloo or grpo`,
    );
  }
}

/** A scaffold for published models needs one. Recipes cannot know where it lies. */
function requireModel({ scaffold, engine, recipe }: Config): void {
  if (!scaffoldNeedsModel(scaffold.name) || engine.model !== null) return;
  const other = scaffold.name === "tools" ? "compact-tools" : "compact";
  throw new BowlineError(
    "config",
    `recipe ${recipe} has scaffold.name ${scaffold.name}, which speaks in a model's own chat template: give --engine.model a model's folder, with tokenizer.json and chat template, or its GGUF file; with random weights use --scaffold.name ${other}`,
  );
}

/** A policy of random weights never earns a reward, so there is nothing that reinforcement could strengthen. */
function requireWarmStart({ warm, recipe, engine, scaffold }: Config): void {
  if (warm.demonstrations > 0 || engine.model !== null) return;
  // An engine of the user's may start from any weights.
  if (engine.name !== "onnx" && engine.name !== "tinker") return;
  throw new BowlineError(
    "config",
    scaffold.name === "agent"
      ? "a model made from nothing never calls a tool by chance, so there is nothing that could be reinforced: give `warmStart` recorded conversations or a scripted teacher, or start from a trained model (engine.model)"
      : `recipe ${recipe} has no warm start (warm.demonstrations is 0), and the onnx engine starts from random weights, which never earn a reward; ` +
          "use the recipe `starter`, set warm.demonstrations (4000 is a start), or start from a trained model (engine.model)",
  );
}
