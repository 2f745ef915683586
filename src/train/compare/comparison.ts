/**
 * The stored results of `bowline compare`: plain data, from which tables, intervals, tests and plots are made.
 *
 * A training run is the unit of evidence. So the results keep each run's number of passed tasks for every scenario,
 * which suffices for any mean, interval or test. Scores are computed from these counts (`scores.ts`).
 */
import { z } from "zod";

/** Passed tasks of each scenario, by split and decoding: `dev`, `dev@T1` (sampled at temperature 1), and so on. */
const outcomesSchema = z.record(z.string(), z.array(z.number().int().min(0)));
/** Passed tasks of each scenario, by split and decoding. */
export type Outcomes = z.infer<typeof outcomesSchema>;

const splitSchema = z.object({
  /** The number of tasks of each scenario. */
  tasks: z.number().int().min(1),
  /** The difficulty of each scenario, in the order of the counts of passed tasks. */
  difficulty: z.array(z.number()),
});

const startSchema = z.object({
  seed: z.number(),
  /** The time that the warm start took. */
  seconds: z.number(),
  before: outcomesSchema,
});
/** The warm start of a seed, which all arms share. */
export type Start = z.infer<typeof startSchema>;

const runSchema = z.object({
  /** The seed of warm start, sampling and task order. */
  seed: z.number(),
  /** The number of rollouts that the run spent. */
  rollouts: z.number(),
  /** The number of optimizer steps. */
  updates: z.number(),
  seconds: z.number(),
  after: outcomesSchema,
  /** Points of rollouts spent so far and greedy TGC on the first dev scenarios, which are the same at every point. */
  dev: z.array(z.tuple([z.number(), z.number()])),
  /** Metrics of training by iteration, by their names in the glossary; null where an iteration has none. */
  training: z.record(z.string(), z.array(z.number().nullable())),
});
/** A training run of an arm. */
export type ComparedRun = z.infer<typeof runSchema>;

const armSchema = z.object({
  /** The name of the recipe, unless the user gave another one, such as `rloo at 3e-4`. */
  name: z.string(),
  recipe: z.string(),
  setting: z.string(),
  method: z.string(),
  summary: z.string(),
  /** Fields that are not at their defaults, except those that all arms share. */
  changes: z.record(z.string(), z.unknown()),
  /** The runs, sorted by seed. */
  runs: z.array(runSchema),
});
/** An arm of a comparison: a recipe with its runs. */
export type Arm = z.infer<typeof armSchema>;

const primarySchema = z.object({
  a: z.string(),
  b: z.string(),
  /** The compared score: split and decoding, as in outcomes. */
  on: z.string(),
  /** The seeds of the pairs, which are runs of both arms from one warm start. */
  seeds: z.array(z.number()),
  /** The mean TGC of a minus that of b, as a share. */
  difference: z.number().optional(),
  /** Absent if all pairs differ equally. */
  interval: z.tuple([z.number(), z.number()]).optional(),
  /** The p-value of a two-sided paired t test over runs; absent if there are too few seeds or all differ equally. */
  p: z.number().optional(),
  adjusted: z.number().optional(),
});
/** The result of a comparison that was fixed beforehand (`primary-comparisons.ts`), from the runs that exist. */
export type PrimaryResult = z.infer<typeof primarySchema>;

export const comparisonSchema = z.object({
  world: z.object({ name: z.string(), seed: z.number() }),
  setting: z.string(),
  /** The most rollouts of each run. */
  rollouts: z.number(),
  /** Fields of warm start and evaluation that are not at their defaults. All arms share them. */
  shared: z.record(z.string(), z.unknown()),
  /** The evaluated scenarios, by split. */
  splits: z.record(z.string(), splitSchema),
  /** The warm start of each seed, sorted by seed. */
  starts: z.array(startSchema),
  arms: z.array(armSchema),
  leftOut: z.array(z.object({ recipe: z.string(), why: z.string() })),
  primary: z.array(primarySchema),
  /** The machines that ran the comparison, with the versions there. */
  made: z.array(z.object({ machine: z.string(), versions: z.record(z.string(), z.string()) })),
});
/** Arms that may be compared, because they share one world, one budget, and one warm start per seed. */
export type Comparison = z.infer<typeof comparisonSchema>;

export const resultsSchema = z.object({
  version: z.literal(2),
  comparisons: z.array(comparisonSchema),
});
/** A file of results: comparisons on any number of worlds and budgets. */
export type Results = z.infer<typeof resultsSchema>;
