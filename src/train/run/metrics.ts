/**
 * The glossary of metrics lists every name that `metrics.jsonl` may hold, with its meaning and unit, and the functions
 * here compute them. Wall times are not metrics; they are in `timings.jsonl`.
 */
import {
  countDecodeSteps,
  type GradedRollout,
  groupStatistics,
  measureBehaviour,
  rewardOf,
  sampledEntropy,
} from "../../algo/index.ts";
import {
  asShapedConfig,
  findUnjudgedRollouts,
  meanOrZero,
  rewardOptions,
} from "../../methods/index.ts";
import type { Rollout, Score, Split } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { findHandlerExceptions } from "./handler-exceptions.ts";

/**
 * The meaning of every metric, by the metric's name. `<split>` is the name of a split, followed by `@T1` if the
 * evaluation is sampled.
 */
export const METRIC_GLOSSARY: { readonly [name: string]: string } = {
  "warm/loss": "cross-entropy of the demonstrations' code, in nats per token",
  "warm/learning_rate": "learning rate of the warm start",
  "warm/held_out_loss":
    "loss of demonstrations that are not trained on, in nats per token; only with warm.auto",
  "warm/solved":
    "share of rollouts at temperature 1 that pass, after a stage of the warm start; only with warm.auto",
  "reward/mean":
    "mean return of an iteration's rollouts: 0 to 1, or the sum of the reward terms if there are any",
  "reward/pass_rate": "share of an iteration's rollouts that finished with every check passed",
  "group/all_right": "share of groups in which every rollout passed",
  "group/all_wrong": "share of groups in which no rollout passed",
  "group/mixed": "share of groups whose returns differ; only these teach anything",
  "rollout/count": "number of the iteration's rollouts that have a return",
  "rollout/kept": "number of rollouts that remain after the advantage filter",
  "rollout/failed": "number of rollouts lost to an error of the world or of the user's own agent",
  "rollout/unjudged": "number of rollouts left out because the user's own judge gave no mark",
  "rollout/cancelled": "number of rollouts that the straggler rule dropped",
  "rollout/lag":
    "mean number of policy versions between sampling and learning; only with algo.staleness",
  "rollout/tokens": "mean number of sampled tokens of a rollout",
  "train/loss": "mean loss of the iteration's minibatches, which is minus the objective",
  "train/updates": "number of optimizer steps of the iteration",
  "preference/pairs": "number of pairs of rollouts or turns that the iteration found",
  "preference/accuracy":
    "share of a minibatch's pairs in which the better side is more likely than the worse one, relative to the reference",
  "preference/margin":
    "mean over a minibatch's pairs of beta times the difference of log-ratios, in nats",
  "value/loss": "mean squared error of the critic's values, over the iteration's minibatches",
  "value/explained_variance":
    "share of the returns' variance that the critic's values explain, in the last minibatch",
  "gradient/norm": "mean gradient norm before clipping",
  "ratio/clip_fraction": "share of action tokens whose ratio was clipped",
  "ratio/max": "largest importance ratio",
  "kl/trajectory": "estimated KL of a rollout at the last minibatch, in nats",
  "kl/token": "estimated KL of a token at the last minibatch, in nats",
  "kl/reference": "estimated KL of a token to the reference at the last minibatch, in nats",
  "kl/start":
    "estimated KL of a token from the policy before the first iteration to the present one, on fixed rollouts of the first iteration (2% of its tokens), in nats",
  "entropy/mean": "mean entropy of next-token distributions at the agent's tokens, in nats",
  "entropy/sampled":
    "mean of -log p of the tokens that were sampled, in nats: an estimate of the entropy that every engine can give",
  "reward/term/<name>": "mean of one reward term over rollouts, times its weight",
  "filter/<name>":
    "number of rollouts that a filter left out; filter/tokens_kept is the share of action tokens that remain",
  "buffer/injected": "number of remembered successes that replaced a rollout of a failed group",
  "buffer/replayed": "number of remembered rollouts in the additional pass",
  "imitation/loss": "cross-entropy of the solutions that are mixed in, in nats per token",
  "logprob/sampler_gap":
    "largest difference between the sampler's and the learner's log-prob of a token, in nats",
  "world/handler_exceptions":
    "number of the iteration's API calls that met a bug of the world; absent if there are none",
  "fires/<mechanism>":
    "how often a mechanism that is switched on acted; meant/<mechanism> says how often it could have acted (see methods/mechanisms)",
  "meant/<mechanism>":
    "how often a mechanism could have acted, as a number of rollouts, turns, groups or other units",
  "session/<counter>":
    "mean number per rollout, for an agent of your own, of answers, retries (repeated requests), roots (conversations begun), branches (conversations continued from an earlier point), edits (answers that came back changed), illFormed (tool calls that could not be read)",
  "agent/<name>": "mean of a number that an agent of your own returned besides its reward",
  "behaviour/<name>": "how agents behave, counted over rollouts: see algo/behaviour.ts",
  "tgc/<split>": "task goal completion of an evaluation: the share of tasks that pass",
  "sgc/<split>":
    "scenario goal completion of an evaluation: the share of scenarios in which every task passes",
  "reward/<split>": "mean return of an evaluation",
};

/** Computes how many versions the iteration's rollouts lag behind the policy that learns from them. */
export function computeLagMetric(
  rollouts: readonly Rollout[],
  version: number,
): Record<string, number> {
  const scored = rollouts.filter(({ evaluation }) => evaluation !== undefined);
  return { "rollout/lag": meanOrZero(scored.map(({ policyVersion }) => version - policyVersion)) };
}

/**
 * Computes the metrics of an iteration's rollouts. The return of a rollout that was not graded is the reward of its
 * outcome.
 */
export function computeRolloutMetrics(
  rollouts: readonly Rollout[],
  { graded, kept }: { readonly graded: readonly GradedRollout[]; readonly kept: number },
  config: Config,
): Record<string, number> {
  const paid = new Map(graded.map(({ rollout, reward }) => [rollout.id, reward]));
  const groups = groupStatistics(
    rollouts,
    (rollout) => paid.get(rollout.id) ?? rewardOf(rollout, rewardOptions(config)),
  );
  const scored = rollouts.filter(({ evaluation }) => evaluation !== undefined);
  const countOutcome = (outcome: Rollout["outcome"]) =>
    rollouts.filter((rollout) => rollout.outcome === outcome).length;
  const unjudged = findUnjudgedRollouts(rollouts).length;
  const entropy = sampledEntropy(rollouts);
  return {
    "reward/mean": groups.rewardMean,
    "reward/pass_rate": groups.passRate,
    "group/all_right": groups.allRight,
    "group/all_wrong": groups.allWrong,
    "group/mixed": groups.mixed,
    "rollout/count": scored.length,
    "rollout/kept": kept,
    "rollout/failed": countOutcome("failed") - unjudged,
    ...(isJudgedByModule(config) && { "rollout/unjudged": unjudged }),
    "rollout/cancelled": countOutcome("cancelled"),
    "rollout/tokens": meanOrZero(scored.map(countDecodeSteps)),
    ...(entropy !== undefined && { "entropy/sampled": entropy }),
    ...countHandlerExceptions(rollouts),
    ...addPrefix("behaviour/", measureBehaviour(scored)),
    ...addPrefix("session/", computeMeansByName(rollouts.map(({ session }) => session ?? {}))),
    ...addPrefix(
      "agent/",
      computeMeansByName(scored.map(({ evaluation }) => evaluation?.metrics ?? {})),
    ),
  };
}

/** Returns the mean of each named number over the records that have this number. */
function computeMeansByName(
  numbers: readonly { readonly [name: string]: number }[],
): Record<string, number> {
  const names = [...new Set(numbers.flatMap(Object.keys))].sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      meanOrZero(numbers.flatMap((one) => (one[name] === undefined ? [] : [one[name]]))),
    ]),
  );
}

function countHandlerExceptions(rollouts: readonly Rollout[]): Record<string, number> {
  const met = findHandlerExceptions(rollouts);
  return met ? { "world/handler_exceptions": met.count } : {};
}

function isJudgedByModule(config: Config): boolean {
  const { judge } = asShapedConfig(config)?.participants ?? { judge: "none" };
  return judge !== "none" && judge !== "policy";
}

/** Returns the scores of an evaluation under the names of their metrics. */
export function nameScoreMetrics(
  score: Score,
  split: Split,
  mode: "greedy" | "T1",
): Record<string, number> {
  const key = scoreName(split, mode);
  return { [`tgc/${key}`]: score.tgc, [`sgc/${key}`]: score.sgc, [`reward/${key}`]: score.reward };
}

/** Returns the name of a score, such as `dev`, or `dev@T1` for a sampled evaluation. */
export function scoreName(split: Split, mode: "greedy" | "T1"): string {
  return mode === "greedy" ? split : `${split}@T1`;
}

function addPrefix(prefix: string, metrics: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).map(([name, value]) => [prefix + name, value]));
}
