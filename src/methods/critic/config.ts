/** Configuration sections of the method with a critic. */

import { z } from "zod";
import { casesWithSameFields, choice, section, withDescription } from "../../core/index.ts";
import type { MethodConfig } from "../define-method.ts";
import {
  AVERAGING,
  CLIP,
  EVERY_METHOD,
  LIMIT,
  LOWER_CLIP,
  RATIO,
  SAMPLER_CAP,
  SAMPLING,
  STRAGGLERS,
  UPPER_CLIP,
} from "../sections/algo.ts";
import { rewards } from "../sections/credit.ts";
import { integer, number, share } from "../sections/numbers.ts";
import { ROLLOUTS } from "../sections/rollouts.ts";
import { OVER_ITERATIONS } from "../sections/tasks.ts";

const clipped = section({ ...CLIP, ...LOWER_CLIP, ...UPPER_CLIP });

const critic = withDescription(
  "The value head, and how advantages are estimated from it",
  section(
    {
      learningRate: number(0, 1).default(1e-3).describe("Learning rate of the value head"),
      warmIterations: integer(0, 1_000_000)
        .default(10)
        .describe(
          "Number of iterations at the start of the run in which only the value head learns",
        ),
      discount: share().default(1).describe("Gamma: weight of a reward that comes one step later"),
      unit: z
        .enum(["token", "turn"])
        .default("token")
        .describe(
          "Step of the estimation: token, each action token is a step; turn, each turn is a step, with the value before its first token",
        ),
      whiten: z
        .boolean()
        .default(false)
        .describe(
          "Scales the advantages of an iteration's tokens to mean 0 and standard deviation 1",
        ),
      valueClip: number(1e-3, 100)
        .nullable()
        .default(null)
        .describe(
          "Distance from its old value beyond which a value gains nothing by moving further in an iteration; null: no bound",
        ),
      weightDecay: number(0, 10)
        .default(0.1)
        .describe("AdamW: weight decay of the value head in the first iteration"),
      finalWeightDecay: number(0, 10)
        .default(0.001)
        .describe(
          "AdamW: weight decay of the value head in the last iteration; it changes linearly in between",
        ),
    },
    choice(
      "lambdaBy",
      "Lambda of generalised advantage estimation: constant, or length, which grows with a rollout's length",
      {
        constant: section({
          lambda: share().default(1).describe("Lambda of generalised advantage estimation"),
        }),
        length: section({
          adaptiveLambda: number(1e-6, 100)
            .default(0.05)
            .describe("The number c in lambda = 1 - 1 / (c x the rollout's number of steps)"),
        }),
      },
    ),
  ),
);

export const criticSections = {
  algo: section(
    { ...EVERY_METHOD, ...SAMPLING, ...STRAGGLERS, ...AVERAGING, ...LIMIT, ...SAMPLER_CAP },
    choice("ratio", `${RATIO}; none: no ratio and no clip`, {
      ...casesWithSameFields(["token", "turn", "trajectory", "trajectory-mean"], clipped),
      none: section({}),
    }),
  ),
  critic,
  rewards,
  ...OVER_ITERATIONS,
  ...ROLLOUTS,
};

export type CriticConfig = MethodConfig<typeof criticSections>;
