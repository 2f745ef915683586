/**
 * Describes how the page starts, stops and resumes runs. Each run trains in its own process, `bowline train`, which
 * shares only the run directory with the studio and continues when the studio ends.
 *
 *   POST /api/runs                  startRunSchema -> startedRunSchema, once it trains
 *   POST /api/runs/{run}/resume     {}             -> startedRunSchema, once it trains
 *   POST /api/runs/{run}/stop       {}             -> trainerSchema
 *   GET  /api/runs/{run}/trainer                      trainerSchema
 *
 * If the command refuses, the answer has its message, with status 400 for a wrong request and 409 for a folder that
 * exists. A request cannot name a module: only a person at a terminal chooses which code runs.
 */
import { z } from "zod";

/**
 * The pattern of a run's name: letters, digits, `.`, `_` and `-`, beginning with a letter or digit. The name is not a
 * path.
 */
export const RUN_NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

/**
 * A request to start a run. The fields correspond to `bowline train SETTING --method METHOD --seed SEED --FIELD=VALUE
 * ...`.
 */
export const startRunSchema = z.strictObject({
  setting: z.string().max(200),
  method: z.string().max(200),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 32 - 1),
  /** The name of the new folder. By default it consists of the setting, the method and the seed. */
  name: z.string().regex(RUN_NAME, "expected letters, digits, . _ and -, and no path").optional(),
  /** Values by field, such as `algo.groupSize`, written as on a command line. */
  fields: z
    .record(
      z.string().regex(/^[A-Za-z][\w-]*(\.[\w-]+)+$/, "expected a field such as algo.groupSize"),
      z
        .string()
        .max(10_000)
        .regex(/^\P{Cc}*$/u, "expected one line of text"),
    )
    .default({}),
});
/** A request to start a run. */
export type StartRunRequest = Readonly<z.input<typeof startRunSchema>>;

/** The id of a run that is training. Its files exist. */
export const startedRunSchema = z.object({ run: z.string() });
/** The id of a run that is training. */
export type StartedRun = Readonly<z.infer<typeof startedRunSchema>>;

/** The process that this studio started for a run. The state `none` means that it started no process. */
export const trainerSchema = z.object({
  state: z.enum(["none", "running", "stopping", "ended"]),
  /** The exit code of a process that has ended; null if a signal ended it. */
  code: z.number().int().nullable().optional(),
  /** The last lines that it printed. */
  output: z.array(z.string()),
});
/** The process that this studio started for a run. */
export type Trainer = Readonly<z.infer<typeof trainerSchema>>;
