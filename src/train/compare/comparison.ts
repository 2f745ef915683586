/** The result of `bowline compare` as it is stored: plain data, from which tables and plots are made. */
import { z } from "zod";
import { scoresSchema } from "../../spec/index.ts";

const pointSchema = z.object({
  /** Rollouts spent. */
  rollouts: z.number(),
  value: z.number(),
});
export type CurvePoint = z.infer<typeof pointSchema>;

const runSchema = z.object({
  seed: z.number(),
  /** The name of its run directory. */
  directory: z.string(),
  seconds: z.number(),
  rollouts: z.number(),
  updates: z.number(),
  before: scoresSchema,
  after: scoresSchema,
  /** Greedy TGC on the first dev scenarios, the same ones at every point. */
  dev: z.array(pointSchema),
});
export type ComparedRun = z.infer<typeof runSchema>;

const armSchema = z.object({
  recipe: z.string(),
  summary: z.string(),
  /** What differs from the configuration that all share; the budget's own changes included. */
  changes: z.record(z.string(), z.unknown()),
  runs: z.array(runSchema),
});
export type Arm = z.infer<typeof armSchema>;

const pairSchema = z.object({
  a: z.string(),
  b: z.string(),
  /** Of a minus b, a share. */
  difference: z.number(),
  p: z.number(),
  /** Under Holm's correction over all pairs. */
  adjusted: z.number(),
});
export type ComparedPair = z.infer<typeof pairSchema>;

export const comparisonSchema = z.object({
  version: z.literal(1),
  world: z.object({ name: z.string(), seed: z.number() }),
  /** Of each run. */
  rollouts: z.number(),
  seeds: z.array(z.number()),
  /** One warm start a seed, shared by all recipes of that seed; seconds by seed. */
  warmStart: z.object({
    shared: z.literal(true),
    demonstrations: z.number(),
    hastyShare: z.number(),
    seconds: z.array(z.number()),
  }),
  arms: z.array(armSchema),
  leftOut: z.array(z.object({ recipe: z.string(), why: z.string() })),
  /** Greedy TGC on test-normal after training, all pairs. */
  pairs: z.array(pairSchema),
  test: z.string(),
  versions: z.record(z.string(), z.string()),
  machine: z.string(),
  /** Of all runs together. */
  seconds: z.number(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

export interface Spread {
  readonly mean: number;
  /** Sample standard deviation over seeds; undefined with one seed. */
  readonly sd: number | undefined;
}

export function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length < 2) return { mean, sd: undefined };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, sd: Math.sqrt(squares / (values.length - 1)) };
}
