/**
 * What the studio says of worlds, and how an episode in one is opened, stepped and continued.
 *
 *   GET    /api/worlds                                         worldListSchema
 *   GET    /api/worlds/{world}?seed=1                          worldViewSchema
 *   GET    /api/worlds/{world}/apps/{app}?seed=1               appViewSchema
 *   GET    /api/worlds/{world}/tables/{table}?seed=1&offset=0&limit=100&find=text     tableViewSchema
 *   GET    /api/worlds/{world}/tasks?seed=1&split=dev&offset=0&limit=60               taskListSchema
 *   GET    /api/worlds/{world}/tasks/{task}?seed=1&checks=1    taskViewSchema
 * `?run=` in place of the seed opens a world as that run has it, with its seed and dials; otherwise all dials are off.
 *
 *   POST   /api/episodes                  openSchema           -> episodeViewSchema
 *   GET    /api/episodes/{episode}                                episodeViewSchema
 *   GET    /api/episodes/{episode}/tables/{table}?find=text    tableViewSchema, as it is there now
 *   POST   /api/episodes/{episode}/step   stepSchema           -> episodeViewSchema
 *   POST   /api/episodes/{episode}/evaluate?checks=1           -> stateViewSchema
 *   POST   /api/episodes/{episode}/continue   continueSchema   -> server-sent events, `continuationEventSchema` each
 *   DELETE /api/episodes/{episode}                             -> {}
 *
 * Every error is `errorSchema` with a status of 400 (bad input), 401 (token), 403 (another origin), 404, 409 (not possible
 * now), 413, 421, 500 or 503 (a world has died; it is there again for whoever asks again).
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

/** What every error answers. */
export const errorSchema = z.object({ error: z.string() });

/** Worlds that ship, and those that the runs name; `problem`: why one cannot be opened. */
export const worldListSchema = z.object({
  worlds: z.array(
    z.object({ name: z.string(), summary: z.string(), problem: z.string().optional() }),
  ),
});
/** Worlds that can be looked into. */
export type WorldList = Readonly<z.infer<typeof worldListSchema>>;

/** A world at a seed: whom the agent acts for, its apps, its splits. */
export const worldViewSchema = z.object({
  name: z.string(),
  seed: z.number(),
  version: z.string().optional(),
  hasSolutions: z.boolean(),
  /** Whom the agent acts for. */
  owner: z.record(z.string(), z.unknown()),
  /** Of the simulated clock, as the agent reads it. */
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
/** A world at a seed. */
export type WorldView = Readonly<z.infer<typeof worldViewSchema>>;

/** The documentation as agents read it. */
export const apiViewSchema = z.object({
  name: z.string(),
  summary: z.string(),
  /** Of the parameters: name, type in words, whether it must be given, description. */
  parameters: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      required: z.boolean(),
      description: z.string(),
    }),
  ),
  /** As text, exactly what `docs.show` of the world answers. */
  text: z.string(),
  writes: z.boolean().optional(),
});
/** An app with its APIs. */
export const appViewSchema = z.object({
  name: z.string(),
  summary: z.string(),
  apis: z.array(apiViewSchema),
});
/** An app's documentation. */
export type AppView = Readonly<z.infer<typeof appViewSchema>>;

/** A page of a table's rows, with its columns. */
export const tableViewSchema = z.object({
  name: z.string(),
  columns: z.array(
    z.object({
      name: z.string(),
      /** `content` counts for the checks. */
      role: z.enum(["id", "content", "bookkeeping", "ignored"]),
      /** The table that it refers to. */
      refers: z.string().optional(),
    }),
  ),
  total: z.number().int(),
  rows: z.array(z.record(z.string(), z.unknown())),
});
/** A page of a table. */
export type TableView = Readonly<z.infer<typeof tableViewSchema>>;

/** A page of a split's tasks. */
export const taskListSchema = z.object({
  split: z.enum(SPLITS),
  total: z.number().int(),
  tasks: z.array(taskSchema),
});
/** A page of a split's tasks. */
export type TaskList = Readonly<z.infer<typeof taskListSchema>>;

/** `intended`, `checks` and `solution` are absent for test splits unless `checks=1`. */
export const taskViewSchema = z.object({
  task: taskSchema,
  hidden: z.boolean(),
  intended: z.array(changeSchema).optional(),
  answer: z.unknown().optional(),
  checks: z.array(z.object({ name: z.string(), label: z.enum(["progress", "guard"]) })).optional(),
  solution: z.array(z.string()).optional(),
});
/** A task and, unless hidden, its truth. */
export type TaskView = Readonly<z.infer<typeof taskViewSchema>>;

/** Where an episode begins: a task, or the state before turn `turn` (from 0) of a recorded rollout. */
export const openEpisodeSchema = z.discriminatedUnion("from", [
  z.object({
    from: z.literal("task"),
    world: z.string(),
    seed: seedSchema,
    task: z.string(),
    /** With the seed and dials that the world has in this run; its policy is the one to go on. */
    run: z.string().optional(),
  }),
  z.object({
    from: z.literal("rollout"),
    run: z.string(),
    file: z.string(),
    rollout: z.string(),
    turn: z.number().int().min(0),
  }),
]);
/** Where an episode begins. */
export type OpenEpisodeRequest = Readonly<z.infer<typeof openEpisodeSchema>>;

/** One cell that was run: by the record that was replayed, by hand. */
export const cellViewSchema = z.object({
  by: z.enum(["record", "hand"]),
  code: z.string(),
  status: z.enum(["ok", "error", "limit"]),
  /** Exactly what a model would see. */
  text: z.string(),
  calls: z.array(callViewSchema),
});
/** One cell that was run. */
export type CellView = Readonly<z.infer<typeof cellViewSchema>>;

/** Which weights would continue, in words; `why` where none can. */
export const policyViewSchema = z.union([
  z.object({ name: z.string(), scaffold: z.string() }),
  z.object({ why: z.string() }),
]);

/** A live episode. `equal`: every replayed cell printed and called what the record says; one that does not is not opened (409). */
export const episodeViewSchema = z.object({
  id: z.string(),
  task: taskSchema,
  /** Where it runs: the world's documentation is found by both. */
  world: z.object({
    name: z.string(),
    seed: z.number(),
    /** Whose dials it has; absent: all are off. */
    run: z.string().optional(),
  }),
  /** Of a fork: the recorded rollout, and the turn (from 0) before which this episode left it. */
  record: z
    .object({ run: z.string(), file: z.string(), turn: z.number().int(), row: rolloutRowSchema })
    .optional(),
  equal: z.literal(true),
  finished: z.boolean(),
  cells: z.array(cellViewSchema),
  policy: policyViewSchema,
});
/** A live episode. */
export type EpisodeView = Readonly<z.infer<typeof episodeViewSchema>>;

/** Code to run in an episode. */
export const stepSchema = z.object({ code: z.string().max(200_000) });

/** Weights of a run, newest first. */
export const CHECKPOINT_NAMES = ["final", "latest", "warm"] as const;
/** A checkpoint by its address. */
export type CheckpointName = (typeof CHECKPOINT_NAMES)[number];

/** The policy goes on `rollouts` times from here, each in a fork of its own. */
export const continueSchema = z.object({
  rollouts: z.number().int().min(1).max(32),
  temperature: z.number().min(0).max(2),
  seed: seedSchema,
  /** Whose policy goes on; absent: that of the run which the episode is of. */
  run: z.string().optional(),
  /** Absent: the newest that is whole. */
  checkpoint: z.enum(CHECKPOINT_NAMES).optional(),
});
/** How a policy is to go on. */
export type ContinueRequest = Readonly<z.infer<typeof continueSchema>>;

/** `policy` first, then turns as they come, a `rollout` as each ends (its turns are those after the fork), `done` or `failed` last. */
export const continuationEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("policy"), name: z.string(), scaffold: z.string() }),
  z.object({ type: z.literal("turn"), index: z.number().int(), turn: turnSchema }),
  z.object({
    type: z.literal("rollout"),
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
  }),
  z.object({ type: z.literal("done") }),
  z.object({ type: z.literal("failed"), error: z.string() }),
]);
/** What happens while a policy goes on. */
export type ContinuationEvent = Readonly<z.infer<typeof continuationEventSchema>>;
