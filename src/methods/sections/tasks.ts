/** Configuration sections on which tasks are drawn and on what changes over iterations. */
import { z } from "zod";
import { DIFFICULTY_CLASSES } from "../../algo/index.ts";
import { offByDefault, section, withDescription } from "../../core/index.ts";
import { integer, SCHEDULE, scheduledNumber, share } from "./numbers.ts";

export const tasks = withDescription(
  "Which tasks are drawn, by how often they were passed",
  section({
    classes: z
      .array(z.enum(DIFFICULTY_CLASSES))
      .min(1)
      .default([...DIFFICULTY_CLASSES])
      .describe(
        "Difficulty classes of tasks that are drawn, by how often they were passed recently",
      )
      .meta({ expected: `a list of some of ${DIFFICULTY_CLASSES.join(", ")}` }),
    prune: offByDefault(
      "Stop drawing mastered tasks",
      section({
        above: share()
          .default(0.9)
          .describe("Share of passed rollouts from which on a task counts as mastered"),
        after: integer(1, 1_000_000)
          .default(2)
          .describe("Number of groups that a task must have had before it can count as mastered"),
      }),
    ),
    pool: integer(1, 10_000_000)
      .nullable()
      .default(null)
      .describe(
        "Number of training tasks that are drawn from, chosen at random once, so that statistics of tasks are used again; null: all",
      ),
    minGroupSize: integer(2, 1024)
      .nullable()
      .default(null)
      .describe(
        "Smallest group size K, for tasks that nearly always or never succeed; null: K is always algo.groupSize",
      ),
    memory: share()
      .default(0.7)
      .describe("Share of a task's averages that stays when a new group enters them"),
  }),
);

const stage = z.strictObject({
  iterations: integer(1, 1_000_000),
  /** Another method for this stage; default: the run's method. */
  method: z.string().min(1).optional(),
  patch: z.record(z.string(), z.unknown()).default({}),
});

export const schedule = withDescription(
  "What changes over iterations",
  section({
    maxTurns: scheduledNumber(1, 1000)
      .nullable()
      .default(null)
      .describe("Value of scaffold.maxTurns over iterations, rounded down; null: constant")
      .meta({ expected: `a number from 1 to 1000, ${SCHEDULE}, or null` }),
    stages: z
      .array(stage)
      .max(100)
      .default([])
      .describe(
        "Stages of training with their own fields or method; the last one lasts until the end",
      )
      .meta({
        expected: 'a JSON list of {"iterations": 10, "patch": {"algo.clip": 0.2}, "method": "ei"}',
      }),
  }),
);

/** Sections of every method except plain LOOP. */
export const OVER_ITERATIONS = { tasks, schedule };
