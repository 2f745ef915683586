/**
 * The glossary of metrics: every name that `metrics.jsonl` may hold, with what it means and its unit.
 * No wall time is among them; those are in `timings.jsonl`.
 */
import {
  countDecodeSteps,
  type GradedRollout,
  groupStatistics,
  measureBehaviour,
  rewardOf,
} from "../../algo/index.ts";
import {
  asShapedConfig,
  findUnjudgedRollouts,
  meanOrZero,
  rewardOptions,
} from "../../methods/index.ts";
import type { Rollout, Score, Split } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import { handlerExceptions } from "./handler-exceptions.ts";

/** `<split>` is a split's name; `@T1` marks sampling at temperature 1 instead of greedy. */
export const GLOSSARY: { readonly [name: string]: string } = {
  "warm/loss": "cross-entropy of the demonstrations' code, nats a token",
  "warm/learning_rate": "learning rate of the warm start",
  "reward/mean":
    "mean return of an iteration's rollouts, as it is paid: 0..1, or what the reward terms sum to",
  "reward/pass_rate": "share of an iteration's rollouts that finished with every check passed",
  "group/all_right": "share of groups in which every rollout passed",
  "group/all_wrong": "share of groups in which none passed",
  "group/mixed": "share of groups whose returns differ: the ones that teach",
  "rollout/count": "rollouts of the iteration that have a return",
  "rollout/kept": "rollouts that the advantage filter left",
  "rollout/failed": "rollouts lost to a failing world, or to an error of an agent of one's own",
  "rollout/unjudged": "rollouts left out because a judge of one's own gave no mark",
  "rollout/cancelled": "rollouts that the straggler rule dropped",
  "rollout/lag": "mean policy versions between sampling and learning; only under algo.staleness",
  "rollout/tokens": "mean sampled tokens of a rollout",
  "train/loss": "mean loss of the iteration's minibatches (minus the objective)",
  "train/updates": "optimizer steps of the iteration",
  "preference/pairs": "pairs that the iteration found",
  "preference/accuracy":
    "share of a minibatch's pairs whose better side is the likelier one, relative to the reference",
  "preference/margin": "mean difference of a minibatch's pairs, beta times log-ratios, nats",
  "value/loss": "mean squared error of the values, over the iteration's minibatches",
  "value/explained_variance":
    "share of the returns' variance that the values explain, last minibatch",
  "gradient/norm": "mean gradient norm before clipping",
  "ratio/clip_fraction": "share of action tokens whose ratio was clipped",
  "ratio/max": "largest importance ratio",
  "kl/trajectory": "estimated KL of a rollout at the last minibatch, nats",
  "kl/token": "estimated KL of a token at the last minibatch, nats",
  "kl/reference": "estimated KL of a token to the reference at the last minibatch, nats",
  "entropy/mean": "mean entropy of next-token distributions at the agent's tokens, nats",
  "reward/term/<name>": "mean of one reward term over rollouts, weighted as it is paid",
  "filter/<name>": "rollouts that a filter left out; tokens_kept: share of action tokens left",
  "buffer/injected": "remembered successes that took a place in a failed group",
  "buffer/replayed": "remembered rollouts of the further pass",
  "imitation/loss": "cross-entropy of the solutions mixed in, nats a token",
  "logprob/sampler_gap": "largest difference between a sampler's and the learner's log-prob, nats",
  "world/handler_exceptions":
    "API calls of the iteration that met a bug of the world; only where there are some",
  "fires/<mechanism>":
    "where a mechanism that is on acted, of what it is meant for: see methods/mechanisms",
  "meant/<mechanism>": "what it is meant for: rollouts, turns, groups or another unit of its own",
  "session/<counter>":
    "of an agent of one's own, mean over rollouts: answers, retries (repeated requests), roots (conversations begun), branches (earlier points gone on from), edits (answers that came back changed), illFormed (tool calls that could not be read)",
  "agent/<name>": "mean of a number that an agent of one's own returned beside its reward",
  "behaviour/<name>": "what agents do, counted over rollouts: see algo/behaviour.ts",
  "tgc/<split>": "task goal completion of an evaluation",
  "sgc/<split>": "scenario goal completion of an evaluation",
  "reward/<split>": "mean return of an evaluation",
};

/** How many versions the iteration's rollouts lag behind the policy that learns from them. */
export function lagMetric(rollouts: readonly Rollout[], version: number): Record<string, number> {
  const scored = rollouts.filter(({ evaluation }) => evaluation !== undefined);
  return { "rollout/lag": meanOrZero(scored.map(({ policyVersion }) => version - policyVersion)) };
}

/** What an iteration's rollouts say, before anything is learned from them. Those not graded count by their outcome. */
export function rolloutMetrics(
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
  const count = (outcome: Rollout["outcome"]) =>
    rollouts.filter((rollout) => rollout.outcome === outcome).length;
  const unjudged = findUnjudgedRollouts(rollouts).length;
  return {
    "reward/mean": groups.rewardMean,
    "reward/pass_rate": groups.passRate,
    "group/all_right": groups.allRight,
    "group/all_wrong": groups.allWrong,
    "group/mixed": groups.mixed,
    "rollout/count": scored.length,
    "rollout/kept": kept,
    "rollout/failed": count("failed") - unjudged,
    ...(isJudgedByModule(config) && { "rollout/unjudged": unjudged }),
    "rollout/cancelled": count("cancelled"),
    "rollout/tokens": meanOrZero(scored.map(countDecodeSteps)),
    ...exceptionMetric(rollouts),
    ...prefixed("behaviour/", measureBehaviour(scored)),
    ...prefixed("session/", meansOf(rollouts.map(({ session }) => session ?? {}))),
    ...prefixed("agent/", meansOf(scored.map(({ evaluation }) => evaluation?.metrics ?? {}))),
  };
}

/** Of each name, over those that have it. */
function meansOf(numbers: readonly { readonly [name: string]: number }[]): Record<string, number> {
  const names = [...new Set(numbers.flatMap(Object.keys))].sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      meanOrZero(numbers.flatMap((one) => (one[name] === undefined ? [] : [one[name]]))),
    ]),
  );
}

function exceptionMetric(rollouts: readonly Rollout[]): Record<string, number> {
  const met = handlerExceptions(rollouts);
  return met ? { "world/handler_exceptions": met.count } : {};
}

function isJudgedByModule(config: Config): boolean {
  const { judge } = asShapedConfig(config)?.participants ?? { judge: "none" };
  return judge !== "none" && judge !== "policy";
}

/** The score of one evaluation under its names. */
export function scoreMetrics(
  score: Score,
  split: Split,
  mode: "greedy" | "T1",
): Record<string, number> {
  const key = scoreKey(split, mode);
  return { [`tgc/${key}`]: score.tgc, [`sgc/${key}`]: score.sgc, [`reward/${key}`]: score.reward };
}

/** `dev`, or `dev@T1` for sampled evaluations. */
export function scoreKey(split: Split, mode: "greedy" | "T1"): string {
  return mode === "greedy" ? split : `${split}@T1`;
}

function prefixed(prefix: string, metrics: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).map(([name, value]) => [prefix + name, value]));
}
