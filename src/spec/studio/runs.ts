/**
 * What the studio says of runs: the table, one run, its curves, what it learned from.
 *
 *   GET /api/studio                        studioSchema
 *   GET /api/runs                          runListSchema
 *   GET /api/runs/{run}                    runDetailSchema
 *   GET /api/runs/{run}/metrics            curvesSchema
 *   GET /api/runs/{run}/grid               gridSchema
 *   GET /api/runs/{run}/events             server-sent events, `runEventSchema` each: what changed, not the news itself
 *   GET /api/compare?run={run}&run={run}   overlaySchema
 *
 * A run's id is its path below the folder that the studio was opened on (where that is a run itself: the folder's name), so it
 * goes into a path as one encoded segment. Only ids that the server listed itself are looked up.
 */
import { z } from "zod";
import { scoreSchema, usageSummarySchema } from "../run.ts";

/** What runs here, and with what. */
export const studioSchema = z.object({
  bowline: z.string(),
  /** The folder that it was opened on, as the user wrote it. */
  root: z.string(),
  /** The run that the page is to begin with: `train --studio`, or a studio that was opened on one run. */
  first: z.string().optional(),
  /** Why no run can be started, stopped or resumed from here; absent where it can. */
  cannotStart: z.string().optional(),
  /** What `bowline train` knows by name, each in a line. */
  settings: z.array(z.object({ name: z.string(), summary: z.string() })),
  methods: z.array(z.object({ name: z.string(), summary: z.string() })),
});
/** What runs here. */
export type StudioInfo = Readonly<z.infer<typeof studioSchema>>;

/** `stopped`: no process trains in it and it has no summary. `broken`: its files cannot be read; `problem` says why. */
export const RUN_STATUSES = ["running", "finished", "stopped", "broken"] as const;

/** One row of the table of runs. What a broken or young run does not say is absent. */
export const runRowSchema = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  problem: z.string().optional(),
  setting: z.string().optional(),
  method: z.string().optional(),
  world: z.string().optional(),
  model: z.string().optional(),
  seed: z.number().optional(),
  /** Milliseconds since 1970: of run.json, and of the file that changed last. */
  startedMs: z.number().optional(),
  changedMs: z.number().optional(),
  /** Iterations that are done, and all that were asked for. */
  iteration: z.number().int().optional(),
  iterations: z.number().int().optional(),
  rollouts: z.number().int().optional(),
  seconds: z.number().optional(),
  cost: z.number().optional(),
  /** By split, `@T1` sampled: TGC with its 95% interval. `behaviour` is empty here: see the view of behaviour. */
  before: z.record(z.string(), scoreSchema).optional(),
  after: z.record(z.string(), scoreSchema).optional(),
});
/** A run in the table. */
export type RunRow = Readonly<z.infer<typeof runRowSchema>>;

/** All runs, newest first. */
export const runListSchema = z.object({ runs: z.array(runRowSchema) });
/** All runs. */
export type RunList = Readonly<z.infer<typeof runListSchema>>;

/** A file under `rollouts/`: an iteration's, or an evaluation's. */
export const rolloutFileSchema = z.object({
  /** Such as `train-0003` or `eval-before-dev-greedy`. */
  name: z.string(),
  kind: z.enum(["train", "eval"]),
  /** Of `train`: its iteration, from 1. */
  iteration: z.number().int().optional(),
  /** Of `eval`: `before`, `after` or `iteration-0004`. */
  when: z.string().optional(),
  split: z.string().optional(),
  mode: z.enum(["greedy", "T1"]).optional(),
  rollouts: z.number().int(),
  passed: z.number().int(),
});
/** A file of rollouts. */
export type RolloutFile = Readonly<z.infer<typeof rolloutFileSchema>>;

/** Something that a person should know of, in words. */
export const alarmSchema = z.object({ what: z.string(), step: z.number().optional() });

/** One run: its row and all that its page shows beside the curves. */
export const runDetailSchema = runRowSchema.extend({
  /** The resolved configuration: dotted path and value as JSON. */
  config: z.array(z.object({ path: z.string(), value: z.string() })),
  versions: z.record(z.string(), z.string()),
  /** Where it is: `warm` counts steps, `loop` iterations; absent when it has ended. */
  phase: z.enum(["world", "warm", "eval", "loop"]).optional(),
  step: z.number().int().optional(),
  steps: z.number().int().optional(),
  secondsLeft: z.number().optional(),
  rolloutsPerSecond: z.number().optional(),
  tokensPerSecond: z.number().optional(),
  stoppedEarly: z.string().optional(),
  /** Tripwires and warnings: a non-finite loss, a large KL or sampler gap, a bug of the world, failed rollouts. */
  alarms: z.array(alarmSchema),
  usage: usageSummarySchema.optional(),
  /** Of the section `budget`: what was spent, of what. */
  budget: z.object({ spent: z.number(), ceiling: z.number().nullable() }).optional(),
  files: z.array(rolloutFileSchema),
  /** Names of checkpoints that are whole: `warm`, `latest`, `final`. */
  checkpoints: z.array(z.string()),
});
/** One run, whole. */
export type RunDetail = Readonly<z.infer<typeof runDetailSchema>>;

/** `metrics.jsonl` and `timings.jsonl` as columns. A value that a line lacks is null. */
export const curvesSchema = z.object({
  /** Per phase: the steps, and a column of equal length for each name. `eval` lines also have `when`. */
  phases: z.record(
    z.string(),
    z.object({
      steps: z.array(z.number()),
      /** Of `eval`: `before`, `iteration 4` or `after`. */
      when: z.array(z.string()).optional(),
      columns: z.record(z.string(), z.array(z.number().nullable())),
    }),
  ),
  /** Name of a metric, without what stands in angle brackets there: its meaning and unit. */
  glossary: z.record(z.string(), z.string()),
});
/** Metrics of a run as columns. */
export type Curves = Readonly<z.infer<typeof curvesSchema>>;

/** Each cell a group: `passed` of `size` rollouts with an outcome. */
export const gridSchema = z.object({
  /** Training iterations in order; the last one may still be filling (from its journal). */
  iterations: z.array(
    z.object({
      file: z.string(),
      iteration: z.number().int(),
      whole: z.boolean(),
      groups: z.array(
        z.object({ task: z.string(), size: z.number().int(), passed: z.number().int() }),
      ),
    }),
  ),
});
/** Groups of each iteration. */
export type Grid = Readonly<z.infer<typeof gridSchema>>;

/** Says what to fetch again. `hello` comes first, at once. */
export const runEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello") }),
  z.object({ type: z.literal("metrics") }),
  z.object({ type: z.literal("rollouts"), file: z.string() }),
  z.object({ type: z.literal("status"), status: z.enum(RUN_STATUSES) }),
]);
/** What changed in a run. */
export type RunEvent = Readonly<z.infer<typeof runEventSchema>>;

/** Two or more runs on one chart: runs of one setting and method are one arm, and the arm's spread is over its runs. */
export const overlaySchema = z.object({
  arms: z.array(
    z.object({
      name: z.string(),
      setting: z.string(),
      method: z.string(),
      runs: z.array(z.string()),
      seeds: z.array(z.number()),
      /** By split key: mean over runs, and the 95% interval over runs where there are two or more. */
      after: z.record(
        z.string(),
        z.object({
          mean: z.number(),
          interval: z.tuple([z.number(), z.number()]).nullable(),
          runs: z.array(z.number()),
        }),
      ),
    }),
  ),
  /** Run-level tests of arms with seeds enough, in words where there are not. */
  tests: z.array(
    z.object({
      a: z.string(),
      b: z.string(),
      split: z.string(),
      difference: z.number(),
      interval: z.tuple([z.number(), z.number()]).nullable(),
      p: z.number().nullable(),
      note: z.string().optional(),
    }),
  ),
  /** Fields in which the runs differ, with each run's value as JSON (null: absent there). */
  differences: z.array(
    z.object({ path: z.string(), values: z.record(z.string(), z.string().nullable()) }),
  ),
});
/** Runs laid over one another. */
export type Overlay = Readonly<z.infer<typeof overlaySchema>>;
