/**
 * This first step of opening a run checks whether the request is possible at all. It looks only at the configuration
 * and the options, so its result is the same on every machine.
 */
import {
  BowlineError,
  createRefusalError,
  isModulePath,
  type Refusal,
  requireKnownFields,
  requireNonEmptyText,
} from "../../core/index.ts";
import { asShapedConfig, hasLinearRollouts, type Method } from "../../methods/index.ts";
import type { Config } from "../config/config.ts";
import { nameOwnMethod } from "../config/named-method.ts";
import { loadConfigAndMethod } from "../config/parse-config.ts";
import { listMissingUrl } from "../config/remote-fields.ts";
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

/** Checks the configuration and options of a run. Throws a `config` error for what cannot be done. */
export async function checkRequest(asked: Config, options: TrainOptions): Promise<TrainRequest> {
  requireTrainOptions(options);
  if (options.method) requireMatchingMethod(asked, options.method);
  // A configuration is data, which anybody may have changed since it was resolved.
  const checked = await loadConfigAndMethod(asked, options.method);
  requirePlayable(checked, options.agent !== undefined);
  const refusals = [
    ...listMissingUrl(checked.config),
    ...listMissingModel(checked.config),
    ...(options.engine ? [] : listMissingWarmStart(checked.config)),
  ];
  if (refusals.length > 0) throw createRefusalError("config", refusals);
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

/** Refuses a scaffold that needs a published model and has none. Recipes cannot know where the user's model is. */
function listMissingModel({ scaffold, engine, recipe }: Config): readonly Refusal[] {
  if (!scaffoldNeedsModel(scaffold.name) || engine.model !== null) return [];
  const other = scaffold.name === "tools" ? "compact-tools" : "compact";
  const sentence = `recipe ${recipe} has scaffold.name ${scaffold.name}, which needs a model with a chat template: give --engine.model a model's folder, with tokenizer.json and chat template, or its GGUF file; with random weights use --scaffold.name ${other}`;
  return [{ sentence }];
}

/** The number of demonstrations that cures a missing warm start. */
const FIRST_DEMONSTRATIONS = 4000;

/**
 * Refuses a run with random weights and no warm start, because such a policy would never earn a reward to learn from.
 */
function listMissingWarmStart({ warm, recipe, engine, scaffold }: Config): readonly Refusal[] {
  if (warm.demonstrations > 0 || warm.policy !== null || engine.model !== null) return [];
  // A user's own engine may start from any weights.
  if (engine.name !== "onnx" && engine.name !== "tinker") return [];
  const sentence =
    scaffold.name === "agent"
      ? "a model with random weights never calls a tool by chance, so nothing can be reinforced: give `warmStart` recorded conversations or a scripted teacher, or start from a trained model (engine.model) or policy (warm.policy)"
      : `recipe ${recipe} has no warm start (warm.demonstrations is 0), and the onnx engine starts from random weights, which never earn a reward; ` +
        `use the recipe \`starter\`, set warm.demonstrations (${FIRST_DEMONSTRATIONS} is a start), or start from a trained model (engine.model) or policy (warm.policy)`;
  const isCured = scaffold.name !== "agent";
  return [{ sentence, ...(isCured && { cure: { "warm.demonstrations": FIRST_DEMONSTRATIONS } }) }];
}
