/**
 * Parts of the user's own: what `train()` is handed beside the configuration, and modules that the configuration names.
 */
import { basename, extname } from "node:path";
import { BowlineError, isModulePath } from "../../core/index.ts";
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
 * Parts of the user's own. Where the configuration names modules instead, a continued run finds them by itself; what is
 * handed over must be handed over again, and `run.json` says what that was.
 */
export interface OwnParts {
  /** The method that the configuration names, where it is one of the user's. */
  readonly method?: Method;
  readonly scaffold?: MakeScaffold;
  /** Reward terms by name, added to the outcome of every rollout. */
  readonly rewards?: Readonly<Record<string, RewardFunction>>;
  /** Filters by name. A rollout that one of them leaves out is graded, and not learned from. */
  readonly filters?: Readonly<Record<string, RolloutFilter>>;
  readonly sampler?: TaskSampler;
  readonly engine?: MakeEngine;
  /** An open world, which is closed with the run. */
  readonly world?: World;
  /** An agent that plays in place of a scaffold, where `scaffold.name` is "agent"; `trainAgent()` makes it. */
  readonly agent?: OwnAgent;
}

/** Returns the names of what was handed over. The method is not among them: the configuration has its name. */
export function listOwnParts(own: OwnParts): readonly string[] {
  const { rewards = {}, filters = {} } = own;
  return [
    ...(["scaffold", "sampler", "engine", "world", "agent"] as const).filter((name) => own[name]),
    ...Object.keys(rewards).map((name) => `rewards.${name}`),
    ...Object.keys(filters).map((name) => `filters.${name}`),
  ].sort();
}

/**
 * Returns the user's reward terms, filters and sampler. Throws a `config` error that names the field when a module
 * cannot be used or two parts have one name.
 */
export async function loadExtensions(config: Config, own: OwnParts): Promise<Extensions> {
  const { rewards, filters } = config.extensions;
  const { taskSampling } = config.algo;
  const sampler = isModulePath(taskSampling)
    ? ((await loadDefaultFunction("algo.taskSampling", taskSampling)) as TaskSampler)
    : undefined;
  return {
    rewards: await joinFunctionsByName<RewardFunction>("extensions.rewards", rewards, own.rewards),
    filters: await joinFunctionsByName<RolloutFilter>("extensions.filters", filters, own.filters),
    sampler: own.sampler ?? sampler,
  };
}

/** Joins functions that were handed over with those of modules, which are called by the names of their files. */
async function joinFunctionsByName<F>(
  field: string,
  paths: readonly string[],
  given: Readonly<Record<string, F>> = {},
): Promise<Readonly<Record<string, F>>> {
  const all: Record<string, F> = { ...given };
  for (const path of paths) {
    const name = basename(path, extname(path));
    if (Object.hasOwn(all, name)) {
      throw new BowlineError("config", `${field}: there are two named ${name}; rename one file`);
    }
    all[name] = (await loadDefaultFunction(field, path)) as F;
  }
  for (const [name, part] of Object.entries(all)) {
    if (typeof part !== "function") {
      throw new BowlineError("config", `${field}: ${name} is no function, got ${typeof part}`);
    }
  }
  return all;
}
