/**
 * The studio's API for runs: the table of runs, one run, its curves and its groups.
 *
 *   GET /api/studio                        studioSchema
 *   GET /api/runs                          runListSchema
 *   GET /api/configurations                configFieldsSchema
 *   POST /api/score-groups                 scoreGroupsRequestSchema -> scoreGroupsSchema
 *   GET /api/runs/{run}                    runDetailSchema
 *   GET /api/runs/{run}/metrics            curvesSchema
 *   GET /api/runs/{run}/grid               gridSchema
 *   GET /api/runs/{run}/damage             damageSchema
 *   GET /api/runs/{run}/events             server-sent events, `runEventSchema` each: what changed, without the data
 *   GET /api/compare?run={run}&run={run}   overlaySchema
 *
 * A run's id is its path below the studio's folder, or the folder's name if that is itself a run. It is one encoded
 * segment of a path. The server accepts only ids that it listed.
 */
import { z } from "zod";
import { progressReportSchema, RUN_PHASES, scoreSchema, usageSummarySchema } from "../run.ts";

/** Describes the studio: its version, its folder, and what it can train. */
export const studioSchema = z.object({
  bowline: z.string(),
  /** The folder of the studio, in the form in which the user wrote it. */
  root: z.string(),
  /** The run to show first: after `train --studio`, or if the studio was opened on a single run. */
  first: z.string().optional(),
  /** The reason why the page cannot start, stop or resume runs; absent if it can. */
  cannotStart: z.string().optional(),
  /** The settings and methods that `bowline train` knows by name, each with a summary of one line. */
  settings: z.array(z.object({ name: z.string(), summary: z.string() })),
  methods: z.array(z.object({ name: z.string(), summary: z.string() })),
});
/** The studio's version, its folder, and what it can train. */
export type StudioInfo = Readonly<z.infer<typeof studioSchema>>;

/**
 * The statuses of a run. `stopped` means that it has neither a process nor a summary, and `broken` that its files
 * cannot be read.
 */
export const RUN_STATUSES = ["running", "finished", "stopped", "broken"] as const;

/** A row of the table of runs. Fields that a broken or new run does not have are absent. */
export const runRowSchema = z.object({
  id: z.string(),
  status: z.enum(RUN_STATUSES),
  problem: z.string().optional(),
  setting: z.string().optional(),
  method: z.string().optional(),
  world: z.string().optional(),
  model: z.string().optional(),
  seed: z.number().optional(),
  /** The time of run.json, in milliseconds since 1970. The time of the file that changed last follows. */
  startedMs: z.number().optional(),
  changedMs: z.number().optional(),
  /** The number of finished iterations. The number of all planned iterations follows. */
  iteration: z.number().int().optional(),
  iterations: z.number().int().optional(),
  rollouts: z.number().int().optional(),
  seconds: z.number().optional(),
  cost: z.number().optional(),
  /**
   * The scores before training, by split; `@T1` means sampled. `behaviour` is empty here, because another request
   * returns it.
   */
  before: z.record(z.string(), scoreSchema).optional(),
  after: z.record(z.string(), scoreSchema).optional(),
  /** What a running run is doing now, as its process reports it. Its `detail` is text of the run. */
  now: progressReportSchema.optional(),
});
/** A row of the table of runs. */
export type RunRow = Readonly<z.infer<typeof runRowSchema>>;

/** All runs, newest first. */
export const runListSchema = z.object({
  runs: z.array(runRowSchema),
  /** What lies below the studio's folder and is not in the list; absent if there is nothing. */
  unsearched: z
    .object({
      /** The number of levels of folders that are searched. */
      depth: z.number().int(),
      /** The first runs that lie one level too deep, as paths below the studio's folder, and their number. */
      deepRuns: z.array(z.string()),
      deepRunCount: z.number().int(),
      /** How many folders lie too deep and have no run of their own. */
      folders: z.number().int(),
      /** True if the search stopped because there are too many folders. */
      stopped: z.boolean(),
    })
    .optional(),
});
/** All runs, newest first. */
export type RunList = Readonly<z.infer<typeof runListSchema>>;

/** The fields of the configuration in which the runs differ. */
export const configFieldsSchema = z.object({
  /** The ids of the runs whose configuration can be read. */
  runs: z.array(z.string()),
  /** For each field, the value of each run as JSON, in the order of `runs`, or null if the run lacks the field. */
  fields: z.array(z.object({ path: z.string(), values: z.array(z.string().nullable()) })),
});
/** The fields of the configuration in which the runs differ. */
export type ConfigFields = Readonly<z.infer<typeof configFieldsSchema>>;

/** A request to summarise the score of a split, such as `dev` or `dev@T1`, over groups of runs. */
export const scoreGroupsRequestSchema = z.strictObject({
  split: z.string().max(200),
  groups: z.array(z.array(z.string().max(4096)).max(5000)).max(5000),
});
/** A request to summarise a score over groups of runs. */
export type ScoreGroupsRequest = Readonly<z.infer<typeof scoreGroupsRequestSchema>>;

/** The summaries, in the order of the groups of the request. */
export const scoreGroupsSchema = z.object({
  groups: z.array(
    z.object({
      runs: z.number().int(),
      /** How many of the runs have the score after training. */
      scored: z.number().int(),
      mean: z.number().optional(),
      /** The sample standard deviation over runs; absent for fewer than two. */
      spread: z.number().optional(),
      /** The 95% interval of the mean over runs; absent for fewer than two and for equal scores. */
      interval: z.tuple([z.number(), z.number()]).optional(),
    }),
  ),
});
/** The summaries, in the order of the groups of the request. */
export type ScoreGroups = Readonly<z.infer<typeof scoreGroupsSchema>>;

/** What cannot be read of the files of a run. A file without damage is not listed. */
export const damageSchema = z.object({
  files: z.array(
    z.object({
      /** The file's path below the run, such as `rollouts/train-0003.jsonl`. */
      file: z.string(),
      /** How many lines are not what the file should hold, and how many can be read. */
      unreadable: z.number().int(),
      readable: z.number().int(),
      /** True if the file ends in the middle of a line, although nobody writes it. */
      torn: z.boolean(),
    }),
  ),
});
/** What cannot be read of the files of a run. */
export type Damage = Readonly<z.infer<typeof damageSchema>>;

/** A file in `rollouts/`, of an iteration or an evaluation. */
export const rolloutFileSchema = z.object({
  /** The file's name, such as `train-0003` or `eval-before-dev-greedy`. */
  name: z.string(),
  kind: z.enum(["train", "eval"]),
  /** The iteration of a `train` file, counted from 1. */
  iteration: z.number().int().optional(),
  /** When an `eval` file was made: `before`, `after` or `iteration-0004`. */
  when: z.string().optional(),
  split: z.string().optional(),
  mode: z.enum(["greedy", "T1"]).optional(),
  rollouts: z.number().int(),
  passed: z.number().int(),
});
/** A file in `rollouts/`, of an iteration or an evaluation. */
export type RolloutFile = Readonly<z.infer<typeof rolloutFileSchema>>;

/** A problem of a run, in words for a person. */
export const alarmSchema = z.object({ what: z.string(), step: z.number().optional() });

/** One run: its row in the table of runs, and everything else that its page shows, except the curves. */
export const runDetailSchema = runRowSchema.extend({
  /** The resolved configuration as dotted paths with values as JSON. */
  config: z.array(z.object({ path: z.string(), value: z.string() })),
  versions: z.record(z.string(), z.string()),
  /**
   * The current phase; absent if the run has ended. A step is a demonstration in `world`, an optimizer step in `warm`,
   * a rollout in an `eval` before or after training, and an iteration in `loop` and in the evaluations between.
   */
  phase: z.enum(RUN_PHASES).optional(),
  step: z.number().int().optional(),
  steps: z.number().int().optional(),
  secondsLeft: z.number().optional(),
  rolloutsPerSecond: z.number().optional(),
  tokensPerSecond: z.number().optional(),
  stoppedEarly: z.string().optional(),
  /** Problems such as a non-finite loss, a large KL or sampler gap, a bug of the world, or failed rollouts. */
  alarms: z.array(alarmSchema),
  usage: usageSummarySchema.optional(),
  /** The amount that was spent and the ceiling of the section `budget`. */
  budget: z.object({ spent: z.number(), ceiling: z.number().nullable() }).optional(),
  files: z.array(rolloutFileSchema),
  /** The names of the complete checkpoints: `warm`, `latest`, `final`. */
  checkpoints: z.array(z.string()),
});
/** One run: its row in the table of runs, and everything else that its page shows, except the curves. */
export type RunDetail = Readonly<z.infer<typeof runDetailSchema>>;

/** The metrics and timings of a run, as columns. A value is null if it is missing in a line. */
export const curvesSchema = z.object({
  /** For each phase, the steps and a column of equal length for each metric. */
  phases: z.record(
    z.string(),
    z.object({
      steps: z.array(z.number()),
      /** When each evaluation of the phase `eval` took place: `before`, `iteration 4` or `after`. */
      when: z.array(z.string()).optional(),
      columns: z.record(z.string(), z.array(z.number().nullable())),
    }),
  ),
  /** The meaning and unit of each metric, by its name without the part in angle brackets. */
  glossary: z.record(z.string(), z.string()),
});
/** The metrics and timings of a run as columns. */
export type Curves = Readonly<z.infer<typeof curvesSchema>>;

/** The groups of all iterations. Each says how many of its `size` rollouts with an outcome passed. */
export const gridSchema = z.object({
  /** The training iterations, in order. The last one may be unfinished; it is then read from the journal. */
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
/** The groups of all iterations and how many of their rollouts passed. */
export type Grid = Readonly<z.infer<typeof gridSchema>>;

/** An event that says what the page should fetch again. The event `hello` is sent at once. */
export const runEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello") }),
  z.object({ type: z.literal("metrics") }),
  z.object({ type: z.literal("progress") }),
  z.object({ type: z.literal("rollouts"), file: z.string() }),
  z.object({ type: z.literal("status"), status: z.enum(RUN_STATUSES) }),
]);
/** An event that says what changed in a run. */
export type RunEvent = Readonly<z.infer<typeof runEventSchema>>;

/**
 * A comparison of two or more runs. Runs of the same setting and method form an arm, and intervals are over the runs of
 * an arm.
 */
export const overlaySchema = z.object({
  arms: z.array(
    z.object({
      name: z.string(),
      setting: z.string(),
      method: z.string(),
      runs: z.array(z.string()),
      seeds: z.array(z.number()),
      /** For each split, the mean over the runs, and its 95% interval if two or more runs differ. */
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
  /** Tests between arms with enough seeds. `note` says why a test or an interval is missing. */
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
  /** The fields in which the runs differ, with each run's value as JSON, or null if the run lacks the field. */
  differences: z.array(
    z.object({ path: z.string(), values: z.record(z.string(), z.string().nullable()) }),
  ),
});
/** A comparison of two or more runs. */
export type Overlay = Readonly<z.infer<typeof overlaySchema>>;
