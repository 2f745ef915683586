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

/** Names of the reward terms: those of `src/algo/reward-terms.ts`, and terms that need a model. */
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
  weight: scheduledNumber(-1000, 1000).default(1),
  /**
   * `add` adds the term; `penalty` subtracts it, down to 0; `factor` multiplies what was earned by 1 - weight x the
   * term's sum.
   */
  how: z.enum(["add", "penalty", "factor"]).default("add"),
  /** The outcome from which on the term counts. */
  gate: number(-1000, 1000).nullable().default(null),
  /** The term is multiplied by decay^j at turn j. */
  decay: share().default(1),
  /** An option of tool-use: the number of turns that are paid. */
  enough: integer(1, 1000).optional(),
  /** An option of kl: the estimator. */
  estimator: z.enum(["k1", "k2", "k3"]).optional(),
  /**
   * An option of contribution and ranking: the step length for fitting the head, as a share of the longest safe one;
   * default 0.5.
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
        "Reward terms that are paid instead of the outcome alone; the outcome is one of the terms",
      )
      .meta({
        expected: `a JSON list of {"term": one of ${REWARD_TERMS.join(", ")}, "weight": a number ${SCHEDULE}, "how": add, penalty or factor, "gate": the outcome from which it counts, "decay": 0 to 1}`,
      }),
  }),
);

const returns = choice(
  "returns",
  "What a turn is credited with: broadcast, all rewards of its rollout; to-go, its own and later rewards",
  {
    broadcast: section({}),
    "to-go": section({
      discount: share().default(1).describe("Weight of a reward that comes one turn later"),
      restart: z
        .enum(["never", "errors"])
        .default("never")
        .describe(
          "When the sum of later rewards restarts: never, or errors, after each turn that failed",
        ),
    }),
  },
);

const turnKey = z
  .enum(["task", "task-turn", "task-branch", "role", "chain-position"])
  .default("task")
  .describe(
    "What is compared: task, all turns of a task; task-turn, its turns with the same index; task-branch, its turns at the same node of the tree; role, all of a role; chain-position, the same position in chains",
  );

export const credit = withDescription(
  "What gets an advantage, and how returns are compared",
  section(
    {
      batchGain: z
        .boolean()
        .default(false)
        .describe(
          "Multiplies advantages by groups / groups with different returns, so that a batch with few of them makes a full step",
        ),
      entropyFactor: number(0, 10)
        .default(0)
        .describe(
          "Share by which a token's advantage grows for each standard deviation of its entropy",
        ),
    },
    choice(
      "unit",
      "What gets an advantage: rollout (paper); turn, each turn; both, each turn as a mix of the rollout's and its own",
      {
        rollout: section({
          key: z
            .enum(["task", "role", "chain-position"])
            .default("task")
            .describe(
              "What is compared: task, all rollouts of a task; role, all of a role; chain-position, the same position in chains",
            ),
          branches: z
            .enum(["own", "shared-prefix", "counterfactual"])
            .default("own")
            .describe(
              "Advantages of turns in forked rollouts: own, the rollout's; shared-prefix, the mean over all rollouts that contain the turn; counterfactual, at a fork with the returns of the other choices as baseline",
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
  "Do not learn from turns whose mean negative log-prob lies outside a band",
  section(
    {},
    choice("by", "Unit of the band's ends: nats, or quantiles of the minibatch's turns", {
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
        "Return from which on a group is left out when all its returns reach it; null: no group is left out",
      ),
    entropyTurnShare: number(0.01, 1)
      .default(1)
      .describe(
        "Share of each rollout's turns, those with the highest entropy, that are learned from",
      ),
    entropyTokenShare: number(0.01, 1)
      .default(1)
      .describe(
        "Share of a minibatch's tokens, those with the highest entropy, that are learned from",
      ),
    surprise,
    protectFormat: z
      .boolean()
      .default(false)
      .describe("Never lowers the probability of format tokens, such as the end of a turn"),
    covariance: offByDefault(
      "Give no gradient to some random tokens whose log-prob and advantage vary together",
      section({
        share: share().default(0.0002).describe("Share of all tokens that get no gradient"),
        low: number(-1000, 1000).default(1).describe("Least covariance of those tokens"),
        high: number(-1000, 1000).default(5).describe("Largest covariance of those tokens"),
      }),
    ),
  }),
);

/** Fields of how many rollouts are remembered and for how long. */
export const STORE = {
  perTask: integer(1, 10_000).default(8).describe("Number of rollouts remembered per task"),
  capacity: integer(1, 1_000_000)
    .default(2048)
    .describe("Number of rollouts remembered over all tasks"),
  maxAge: integer(1, 1_000_000)
    .default(10)
    .describe("Number of iterations after which a rollout is forgotten"),
  keep: z
    .enum(["passed", "positive"])
    .default("passed")
    .describe(
      "Which rollouts are remembered: passed, or positive, those with a positive advantage",
    ),
};

export const buffer = offByDefault(
  "Remember earlier rollouts and use them again",
  section({
    ...STORE,
    inject: offByDefault(
      "Replace the last rollout of a group that failed as a whole by a remembered success",
      section({
        below: number(-1000, 1000)
          .default(0.2)
          .describe("Mean return below which a group counts as failed"),
        spread: number(0, 1000)
          .default(0.05)
          .describe(
            "Standard deviation of returns below which a group counts as failed; both must hold",
          ),
        reward: number(-1000, 1000)
          .default(0.1)
          .describe("Least return of a remembered rollout that is injected"),
        solutions: z
          .boolean()
          .default(false)
          .describe("Injects a task's solution when no rollout of the task is remembered"),
      }),
    ),
    replay: offByDefault(
      "Learn again from remembered rollouts that beat recent groups",
      section({
        weight: scheduledNumber(0, 100)
          .default(1)
          .describe("Weight of the additional pass")
          .meta({ expected: `a number from 0 to 100, ${SCHEDULE}` }),
        quantile: share()
          .default(0.5)
          .describe("Quantile of recent group means that remembered returns must beat"),
        groups: integer(1, 1_000_000)
          .default(1024)
          .describe("Number of recent groups in that quantile"),
      }),
    ),
  }),
);

export const imitationMix = withDescription(
  "Imitation of solutions in addition to reinforcement",
  section({
    mixWeight: scheduledNumber(0, 100)
      .default(0)
      .describe("Weight of imitating the solutions of the iteration's tasks in each step; 0: none")
      .meta({ expected: `a number from 0 to 100, ${SCHEDULE}` }),
  }),
);
