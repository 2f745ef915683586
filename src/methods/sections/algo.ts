/**
 * The fields of a method's section `algo`. Each method combines the groups of fields that it reads, so a field means
 * the same in every method. Where the paper states a number, it is the default (arXiv 2502.01600, sections 4.2 and 5.2,
 * appendix D).
 */
import { z } from "zod";
import { offByDefault, onByDefault, section } from "../../core/index.ts";
import { integer, number, share } from "./numbers.ts";

/** The fields of every method: how long it runs, on which tasks, and what a rollout earns. */
export const EVERY_METHOD = {
  iterations: integer(0, 1_000_000).default(200).describe("Number of iterations"),
  tasksPerIteration: integer(1, 100_000)
    .default(40)
    .describe("Number of tasks drawn in each iteration"),
  taskSampling: z
    .string()
    .min(1)
    .default("uniform")
    .describe(
      "How tasks are drawn: uniform (paper), all equally often; mixed-outcomes, preferring signatures whose recent groups both failed and succeeded; near-half, preferring tasks that pass half of the time; variance, preferring tasks whose returns vary",
    )
    .meta({
      expected: "one of uniform, mixed-outcomes, near-half, variance, or the path of a module",
    }),
  reward: z
    .enum(["fraction", "strict", "progress"])
    .default("fraction")
    .describe(
      "What a rollout earns: fraction, the share of checks that pass; strict, 1 when all pass, else 0; progress, the share that passes of those checks that fail when nothing is done but to finish, or 0 when a guard fails",
    ),
  unfinished: z
    .enum(["fail", "score"])
    .default("fail")
    .describe(
      "What an episode earns if the agent did not finish it: fail, nothing (paper); score, what its final state earns (released code)",
    ),
  epochs: integer(1, 100).default(2).describe("Number of passes over the rollouts of an iteration"),
  minibatch: integer(0, 100_000)
    .default(32)
    .describe(
      "Number of rollouts (or pairs) in an optimizer step; 0: one step on all rollouts of an iteration",
    ),
};

/** The fields of methods that sample rollouts. */
export const SAMPLING = {
  groupSize: integer(2, 1024).default(6).describe("K: number of rollouts per task in an iteration"),
  temperature: number(0.05, 10).default(1).describe("Sampling temperature in training"),
};

/** The fields of methods that may stop collecting a group before all its rollouts have finished. */
export const STRAGGLERS = {
  stragglers: onByDefault(
    "Stop collecting when enough rollouts of every task have finished (paper)",
    section({
      share: share()
        .default(0.9)
        .describe("Share of all rollouts that must have finished before collecting stops"),
      groupShare: share()
        .default(0.75)
        .describe(
          "Share of each group that must have finished before collecting stops. The resulting number of rollouts is rounded half to even",
        ),
    }),
  ),
};

/** The fields of methods that can learn from rollouts of a slightly older policy. */
export const STALENESS = {
  staleness: integer(0, 16)
    .default(0)
    .describe(
      "Largest number of policy versions by which rollouts may be older than the learner; 0: none, as in the paper. Above 0, iterations are collected while earlier ones are learned from. One version samples the whole iteration, and the sampler's log-probs are used as the old ones. Equal runs stay equal; after a crash, the newest version samples the lost rollouts",
    ),
};

/** The fields of methods without importance ratios, whose rollouts may have different temperatures. */
export const TEMPERATURES = {
  lowestTemperature: number(0.05, 10)
    .nullable()
    .default(null)
    .describe(
      "Temperature of a group's first rollout. The others follow in even steps up to algo.temperature; null: all rollouts have algo.temperature",
    ),
};

/** The field of the clip, which says how far a ratio may move before its objective is cut (paper, equation 5). */
export const CLIP = {
  clip: number(0, 10).default(0.1).describe("Epsilon of the clipped objective"),
};

/** The field of the clip's lower bound. */
export const LOWER_CLIP = {
  lowerClip: z
    .enum(["paper", "code"])
    .default("paper")
    .describe(
      "Lower bound of the ratio: paper, 1 - clip; code, 1 / (1 + clip) as in the paper's released code",
    ),
};

/** The field of a separate upper clip. */
export const UPPER_CLIP = {
  upperClip: number(0, 10)
    .nullable()
    .default(null)
    .describe("Epsilon of the clip for positive advantages; null: algo.clip"),
};

/** The field of the correction for the difference between the sampler's policy and the learner's. */
export const SAMPLER_CAP = {
  samplerCap: number(1e-3, 1000)
    .nullable()
    .default(null)
    .describe(
      "Largest weight of a token when tokens are weighted by the learner's probability divided by the sampler's; null: no weights",
    ),
};

/** The field of the share of tokens that keep their gradient above the clip. */
export const KEPT_SHARE = {
  keptShare: number(1e-4, 1)
    .nullable()
    .default(null)
    .describe(
      "Share of a minibatch's tokens that keep their gradient above the clip. They are the tokens of highest entropy; null: none",
    ),
};

/** The field that says how the tokens of a minibatch are averaged. */
export const AVERAGING = {
  aggregate: z
    .enum(["row-mean", "token-mean", "row-sum"])
    .default("row-mean")
    .describe(
      "How tokens are averaged: row-mean, over each rollout and then over rollouts (paper); token-mean, over all tokens of the minibatch; row-sum, summed over each rollout and averaged over rollouts",
    ),
};

/** The field of the limit at which a method with a ratio ends an iteration. */
export const LIMIT = {
  maxTrajectoryKl: number(0, 1e6)
    .default(20)
    .describe("Estimated trajectory KL at which an iteration ends (nats)"),
};

/** The field that says how advantages are scaled. */
export const SCALE = {
  scale: z
    .enum(["none", "group", "batch"])
    .default("none")
    .describe(
      "What advantages are divided by: none, nothing (paper); group, the standard deviation of the group's returns; batch, the standard deviation of all returns of the iteration",
    ),
};

/** The field of the least advantage that is learned from. */
export const THRESHOLD = {
  advantageThreshold: number(0, 10)
    .default(0.01)
    .describe("Least absolute advantage of a rollout that is learned from"),
};

/** The fields of terms that are added to the objective: KL to a reference, entropy bonus, entropy band. */
export const REGULARISERS = {
  kl: offByDefault(
    "Adds a KL term that keeps the policy close to the policy that the run started from",
    section({
      coefficient: number(0, 100).default(0.04).describe("Weight of the KL term"),
      estimator: z
        .enum(["k2", "k3"])
        .default("k3")
        .describe("Estimator of the KL term: k2, squared log-ratio / 2; k3, r - 1 - log r"),
      turns: integer(1, 1000)
        .nullable()
        .default(null)
        .describe(
          "Number of turns, from the start of a rollout, to which the KL term applies; null: all turns",
        ),
    }),
  ),
  entropyCoefficient: number(0, 100).default(0).describe("Weight of the entropy bonus; 0: none"),
  entropyBand: offByDefault(
    "Charges for entropies outside of a band around the mean of earlier entropies",
    section({
      coefficient: number(0, 100)
        .default(0.05)
        .describe("Weight of the distance between the entropy and the band"),
      low: number(0, 100).default(0).describe("Lower end of the band, as a multiple of the mean"),
      high: number(0, 100).default(2).describe("Upper end of the band, as a multiple of the mean"),
    }),
  ),
};

/** Help text of the field `algo.ratio`. */
export const RATIO =
  "Tokens that share an importance ratio: token, none (paper); turn, those of a turn; trajectory, all; trajectory-mean, all, with the geometric mean as ratio";
