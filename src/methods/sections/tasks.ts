/** Sections on the order of tasks and on what changes over iterations. */
import { z } from "zod";
import { DIFFICULTY_CLASSES } from "../../algo/index.ts";
import { offByDefault, section, withDescription } from "../../core/index.ts";
import { integer, SCHEDULE, scheduled, share } from "./numbers.ts";

export const tasks = withDescription(
  "Which tasks are drawn at all, by how often they were passed",
  section({
    classes: z
      .array(z.enum(DIFFICULTY_CLASSES))
      .min(1)
      .default([...DIFFICULTY_CLASSES])
      .describe("Tasks that are drawn, by how often they were passed lately")
      .meta({ expected: `a list of some of ${DIFFICULTY_CLASSES.join(", ")}` }),
    prune: offByDefault(
      "Tasks that are mastered are no longer drawn",
      section({
        above: share()
          .default(0.9)
          .describe("Share of passed rollouts from which a task is mastered"),
        after: integer(1, 1_000_000)
          .default(2)
          .describe("Groups of a task that must have been seen before it may be left out"),
      }),
    ),
    pool: integer(1, 10_000_000)
      .nullable()
      .default(null)
      .describe(
        "Training tasks that are drawn from, chosen at random once, so that what is known of a task is used again; null: all",
      ),
    minGroupSize: integer(2, 1024)
      .nullable()
      .default(null)
      .describe(
        "K falls from algo.groupSize to this where a task nearly always or never succeeds; null: always algo.groupSize",
      ),
    memory: share().default(0.7).describe("Share of a task's averages that stays at a new group"),
  }),
);

const stage = z.strictObject({
  iterations: integer(1, 1_000_000),
  /** Another method in this stage; default: the run's. */
  method: z.string().min(1).optional(),
  patch: z.record(z.string(), z.unknown()).default({}),
});

export const schedule = withDescription(
  "What changes over iterations",
  section({
    maxTurns: scheduled(1, 1000)
      .nullable()
      .default(null)
      .describe("scaffold.maxTurns over iterations, rounded down; null: constant")
      .meta({ expected: `a number from 1 to 1000, ${SCHEDULE}, or null` }),
    stages: z
      .array(stage)
      .max(100)
      .default([])
      .describe("Stretches of training with fields, or a method, of their own; the last one stays")
      .meta({
        expected: 'a JSON list of {"iterations": 10, "patch": {"algo.clip": 0.2}, "method": "ei"}',
      }),
  }),
);

/** Of every method but plain LOOP. */
export const OVER_ITERATIONS = { tasks, schedule };
