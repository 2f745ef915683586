/**
 * The stored results of `bowline compare`: plain data, from which tables, intervals, tests and plots are made.
 *
 * A training run is the unit of evidence. So the results keep each run's number of passed tasks for every scenario,
 * which suffices for any mean, interval or test. Scores are computed from these counts (`scores.ts`).
 */
import { z } from "zod";

/** The number of passed tasks of each scenario, by score: `dev`, `dev@T1` (sampled at temperature 1), and so on. */
const outcomesSchema = z.record(z.string(), z.array(z.number().int().min(0)));
/** The number of passed tasks of each scenario, by score (split and decoding). */
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
/** The warm start of one seed, which all arms share. */
export type Start = z.infer<typeof startSchema>;

const runSchema = z.object({
  /** The seed of the warm start, of sampling and of the task order. */
  seed: z.number(),
  /** The number of rollouts that the run spent. */
  rollouts: z.number(),
  /** The number of optimizer steps. */
  updates: z.number(),
  seconds: z.number(),
  after: outcomesSchema,
  /**
   * Pairs of the rollouts spent so far and the share of tasks passed greedily (TGC). Every point is on the same first
   * dev scenarios.
   */
  dev: z.array(z.tuple([z.number(), z.number()])),
  /**
   * Training metrics, with a value for each iteration, by their names in the glossary. A value is null where an
   * iteration lacks it.
   */
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
  /** The fields that differ from their defaults, except those that all arms share. */
  changes: z.record(z.string(), z.unknown()),
  /** The runs, sorted by seed. */
  runs: z.array(runSchema),
});
/** An arm of a comparison: a recipe with its runs. */
export type Arm = z.infer<typeof armSchema>;

const primarySchema = z.object({
  a: z.string(),
  b: z.string(),
  /** The name of the score on which the arms are compared, such as `dev@T1`. */
  on: z.string(),
  /** The seeds for which both arms have a run. The two runs of a seed form a pair and share a warm start. */
  seeds: z.array(z.number()),
  /** The mean TGC of arm a minus that of arm b, in -1..1. TGC is the share of tasks that pass. */
  difference: z.number().optional(),
  /** Absent if all pairs differ equally. */
  interval: z.tuple([z.number(), z.number()]).optional(),
  /** The p-value of a two-sided paired t test over runs; absent if there are too few seeds or all differ equally. */
  p: z.number().optional(),
  adjusted: z.number().optional(),
});
/**
 * The result of a comparison that was fixed beforehand (`primary-comparisons.ts`), computed from the runs that exist.
 */
export type PrimaryResult = z.infer<typeof primarySchema>;

export const comparisonSchema = z.object({
  world: z.object({ name: z.string(), seed: z.number() }),
  setting: z.string(),
  /** The largest number of rollouts that a run may spend. */
  rollouts: z.number(),
  /** The fields of warm start and evaluation that differ from their defaults. All arms share them. */
  shared: z.record(z.string(), z.unknown()),
  /** The evaluated scenarios, by split. */
  splits: z.record(z.string(), splitSchema),
  /** The warm start of each seed, sorted by seed. */
  starts: z.array(startSchema),
  arms: z.array(armSchema),
  leftOut: z.array(z.object({ recipe: z.string(), why: z.string() })),
  primary: z.array(primarySchema),
  /** The machines that ran the comparison, each with the versions of its software. */
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
