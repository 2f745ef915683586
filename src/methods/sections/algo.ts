/**
 * Pieces of a method's section `algo`: what each method reads is put together from these, so a field means the same
 * wherever it stands. Defaults are the paper's where the paper states a number (arXiv 2502.01600, sections 4.2 and 5.2,
 * appendix D).
 */
import { z } from "zod";
import { offByDefault, onByDefault, section } from "../../core/index.ts";
import { integer, number, share } from "./numbers.ts";

/** Of every method: how long it runs, on which tasks, what a rollout earns. */
export const EVERY_METHOD = {
  iterations: integer(0, 1_000_000).default(200).describe("Iterations of the method"),
  tasksPerIteration: integer(1, 100_000).default(40).describe("Tasks drawn for an iteration"),
  taskSampling: z
    .string()
    .min(1)
    .default("uniform")
    .describe(
      "How tasks are drawn: uniform (paper); mixed-outcomes, rather from signatures whose recent groups both failed and succeeded; near-half, rather tasks passed half of the time; variance, rather tasks whose returns vary",
    )
    .meta({
      expected: "one of uniform, mixed-outcomes, near-half, variance, or the path of a module",
    }),
  reward: z
    .enum(["fraction", "strict", "progress"])
    .default("fraction")
    .describe("Share of checks passed; all or nothing; progress checks gated by the guards"),
  unfinished: z
    .enum(["fail", "score"])
    .default("fail")
    .describe(
      "An episode that the agent did not finish earns nothing (paper), or what its state earns (code)",
    ),
  epochs: integer(1, 100).default(2).describe("Passes over the rollouts of an iteration"),
  minibatch: integer(0, 100_000)
    .default(32)
    .describe("Rollouts (or pairs) in an optimizer step; 0: all of an iteration, in one step"),
};

/** Of methods that sample. */
export const SAMPLING = {
  groupSize: integer(2, 1024).default(6).describe("K: rollouts of one task in an iteration"),
  temperature: number(0.05, 10).default(1).describe("Sampling temperature in training"),
};

/** Of methods whose groups may be cut short. */
export const STRAGGLERS = {
  stragglers: onByDefault(
    "Stop collecting once enough rollouts of every task are in (paper)",
    section({
      share: share()
        .default(0.9)
        .describe("Share of all rollouts that must be in before collecting stops"),
      groupShare: share()
        .default(0.75)
        .describe("Share of each group that must be in; rounds half to even"),
    }),
  ),
};

/** Of methods that forgive a policy that is a little older. */
export const STALENESS = {
  staleness: integer(0, 16)
    .default(0)
    .describe(
      "Policy versions that rollouts may lag behind the learner; 0: none, as in the paper. Above: iterations are collected ahead while earlier ones are learned from, each by one version throughout, and the sampler's log-probs are the old ones. Equal runs stay equal; after a crash lost rollouts are sampled by the newest version",
    ),
};

/** Of methods without importance ratios, which need one temperature. */
export const TEMPERATURES = {
  lowestTemperature: number(0.05, 10)
    .nullable()
    .default(null)
    .describe(
      "Rollouts of a group are sampled at even steps from this temperature to algo.temperature; null: all at the latter",
    ),
};

/** How far a ratio may move before its surrogate is cut (paper, equation 5). */
export const CLIP = {
  clip: number(0, 10).default(0.1).describe("Epsilon of the clipped objective"),
};

/** Where the ratio is cut below. */
export const LOWER_CLIP = {
  lowerClip: z
    .enum(["paper", "code"])
    .default("paper")
    .describe(
      "Lower bound of the ratio: 1 - clip in the paper, 1 / (1 + clip) in its released code",
    ),
};

export const UPPER_CLIP = {
  upperClip: number(0, 10)
    .nullable()
    .default(null)
    .describe("Epsilon of the clip where the advantage is positive; null: algo.clip"),
};

export const SAMPLER_CAP = {
  samplerCap: number(1e-3, 1000)
    .nullable()
    .default(null)
    .describe(
      "Tokens are weighted by the learner's probability over the sampler's, at most this; null: not at all",
    ),
};

export const KEPT_SHARE = {
  keptShare: number(1e-4, 1)
    .nullable()
    .default(null)
    .describe(
      "Share of a minibatch's tokens, those of highest entropy, that keep a gradient above the clip; null: none",
    ),
};

/** How the tokens of a minibatch become one number. */
export const AVERAGING = {
  aggregate: z
    .enum(["row-mean", "token-mean", "row-sum"])
    .default("row-mean")
    .describe(
      "A rollout counts by the mean over its own tokens (paper); tokens of a minibatch pooled; by the sum of its tokens",
    ),
};

/** The safety stop of methods with a ratio. */
export const LIMIT = {
  maxTrajectoryKl: number(0, 1e6)
    .default(20)
    .describe("An iteration ends when the estimated trajectory KL passes this (nats)"),
};

/** How a return becomes the advantage of a rollout. */
export const SCALE = {
  scale: z
    .enum(["none", "group", "batch"])
    .default("none")
    .describe(
      "What a rollout's advantage is divided by: nothing (paper), the standard deviation of its group, or of the iteration",
    ),
};

/** Which rollouts are worth a gradient. */
export const THRESHOLD = {
  advantageThreshold: number(0, 10)
    .default(0.01)
    .describe("Rollouts with a smaller |advantage| are not learned from"),
};

export const REGULARISERS = {
  kl: offByDefault(
    "A KL term that holds the policy to the one that the loop started from",
    section({
      coefficient: number(0, 100).default(0.04).describe("Weight of the KL term"),
      estimator: z
        .enum(["k2", "k3"])
        .default("k3")
        .describe("Estimator of the KL term: squared log-ratio / 2, or r - 1 - log r"),
      turns: integer(1, 1000)
        .nullable()
        .default(null)
        .describe("Only this many first turns of a rollout are held; null: all"),
    }),
  ),
  entropyCoefficient: number(0, 100).default(0).describe("Weight of the entropy bonus; 0: none"),
  entropyBand: offByDefault(
    "Charge for entropies outside a band around their past mean",
    section({
      coefficient: number(0, 100).default(0.05).describe("Weight of the distance to the band"),
      low: number(0, 100).default(0).describe("Lower end of the band, times the mean"),
      high: number(0, 100).default(2).describe("Upper end of the band, times the mean"),
    }),
  ),
};

export const RATIO =
  "Span over which the importance ratio is taken: a token (paper), a turn, the trajectory, or its geometric mean";
