/**
 * The studio's API for questions of many rollouts, over one or several runs.
 *
 *   GET /api/explore?run=a&run=b&q=...&sort=-return&offset=0&limit=200      exploredRolloutsSchema
 *   GET /api/explore/use?run=a&q=...                                        exploredUseSchema
 *   GET /api/explore/tasks?run=a&run=b&q=...&sort=regressed                 exploredTasksSchema
 *
 * `q` is a query, as `bowline rollouts` takes it; one that cannot be read gives 400 with the reason. `sort` is a field,
 * with a minus for the largest first. Checks of test splits are left out unless the request has `?checks=1`, and a
 * query does not see them either.
 */
import { z } from "zod";
import { PHASES, rolloutFactsSchema } from "../facts.ts";
import { taskSchema } from "../rollout.ts";

const count = z.number().int().min(0);

/** The fields by which rollouts can be sorted. Those without a value come last. */
export const ROLLOUT_SORTS = [
  "time",
  "passed",
  "task",
  "iteration",
  "return",
  "advantage",
  "turns",
  "errors",
  "tokens",
  "calls",
  "outcome",
  "difficulty",
  "split",
  "signature",
  "differs",
] as const;
/**
 * The orders of tasks. `regressed`: those that a run solved before training and lost. `unsolved`: those that passed
 * least. `differs`: those on which the passed shares of the first two runs differ most.
 */
export const TASK_SORTS = ["time", "regressed", "unsolved", "differs"] as const;

/** The values of one field among the rollouts that match, the most frequent first. */
export const facetSchema = z.object({
  field: z.string(),
  values: z.array(z.object({ value: z.string(), rollouts: count })),
  /** How many further values there are. */
  more: count,
});
/** The values of one field among the rollouts that match. */
export type Facet = Readonly<z.infer<typeof facetSchema>>;

/** What every answer to a query says. */
const answerSchema = z.object({
  /** How many rollouts the runs have, and how many of them match. */
  total: count,
  matching: count,
  /** True if checks were left out, because tasks are in a test split and the request has no `?checks=1`. */
  hidden: z.boolean(),
  facets: z.array(facetSchema),
  /** The fields that a query can name, with their meaning, and their values if they are known. */
  fields: z.array(
    z.object({ name: z.string(), meaning: z.string(), values: z.array(z.string()).optional() }),
  ),
});
/** What every answer to a query says. */
export type ExploredAnswer = Readonly<z.infer<typeof answerSchema>>;

/** A page of the rollouts that match a query. */
export const exploredRolloutsSchema = answerSchema.extend({
  rollouts: z.array(rolloutFactsSchema),
});
/** A page of the rollouts that match a query. */
export type ExploredRollouts = Readonly<z.infer<typeof exploredRolloutsSchema>>;

const passedSchema = z.object({ passed: count, rollouts: count });

/** What became of a task: a row with a column for each run. */
export const taskRowSchema = passedSchema.extend({
  task: taskSchema,
  runs: z.array(
    passedSchema.extend({
      run: z.string(),
      /** The points in the order of time: before, iterations (training and evaluations), after. */
      points: z.array(
        passedSchema.extend({ phase: z.enum(PHASES), iteration: z.number().optional() }),
      ),
    }),
  ),
  /** True if a larger share passed before training than after it, in at least one run. */
  regressed: z.boolean(),
  /** The number of rollouts in which each check failed, the most frequent first. */
  failedChecks: z.array(z.tuple([z.string(), count])),
});
/** What became of a task: a row with a column for each run. */
export type TaskRow = Readonly<z.infer<typeof taskRowSchema>>;

/** A page of the tasks of the rollouts that match a query. */
export const exploredTasksSchema = answerSchema.extend({
  /** The number of tasks. */
  tasksInAll: count,
  tasks: z.array(taskRowSchema),
  /**
   * The mean over scenarios of the passed share of the first run minus that of the second, on the tasks that both have
   * among the rollouts that match, with its 95% interval if scenarios differ. It is about these two runs, and not about their methods.
   * Absent with fewer than two runs or two scenarios.
   */
  difference: z
    .object({
      mean: z.number(),
      scenarios: count,
      interval: z.tuple([z.number(), z.number()]).optional(),
    })
    .optional(),
});
/** A page of the tasks of the rollouts that match a query. */
export type ExploredTasks = Readonly<z.infer<typeof exploredTasksSchema>>;

const partSchema = z.object({ name: z.string(), rollouts: count });

/** What the rollouts that match did early and late: the use of APIs, statuses, failed checks and outcomes. */
export const exploredUseSchema = answerSchema.extend({
  /** Absent if the rollouts have neither evaluations before and after training nor several iterations. */
  comparison: z
    .object({
      early: partSchema,
      late: partSchema,
      /** Sorted by change: what is used less first. */
      changes: z.array(
        z.object({
          field: z.string(),
          value: z.string(),
          /** The numbers of rollouts in which it occurs. */
          early: count,
          late: count,
          /** The share of late rollouts minus that of early ones, with its 95% interval. */
          change: z.number(),
          interval: z.tuple([z.number(), z.number()]),
        }),
      ),
    })
    .optional(),
});
/** What the rollouts that match did early and late. */
export type ExploredUse = Readonly<z.infer<typeof exploredUseSchema>>;
