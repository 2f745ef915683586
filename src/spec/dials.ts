/**
 * The dials of a world. They change how the world looks and behaves, but never what its tasks mean.
 *
 * With the defaults, a world is byte for byte as its author wrote it. A run records its dials, and a policy that was
 * trained with some dials can be scored with others.
 */
import { z } from "zod";

const integer = (low: number, high: number) => z.number().int().min(low).max(high);

/** The dials with their bounds, defaults and descriptions. Parsing `{}` returns the defaults. */
export const dialsSchema = z.strictObject({
  logins: z
    .boolean()
    .default(true)
    .describe(
      "Whether apps with accounts need a session, which the API login opens; false: no app needs one",
    ),
  paraphrase: integer(0, 2 ** 32 - 1)
    .default(0)
    .describe("Seed for other wordings of the instructions; 0: the wordings of the world itself"),
  distractors: z
    .number()
    .min(0)
    .max(10)
    .default(1)
    .describe(
      "Density of background rows and near-misses, relative to the world's own density; 1: unchanged",
    ),
  apiErrors: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe("Share of calls that fail with status 503; an API never fails twice in a row"),
  renamedParams: integer(0, 2 ** 32 - 1)
    .default(0)
    .describe("Seed for other names of the parameters of APIs; 0: their own names"),
  docs: z
    .enum(["normal", "terse", "verbose"])
    .default("normal")
    .describe("Length of the documentation of APIs"),
  clockDriftMs: integer(0, 60_000)
    .default(0)
    .describe(
      "Largest number of extra milliseconds by which a call advances the clock, drawn for each call",
    ),
});

/** The values of all dials of a world. */
export type Dials = Readonly<z.output<typeof dialsSchema>>;
