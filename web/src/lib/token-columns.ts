/**
 * What is known of each token, as columns that can colour it. A column that nothing recorded is null as a whole; a place that
 * is no action of the agent is null within its column.
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
  /** How values become colours: `around` a middle, `above` zero, or a `flag`. */
  readonly scale: "around" | "above" | "flag";
  readonly middle?: number;
}

export const COLUMN_DESCRIPTIONS: Readonly<Record<ColumnName, ColumnDescription>> = {
  ratio: {
    name: "ratio",
    meaning: "probability at the last minibatch over that when it was sampled",
    scale: "around",
    middle: 1,
  },
  advantage: {
    name: "advantage",
    meaning: "what the objective weighted the token by",
    scale: "around",
    middle: 0,
  },
  clipped: {
    name: "clipped",
    meaning: "the clip took its gradient away",
    scale: "flag",
  },
  entropy: {
    name: "entropy",
    meaning: "nats of the distribution that it was drawn from",
    scale: "above",
  },
  change: {
    name: "log-prob change",
    meaning: "log-prob at the last minibatch minus that before learning",
    scale: "around",
    middle: 0,
  },
  gap: {
    name: "sampler gap",
    meaning: "log-prob that the learner first saw minus the sampler's own",
    scale: "around",
    middle: 0,
  },
  sampled: {
    name: "log-prob, sampled",
    meaning: "of the sampler when it drew the token; the darker, the less likely",
    scale: "above",
  },
  old: {
    name: "log-prob, before",
    meaning: "of the learner, under the weights that learning began from",
    scale: "above",
  },
  current: {
    name: "log-prob, current",
    meaning: "of the learner, under the weights at the last minibatch",
    scale: "above",
  },
  mask: {
    name: "mask",
    meaning: "sampled by the agent, and learned from",
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

/** Steps of colour on either side of the middle. */
export const COLOUR_STEPS = 5;

export interface ColorScale {
  /** -STEPS..STEPS: below and above the middle; 0 in it, and where there is no value. */
  step(value: number | null | undefined): number;
  /** What the outermost steps stand for. */
  readonly low: number;
  readonly high: number;
}

/** The outermost step is at the 98th of a hundred values, so that one far out does not bleach all others. */
export function buildColourScale(name: ColumnName, values: Values): ColorScale {
  const { scale, middle = 0 } = COLUMN_DESCRIPTIONS[name];
  if (scale === "flag") return { step: (value) => (value ? COLOUR_STEPS : 0), low: 0, high: 1 };
  const distance = (value: number) =>
    name === "ratio" ? Math.log(Math.max(value, 1e-9)) : value - middle;
  const sizes = values.flatMap((value) => (value === null ? [] : [Math.abs(distance(value))]));
  sizes.sort((a, b) => a - b);
  const maxDistance = Math.max(sizes[Math.floor((sizes.length - 1) * 0.98)] ?? 0, 1e-6);
  const step = (value: number | null | undefined) => {
    if (value === null || value === undefined) return 0;
    const share = Math.min(Math.abs(distance(value)) / maxDistance, 1);
    const size = Math.round(share * COLOUR_STEPS);
    return scale === "around" && distance(value) < 0 ? -size : size;
  };
  if (name === "ratio") return { step, low: Math.exp(-maxDistance), high: Math.exp(maxDistance) };
  const isLogprob = scale === "above" && name !== "entropy";
  return {
    step,
    low: scale === "above" ? 0 : middle - maxDistance,
    high: isLogprob ? -maxDistance : middle + maxDistance,
  };
}
