/**
 * Runs that are started, stopped and resumed from the page. Each trains in a process of its own: `bowline train`, whose run
 * directory is all that it shares with the studio. It goes on when the studio ends.
 *
 *   POST /api/runs                  startSchema   -> startedSchema, once it trains
 *   POST /api/runs/{run}/resume     {}            -> startedSchema, once it trains
 *   POST /api/runs/{run}/stop       {}            -> trainerSchema
 *   GET  /api/runs/{run}/trainer                     trainerSchema
 *
 * What the command refuses is answered in its own words: 400 for what was asked wrongly, 409 for a folder that is taken. A
 * request cannot name a module: what is run is chosen where it is typed, in a terminal.
 */
import { z } from "zod";

/** Letters, digits, `.`, `_` and `-`, beginning with a letter or digit: a folder's name and no path. */
export const RUN_NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

/** As `bowline train SETTING --method METHOD --seed SEED --FIELD=VALUE ...`. */
export const startRunSchema = z.strictObject({
  setting: z.string().max(200),
  method: z.string().max(200),
  seed: z
    .number()
    .int()
    .min(0)
    .max(2 ** 32 - 1),
  /** Of the new folder; default: setting, method and seed. */
  name: z.string().regex(RUN_NAME, "expected letters, digits, . _ and -, and no path").optional(),
  /** By the field's path, such as `algo.groupSize`; values as they are typed on a command line. */
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
/** What is to be started. */
export type StartRunRequest = Readonly<z.input<typeof startRunSchema>>;

/** The run's id; its files are there. */
export const startedRunSchema = z.object({ run: z.string() });
/** A run that trains. */
export type StartedRun = Readonly<z.infer<typeof startedRunSchema>>;

/** The process that this studio started for a run. `none`: it started none. */
export const trainerSchema = z.object({
  state: z.enum(["none", "running", "stopping", "ended"]),
  /** Of one that ended: its exit code; null: a signal ended it. */
  code: z.number().int().nullable().optional(),
  /** The last lines that it printed. */
  output: z.array(z.string()),
});
/** The process of a run. */
export type Trainer = Readonly<z.infer<typeof trainerSchema>>;
