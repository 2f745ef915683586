/**
 * Counters for mechanisms that decide what is learned from, and how. They look at the rows that the objective received,
 * and compare its derivative with the derivative without an option.
 */
import {
  lengthAdaptiveLambda,
  type ObjectiveOptions,
  type ObjectiveRow,
  policyObjective,
} from "../../algo/index.ts";
import {
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

const listObjectiveRows = ({ record: { minibatches = [] } }: Evidence) =>
  minibatches.flat().filter(({ logprobs }) => logprobs.length > 0);

type RemoveOption = (options: ObjectiveOptions) => ObjectiveOptions;

/** Counts rows, and how many of them get another derivative when the option is removed. */
function countChangedByOption(
  { record: { minibatches = [], options } }: Evidence,
  without: RemoveOption,
  among: (row: ObjectiveRow, options: ObjectiveOptions) => boolean = () => true,
): FiringCount {
  if (options === undefined) return { meant: 0, fired: 0 };
  const pairs = minibatches.flatMap((rows) => {
    const now = policyObjective(rows, options).cotangents;
    const plain = policyObjective(rows, without(options)).cotangents;
    return rows.flatMap((row, i) => (among(row, options) ? [[now[i]!, plain[i]!] as const] : []));
  });
  return countActed(
    pairs,
    ([a, b]) =>
      Array.from(a.logprobs).some((slope, t) => slope !== b.logprobs[t]) ||
      Array.from(a.entropies ?? []).some((slope, t) => slope !== (b.entropies?.[t] ?? 0)),
  );
}

const advantageAt = ({ advantage }: ObjectiveRow, t: number) =>
  typeof advantage === "number" ? advantage : advantage[t]!;

/** Returns true if some token with a positive advantage has a ratio above the plain clip. */
function hasTokenBeyondClip(row: ObjectiveRow, { clip }: ObjectiveOptions): boolean {
  return Array.from(row.logprobs).some(
    (logprob, t) => advantageAt(row, t) > 0 && Math.exp(logprob - row.oldLogprobs[t]!) > 1 + clip,
  );
}

/**
 * Counts updates with a token whose ratio is above the plain clip, and how many of them still learn from it because of
 * the wider upper clip.
 */
function countWidenedUpdates({ record: { minibatches = [], options } }: Evidence): FiringCount {
  if (options === undefined) return { meant: 0, fired: 0 };
  const { clip, upperClip = clip } = options;
  const updates = minibatches.filter((rows) =>
    rows.some((row) => hasTokenBeyondClip(row, options)),
  );
  return countActed(updates, (rows) =>
    rows.some((row) =>
      Array.from(row.logprobs).some((logprob, t) => {
        const ratio = Math.exp(logprob - row.oldLogprobs[t]!);
        return advantageAt(row, t) > 0 && ratio > 1 + clip && ratio <= 1 + upperClip;
      }),
    ),
  );
}

const countTurns = ({ turnLengths = [] }: ObjectiveRow) => turnLengths.filter((n) => n > 0).length;

/** Returns whether some weights are 0 and some are positive. */
const hasZeroAndPositive = (weights: ArrayLike<number> | undefined) => {
  const all = Array.from(weights ?? []);
  return all.includes(0) && all.some((w) => w > 0);
};

function countRowsWithTokenAdvantages(
  evidence: Evidence,
  fits: (row: ObjectiveRow) => boolean,
): FiringCount {
  return countActed(
    listObjectiveRows(evidence),
    (row) => typeof row.advantage !== "number" && fits(row),
  );
}

/** Returns true if a row has one advantage per turn, and not all of them are equal. */
function hasTurnAdvantages({ advantage, turnLengths = [] }: ObjectiveRow): boolean {
  let next = 0;
  const turns = turnLengths.map((length) => {
    const part = Array.from(advantage as ArrayLike<number>).slice(next, next + length);
    next += length;
    return part;
  });
  const turnsWithTokens = turns.filter((turn) => turn.length > 0);
  return (
    !turnsWithTokens.some(hasDifferentValues) &&
    hasDifferentValues(turnsWithTokens.map(([first]) => first!))
  );
}

export const OBJECTIVE_MECHANISMS = {
  "KL to the start": {
    isOn: isFieldSet("algo.kl"),
    unit: "rollouts in updates",
    count: (evidence) => countChangedByOption(evidence, ({ kl: _, ...rest }) => rest),
  },
  "KL on first turns": {
    isOn: isFieldSet("algo.kl.turns"),
    unit: "rollouts of several turns",
    count: (evidence) =>
      countActed(
        listObjectiveRows(evidence).filter((row) => countTurns(row) > 1),
        ({ klWeights }) => hasZeroAndPositive(klWeights),
      ),
  },
  "entropy bonus and band": {
    isOn: (config) =>
      isFieldSet("algo.entropyCoefficient")(config) || isFieldSet("algo.entropyBand")(config),
    unit: "rollouts in updates",
    count: (evidence) =>
      countChangedByOption(evidence, ({ entropy: _, entropyBand: __, ...rest }) => rest),
  },
  "wider upper clip": {
    isOn: isFieldSet("algo.upperClip"),
    unit: "updates with a token of positive advantage beyond the plain clip",
    count: countWidenedUpdates,
  },
  "gradient above the clip": {
    isOn: isFieldSet("algo.keptShare"),
    unit: "updates with a token of positive advantage beyond the plain clip",
    count: ({ record: { minibatches = [], options }, ...evidence }) => {
      if (options === undefined) return { meant: 0, fired: 0 };
      const updates = minibatches.filter((rows) =>
        rows.some((row) => hasTokenBeyondClip(row, options)),
      );
      return countActed(updates, (rows) => {
        const one = { ...evidence, record: { minibatches: [rows], options } };
        return countChangedByOption(one, ({ keptShare: _, ...rest }) => rest).fired > 0;
      });
    },
  },
  "sampler correction": {
    isOn: isFieldSet("algo.samplerCap"),
    unit: "rollouts in updates",
    count: (evidence) => countChangedByOption(evidence, ({ samplerCap: _, ...rest }) => rest),
  },
  "high-entropy turns": {
    isOn: (config) => Number(readField(config, "filter.entropyTurnShare") ?? 1) < 1,
    unit: "rollouts of several turns",
    count: (evidence) =>
      countActed(
        listObjectiveRows(evidence).filter((row) => countTurns(row) > 1),
        ({ weights }) => hasZeroAndPositive(weights),
      ),
  },
  "format protected": {
    isOn: isFieldSet("filter.protectFormat"),
    unit: "rollouts with a negative advantage",
    count: (evidence) =>
      countActed(
        listObjectiveRows(evidence).filter((row) =>
          Array.from(row.logprobs).every((_, t) => advantageAt(row, t) < 0),
        ),
        ({ weights }) => hasZeroAndPositive(weights),
      ),
  },
  "covariance clip": {
    isOn: isFieldSet("filter.covariance"),
    unit: "updates",
    count: ({ record: { minibatches = [] } }) =>
      countActed(minibatches, (rows) => rows.some(({ weights }) => hasZeroAndPositive(weights))),
  },
  critic: {
    isOn: isFieldSet("critic"),
    unit: "rollouts in updates",
    count: (evidence) =>
      countRowsWithTokenAdvantages(evidence, ({ advantage, turnLengths = [] }) =>
        turnLengths.length > 1 ? hasDifferentValues(advantage as ArrayLike<number>) : true,
      ),
  },
  "critic of turns": {
    isOn: isFieldOneOf("critic.unit", "turn"),
    unit: "rollouts of several turns",
    count: (evidence) =>
      countActed(
        listObjectiveRows(evidence).filter((row) => countTurns(row) > 1),
        (row) => typeof row.advantage !== "number" && hasTurnAdvantages(row),
      ),
  },
  "lambda by length": {
    isOn: isFieldOneOf("critic.lambdaBy", "length"),
    unit: "rollouts in updates",
    count: (evidence) => {
      const alpha = Number(readField(evidence.config, "critic.adaptiveLambda") ?? 0);
      return countRowsWithTokenAdvantages(evidence, ({ logprobs }) => {
        const lambda = alpha > 0 ? lengthAdaptiveLambda(logprobs.length, alpha) : 1;
        return lambda > 0 && differsBeyondRounding(lambda, 1);
      });
    },
  },
} satisfies Record<string, Mechanism>;
