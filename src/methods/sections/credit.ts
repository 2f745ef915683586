/** Configuration sections of the on-policy methods: reward terms, credit, filters, the buffer of rollouts. */
import { z } from "zod";
import {
  choice,
  type FieldValue,
  offByDefault,
  section,
  withDescription,
} from "../../core/index.ts";
import { integer, number, SCHEDULE, scheduledNumber, share } from "./numbers.ts";

/** Names of the reward terms: those in `src/algo/reward-terms.ts`, and terms that need a model. */
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
  "skill",
  "decision",
] as const;

const rewardTerm = z.strictObject({
  term: z.enum(REWARD_TERMS),
  weight: scheduledNumber(-1000, 1000).default(1),
  /**
   * `add` adds the term; `penalty` subtracts it, down to 0; `factor` multiplies what was earned by 1 - weight x the
   * term's sum.
   */
  how: z.enum(["add", "penalty", "factor"]).default("add"),
  /** The least outcome at which the term is paid. */
  gate: number(-1000, 1000).nullable().default(null),
  /** The term is multiplied by decay^j at turn j, or in attempt j. */
  decay: share().default(1),
  /** What the power j of the decay counts: earlier turns of the rollout, or earlier attempts. */
  decayBy: z.enum(["turn", "attempt"]).default("turn"),
  /** For tool-use: the number of turns that are paid. */
  enough: integer(1, 1000).optional(),
  /** For kl: the estimator. */
  estimator: z.enum(["k1", "k2", "k3"]).optional(),
  /**
   * For contribution and ranking: the step length for fitting the head, as a share of the largest safe step; default
   * 0.5.
   */
  rate: number(1e-6, 1).optional(),
});

/** One configured reward term. */
export type TermEntry = Readonly<z.output<typeof rewardTerm>>;

export const rewards = withDescription(
  "What rollouts are paid, instead of the outcome alone",
  section({
    terms: z
      .array(rewardTerm)
      .max(32)
      .default([])
      .describe(
        "Reward terms that are paid instead of only the outcome. The outcome is itself one of the terms",
      )
      .meta({
        expected: `a JSON list of {"term": one of ${REWARD_TERMS.join(", ")}, "weight": a number ${SCHEDULE}, "how": add, penalty or factor, "gate": the least outcome at which it is paid, "decay": 0 to 1, "decayBy": turn or attempt}`,
      }),
  }),
);

const returns = choice(
  "returns",
  "Rewards that a turn is credited with: broadcast, all rewards of its rollout; to-go, its own and later rewards",
  {
    broadcast: section({}),
    "to-go": section({
      discount: share()
        .default(1)
        .describe("Weight of a reward, relative to the same reward one turn earlier"),
      restart: z
        .enum(["never", "errors"])
        .default("never")
        .describe(
          "When the sum of later rewards restarts: never; errors, after each turn that failed",
        ),
    }),
  },
);

const turnKey = z
  .enum(["task", "task-turn", "task-branch", "role", "chain-position"])
  .default("task")
  .describe(
    "Which turns are compared with each other: task, all turns of a task; task-turn, those of a task with the same index; task-branch, those of a task at the same node of its tree; role, all turns of a role; chain-position, those at the same position in their chains",
  );

export const credit = withDescription(
  "What gets an advantage, and how returns are compared",
  section(
    {
      batchGain: z
        .boolean()
        .default(false)
        .describe(
          "Multiplies advantages by the number of groups divided by the number of groups with different returns, so that a batch with few of the latter still makes a full step",
        ),
      entropyFactor: number(0, 10)
        .default(0)
        .describe(
          "Share by which a token's advantage grows with each standard deviation of its entropy",
        ),
    },
    choice(
      "unit",
      "What gets an advantage: rollout, each rollout (paper); turn, each turn; both, each turn, as a mix of the rollout's advantage and its own",
      {
        rollout: section({
          key: z
            .enum(["task", "role", "chain-position"])
            .default("task")
            .describe(
              "Which rollouts are compared with each other: task, all those of a task; role, all those of a role; chain-position, those at the same position in their chains",
            ),
          branches: z
            .enum(["own", "shared-prefix", "counterfactual"])
            .default("own")
            .describe(
              "Advantages of turns in forked rollouts: own, that of the rollout; shared-prefix, the mean over all rollouts that contain the turn; counterfactual, with a baseline at each fork, the returns of the rollouts that chose otherwise",
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
      },
    ),
  ),
);

export const surprise = offByDefault(
  "Leaves out turns whose mean negative log-prob (surprise) lies outside of a band",
  section(
    {},
    choice("by", "Unit of the band's ends: nats; quantiles, shares of the minibatch's turns", {
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

/** The configured surprise band. */
export type Surprise = NonNullable<FieldValue<typeof surprise>>;

export const filter = withDescription(
  "Which rollouts, turns and tokens are not learned from",
  section({
    voidTurns: z
      .boolean()
      .default(false)
      .describe("Leaves out rollouts with a turn that neither ran code nor ended the episode"),
    overTurn: z.boolean().default(false).describe("Leaves out rollouts that ran out of turns"),
    overLong: z.boolean().default(false).describe("Leaves out rollouts that ran out of tokens"),
    positiveOnly: z
      .boolean()
      .default(false)
      .describe("Learns only from rollouts with a positive advantage"),
    saturatedAbove: number(-1000, 1000)
      .nullable()
      .default(null)
      .describe(
        "Return at which a group is left out if all its returns are at least this; null: no group is left out",
      ),
    entropyTurnShare: number(0.01, 1)
      .default(1)
      .describe(
        "Share of each rollout's turns that are learned from. They are the turns with the highest entropy",
      ),
    entropyTokenShare: number(0.01, 1)
      .default(1)
      .describe(
        "Share of a minibatch's tokens that are learned from. They are the tokens with the highest entropy",
      ),
    surprise,
    protectFormat: z
      .boolean()
      .default(false)
      .describe("Never lowers the probability of format tokens, such as the end of a turn"),
    covariance: offByDefault(
      "Gives no gradient to some random tokens whose log-prob and advantage vary together",
      section({
        share: share().default(0.0002).describe("Share of all tokens that get no gradient"),
        low: number(-1000, 1000).default(1).describe("Least covariance of those tokens"),
        high: number(-1000, 1000).default(5).describe("Largest covariance of those tokens"),
      }),
    ),
  }),
);

/** The fields that say how many rollouts are remembered, and for how long. */
export const STORE = {
  perTask: integer(1, 10_000)
    .default(8)
    .describe("Number of rollouts that are remembered for each task"),
  capacity: integer(1, 1_000_000)
    .default(2048)
    .describe("Number of rollouts that are remembered for all tasks together"),
  maxAge: integer(1, 1_000_000)
    .default(10)
    .describe("Number of iterations after which a rollout is forgotten"),
  keep: z
    .enum(["passed", "positive"])
    .default("passed")
    .describe(
      "Which rollouts are remembered: passed, those that passed; positive, those with a positive advantage",
    ),
};

export const buffer = offByDefault(
  "Remembers earlier rollouts and uses them again",
  section({
    ...STORE,
    inject: offByDefault(
      "Replaces the last rollout of a group that failed as a whole by a remembered success",
      section({
        below: number(-1000, 1000)
          .default(0.2)
          .describe("Mean return below which a group may count as failed"),
        spread: number(0, 1000)
          .default(0.05)
          .describe(
            "Standard deviation of returns below which a group counts as failed, if its mean is low too (see below)",
          ),
        reward: number(-1000, 1000)
          .default(0.1)
          .describe("Least return at which a remembered rollout may be injected"),
        solutions: z
          .boolean()
          .default(false)
          .describe("Injects a task's solution when no rollout of the task is remembered"),
      }),
    ),
    replay: offByDefault(
      "Learns again from remembered rollouts that earned more than recent groups",
      section({
        weight: scheduledNumber(0, 100)
          .default(1)
          .describe("Weight of the additional pass over remembered rollouts")
          .meta({ expected: `a number from 0 to 100, ${SCHEDULE}` }),
        quantile: share()
          .default(0.5)
          .describe(
            "Quantile of the mean returns of recent groups that a remembered return must exceed",
          ),
        groups: integer(1, 1_000_000)
          .default(1024)
          .describe("Number of recent groups over which the quantile is taken"),
      }),
    ),
  }),
);

export const imitationMix = withDescription(
  "Imitation of solutions in addition to reinforcement",
  section({
    mixWeight: scheduledNumber(0, 100)
      .default(0)
      .describe(
        "Weight of imitating solutions in each step; 0: none. The solutions are those of the iteration's tasks",
      )
      .meta({ expected: `a number from 0 to 100, ${SCHEDULE}` }),
  }),
);
