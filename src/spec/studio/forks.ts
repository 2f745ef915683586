/**
 * The studio's API for forks that are kept: where a recorded rollout was left, the cells that a person ran from there,
 * and how policies continued. A fork is a file of the studio's own beside the run, so it outlives the studio's process.
 * It is kept once a cell was run or a policy has continued.
 *
 *   GET    /api/runs/{run}/forks                       forkListSchema
 *   GET    /api/runs/{run}/forks/{fork}?checks=1       forkSchema
 *   DELETE /api/runs/{run}/forks/{fork}                -> {}
 *   POST   /api/episodes {from: "fork", run, fork}     episodeViewSchema
 */
import { z } from "zod";
import { taskSchema } from "../rollout.ts";
import { cellViewSchema, continuationResultSchema, continueSchema, FORK_ID } from "./worlds.ts";

const origin = {
  id: z.string().regex(FORK_ID),
  /** When the fork was first and last written, in milliseconds since 1970. */
  createdMs: z.number(),
  changedMs: z.number(),
  /** The file and the id of the recorded rollout, and the first turn (counted from 0) that the fork does not share. */
  file: z.string(),
  rollout: z.string(),
  turn: z.number().int().min(0),
};

/** One request to let a policy continue a fork, with its results. */
export const forkSetSchema = z.object({
  startedMs: z.number(),
  /** How many cells had been run by hand. */
  cells: z.number().int(),
  request: continueSchema,
  policy: z.object({ name: z.string(), scaffold: z.string() }),
  end: z.enum(["done", "stopped", "failed"]),
  error: z.string().optional(),
  /** The continuations that ended, in order. Their rewards follow the rule of the record's run. */
  results: z.array(continuationResultSchema),
});
/** One request to let a policy continue a fork, with its results. */
export type ForkSet = Readonly<z.infer<typeof forkSetSchema>>;

/** A fork. Checks of test splits are left out unless the request has `?checks=1`. */
export const forkSchema = z.object({
  version: z.literal(1),
  ...origin,
  task: taskSchema,
  /** The cells that a person ran after the record. */
  cells: z.array(cellViewSchema),
  sets: z.array(forkSetSchema),
});
/** A fork. */
export type Fork = Readonly<z.infer<typeof forkSchema>>;

/** The forks of a run, the last changed first. */
export const forkListSchema = z.object({
  forks: z.array(
    z.object({
      ...origin,
      task: z.string(),
      cells: z.number().int(),
      continuations: z.number().int(),
      solved: z.number().int(),
    }),
  ),
  /** Why files of forks cannot be read. */
  problems: z.array(z.string()),
});
/** The forks of a run. */
export type ForkList = Readonly<z.infer<typeof forkListSchema>>;
