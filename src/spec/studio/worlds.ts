/**
 * The studio's API for worlds, and for opening, stepping and continuing episodes in them.
 *
 *   GET    /api/worlds                                         worldListSchema
 *   GET    /api/worlds/{world}?seed=1                          worldViewSchema
 *   GET    /api/worlds/{world}/apps/{app}?seed=1               appViewSchema
 *   GET    /api/worlds/{world}/tables/{table}?seed=1&offset=0&limit=100&find=text     tableViewSchema
 *   GET    /api/worlds/{world}/tasks?seed=1&split=dev&offset=0&limit=60               taskListSchema
 *   GET    /api/worlds/{world}/tasks/{task}?seed=1&checks=1    taskViewSchema
 * `?run=` instead of the seed opens a world with the seed and dials of that run. Otherwise all dials have their
 * defaults.
 *
 *   POST   /api/episodes                  openEpisodeSchema    -> episodeViewSchema
 *   GET    /api/episodes/{episode}                                episodeViewSchema
 *   GET    /api/episodes/{episode}/tables/{table}?find=text    tableViewSchema in the present state
 *   POST   /api/episodes/{episode}/step   stepSchema           -> episodeViewSchema
 *   POST   /api/episodes/{episode}/evaluate?checks=1           -> stateViewSchema
 *   POST   /api/episodes/{episode}/continue   continueSchema   -> server-sent events, `continuationEventSchema` each
 *   DELETE /api/episodes/{episode}                             -> {}
 *
 * Every error is `errorSchema` with a status of 400 (bad input), 401 (wrong token), 403 (another origin), 404, 409 (not
 * possible now), 413, 421, 500 or 503 (a world has crashed; the next request opens it again).
 */
import { z } from "zod";
import { taskSchema, turnSchema } from "../rollout.ts";
import { SPLITS } from "../world.ts";
import { callViewSchema, changeSchema, rolloutRowSchema } from "./rollouts.ts";

const seedSchema = z
  .number()
  .int()
  .min(0)
  .max(2 ** 32 - 1);

/** The body of every error. */
export const errorSchema = z.object({ error: z.string() });

/** The built-in worlds and the worlds of the runs. `problem` says why a world cannot be opened. */
export const worldListSchema = z.object({
  worlds: z.array(
    z.object({ name: z.string(), summary: z.string(), problem: z.string().optional() }),
  ),
});
/** The built-in worlds and the worlds of the runs. */
export type WorldList = Readonly<z.infer<typeof worldListSchema>>;

/** A world with a seed: the person whom the agent acts for, the apps and the splits. */
export const worldViewSchema = z.object({
  name: z.string(),
  seed: z.number(),
  version: z.string().optional(),
  hasSolutions: z.boolean(),
  /** The person whom the agent acts for. */
  owner: z.record(z.string(), z.unknown()),
  /** The time of the simulated clock, in the form in which the agent reads it. */
  now: z.string(),
  splits: z.array(z.object({ split: z.enum(SPLITS), scenarios: z.number().int() })),
  apps: z.array(
    z.object({
      name: z.string(),
      summary: z.string(),
      apis: z.number().int(),
      login: z.boolean(),
      tables: z.array(z.object({ name: z.string(), rows: z.number().int() })),
    }),
  ),
});
/** A world with a seed: the person whom the agent acts for, the apps and the splits. */
export type WorldView = Readonly<z.infer<typeof worldViewSchema>>;

/** The documentation of an API, in the form in which agents read it. */
export const apiViewSchema = z.object({
  name: z.string(),
  summary: z.string(),
  /** The parameters. Each `type` is described in words. */
  parameters: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      required: z.boolean(),
      description: z.string(),
    }),
  ),
  /** The documentation as text, exactly as `docs.show` returns it in the world. */
  text: z.string(),
  writes: z.boolean().optional(),
});
/** An app with the documentation of its APIs. */
export const appViewSchema = z.object({
  name: z.string(),
  summary: z.string(),
  apis: z.array(apiViewSchema),
});
/** An app with the documentation of its APIs. */
export type AppView = Readonly<z.infer<typeof appViewSchema>>;

/** A page of a table's rows, with the table's columns. */
export const tableViewSchema = z.object({
  name: z.string(),
  columns: z.array(
    z.object({
      name: z.string(),
      /** The role of the column. Checks compare only `content`. */
      role: z.enum(["id", "content", "bookkeeping", "ignored"]),
      /** The table that the column refers to. */
      refers: z.string().optional(),
    }),
  ),
  total: z.number().int(),
  rows: z.array(z.record(z.string(), z.unknown())),
});
/** A page of a table's rows, with the table's columns. */
export type TableView = Readonly<z.infer<typeof tableViewSchema>>;

/** A page of a split's tasks. */
export const taskListSchema = z.object({
  split: z.enum(SPLITS),
  total: z.number().int(),
  tasks: z.array(taskSchema),
});
/** A page of a split's tasks. */
export type TaskList = Readonly<z.infer<typeof taskListSchema>>;

/** A task with its checks and solution, which are absent for test splits unless the request has `?checks=1`. */
export const taskViewSchema = z.object({
  task: taskSchema,
  hidden: z.boolean(),
  intended: z.array(changeSchema).optional(),
  answer: z.unknown().optional(),
  checks: z.array(z.object({ name: z.string(), label: z.enum(["progress", "guard"]) })).optional(),
  solution: z.array(z.string()).optional(),
});
/** A task with its checks and solution, unless these are hidden. */
export type TaskView = Readonly<z.infer<typeof taskViewSchema>>;

/** The pattern of the id of a fork that is kept. */
export const FORK_ID = /^[\w-]{12}$/;

/**
 * The start of an episode: a task, the state of a recorded rollout before the turn `turn` (counted from 0), or a fork
 * that was kept, with the cells that were run in it.
 */
export const openEpisodeSchema = z.discriminatedUnion("from", [
  z.object({
    from: z.literal("task"),
    world: z.string(),
    seed: seedSchema,
    task: z.string(),
    /** The run whose seed and dials the world has. The policy of this run can continue the episode. */
    run: z.string().optional(),
  }),
  z.object({
    from: z.literal("rollout"),
    run: z.string(),
    file: z.string(),
    rollout: z.string(),
    turn: z.number().int().min(0),
  }),
  z.object({ from: z.literal("fork"), run: z.string(), fork: z.string().regex(FORK_ID) }),
]);
/** A request to open an episode of a task, or from the middle of a recorded rollout. */
export type OpenEpisodeRequest = Readonly<z.infer<typeof openEpisodeSchema>>;

/** One code cell that was run, either from a replayed record or typed by hand. */
export const cellViewSchema = z.object({
  by: z.enum(["record", "hand"]),
  code: z.string(),
  status: z.enum(["ok", "error", "limit"]),
  /** The exact text that a model would see. */
  text: z.string(),
  calls: z.array(callViewSchema),
});
/** One code cell that was run, either from a replayed record or typed by hand. */
export type CellView = Readonly<z.infer<typeof cellViewSchema>>;

/** The policy that would continue the episode, or the reason why there is none. */
export const policyViewSchema = z.union([
  z.object({ name: z.string(), scaffold: z.string() }),
  z.object({ why: z.string() }),
]);

/**
 * An open episode. `equal` is true if every replayed cell printed and called what the record says. If not, the episode
 * is not opened and the request fails with 409.
 */
export const episodeViewSchema = z.object({
  id: z.string(),
  task: taskSchema,
  /** The world of the episode. With its name and seed, its documentation can be requested. */
  world: z.object({
    name: z.string(),
    seed: z.number(),
    /** The run whose dials the world has. If absent, all dials have their defaults. */
    run: z.string().optional(),
  }),
  /**
   * The recorded rollout from which the episode was forked, and the first turn (counted from 0) that they do not share.
   */
  record: z
    .object({ run: z.string(), file: z.string(), turn: z.number().int(), row: rolloutRowSchema })
    .optional(),
  equal: z.literal(true),
  finished: z.boolean(),
  cells: z.array(cellViewSchema),
  /** The cell that the record ran from here; absent once a cell was run by hand, and where the record ran none. */
  next: z.string().optional(),
  /** The run and the id under which the fork is kept, or why it could not be kept; absent while it is not kept. */
  fork: z
    .union([z.object({ run: z.string(), id: z.string() }), z.object({ why: z.string() })])
    .optional(),
  policy: policyViewSchema,
});
/** An open episode. */
export type EpisodeView = Readonly<z.infer<typeof episodeViewSchema>>;

/** The code to run in an episode. */
export const stepSchema = z.object({ code: z.string().max(200_000) });

/** The names of a run's checkpoints, newest first. */
export const CHECKPOINT_NAMES = ["final", "latest", "warm"] as const;
/** The name of a checkpoint, one of `CHECKPOINT_NAMES`. */
export type CheckpointName = (typeof CHECKPOINT_NAMES)[number];

/** A request to let a policy continue the episode `rollouts` times. Each time the episode is forked. */
export const continueSchema = z.object({
  rollouts: z.number().int().min(1).max(32),
  temperature: z.number().min(0).max(2),
  seed: seedSchema,
  /** The run whose policy continues. The default is the episode's run. */
  run: z.string().optional(),
  /** The checkpoint of the policy. The default is the newest complete one. */
  checkpoint: z.enum(CHECKPOINT_NAMES).optional(),
});
/** A request to let a policy continue the episode. */
export type ContinueRequest = Readonly<z.infer<typeof continueSchema>>;

/** How a continuation ended: its row in lists, the turns after the fork, and the checks. */
export const continuationResultSchema = z.object({
  index: z.number().int(),
  row: rolloutRowSchema,
  turns: z.array(turnSchema),
  checks: z.array(
    z.object({
      name: z.string(),
      label: z.enum(["progress", "guard"]),
      passed: z.boolean(),
      detail: z.string().optional(),
    }),
  ),
});
/** How a continuation ended. */
export type ContinuationResult = Readonly<z.infer<typeof continuationResultSchema>>;

/**
 * Events while a policy continues an episode: first `policy`, then each `turn`, a `rollout` at the end of each fork
 * (with the turns after the fork), and finally `done` or `failed`.
 */
export const continuationEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("policy"), name: z.string(), scaffold: z.string() }),
  z.object({ type: z.literal("turn"), index: z.number().int(), turn: turnSchema }),
  continuationResultSchema.extend({ type: z.literal("rollout") }),
  z.object({ type: z.literal("done") }),
  z.object({ type: z.literal("failed"), error: z.string() }),
]);
/** An event while a policy continues an episode. */
export type ContinuationEvent = Readonly<z.infer<typeof continuationEventSchema>>;
