/**
 * What lists and queries know about a rollout. It is small, so a program can hold it for all rollouts of a run, while a
 * rollout itself holds tokens and turns.
 */
import { z } from "zod";
import { OUTCOMES, taskSchema } from "./rollout.ts";

/** What a rollout may have besides its turns. `notes` are the trainer's notes about its tokens. */
export const ROLLOUT_PARTS = [
  "notes",
  "tokens",
  "failure",
  "heard",
  "branch",
  "plan",
  "summary",
  "state",
  "note",
  "speech",
] as const;
/** What a rollout may have besides its turns, one of `ROLLOUT_PARTS`. */
export type RolloutPart = (typeof ROLLOUT_PARTS)[number];

/** When a rollout was played: in training, or in an evaluation before, after or during (`iteration`) training. */
export const PHASES = ["train", "before", "iteration", "after"] as const;
/** When a rollout was played, one of `PHASES`. */
export type Phase = (typeof PHASES)[number];

const count = z.number().int().min(0);

/** The schema of the facts of a rollout. */
export const rolloutFactsSchema = z.object({
  /** The run: its directory in the shell and in the library, its id in the studio. */
  run: z.string(),
  /** The file of the rollout, without its ending, such as `train-0003`. */
  file: z.string(),
  id: z.string(),
  phase: z.enum(PHASES),
  /** The iteration of training, or the one after which an evaluation was made; absent before and after training. */
  iteration: z.number().optional(),
  /** How an evaluation sampled: `greedy` or `T1`; absent for training. */
  mode: z.string().optional(),
  task: taskSchema,
  /** The index in the group, counted from 0. */
  index: z.number(),
  outcome: z.enum(OUTCOMES),
  passed: z.boolean(),
  /** What the rollout earned by the run's own rule; absent without an evaluation. */
  return: z.number().optional(),
  /** The advantage that the trainer noted. It notes a sample of rollouts. */
  advantage: z.number().optional(),
  turns: count,
  /** The number of turns that ended with an error or at a limit. */
  errors: count,
  /** The number of sampled tokens in all rows. */
  tokens: count,
  calls: count,
  /** The different statuses of its API calls, in the order in which they came. */
  statuses: z.array(z.number()),
  /** The different APIs that it called, such as `pay.request`, in the order of the first call. */
  apis: z.array(z.string()),
  /**
   * Its first API call that differs from that of the best rollout of its group, which is the first one with the highest
   * return. Absent for the best one, and where all calls are equal.
   */
  differs: z
    .object({
      /** The number of the call, counted from 1. */
      call: z.number().int().min(1),
      /** The API that this rollout called, and the one that the best called; absent if it made no further call. */
      api: z.string().optional(),
      best: z.string().optional(),
    })
    .optional(),
  failedChecks: z.array(z.string()),
  passedChecks: z.array(z.string()),
  /** Which optional parts the rollout has, out of `ROLLOUT_PARTS`. */
  has: z.array(z.enum(ROLLOUT_PARTS)),
});
/** What lists and queries know about a rollout. */
export type RolloutFacts = Readonly<z.infer<typeof rolloutFactsSchema>>;

/**
 * The schema of a line of `rollouts/facts-<file>.jsonl`: the facts of the rollout in the same line of `<file>.jsonl`, as
 * they were when the file was written. Run, file and what the file's name says are left out, and so is what the trainer
 * noted.
 */
export const storedFactsSchema = rolloutFactsSchema
  .omit({ run: true, file: true, phase: true, iteration: true, mode: true, advantage: true })
  .extend({
    /** Where the rollout's line begins in its file, and its length without the newline, in bytes. */
    at: z.tuple([count, count]),
  });
/** A line of `rollouts/facts-<file>.jsonl`. */
export type StoredFacts = Readonly<z.infer<typeof storedFactsSchema>>;
