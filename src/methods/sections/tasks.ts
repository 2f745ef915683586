/** Configuration sections that say which tasks are drawn, and what changes over iterations. */
import { z } from "zod";
import { DIFFICULTY_CLASSES } from "../../algo/index.ts";
import { offByDefault, section, withDescription } from "../../core/index.ts";
import { integer, SCHEDULE, scheduledNumber, share } from "./numbers.ts";

/** The field of the pool of training tasks. */
const POOL = {
  pool: integer(1, 10_000_000)
    .nullable()
    .default(null)
    .describe(
      "Number of training tasks that are drawn from. They are chosen at random once, so that each is met again; null: all",
    ),
};

/** The section `tasks` of plain LOOP, which keeps no statistics of tasks. */
export const taskPool = withDescription("Which tasks are drawn", section(POOL));

export const tasks = withDescription(
  "Which tasks are drawn, by how often they were passed",
  section({
    classes: z
      .array(z.enum(DIFFICULTY_CLASSES))
      .min(1)
      .default([...DIFFICULTY_CLASSES])
      .describe("Classes of tasks that are drawn, by how often a task was passed recently")
      .meta({ expected: `a list of some of ${DIFFICULTY_CLASSES.join(", ")}` }),
    prune: offByDefault(
      "Stops drawing tasks that are mastered",
      section({
        above: share()
          .default(0.9)
          .describe("Least share of passed rollouts at which a task counts as mastered"),
        after: integer(1, 1_000_000)
          .default(2)
          .describe("Number of groups that a task must have had before it can count as mastered"),
      }),
    ),
    ...POOL,
    minGroupSize: integer(2, 1024)
      .nullable()
      .default(null)
      .describe(
        "Smallest group size K. Tasks that nearly always or never succeed get it; null: K is always algo.groupSize",
      ),
    memory: share()
      .default(0.7)
      .describe("Share of a task's averages that stays when a new group is added to them"),
  }),
);

const stage = z.strictObject({
  iterations: integer(1, 1_000_000),
  /** The method of this stage; the default is the run's method. */
  method: z.string().min(1).optional(),
  patch: z.record(z.string(), z.unknown()).default({}),
});

export const schedule = withDescription(
  "What changes over iterations",
  section({
    maxTurns: scheduledNumber(1, 1000)
      .nullable()
      .default(null)
      .describe("Value of scaffold.maxTurns over the iterations, rounded down; null: constant")
      .meta({ expected: `a number from 1 to 1000, ${SCHEDULE}, or null` }),
    stages: z
      .array(stage)
      .max(100)
      .default([])
      .describe(
        "Stages of training, each with its own fields or method. The last one lasts until the end",
      )
      .meta({
        expected: 'a JSON list of {"iterations": 10, "patch": {"algo.clip": 0.2}, "method": "ei"}',
      }),
  }),
);

/** The sections of every method except plain LOOP. */
export const OVER_ITERATIONS = { tasks, schedule };
