/**
 * Sections of the configuration for the mechanisms of the field (`docs/algorithms/mechanisms.md`). All of them are off
 * by default: what is left is LOOP. Fields that hold a list or a course are JSON on the command line.
 */
import { z } from "zod";
import { DIFFICULTY_CLASSES } from "../algo/index.ts";

const integer = (low: number, high: number) => z.number().int().min(low).max(high);
const number = (low: number, high: number) => z.number().min(low).max(high);
const share = () => number(0, 1);

const COURSE =
  'or a course of it as JSON: {"shape":"linear","from":1,"to":0,"over":100}, "cosine" likewise, or {"shape":"steps","values":[1,2],"every":10}';

/** A number, or how it moves over iterations: `valueAt` of `src/algo/schedule.ts`. */
function course(low: number, high: number) {
  const value = number(low, high);
  const line = z.strictObject({
    shape: z.enum(["linear", "cosine"]),
    from: value,
    to: value,
    over: integer(1, 1_000_000),
  });
  const steps = z.strictObject({
    shape: z.literal("steps"),
    values: z.array(value).min(1).max(1000),
    every: integer(1, 1_000_000),
  });
  return z.union([value, line, steps]);
}

/** What can be paid: `src/algo/reward-terms.ts`, and terms that need a model's look at the rollout. */
export const REWARD_TERMS = [
  "outcome",
  "format",
  "executability",
  "call-success",
  "tool-use",
  "repetition",
  "turns",
  "tokens",
  "attempt",
  "improvement",
  "information-gain",
  "kl",
  "judge",
  "contribution",
  "ranking",
] as const;

const rewardTerm = z.strictObject({
  term: z.enum(REWARD_TERMS),
  weight: course(-1000, 1000).default(1),
  /** Added; subtracted down to zero; or 1 - weight x the term's sum multiplies what was earned. */
  how: z.enum(["add", "penalty", "factor"]).default("add"),
  /** Counts only where the outcome reaches this. */
  gate: number(-1000, 1000).nullable().default(null),
  /** Turn j pays decay^j. */
  decay: share().default(1),
  /** Of tool-use: the turns that are paid. */
  enough: integer(1, 1000).optional(),
  /** Of kl. */
  estimator: z.enum(["k1", "k2", "k3"]).optional(),
});

export const rewards = z.strictObject({
  terms: z
    .array(rewardTerm)
    .max(32)
    .default([])
    .describe("What is paid, instead of the outcome alone: the outcome is a term too")
    .meta({
      expected: `a JSON list of {"term": one of ${REWARD_TERMS.join(", ")}, "weight": a number ${COURSE}, "how": add, penalty or factor, "gate": the outcome from which it counts, "decay": 0 to 1}`,
    }),
  headRate: number(1e-6, 1)
    .default(0.5)
    .describe(
      "Step of the linear heads behind the terms contribution and ranking, as a share of the longest safe one",
    ),
});

export const credit = z.strictObject({
  unit: z
    .enum(["rollout", "turn", "both"])
    .default("rollout")
    .describe(
      "What gets an advantage: a rollout (paper), each turn, or each turn by a mix of both",
    ),
  returns: z
    .enum(["broadcast", "to-go"])
    .default("broadcast")
    .describe("A turn is credited with all of its rollout's rewards, or with those from it on"),
  discount: share().default(1).describe("Weight of what a later turn earns, of returns to go"),
  restart: z
    .enum(["never", "errors"])
    .default("never")
    .describe("Behind a turn that failed, returns to go begin anew"),
  key: z
    .enum(["task", "task-turn", "task-branch", "role", "chain-position"])
    .default("task")
    .describe(
      "What is compared: all of a task; its turns of one number, or behind one node of its tree; a role; a link of chains",
    ),
  branches: z
    .enum(["own", "shared-prefix", "counterfactual"])
    .default("own")
    .describe(
      "Turns of forked rollouts get the rollout's advantage; the mean over all that hold them; at a fork, what the other choices earned is the baseline",
    ),
  episodeWeight: number(0, 100).default(1).describe("Weight of the rollout's advantage in the mix"),
  turnWeight: number(0, 100).default(1).describe("Weight of the turn's advantage in the mix"),
  baselineDecay: share()
    .default(0.95)
    .describe("Share of a running baseline that stays at each return"),
  batchGain: z
    .boolean()
    .default(false)
    .describe(
      "Advantages grow by groups / groups that teach, so that a thin batch takes a full step",
    ),
  entropyFactor: number(0, 10)
    .default(0)
    .describe(
      "Advantages of a rollout's tokens grow by this for each standard deviation of entropy",
    ),
});

export const filter = z.strictObject({
  voidTurns: z
    .boolean()
    .default(false)
    .describe("Rollouts with a turn that neither ran code nor ended the episode are left out"),
  overTurn: z.boolean().default(false).describe("Rollouts that ran out of turns are left out"),
  overLong: z.boolean().default(false).describe("Rollouts that ran out of tokens are left out"),
  positiveOnly: z
    .boolean()
    .default(false)
    .describe("Only rollouts with a positive advantage are learned from"),
  saturatedAbove: number(-1000, 1000)
    .nullable()
    .default(null)
    .describe("Groups in which every return is at least this are left out; null: none"),
  entropyTurnShare: number(0.01, 1)
    .default(1)
    .describe("Share of each rollout's turns, those of highest entropy, that is learned from"),
  entropyTokenShare: number(0.01, 1)
    .default(1)
    .describe("Share of a minibatch's tokens, those of highest entropy, that is learned from"),
  surpriseLow: number(0, 1000)
    .default(0)
    .describe("Turns with a smaller mean negative log-prob are not learned from (nats)"),
  surpriseHigh: number(0, 1000)
    .nullable()
    .default(null)
    .describe("Turns with a larger one are not learned from (nats); null: no bound"),
  protectFormat: z
    .boolean()
    .default(false)
    .describe("Tokens around the code, such as the end of a turn, are never pushed down"),
  covarianceShare: share()
    .default(0)
    .describe(
      "Tokens without a gradient, drawn where log-prob and advantage vary together; 0: none",
    ),
  covarianceLow: number(-1000, 1000).default(1).describe("Least covariance of those tokens"),
  covarianceHigh: number(-1000, 1000).default(5).describe("Largest covariance of those tokens"),
});

export const buffer = z.strictObject({
  perTask: integer(0, 10_000).default(0).describe("Rollouts remembered of a task; 0: none"),
  capacity: integer(1, 1_000_000).default(2048).describe("Rollouts remembered of all tasks"),
  maxAge: integer(1, 1_000_000)
    .default(10)
    .describe("Iterations after which a rollout is forgotten"),
  keep: z
    .enum(["passed", "positive"])
    .default("passed")
    .describe("What is worth remembering: passed rollouts, or those with a positive advantage"),
  inject: z
    .boolean()
    .default(false)
    .describe("A remembered success takes the last place in a group that failed as a whole"),
  injectBelow: number(-1000, 1000)
    .default(0.2)
    .describe("A group has failed when its mean return is below this"),
  injectSpread: number(0, 1000)
    .default(0.05)
    .describe("and the standard deviation of its returns is below this"),
  injectReward: number(-1000, 1000)
    .default(0.1)
    .describe("What a remembered rollout must have earned to be injected"),
  imitate: z
    .boolean()
    .default(false)
    .describe("Imitation learns from what is remembered too, not from this iteration alone"),
  replayWeight: course(0, 100)
    .default(0)
    .describe("Weight of a further pass over remembered rollouts; 0: none")
    .meta({ expected: `a number from 0 to 100, ${COURSE}` }),
  replayQuantile: share()
    .default(0.5)
    .describe("Remembered returns are measured against this quantile of recent group means"),
  replayGroups: integer(1, 1_000_000).default(1024).describe("Recent groups of that measure"),
});

export const tasks = z.strictObject({
  minDifficulty: integer(1, 3).default(1).describe("Least declared difficulty that is drawn"),
  maxDifficulty: integer(1, 3).default(3).describe("Largest declared difficulty that is drawn"),
  classes: z
    .array(z.enum(DIFFICULTY_CLASSES))
    .min(1)
    .default([...DIFFICULTY_CLASSES])
    .describe("Tasks that are drawn, by how often they were passed lately")
    .meta({ expected: `a JSON list of some of ${DIFFICULTY_CLASSES.join(", ")}` }),
  pruneAbove: share()
    .nullable()
    .default(null)
    .describe("Tasks that are passed at least this often are no longer drawn; null: all are"),
  pruneAfter: integer(1, 1_000_000)
    .default(2)
    .describe("Groups of a task that must have been seen before it may be left out"),
  minGroupSize: integer(2, 1024)
    .nullable()
    .default(null)
    .describe(
      "K falls from algo.groupSize to this where a task nearly always or never succeeds; null: always algo.groupSize",
    ),
  memory: share().default(0.7).describe("Share of a task's averages that stays at a new group"),
});

const stage = z.strictObject({
  iterations: integer(1, 1_000_000),
  patch: z.record(z.string(), z.unknown()),
});

export const schedule = z.strictObject({
  maxTurns: course(1, 1000)
    .nullable()
    .default(null)
    .describe("scaffold.maxTurns over iterations, rounded down; null: constant")
    .meta({ expected: `a number from 1 to 1000, ${COURSE}, or null` }),
  stages: z
    .array(stage)
    .max(100)
    .default([])
    .describe("Stretches of training with fields of their own; the last one stays")
    .meta({
      expected: 'a JSON list of {"iterations": 10, "patch": {"algo.klCoefficient": 0.1}}',
    }),
});

export const imitation = z.strictObject({
  target: z
    .enum(["actions", "observations"])
    .default("actions")
    .describe(
      "What is imitated: the agent's words in passed rollouts, or what the world answered in all of them",
    ),
  temperature: number(1e-3, 1000)
    .nullable()
    .default(null)
    .describe(
      "Rollouts are imitated by weights exp(return / this); null: the passed ones, equally",
    ),
  mixWeight: course(0, 100)
    .default(0)
    .describe("Weight of imitating the solutions of the iteration's tasks beside the surrogate")
    .meta({ expected: `a number from 0 to 100, ${COURSE}` }),
});
