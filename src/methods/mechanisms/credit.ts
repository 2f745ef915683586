/** Counters of how returns become advantages: they show in the advantages of graded rollouts. */
import { batchGainFactor, type GradedRollout, groupAdvantages, groupBy } from "../../algo/index.ts";
import {
  anyDiffers,
  both,
  type Count,
  counted,
  differs,
  type Evidence,
  fieldOf,
  isOneOf,
  isSet,
  type Mechanism,
} from "./mechanism.ts";

const groupsIn = ({ graded }: Evidence) => [
  ...groupBy(graded, ({ rollout }) => `${rollout.task.id} ${rollout.role ?? ""}`).values(),
];
const agrees = (group: readonly GradedRollout[]) => !anyDiffers(group.map(({ reward }) => reward));
const advantagesOf = ({ advantage, turnAdvantages }: GradedRollout) =>
  turnAdvantages ?? [advantage];

/** Groups whose advantages have mean 0 and spread 1. */
function standardised(evidence: Evidence): Count {
  const open = groupsIn(evidence).filter((group) => group.length > 1 && !agrees(group));
  return counted(open, (group) => {
    const all = group.flatMap(advantagesOf);
    const mean = all.reduce((sum, a) => sum + a, 0) / all.length;
    const square = all.reduce((sum, a) => sum + a * a, 0) / all.length;
    return Math.abs(mean) < 1e-6 && Math.abs(square - 1) < 1e-6;
  });
}

/** Rollouts of several turns that do not have one advantage for all of them. */
function turnsDiffer({ graded }: Evidence): Count {
  const taught = graded.filter(
    ({ advantage, rollout }) => differs(advantage, 0) && rollout.turns.length > 1,
  );
  return counted(taught, ({ turnAdvantages = [] }) => anyDiffers(turnAdvantages));
}

/** Groups that agree, and are learned from all the same. */
function runningBaselines(evidence: Evidence): Count {
  if (evidence.after.running === undefined) return { meant: 0, fired: 0 };
  const uniform = groupsIn(evidence).filter(agrees);
  return counted(uniform, (group) => group.some(({ advantage }) => differs(advantage, 0)));
}

/** Groups that teach, in a batch of which some do not, whose advantages are larger than a group's own. */
function gained(evidence: Evidence): Count {
  const { config } = evidence;
  if (!isOneOf("algo.baseline", "mean", "leave-one-out")(config)) return { meant: 0, fired: 0 };
  const groups = groupsIn(evidence).filter((group) => group.length > 1);
  const plain = groups.map((group) =>
    groupAdvantages(
      group.map(({ reward }) => reward),
      {
        baseline: fieldOf(config, "algo.baseline") === "mean" ? "mean" : "leave-one-out",
        scale: fieldOf(config, "algo.scale") === "group" ? "group" : "none",
      },
    ),
  );
  if (batchGainFactor(plain) <= 1) return { meant: 0, fired: 0 };
  const teaching = [...groups.keys()].filter((i) => !agrees(groups[i]!));
  return counted(teaching, (i) =>
    groups[i]!.some(({ advantage }, k) => Math.abs(advantage) > Math.abs(plain[i]![k]!) + 1e-9),
  );
}

/** Rollouts that share turns with one that earned something else. */
function sharedTurns({ graded }: Evidence): Count {
  const known = new Map(graded.map((item) => [item.rollout.id, item]));
  const kin = graded.filter(({ rollout, reward }) => {
    const parent = rollout.branch && known.get(rollout.branch.parent);
    const children = graded.filter((other) => other.rollout.branch?.parent === rollout.id);
    return [...(parent ? [parent] : []), ...children].some((other) =>
      differs(other.reward, reward),
    );
  });
  return counted(kin, ({ turnAdvantages = [] }) => anyDiffers(turnAdvantages));
}

/** Rows whose tokens have different advantages within one turn. */
function tokensDiffer({ seen: { minibatches = [] } }: Evidence): Count {
  const rows = minibatches.flat().filter(({ logprobs }) => logprobs.length > 1);
  return counted(rows, ({ advantage, entropies, turnLengths = [] }) => {
    if (typeof advantage === "number" || entropies === undefined) return false;
    let next = 0;
    return turnLengths.some((length) => {
      const turn = Array.from(advantage).slice(next, next + length);
      next += length;
      return anyDiffers(turn);
    });
  });
}

export const CREDIT_MECHANISMS = {
  "group advantage": {
    on: both(isOneOf("algo.baseline", "mean"), isOneOf("algo.scale", "group")),
    unit: "groups whose returns differ",
    count: standardised,
  },
  "credit of turns": {
    on: isOneOf("credit.unit", "turn", "both"),
    unit: "rollouts of several turns",
    count: turnsDiffer,
  },
  "episode and turn": {
    on: isOneOf("credit.unit", "both"),
    unit: "rollouts of several turns",
    count: turnsDiffer,
  },
  "running baseline": {
    on: isOneOf("algo.baseline", "running"),
    unit: "groups whose returns agree",
    count: runningBaselines,
  },
  "batch gain": { on: isSet("credit.batchGain"), unit: "groups that teach", count: gained },
  "entropy factor": { on: isSet("credit.entropyFactor"), unit: "rollouts", count: tokensDiffer },
  "credit in trees": {
    on: isOneOf("credit.branches", "shared-prefix", "counterfactual"),
    unit: "rollouts that share turns with one of another return",
    count: sharedTurns,
  },
} satisfies Record<string, Mechanism>;
