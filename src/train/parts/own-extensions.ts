/** A user's own reward terms, filters and sampler: from modules that the configuration names, and as `train()` was handed. */
import { basename, extname } from "node:path";
import { BowlineError, isModulePath } from "../../core/index.ts";
import type {
  Extensions,
  RewardFunction,
  RolloutFilter,
  TaskSampler,
} from "../../methods/index.ts";
import type { Config } from "../config/config.ts";
import { loadFunction } from "../config/user-modules.ts";
import type { OwnParts } from "./train-options.ts";

/** Throws a `config` error that names the field when a module cannot be used or two parts have one name. */
export async function openExtensions(config: Config, own: OwnParts): Promise<Extensions> {
  const { rewards, filters } = config.extensions;
  const { taskSampling } = config.algo;
  const sampler = isModulePath(taskSampling)
    ? ((await loadFunction("algo.taskSampling", taskSampling)) as TaskSampler)
    : undefined;
  return {
    rewards: await together<RewardFunction>("extensions.rewards", rewards, own.rewards),
    filters: await together<RolloutFilter>("extensions.filters", filters, own.filters),
    sampler: own.sampler ?? sampler,
  };
}

/** By the names of their files, and by those that were given. */
async function together<F>(
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
    all[name] = (await loadFunction(field, path)) as F;
  }
  for (const [name, part] of Object.entries(all)) {
    if (typeof part !== "function") {
      throw new BowlineError("config", `${field}: ${name} is no function, got ${typeof part}`);
    }
  }
  return all;
}
