/**
 * This first step of opening a run checks whether the request is possible at all. It looks only at the configuration
 * and the options, so its result is the same on every machine.
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
import { loadConfigAndMethod } from "../config/parse-config.ts";
import { requireServerUrl } from "../config/remote-fields.ts";
import { requireMethod } from "../config/require-method.ts";
import { scaffoldNeedsModel } from "../config/scaffolds.ts";
import { type ConfigAndMethod, listConfigsAndMethods } from "../config/stages.ts";
import { listOwnParts, type OwnParts } from "../parts/own-parts.ts";
import type { OnEvent } from "../run/events.ts";

/** The run directory, the listeners, and the user's own parts. */
export interface TrainOptions extends OwnParts {
  /** The run directory. It must be new, empty, or hold a run with the same configuration. */
  readonly out: string;
  readonly onEvent?: OnEvent;
  /**
   * The path of a run whose warm start is copied, so that it is not made again. The copy gives the same numbers, so
   * this is an option and not a field.
   */
  readonly warmFrom?: string | undefined;
  /** When this signal is aborted, the run stops at the next step and can be continued. */
  readonly signal?: AbortSignal;
}

/** A checked configuration with its method and the options of `train()`. */
export interface TrainRequest extends ConfigAndMethod {
  readonly options: TrainOptions;
  /** The names of the user's own parts in the options. They are stored in `run.json`. */
  readonly given: readonly string[];
}

/** Checks the configuration and options of a run. Throws a `config` error for the first thing that cannot be done. */
export async function checkRequest(asked: Config, options: TrainOptions): Promise<TrainRequest> {
  requireTrainOptions(options);
  if (options.method) requireMatchingMethod(asked, options.method);
  // A configuration is data, which anybody may have changed since it was resolved.
  const checked = await loadConfigAndMethod(asked, options.method);
  requirePlayable(checked, options.agent !== undefined);
  requireServerUrl(checked.config);
  requireModel(checked.config);
  if (!options.engine) requireWarmStart(checked.config);
  return { ...checked, options, given: listOwnParts(options) };
}

const TRAIN_OPTION_NAMES = [
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
  requireKnownFields("the options of train()", options, TRAIN_OPTION_NAMES);
  requireNonEmptyText("out", options.out, "the path of a run directory");
}

/** Throws when the method in the options is not the method that the configuration names. */
function requireMatchingMethod(config: Config, method: Method): void {
  if (isModulePath(config.method)) {
    requireMethod(method, `the method ${config.method}`);
    return;
  }
  if (nameOwnMethod(method).name === config.method) return;
  throw new BowlineError(
    "config",
    `train() got the method ${method.name}, but a configuration for the method ${config.method}; make the configuration with resolveConfig({ method })`,
  );
}

/**
 * Throws when the scaffold and the agent in the options do not fit together, or when the method shapes rollouts
 * although a user's own agent plays them.
 */
function requirePlayable(run: ConfigAndMethod, hasAgent: boolean): void {
  const { name } = run.config.scaffold;
  if ((name === "agent") !== hasAgent) {
    throw new BowlineError(
      "config",
      name === "agent"
        ? 'scaffold.name: "agent" is for an agent of your own, which you pass to trainAgent() (docs/agents.md); to train without one, choose compact, fenced or react'
        : `scaffold.name: expected "agent" with an agent of your own, got ${JSON.stringify(name)}`,
    );
  }
  if (!hasAgent) return;
  for (const { method, config } of listConfigsAndMethods(run)) {
    const shapes = asShapedConfig(config);
    if (!("tree" in method.sections) && (shapes === undefined || hasLinearRollouts(shapes)))
      continue;
    throw new BowlineError(
      "config",
      `the method ${method.name}, as configured here, shapes rollouts (branches, contexts, participants, memory or a tree), but an agent of your own plays whole episodes by itself; leave the sections collect, context, participants and memory at their defaults, or choose loop, rloo or grpo`,
    );
  }
}

/** Throws when a scaffold that needs a published model has none. Recipes cannot know where the user's model is. */
function requireModel({ scaffold, engine, recipe }: Config): void {
  if (!scaffoldNeedsModel(scaffold.name) || engine.model !== null) return;
  const other = scaffold.name === "tools" ? "compact-tools" : "compact";
  throw new BowlineError(
    "config",
    `recipe ${recipe} has scaffold.name ${scaffold.name}, which needs a model with a chat template: give --engine.model a model's folder, with tokenizer.json and chat template, or its GGUF file; with random weights use --scaffold.name ${other}`,
  );
}

/**
 * Throws when a run has random weights and no warm start, because such a policy would never earn a reward to learn
 * from.
 */
function requireWarmStart({ warm, recipe, engine, scaffold }: Config): void {
  if (warm.demonstrations > 0 || warm.policy !== null || engine.model !== null) return;
  // A user's own engine may start from any weights.
  if (engine.name !== "onnx" && engine.name !== "tinker") return;
  throw new BowlineError(
    "config",
    scaffold.name === "agent"
      ? "a model with random weights never calls a tool by chance, so nothing can be reinforced: give `warmStart` recorded conversations or a scripted teacher, or start from a trained model (engine.model) or policy (warm.policy)"
      : `recipe ${recipe} has no warm start (warm.demonstrations is 0), and the onnx engine starts from random weights, which never earn a reward; ` +
          "use the recipe `starter`, set warm.demonstrations (4000 is a start), or start from a trained model (engine.model) or policy (warm.policy)",
  );
}
