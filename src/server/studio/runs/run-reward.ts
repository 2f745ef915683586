/**
 * Reads what the rollouts of a run earn (`algo.reward` and `algo.unfinished` of its configuration). Every page shows a
 * rollout's reward by this rule, so that rewards and the advantages beside them come from the same numbers.
 */
import { join } from "node:path";
import type { RewardOptions } from "../../../algo/index.ts";
import { isPlainObject } from "../../../core/index.ts";
import { rewardOfConfig } from "../../../train/index.ts";
import type { RunLocation } from "./find-runs.ts";
import { computeFingerprint, readSmallJson, type StudioFolder } from "./studio-folder.ts";

/** Returns a function that reads the rule of a run again only after its `run.json` has changed. */
export function createRewardReader(folder: StudioFolder): (location: RunLocation) => RewardOptions {
  const cache = new Map<string, { fingerprint: string; reward: RewardOptions }>();
  return ({ directory }) => {
    const path = join(directory, "run.json");
    const found = folder.inspect(path);
    const fingerprint = computeFingerprint(found);
    const known = cache.get(path);
    if (known?.fingerprint === fingerprint) return known.reward;
    const read = readSmallJson(path, found);
    const record = "value" in read && isPlainObject(read.value) ? read.value : {};
    const reward = rewardOfConfig(record["config"]);
    cache.set(path, { fingerprint, reward });
    return reward;
  };
}
