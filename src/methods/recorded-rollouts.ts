/** Recognises rollouts that were recorded elsewhere: no policy of this run sampled them. */
import type { Rollout } from "../spec/index.ts";

/** Returns true if the log-probs of a rollout are unknown, because it was recorded elsewhere. */
export const isRecorded = ({ policyVersion }: Pick<Rollout, "policyVersion">) => policyVersion < 0;
