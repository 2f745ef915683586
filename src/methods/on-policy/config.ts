/**
 * Configuration sections of the on-policy methods: LOOP's fields, and those of the mechanisms that other papers add.
 */

import { choice, type FieldValue, section } from "../../core/index.ts";
import type { MethodConfig } from "../define-method.ts";
import type { BaseConfig } from "../method.ts";
import {
  AVERAGING,
  CLIP,
  EVERY_METHOD,
  KEPT_SHARE,
  LIMIT,
  LOWER_CLIP,
  RATIO,
  REGULARISERS,
  SAMPLER_CAP,
  SAMPLING,
  SCALE,
  STALENESS,
  STRAGGLERS,
  THRESHOLD,
  UPPER_CLIP,
} from "../sections/algo.ts";
import { buffer, credit, filter, imitationMix, rewards } from "../sections/credit.ts";
import { share } from "../sections/numbers.ts";
import { ROLLOUTS } from "../sections/rollouts.ts";
import { OVER_ITERATIONS } from "../sections/tasks.ts";

const clipped = section({ ...CLIP, ...LOWER_CLIP, ...UPPER_CLIP, ...STALENESS });

const algo = section(
  {
    ...EVERY_METHOD,
    ...SAMPLING,
    ...STRAGGLERS,
    ...SCALE,
    ...THRESHOLD,
    ...AVERAGING,
    ...LIMIT,
    ...SAMPLER_CAP,
    ...REGULARISERS,
  },
  choice("ratio", `${RATIO}; none: no ratio and no clip`, {
    token: section({ ...CLIP, ...LOWER_CLIP, ...UPPER_CLIP, ...STALENESS, ...KEPT_SHARE }),
    turn: clipped,
    trajectory: clipped,
    "trajectory-mean": clipped,
    none: section({}),
  }),
  choice(
    "baseline",
    "What is subtracted from a return (the baseline): leave-one-out, the mean of the group's other returns (paper); mean, the mean of the whole group; none, nothing; running, a running average",
    {
      "leave-one-out": section({}),
      mean: section({}),
      none: section({}),
      running: section({
        baselineDecay: share()
          .default(0.95)
          .describe("Share of the running average that stays when a new return is added to it"),
      }),
    },
  ),
);

export const onPolicySections = {
  algo,
  rewards,
  credit,
  filter,
  buffer,
  imitation: imitationMix,
  ...OVER_ITERATIONS,
  ...ROLLOUTS,
};

export type OnPolicyConfig = MethodConfig<typeof onPolicySections>;

/** The configuration of a method that pays reward terms. */
export type RewardTermsConfig = BaseConfig & {
  readonly algo: { readonly temperature: number };
  readonly rewards: FieldValue<typeof rewards>;
};

/** Step length for fitting the head behind a reward term, when the term does not set one. */
export const DEFAULT_HEAD_RATE = 0.5;
