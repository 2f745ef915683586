/** Counters of what is paid beside the outcome: rewards show in the returns of graded rollouts. */
import { type GradedRollout, rewardOf, scheduledValue, totalReward } from "../../algo/index.ts";
import { rewardOptions } from "../learning/metrics.ts";
import type { RewardTermsConfig } from "../on-policy/config.ts";
import { buildRewardTerm, buildWeightedTerm } from "../on-policy/turn-rewards.ts";
import type { TermEntry } from "../sections/credit.ts";
import {
  type FiringCount,
  countActed,
  differsBeyondRounding,
  type Evidence,
  readField,
  type Mechanism,
} from "./mechanism.ts";

const termsOf = (config: object) =>
  (readField(config, "rewards.terms") ?? []) as readonly TermEntry[];
const pays =
  (...names: readonly TermEntry["term"][]) =>
  (config: object) =>
    termsOf(config).some(({ term }) => names.includes(term));
const some = (holds: (entry: TermEntry) => boolean) => (config: object) =>
  termsOf(config).some(holds);

const paidConfig = ({ config }: Evidence) => config as RewardTermsConfig;
const outcomeOf = (evidence: Evidence, { rollout }: GradedRollout) =>
  rewardOf(rollout, rewardOptions(paidConfig(evidence)));

/** Its own rollouts: what came from a buffer was paid when it was collected. */
const own = ({ graded }: Evidence) => graded.filter(({ stored }) => !stored);

/** Rollouts whose return is not their outcome. */
function paidOtherwise(
  evidence: Evidence,
  among: (item: GradedRollout) => boolean = () => true,
): FiringCount {
  return countActed(own(evidence).filter(among), (item) =>
    differsBeyondRounding(item.reward, outcomeOf(evidence, item)),
  );
}

/** Rollouts of several turns that were paid before their last one. */
function paidOnTheWay(evidence: Evidence): FiringCount {
  const long = own(evidence).filter(({ rollout }) => rollout.turns.length > 1);
  return countActed(long, ({ turnRewards = [] }) =>
    turnRewards.slice(0, -1).some((reward) => differsBeyondRounding(reward, 0)),
  );
}

const marks = ({ rollout }: GradedRollout) =>
  rollout.turns.reduce((sum, { grades }) => sum + (grades?.judge ?? 0), 0);

function gated(evidence: Evidence): FiringCount {
  const gates = termsOf(evidence.config).flatMap(({ gate }) => gate ?? []);
  if (gates.length === 0) return { meant: own(evidence).length, fired: 0 };
  const gate = Math.min(...gates);
  return countActed(own(evidence), (item) => {
    const outcome = outcomeOf(evidence, item);
    return differsBeyondRounding(item.reward, outcome) === outcome >= gate;
  });
}

function decayed(evidence: Evidence): FiringCount {
  const config = paidConfig(evidence);
  const falling = termsOf(config).filter(({ decay }) => decay < 1);
  const late = own(evidence).filter(
    (item) => outcomeOf(evidence, item) > 0 && item.rollout.turns.length > 1,
  );
  return countActed(late, ({ rollout }) =>
    falling.some((entry) => {
      const paid = (of: TermEntry) =>
        totalReward(buildWeightedTerm(of, config, {}), rollout, evidence.number - 1);
      return paid(entry) < paid({ ...entry, decay: 1 });
    }),
  );
}

function moved({ config, number }: Evidence): FiringCount {
  const weights = [
    ...termsOf(config).map(({ weight }) => weight),
    readField(config, "buffer.replay.weight") as TermEntry["weight"] | undefined,
  ].filter((weight) => weight !== undefined && typeof weight !== "number");
  if (number === 1) return { meant: 0, fired: 0 };
  return countActed(
    weights,
    (weight) => scheduledValue(weight, number - 1) !== scheduledValue(weight, number - 2),
  );
}

/** Rollouts that earned less than what is added up, among those that did what is charged. */
function charged(evidence: Evidence): FiringCount {
  const config = paidConfig(evidence);
  const by = (terms: readonly TermEntry[]) => {
    const term = buildRewardTerm({ ...config, rewards: { terms: [...terms] } });
    return ({ rollout }: GradedRollout) => totalReward(term, rollout, evidence.number - 1);
  };
  const terms = termsOf(config);
  const added = terms.filter(({ how }) => how === "add");
  const charges = terms
    .filter(({ how }) => how !== "add")
    .map((entry) => ({ ...entry, how: "add" as const }));
  if (charges.length === 0) return { meant: own(evidence).length, fired: 0 };
  const guilty = own(evidence).filter((item) => by(charges)(item) > 0 && by(added)(item) > 0);
  return countActed(guilty, (item) => item.reward < by(added)(item) - 1e-9);
}

export const REWARD_MECHANISMS = {
  "reward terms": {
    on: pays(
      "format",
      "executability",
      "call-success",
      "adherence",
      "tool-use",
      "repetition",
      "turns",
      "tokens",
    ),
    unit: "rollouts",
    count: (evidence) => paidOtherwise(evidence),
  },
  gate: { on: some(({ gate }) => gate !== null), unit: "rollouts", count: gated },
  decay: {
    on: some(({ decay }) => decay < 1),
    unit: "rollouts that succeeded late",
    count: decayed,
  },
  "schedule of a weight": {
    on: some(({ weight }) => typeof weight !== "number"),
    unit: "weights",
    count: moved,
  },
  penalty: {
    on: some(({ how }) => how !== "add"),
    unit: "rollouts that did what is charged",
    count: charged,
  },
  "information gain": {
    on: pays("information-gain"),
    unit: "rollouts of several turns",
    count: paidOnTheWay,
  },
  contributions: {
    on: pays("contribution"),
    unit: "rollouts of several turns",
    count: paidOnTheWay,
  },
  "ranking head": {
    on: pays("ranking"),
    unit: "rollouts",
    count: (evidence) => paidOtherwise(evidence),
  },
  "pay for attempts": {
    on: pays("attempt", "improvement"),
    unit: "rollouts with a worthy attempt",
    count: (evidence) =>
      countActed(
        own(evidence).filter(({ rollout }) =>
          rollout.turns.some(({ grades }) => (grades?.attempt ?? 0) > 0),
        ),
        ({ rollout, turnRewards = [] }) =>
          rollout.turns.some(
            ({ grades }, j) => grades?.attempt !== undefined && differsBeyondRounding(turnRewards[j] ?? 0, 0),
          ),
      ),
  },
  "pay for marks": {
    on: pays("judge"),
    unit: "rollouts with a mark",
    count: (evidence) => paidOtherwise(evidence, (item) => marks(item) > 0),
  },
  "rewards to a critic": {
    on: (config) => readField(config, "critic") !== undefined && termsOf(config).length > 0,
    unit: "rollouts",
    count: (evidence) =>
      countActed(own(evidence), ({ turnRewards }) => turnRewards?.some((r) => differsBeyondRounding(r, 0)) === true),
  },
} satisfies Record<string, Mechanism>;
