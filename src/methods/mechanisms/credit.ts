/** Counters for mechanisms that turn returns into advantages. They look at the advantages of graded rollouts. */
import { batchGainFactor, type GradedRollout, groupAdvantages, groupBy } from "../../algo/index.ts";
import {
  allHold,
  countActed,
  differsBeyondRounding,
  type Evidence,
  type FiringCount,
  hasDifferentValues,
  isFieldOneOf,
  isFieldSet,
  type Mechanism,
  readField,
} from "./mechanism.ts";

const groupByTaskAndRole = ({ graded }: Evidence) => [
  ...groupBy(graded, ({ rollout }) => `${rollout.task.id} ${rollout.role ?? ""}`).values(),
];
const hasEqualReturns = (group: readonly GradedRollout[]) =>
  !hasDifferentValues(group.map(({ reward }) => reward));
const listAdvantages = ({ advantage, turnAdvantages }: GradedRollout) =>
  turnAdvantages ?? [advantage];

/** Counts groups with different returns, and how many of them have advantages with mean 0 and variance 1. */
function countStandardisedGroups(evidence: Evidence): FiringCount {
  const open = groupByTaskAndRole(evidence).filter(
    (group) => group.length > 1 && !hasEqualReturns(group),
  );
  return countActed(open, (group) => {
    const all = group.flatMap(listAdvantages);
    const mean = all.reduce((sum, a) => sum + a, 0) / all.length;
    const square = all.reduce((sum, a) => sum + a * a, 0) / all.length;
    return Math.abs(mean) < 1e-6 && Math.abs(square - 1) < 1e-6;
  });
}

/** Counts rollouts with several turns, and how many of them have turns with different advantages. */
function countUnequalTurns({ graded }: Evidence): FiringCount {
  const taught = graded.filter(
    ({ advantage, rollout }) => differsBeyondRounding(advantage, 0) && rollout.turns.length > 1,
  );
  return countActed(taught, ({ turnAdvantages = [] }) => hasDifferentValues(turnAdvantages));
}

/** Counts groups with equal returns, and how many of them get an advantage to learn from by a running baseline. */
function countUniformGroupsWithAdvantage(evidence: Evidence): FiringCount {
  if (evidence.after.running === undefined) return { meant: 0, fired: 0 };
  const uniform = groupByTaskAndRole(evidence).filter(hasEqualReturns);
  return countActed(uniform, (group) =>
    group.some(({ advantage }) => differsBeyondRounding(advantage, 0)),
  );
}

/**
 * Counts groups with different returns in batches that also have other groups, and how many of them got larger
 * advantages than their returns alone give.
 */
function countGroupsWithGain(evidence: Evidence): FiringCount {
  const { config } = evidence;
  if (!isFieldOneOf("algo.baseline", "mean", "leave-one-out")(config))
    return { meant: 0, fired: 0 };
  const groups = groupByTaskAndRole(evidence).filter((group) => group.length > 1);
  const plain = groups.map((group) =>
    groupAdvantages(
      group.map(({ reward }) => reward),
      {
        baseline: readField(config, "algo.baseline") === "mean" ? "mean" : "leave-one-out",
        scale: readField(config, "algo.scale") === "group" ? "group" : "none",
      },
    ),
  );
  if (batchGainFactor(plain) <= 1) return { meant: 0, fired: 0 };
  const teaching = [...groups.keys()].filter((i) => !hasEqualReturns(groups[i]!));
  return countActed(teaching, (i) =>
    groups[i]!.some(({ advantage }, k) => Math.abs(advantage) > Math.abs(plain[i]![k]!) + 1e-9),
  );
}

/**
 * Counts rollouts that share turns with a rollout of another return, and how many of them have turns with different
 * advantages.
 */
function countSharedTurnCredit({ graded }: Evidence): FiringCount {
  const known = new Map(graded.map((item) => [item.rollout.id, item]));
  const related = graded.filter(({ rollout, reward }) => {
    const parent = rollout.branch && known.get(rollout.branch.parent);
    const children = graded.filter((other) => other.rollout.branch?.parent === rollout.id);
    return [...(parent ? [parent] : []), ...children].some((other) =>
      differsBeyondRounding(other.reward, reward),
    );
  });
  return countActed(related, ({ turnAdvantages = [] }) => hasDifferentValues(turnAdvantages));
}

/** Counts rows, and how many of them have a turn whose tokens have different advantages. */
function countUnequalTokens({ record: { minibatches = [] } }: Evidence): FiringCount {
  const rows = minibatches.flat().filter(({ logprobs }) => logprobs.length > 1);
  return countActed(rows, ({ advantage, entropies, turnLengths = [] }) => {
    if (typeof advantage === "number" || entropies === undefined) return false;
    let next = 0;
    return turnLengths.some((length) => {
      const turn = Array.from(advantage).slice(next, next + length);
      next += length;
      return hasDifferentValues(turn);
    });
  });
}

export const CREDIT_MECHANISMS = {
  "group advantage": {
    isOn: allHold(isFieldOneOf("algo.baseline", "mean"), isFieldOneOf("algo.scale", "group")),
    unit: "groups with different returns",
    count: countStandardisedGroups,
  },
  "credit of turns": {
    isOn: isFieldOneOf("credit.unit", "turn", "both"),
    unit: "rollouts of several turns",
    count: countUnequalTurns,
  },
  "episode and turn": {
    isOn: isFieldOneOf("credit.unit", "both"),
    unit: "rollouts of several turns",
    count: countUnequalTurns,
  },
  "running baseline": {
    isOn: isFieldOneOf("algo.baseline", "running"),
    unit: "groups with equal returns",
    count: countUniformGroupsWithAdvantage,
  },
  "batch gain": {
    isOn: isFieldSet("credit.batchGain"),
    unit: "groups with different returns",
    count: countGroupsWithGain,
  },
  "entropy factor": {
    isOn: isFieldSet("credit.entropyFactor"),
    unit: "rollouts",
    count: countUnequalTokens,
  },
  "credit in trees": {
    isOn: isFieldOneOf("credit.branches", "shared-prefix", "counterfactual"),
    unit: "rollouts that share turns with a rollout of another return",
    count: countSharedTurnCredit,
  },
} satisfies Record<string, Mechanism>;
