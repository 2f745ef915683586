/**
 * Columns of values per token, which can colour the tokens. A column is null if nothing was recorded, and a value is
 * null if the token is not an action of the agent.
 */
import type { TokenColumns } from "../../../src/spec/studio/index.ts";

export const COLUMN_NAMES = [
  "ratio",
  "advantage",
  "clipped",
  "entropy",
  "change",
  "gap",
  "sampled",
  "old",
  "current",
  "mask",
] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

type Values = readonly (number | null)[];

interface ColumnDescription {
  readonly name: string;
  readonly meaning: string;
  /**
   * How values become colours: on both sides of a middle (`around`), only above zero (`above`), or as one of two
   * colours (`flag`).
   */
  readonly scale: "around" | "above" | "flag";
  readonly middle?: number;
}

export const COLUMN_DESCRIPTIONS: Readonly<Record<ColumnName, ColumnDescription>> = {
  ratio: {
    name: "ratio",
    meaning: "probability at the last minibatch, divided by the probability when sampled",
    scale: "around",
    middle: 1,
  },
  advantage: {
    name: "advantage",
    meaning: "weight of the token in the objective",
    scale: "around",
    middle: 0,
  },
  clipped: {
    name: "clipped",
    meaning: "the clip set its gradient to zero",
    scale: "flag",
  },
  entropy: {
    name: "entropy",
    meaning: "entropy of the distribution from which the token was sampled, in nats",
    scale: "above",
  },
  change: {
    name: "log-prob change",
    meaning: "log-prob at the last minibatch, minus the log-prob before learning",
    scale: "around",
    middle: 0,
  },
  gap: {
    name: "sampler gap",
    meaning: "the learner's first log-prob, minus the sampler's log-prob",
    scale: "around",
    middle: 0,
  },
  sampled: {
    name: "log-prob, sampled",
    meaning: "the sampler's log-prob of the token; darker means less likely",
    scale: "above",
  },
  old: {
    name: "log-prob, before",
    meaning: "the learner's log-prob under the weights before learning",
    scale: "above",
  },
  current: {
    name: "log-prob, current",
    meaning: "the learner's log-prob under the weights at the last minibatch",
    scale: "above",
  },
  mask: {
    name: "mask",
    meaning: "the token was sampled by the agent and is used for learning",
    scale: "flag",
  },
};

export function readColumn(name: ColumnName, row: TokenColumns): Values | null {
  const { recorded, mask, sampled } = row;
  const keepActions = (values: Values): Values =>
    values.map((value, i) => (mask[i] ? value : null));
  switch (name) {
    case "mask":
      return mask;
    case "sampled":
      return keepActions(sampled);
    case "advantage":
      if (!recorded) return null;
      return recorded.advantages ?? keepActions(sampled.map(() => recorded.advantage));
    case "change":
      return subtractColumns(recorded?.current, recorded?.old);
    case "gap":
      return subtractColumns(recorded?.old, keepActions(sampled));
    case "ratio":
    case "clipped":
    case "entropy":
    case "old":
    case "current":
      return recorded?.[name] ?? null;
  }
}

function subtractColumns(
  a: Values | null | undefined,
  b: Values | null | undefined,
): Values | null {
  if (!a || !b) return null;
  return a.map((value, i) => {
    const other = b[i];
    return value === null || other === null || other === undefined ? null : value - other;
  });
}

/** The number of colour steps on each side of the middle. */
export const COLOUR_STEPS = 5;

export interface ColorScale {
  /** Returns a step from -COLOUR_STEPS to COLOUR_STEPS; 0 for the middle and for a missing value. */
  step(value: number | null | undefined): number;
  /** The value at the lowest step. `high` is the value at the highest step. */
  readonly low: number;
  readonly high: number;
}

/**
 * Builds a colour scale. The outermost step is at the 98th percentile, so that a few extreme values do not make all
 * others pale.
 */
export function buildColourScale(name: ColumnName, values: Values): ColorScale {
  const { scale, middle = 0 } = COLUMN_DESCRIPTIONS[name];
  if (scale === "flag") return { step: (value) => (value ? COLOUR_STEPS : 0), low: 0, high: 1 };
  const distanceFromMiddle = (value: number) =>
    name === "ratio" ? Math.log(Math.max(value, 1e-9)) : value - middle;
  const sizes = values.flatMap((value) =>
    value === null ? [] : [Math.abs(distanceFromMiddle(value))],
  );
  sizes.sort((a, b) => a - b);
  const maxDistance = Math.max(sizes[Math.floor((sizes.length - 1) * 0.98)] ?? 0, 1e-6);
  const chooseStep = (value: number | null | undefined) => {
    if (value === null || value === undefined) return 0;
    const share = Math.min(Math.abs(distanceFromMiddle(value)) / maxDistance, 1);
    const size = Math.round(share * COLOUR_STEPS);
    return scale === "around" && distanceFromMiddle(value) < 0 ? -size : size;
  };
  if (name === "ratio")
    return { step: chooseStep, low: Math.exp(-maxDistance), high: Math.exp(maxDistance) };
  const isLogprob = scale === "above" && name !== "entropy";
  return {
    step: chooseStep,
    low: scale === "above" ? 0 : middle - maxDistance,
    high: isLogprob ? -maxDistance : middle + maxDistance,
  };
}
