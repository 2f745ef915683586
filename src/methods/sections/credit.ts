/** Sections of the on-policy methods: what is paid, who is credited, what is learned from, what is remembered. */
import { z } from "zod";
import {
  choice,
  type FieldValue,
  offByDefault,
  section,
  withDescription,
} from "../../core/index.ts";
import { integer, number, SCHEDULE, scheduled, share } from "./numbers.ts";

/** What can be paid: `src/algo/reward-terms.ts`, and terms that need a model's look at the rollout. */
export const REWARD_TERMS = [
  "outcome",
  "format",
  "executability",
  "call-success",
  "adherence",
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
  weight: scheduled(-1000, 1000).default(1),
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
  /** Of contribution and ranking: step of the head behind it, as a share of the longest safe one; default 0.5. */
  rate: number(1e-6, 1).optional(),
});

export type TermEntry = Readonly<z.output<typeof rewardTerm>>;

export const rewards = withDescription(
  "What is paid instead of the outcome alone",
  section({
    terms: z
      .array(rewardTerm)
      .max(32)
      .default([])
      .describe("What is paid, instead of the outcome alone: the outcome is a term too")
      .meta({
        expected: `a JSON list of {"term": one of ${REWARD_TERMS.join(", ")}, "weight": a number ${SCHEDULE}, "how": add, penalty or factor, "gate": the outcome from which it counts, "decay": 0 to 1}`,
      }),
  }),
);

const returns = choice(
  "returns",
  "A turn is credited with all of its rollout's rewards, or with those from it on",
  {
    broadcast: section({}),
    "to-go": section({
      discount: share().default(1).describe("Weight of what a later turn earns"),
      restart: z
        .enum(["never", "errors"])
        .default("never")
        .describe("Behind a turn that failed, returns to go begin anew"),
    }),
  },
);

const turnKey = z
  .enum(["task", "task-turn", "task-branch", "role", "chain-position"])
  .default("task")
  .describe(
    "What is compared: all of a task; its turns of one number, or behind one node of its tree; a role; a link of chains",
  );

export const credit = withDescription(
  "What gets an advantage",
  section(
    {
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
    },
    choice("unit", "A rollout (paper), each turn, or each turn by a mix of both", {
      rollout: section({
        key: z
          .enum(["task", "role", "chain-position"])
          .default("task")
          .describe("What is compared: all of a task, a role, a link of chains"),
        branches: z
          .enum(["own", "shared-prefix", "counterfactual"])
          .default("own")
          .describe(
            "Turns of forked rollouts get the rollout's advantage; the mean over all that hold them; at a fork, what the other choices earned is the baseline",
          ),
      }),
      turn: section({ key: turnKey }, returns),
      both: section(
        {
          key: turnKey,
          episodeWeight: number(0, 100)
            .default(1)
            .describe("Weight of the rollout's advantage in the mix"),
          turnWeight: number(0, 100)
            .default(1)
            .describe("Weight of the turn's advantage in the mix"),
        },
        returns,
      ),
    }),
  ),
);

export const surprise = offByDefault(
  "Turns whose mean negative log-prob lies outside of a band are not learned from",
  section(
    {},
    choice("by", "What the ends of the band are: nats, or quantiles of the minibatch's turns", {
      nats: section({
        low: number(0, 1000).default(0).describe("Lower end of the band (nats)"),
        high: number(0, 1000)
          .nullable()
          .default(null)
          .describe("Upper end of the band (nats); null: no bound"),
      }),
      quantiles: section({
        low: share().default(0.1).describe("Share of turns below the band"),
        high: share().default(0.9).describe("One minus the share of turns above the band"),
      }),
    }),
  ),
);

/** A band of surprise as it is configured. */
export type Surprise = NonNullable<FieldValue<typeof surprise>>;

export const filter = withDescription(
  "Rollouts, turns and tokens that are not learned from",
  section({
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
    surprise,
    protectFormat: z
      .boolean()
      .default(false)
      .describe("Tokens around the code, such as the end of a turn, are never pushed down"),
    covariance: offByDefault(
      "Some tokens get no gradient, drawn where log-prob and advantage vary together",
      section({
        share: share().default(0.0002).describe("Share of tokens without a gradient"),
        low: number(-1000, 1000).default(1).describe("Least covariance of those tokens"),
        high: number(-1000, 1000).default(5).describe("Largest covariance of those tokens"),
      }),
    ),
  }),
);

/** What is remembered of earlier rollouts. */
export const STORE = {
  perTask: integer(1, 10_000).default(8).describe("Rollouts remembered of a task"),
  capacity: integer(1, 1_000_000).default(2048).describe("Rollouts remembered of all tasks"),
  maxAge: integer(1, 1_000_000)
    .default(10)
    .describe("Iterations after which a rollout is forgotten"),
  keep: z
    .enum(["passed", "positive"])
    .default("passed")
    .describe("What is worth remembering: passed rollouts, or those with a positive advantage"),
};

export const buffer = offByDefault(
  "Earlier rollouts are remembered and used again",
  section({
    ...STORE,
    inject: offByDefault(
      "A remembered success takes the last place in a group that failed as a whole",
      section({
        below: number(-1000, 1000)
          .default(0.2)
          .describe("A group has failed when its mean return is below this"),
        spread: number(0, 1000)
          .default(0.05)
          .describe("and the standard deviation of its returns is below this"),
        reward: number(-1000, 1000)
          .default(0.1)
          .describe("What a remembered rollout must have earned to be injected"),
        solutions: z
          .boolean()
          .default(false)
          .describe("Where nothing is remembered of a task, its own solution is injected"),
      }),
    ),
    replay: offByDefault(
      "A further pass over remembered rollouts that beat what groups earn now",
      section({
        weight: scheduled(0, 100)
          .default(1)
          .describe("Weight of the further pass")
          .meta({ expected: `a number from 0 to 100, ${SCHEDULE}` }),
        quantile: share()
          .default(0.5)
          .describe("Remembered returns are measured against this quantile of recent group means"),
        groups: integer(1, 1_000_000).default(1024).describe("Recent groups of that measure"),
      }),
    ),
  }),
);

export const imitationMix = withDescription(
  "Imitation of solutions beside reinforcement",
  section({
    mixWeight: scheduled(0, 100)
      .default(0)
      .describe(
        "Weight of imitating the solutions of the iteration's tasks beside the surrogate; 0: none",
      )
      .meta({ expected: `a number from 0 to 100, ${SCHEDULE}` }),
  }),
);
