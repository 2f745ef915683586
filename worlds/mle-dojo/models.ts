/**
 * Six synthetic competitions over small tables, and seven kinds of models that can be fitted to them. A row has three
 * numbers and a group; what is predicted is a number. No data of Kaggle is here, and no Python.
 */
import { Rng } from "bowline/world";

export interface Row {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly group: number;
  /** What is to be predicted. For rows of the hidden part, agents do not see it. */
  readonly y: number;
}

export const COMPETITIONS = ["prices", "faults", "fares", "rings", "tides", "areas"] as const;
export type Competition = (typeof COMPETITIONS)[number];
export const MODELS = [
  "mean",
  "linear",
  "products",
  "groups",
  "tree",
  "neighbours",
  "waves",
] as const;
export type ModelName = (typeof MODELS)[number];

const GROUPS = 8;
const TRAINING_ROWS = 160;
const HIDDEN_ROWS = 80;

/** The rule of each competition, with coefficients of its own. It gives `y` without noise. */
const RULES: Readonly<Record<Competition, (rng: Rng) => (row: Omit<Row, "y">) => number>> = {
  prices: (rng) => {
    const [p, q, r] = [slope(rng), slope(rng), slope(rng)];
    return ({ a, b, c }) => p * a + q * b + r * c;
  },
  faults: (rng) => {
    const [p, q] = [rng.uniform() - 0.5, rng.uniform() - 0.5];
    return ({ a, b }) => (a > p && b > q ? 1 : 0);
  },
  fares: (rng) => {
    const effects = Array.from({ length: GROUPS }, () => 2 * rng.normal());
    return ({ group }) => effects[group]!;
  },
  rings: (rng) => {
    const radius = 0.6 + 0.2 * rng.uniform();
    return ({ a, b }) => (Math.hypot(a, b) < radius ? 1 : 0);
  },
  tides: (rng) => {
    const phase = 2 * Math.PI * rng.uniform();
    return ({ a }) => Math.sin(3 * Math.PI * a + phase);
  },
  areas: (rng) => {
    const [p, q] = [slope(rng), slope(rng)];
    return ({ a, b, c }) => p * a * b + q * b * c;
  },
};

/** Draws a number of size 1 to 2 with either sign. */
const slope = (rng: Rng) => (rng.chance(0.5) ? 1 : -1) * (1 + rng.uniform());

/**
 * Returns a function that remembers its newest results, because the calls of an episode ask for the same tables again.
 * The function must depend on its arguments alone.
 */
export function rememberNewest<A extends readonly (string | number)[], R>(
  compute: (...args: A) => R,
): (...args: A) => R {
  const known = new Map<string, R>();
  return (...args) => {
    const key = args.join(" ");
    if (!known.has(key)) known.set(key, compute(...args));
    if (known.size > 500) known.delete(known.keys().next().value!);
    return known.get(key)!;
  };
}

/** The rows that agents see with their labels, and those whose labels are hidden. */
export interface Tables {
  readonly training: readonly Row[];
  readonly hidden: readonly Row[];
}

/** Draws the tables of a competition. The noise has a standard deviation of 0.1. */
export const drawTables = rememberNewest((competition: Competition, seed: number): Tables => {
  const rng = new Rng(seed).child(competition);
  const rule = RULES[competition](rng);
  const rows = Array.from({ length: TRAINING_ROWS + HIDDEN_ROWS }, (): Row => {
    const uniform = () => Math.round(200 * rng.uniform() - 100) / 100;
    const row = { a: uniform(), b: uniform(), c: uniform(), group: rng.integer(0, GROUPS - 1) };
    return { ...row, y: Math.round(1000 * (rule(row) + 0.1 * rng.normal())) / 1000 };
  });
  return { training: rows.slice(0, TRAINING_ROWS), hidden: rows.slice(TRAINING_ROWS) };
});

type Predict = (row: Omit<Row, "y">) => number;

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);

/** Returns R², the share of variance that predictions explain: 1 is perfect, 0 as good as the mean of the rows. */
export function scorePredictions(rows: readonly Row[], predictions: readonly number[]): number {
  const centre = mean(rows.map(({ y }) => y));
  const sum = (errors: readonly number[]) => errors.reduce((total, e) => total + e * e, 0);
  const missed = sum(rows.map(({ y }, i) => y - predictions[i]!));
  return 1 - missed / sum(rows.map(({ y }) => y - centre));
}

/** Fits a linear function of features by ridge regression (normal equations, Gaussian elimination). */
function fitLinear(rows: readonly Row[], features: (row: Omit<Row, "y">) => number[]): Predict {
  const inputs = rows.map((row) => [1, ...features(row)]);
  const size = inputs[0]!.length;
  const matrix = Array.from({ length: size }, (_, i) => [
    ...Array.from(
      { length: size },
      (_, j) => inputs.reduce((sum, x) => sum + x[i]! * x[j]!, 0) + (i === j ? 1e-3 : 0),
    ),
    inputs.reduce((sum, x, k) => sum + x[i]! * rows[k]!.y, 0),
  ]);
  for (let i = 0; i < size; i++)
    for (let k = 0; k < size; k++) {
      if (k === i) continue;
      const factor = matrix[k]![i]! / matrix[i]![i]!;
      matrix[k] = matrix[k]!.map((value, j) => value - factor * matrix[i]![j]!);
    }
  const weights = matrix.map((line, i) => line[size]! / line[i]!);
  return (row) => [1, ...features(row)].reduce((sum, x, i) => sum + x * weights[i]!, 0);
}

/** Fits a regression tree: the best of ten thresholds of each number, down to a depth. */
function fitTree(rows: readonly Row[], depth: number): Predict {
  const value = mean(rows.map(({ y }) => y));
  if (depth === 0 || rows.length < 10) return () => value;
  const spread = (part: readonly Row[]) => {
    const centre = mean(part.map(({ y }) => y));
    return part.reduce((sum, { y }) => sum + (y - centre) ** 2, 0);
  };
  let best = { column: "a" as "a" | "b" | "c", at: 0, loss: Number.POSITIVE_INFINITY };
  for (const column of ["a", "b", "c"] as const)
    for (let at = -0.9; at < 1; at += 0.1) {
      const low = rows.filter((row) => row[column] <= at);
      const high = rows.filter((row) => row[column] > at);
      const loss = spread(low) + spread(high);
      if (loss < best.loss) best = { column, at, loss };
    }
  const { column, at } = best;
  const [low, high] = [
    fitTree(
      rows.filter((row) => row[column] <= at),
      depth - 1,
    ),
    fitTree(
      rows.filter((row) => row[column] > at),
      depth - 1,
    ),
  ];
  return (row) => (row[column] <= at ? low(row) : high(row));
}

/** Fits the mean of the rows nearest in `a` and `b`. */
function fitNeighbours(rows: readonly Row[], count: number): Predict {
  return ({ a, b }) =>
    mean(
      rows
        .map((row) => ({ y: row.y, distance: Math.hypot(row.a - a, row.b - b) }))
        .sort((one, other) => one.distance - other.distance)
        .slice(0, count)
        .map(({ y }) => y),
    );
}

const FITTERS: Readonly<Record<ModelName, (rows: readonly Row[]) => Predict>> = {
  mean: (rows) => {
    const value = mean(rows.map(({ y }) => y));
    return () => value;
  },
  linear: (rows) => fitLinear(rows, ({ a, b, c }) => [a, b, c]),
  products: (rows) => fitLinear(rows, ({ a, b, c }) => [a * b, b * c, a * c]),
  groups: (rows) => {
    const means = Array.from({ length: GROUPS }, (_, group) =>
      mean(rows.filter((row) => row.group === group).map(({ y }) => y)),
    );
    return ({ group }) => means[group]!;
  },
  tree: (rows) => fitTree(rows, 3),
  neighbours: (rows) => fitNeighbours(rows, 5),
  waves: (rows) =>
    fitLinear(rows, ({ a }) => [Math.sin(3 * Math.PI * a), Math.cos(3 * Math.PI * a)]),
};

/** Fits a model to rows and predicts others. */
export function fitAndPredict(
  model: ModelName,
  training: readonly Row[],
  rows: readonly Omit<Row, "y">[],
): number[] {
  const predict = FITTERS[model](training);
  return rows.map((row) => Math.round(1000 * predict(row)) / 1000);
}
