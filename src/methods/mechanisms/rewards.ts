/**
 * Counters for mechanisms that pay something in addition to the outcome. They look at the returns of graded rollouts.
 */
import {
  type GradedRollout,
  groupBy,
  isPassed,
  rewardOf,
  scheduledValue,
  totalReward,
} from "../../algo/index.ts";
import { rewardOptions } from "../learning/metrics.ts";
import type { RewardTermsConfig } from "../on-policy/config.ts";
import { predictContributions, rolloutScore, ZERO_HEAD } from "../on-policy/turn-head.ts";
import { buildRewardTerm, buildWeightedTerm } from "../on-policy/turn-rewards.ts";
import type { TermEntry } from "../sections/credit.ts";
import {
  countActed,
  differsBeyondRounding,
  type Evidence,
  type FiringCount,
  hasDifferentValues,
  type Mechanism,
  readField,
} from "./mechanism.ts";

const readTerms = (config: object) =>
  (readField(config, "rewards.terms") ?? []) as readonly TermEntry[];
const paysAnyTerm =
  (...names: readonly TermEntry["term"][]) =>
  (config: object) =>
    readTerms(config).some(({ term }) => names.includes(term));
const hasTermWhere = (holds: (entry: TermEntry) => boolean) => (config: object) =>
  readTerms(config).some(holds);

const readRewardConfig = ({ config }: Evidence) => config as RewardTermsConfig;
const outcomeReward = (evidence: Evidence, { rollout }: GradedRollout) =>
  rewardOf(rollout, rewardOptions(readRewardConfig(evidence)));

/**
 * Returns the rollouts that were collected in this iteration. Rollouts from a buffer were paid when they were
 * collected.
 */
const ownRollouts = ({ graded }: Evidence) => graded.filter(({ stored }) => !stored);

/** Counts rollouts whose return differs from their outcome. */
function countPaidDifferently(
  evidence: Evidence,
  among: (item: GradedRollout) => boolean = () => true,
): FiringCount {
  return countActed(ownRollouts(evidence).filter(among), (item) =>
    differsBeyondRounding(item.reward, outcomeReward(evidence, item)),
  );
}

/** Counts rollouts with several turns, and how many of them were paid before their last turn. */
function countPaidBeforeEnd(evidence: Evidence): FiringCount {
  const long = ownRollouts(evidence).filter(({ rollout }) => rollout.turns.length > 1);
  return countActed(long, ({ turnRewards = [] }) =>
    turnRewards.slice(0, -1).some((reward) => differsBeyondRounding(reward, 0)),
  );
}

type HeadName = "contribution" | "ranking";
const findHead = ({ after }: Evidence, name: HeadName) => after.heads?.[name] ?? ZERO_HEAD;

/**
 * Counts rollouts with several turns, and how many of them the head divides: those whose turns it predicts to
 * contribute differently. A head of zeros pays every turn the same, so it does not count.
 */
function countDividedOutcomes(evidence: Evidence): FiringCount {
  const head = findHead(evidence, "contribution");
  const long = ownRollouts(evidence).filter(({ rollout }) => rollout.turns.length > 1);
  return countActed(long, ({ rollout }) => hasDifferentValues(predictContributions(head, rollout)));
}

/** Counts rollouts, and how many of them are in a task whose rollouts the head scores differently. */
function countRankedRollouts(evidence: Evidence): FiringCount {
  const head = findHead(evidence, "ranking");
  const own = ownRollouts(evidence);
  const groups = groupBy(own, ({ rollout }) => rollout.task.id);
  return countActed(own, ({ rollout }) =>
    hasDifferentValues(
      groups.get(rollout.task.id)!.map((item) => rolloutScore(head, item.rollout)),
    ),
  );
}

const sumOfMarks = ({ rollout }: GradedRollout) =>
  rollout.turns.reduce((sum, { grades }) => sum + (grades?.judge ?? 0), 0);

function countGatedRewards(evidence: Evidence): FiringCount {
  const gates = readTerms(evidence.config).flatMap(({ gate }) => gate ?? []);
  if (gates.length === 0) return { meant: ownRollouts(evidence).length, fired: 0 };
  const gate = Math.min(...gates);
  return countActed(ownRollouts(evidence), (item) => {
    const outcome = outcomeReward(evidence, item);
    return differsBeyondRounding(item.reward, outcome) === outcome >= gate;
  });
}

function countDecayedRewards(evidence: Evidence): FiringCount {
  const config = readRewardConfig(evidence);
  const falling = readTerms(config).filter(({ decay }) => decay < 1);
  const late = ownRollouts(evidence).filter(
    (item) => outcomeReward(evidence, item) > 0 && item.rollout.turns.length > 1,
  );
  return countActed(late, ({ rollout }) =>
    falling.some((entry) => {
      const rewardWithEntry = (of: TermEntry) =>
        totalReward(buildWeightedTerm(of, config, {}), rollout, evidence.number - 1);
      return rewardWithEntry(entry) < rewardWithEntry({ ...entry, decay: 1 });
    }),
  );
}

function countChangedWeights({ config, number }: Evidence): FiringCount {
  const weights = [
    ...readTerms(config).map(({ weight }) => weight),
    readField(config, "buffer.replay.weight") as TermEntry["weight"] | undefined,
  ].filter((weight) => weight !== undefined && typeof weight !== "number");
  if (number === 1) return { meant: 0, fired: 0 };
  return countActed(
    weights,
    (weight) => scheduledValue(weight, number - 1) !== scheduledValue(weight, number - 2),
  );
}

/**
 * Counts rollouts that did what a penalty or factor charges for, and how many of them earned less than the sum of the
 * added terms.
 */
function countChargedRollouts(evidence: Evidence): FiringCount {
  const config = readRewardConfig(evidence);
  const rewardUnderTerms = (terms: readonly TermEntry[]) => {
    const term = buildRewardTerm({ ...config, rewards: { terms: [...terms] } });
    return ({ rollout }: GradedRollout) => totalReward(term, rollout, evidence.number - 1);
  };
  const terms = readTerms(config);
  const added = terms.filter(({ how }) => how === "add");
  const charges = terms
    .filter(({ how }) => how !== "add")
    .map((entry) => ({ ...entry, how: "add" as const }));
  if (charges.length === 0) return { meant: ownRollouts(evidence).length, fired: 0 };
  const chargedRollouts = ownRollouts(evidence).filter(
    (item) => rewardUnderTerms(charges)(item) > 0 && rewardUnderTerms(added)(item) > 0,
  );
  return countActed(chargedRollouts, (item) => item.reward < rewardUnderTerms(added)(item) - 1e-9);
}

export const REWARD_MECHANISMS = {
  "reward terms": {
    isOn: paysAnyTerm(
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
    count: (evidence) => countPaidDifferently(evidence),
  },
  gate: {
    isOn: hasTermWhere(({ gate }) => gate !== null),
    unit: "rollouts",
    count: countGatedRewards,
  },
  decay: {
    isOn: hasTermWhere(({ decay }) => decay < 1),
    unit: "rollouts that succeeded late",
    count: countDecayedRewards,
  },
  "schedule of a weight": {
    isOn: hasTermWhere(({ weight }) => typeof weight !== "number"),
    unit: "weights",
    count: countChangedWeights,
  },
  penalty: {
    isOn: hasTermWhere(({ how }) => how !== "add"),
    unit: "rollouts that a penalty or factor applies to",
    count: countChargedRollouts,
  },
  "information gain": {
    isOn: paysAnyTerm("information-gain"),
    unit: "rollouts of several turns",
    count: countPaidBeforeEnd,
  },
  "right decisions": {
    isOn: paysAnyTerm("decision"),
    unit: "turns with calls",
    count: (evidence) =>
      countActed(
        ownRollouts(evidence).flatMap(({ rollout, turnRewards = [] }) =>
          rollout.turns.flatMap(({ calls }, j) => (calls.length > 0 ? [turnRewards[j] ?? 0] : [])),
        ),
        (reward) => differsBeyondRounding(reward, 0),
      ),
  },
  contributions: {
    isOn: paysAnyTerm("contribution"),
    unit: "rollouts of several turns",
    count: countDividedOutcomes,
  },
  "ranking head": {
    isOn: paysAnyTerm("ranking"),
    unit: "rollouts",
    count: countRankedRollouts,
  },
  "pay for attempts": {
    isOn: paysAnyTerm("attempt", "improvement"),
    unit: "rollouts with an attempt that earned something",
    count: (evidence) =>
      countActed(
        ownRollouts(evidence).filter(({ rollout }) =>
          rollout.turns.some(({ grades }) => (grades?.attempt ?? 0) > 0),
        ),
        ({ rollout, turnRewards = [] }) =>
          rollout.turns.some(
            ({ grades }, j) =>
              grades?.attempt !== undefined && differsBeyondRounding(turnRewards[j] ?? 0, 0),
          ),
      ),
  },
  "skill reward": {
    isOn: paysAnyTerm("skill"),
    unit: "rollouts of chains that passed",
    count: (evidence) =>
      countPaidDifferently(
        evidence,
        ({ rollout }) => rollout.chain !== undefined && isPassed(rollout),
      ),
  },
  "pay for marks": {
    isOn: paysAnyTerm("judge"),
    unit: "rollouts with a positive mark",
    count: (evidence) => countPaidDifferently(evidence, (item) => sumOfMarks(item) > 0),
  },
  "rewards to a critic": {
    isOn: (config) => readField(config, "critic") !== undefined && readTerms(config).length > 0,
    unit: "rollouts",
    count: (evidence) =>
      countActed(
        ownRollouts(evidence),
        ({ turnRewards }) => turnRewards?.some((r) => differsBeyondRounding(r, 0)) === true,
      ),
  },
} satisfies Record<string, Mechanism>;
