/**
 * The results of `bowline compare` as they are stored: plain data, from which tables, intervals, tests and plots are
 * made.
 *
 * The one idea: a training run is the unit of evidence, so every run keeps what it did, scenario by scenario, as counts
 * of passed tasks: enough for any mean, interval or test, in one line of the file. Scores are derived (`scores.ts`).
 */
import { z } from "zod";

/**
 * Passed tasks of each scenario, by split and decoding: `dev`, `dev@T1` (sampled at temperature 1), `test-normal`, ...
 */
const outcomesSchema = z.record(z.string(), z.array(z.number().int().min(0)));
/** Passed tasks of each scenario, by split and decoding. */
export type Outcomes = z.infer<typeof outcomesSchema>;

const splitSchema = z.object({
  /** Of each scenario. */
  tasks: z.number().int().min(1),
  /** Of each scenario, in the order of all counts. */
  difficulty: z.array(z.number()),
});

const startSchema = z.object({
  seed: z.number(),
  /** That its making took. */
  seconds: z.number(),
  before: outcomesSchema,
});
/** The warm start of a seed, which all arms share. */
export type Start = z.infer<typeof startSchema>;

const runSchema = z.object({
  /** Decides warm start, sampling and order of a run. */
  seed: z.number(),
  /** Really spent. */
  rollouts: z.number(),
  /** Optimizer steps. */
  updates: z.number(),
  seconds: z.number(),
  after: outcomesSchema,
  /** Rollouts really spent so far, and greedy TGC on the first dev scenarios, the same ones at every point. */
  dev: z.array(z.tuple([z.number(), z.number()])),
  /** Metrics of training by iteration, by their names in the glossary; null where an iteration has none. */
  training: z.record(z.string(), z.array(z.number().nullable())),
});
export type ComparedRun = z.infer<typeof runSchema>;

const armSchema = z.object({
  /** The recipe's, unless it was given another one: `rloo at 3e-4`. */
  name: z.string(),
  recipe: z.string(),
  setting: z.string(),
  method: z.string(),
  summary: z.string(),
  /** Fields that are not at their defaults, beside those that all arms share; the budget's own among them. */
  changes: z.record(z.string(), z.unknown()),
  /** By seed. */
  runs: z.array(runSchema),
});
export type Arm = z.infer<typeof armSchema>;

const primarySchema = z.object({
  a: z.string(),
  b: z.string(),
  /** Split and decoding, as in outcomes. */
  on: z.string(),
  /** Of the pairs: runs of both arms from one warm start. */
  seeds: z.array(z.number()),
  /** Mean TGC of a minus b; a share. */
  difference: z.number().optional(),
  interval: z.tuple([z.number(), z.number()]).optional(),
  /** Of a two-sided paired t test over runs, and under Holm's correction; absent below the least number of seeds. */
  p: z.number().optional(),
  adjusted: z.number().optional(),
});
/** A comparison that was fixed beforehand (`primary.ts`), as far as its runs are there. */
export type PrimaryResult = z.infer<typeof primarySchema>;

export const comparisonSchema = z.object({
  world: z.object({ name: z.string(), seed: z.number() }),
  setting: z.string(),
  /** Of each run, at most. */
  rollouts: z.number(),
  /** Fields of warm start and evaluation that are not at their defaults: what all arms share. */
  shared: z.record(z.string(), z.unknown()),
  /** What was scored, by split. */
  splits: z.record(z.string(), splitSchema),
  /** One a seed, by seed. */
  starts: z.array(startSchema),
  arms: z.array(armSchema),
  leftOut: z.array(z.object({ recipe: z.string(), why: z.string() })),
  primary: z.array(primarySchema),
  /** Each machine with the versions that ran there, once. */
  made: z.array(z.object({ machine: z.string(), versions: z.record(z.string(), z.string()) })),
});
/** Arms that may be compared: one world, one budget, one warm start a seed. */
export type Comparison = z.infer<typeof comparisonSchema>;

export const resultsSchema = z.object({
  version: z.literal(2),
  comparisons: z.array(comparisonSchema),
});
/** A file of results: comparisons on any number of worlds and budgets. */
export type Results = z.infer<typeof resultsSchema>;
