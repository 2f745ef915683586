/** The user's own parts: options of `train()`, and modules that the configuration names. */
import { basename, extname } from "node:path";
import { BowlineError, isModulePath, THIS_CALL } from "../../core/index.ts";
import type {
  Extensions,
  Method,
  RewardFunction,
  RolloutFilter,
  TaskSampler,
} from "../../methods/index.ts";
import type { World } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { loadDefaultFunction } from "../config/user-modules.ts";
import type { MakeScaffold } from "./agent.ts";
import type { MakeEngine } from "./makers.ts";
import type { OwnAgent } from "./own-agent.ts";

/**
 * The user's own parts that are passed to `train()`. A continued run needs the same parts again, so `run.json` records
 * their names. Parts in modules that the configuration names are loaded again by themselves.
 */
export interface OwnParts {
  /** The method that the configuration names, if it is a user's own method. */
  readonly method?: Method;
  readonly scaffold?: MakeScaffold;
  /** Reward terms by name. They are added to the outcome of every rollout. */
  readonly rewards?: Readonly<Record<string, RewardFunction>>;
  /** Filters by name. A rollout that a filter leaves out is graded but not trained on. */
  readonly filters?: Readonly<Record<string, RolloutFilter>>;
  readonly sampler?: TaskSampler;
  readonly engine?: MakeEngine;
  /** An open world, which is closed with the run. */
  readonly world?: World;
  /** An agent that plays instead of a scaffold when `scaffold.name` is "agent". `trainAgent()` makes it. */
  readonly agent?: OwnAgent;
}

/** Returns the names of the user's parts. The method is not among them, because the configuration names it. */
export function listOwnParts(ownParts: OwnParts): readonly string[] {
  const { rewards = {}, filters = {} } = ownParts;
  return [
    ...(["scaffold", "sampler", "engine", "world", "agent"] as const).filter(
      (name) => ownParts[name],
    ),
    ...Object.keys(rewards).map((name) => `rewards.${name}`),
    ...Object.keys(filters).map((name) => `filters.${name}`),
  ].sort();
}

/**
 * Returns the user's reward terms, filters and sampler. Throws a `config` error that names the field when a module
 * cannot be used or two parts have one name.
 */
export async function loadExtensions(config: Config, ownParts: OwnParts): Promise<Extensions> {
  const { rewards, filters } = config.extensions;
  const { taskSampling } = config.algo;
  const sampler = isModulePath(taskSampling)
    ? ((await loadDefaultFunction("algo.taskSampling", taskSampling, THIS_CALL)) as TaskSampler)
    : undefined;
  return {
    rewards: await joinFunctionsByName<RewardFunction>(
      "extensions.rewards",
      rewards,
      ownParts.rewards,
    ),
    filters: await joinFunctionsByName<RolloutFilter>(
      "extensions.filters",
      filters,
      ownParts.filters,
    ),
    sampler: ownParts.sampler ?? sampler,
  };
}

/** Adds the functions of modules to those that were passed. A module's function has the name of its file. */
async function joinFunctionsByName<F>(
  field: string,
  paths: readonly string[],
  given: Readonly<Record<string, F>> = {},
): Promise<Readonly<Record<string, F>>> {
  const all: Record<string, F> = { ...given };
  for (const path of paths) {
    const name = basename(path, extname(path));
    if (Object.hasOwn(all, name)) {
      throw new BowlineError(
        "config",
        `${field}: two functions have the name ${name}; rename one file`,
      );
    }
    all[name] = (await loadDefaultFunction(field, path, THIS_CALL)) as F;
  }
  for (const [name, part] of Object.entries(all)) {
    if (typeof part !== "function") {
      throw new BowlineError(
        "config",
        `${field}: expected ${name} to be a function, got ${typeof part}`,
      );
    }
  }
  return all;
}
