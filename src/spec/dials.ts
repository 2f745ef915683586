/**
 * The dials of a world: they change how its surface looks and behaves, never what its tasks mean.
 *
 * Every default leaves the world exactly as it is written, byte for byte. A run records its dials, and a policy that was
 * trained at one setting can be scored at another.
 */
import { z } from "zod";

const integer = (low: number, high: number) => z.number().int().min(low).max(high);

/** The dials with their bounds, defaults and descriptions; parsing `{}` gives every default. */
export const dialsSchema = z.strictObject({
  logins: z
    .boolean()
    .default(true)
    .describe("Apps with accounts need a session, opened by `login`; false: none does"),
  paraphrase: integer(0, 2 ** 32 - 1)
    .default(0)
    .describe("Seed that draws the words of instructions anew; 0: as the world draws them"),
  distractors: z
    .number()
    .min(0)
    .max(10)
    .default(1)
    .describe("Density of background rows and near-misses; 1: as the world is written"),
  apiErrors: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe("Share of calls answered with status 503; an API never fails twice in a row"),
  renamedParams: integer(0, 2 ** 32 - 1)
    .default(0)
    .describe("Seed that gives the parameters of the apps other names; 0: their own names"),
  docs: z
    .enum(["normal", "terse", "verbose"])
    .default("normal")
    .describe("How much the documentation of an API says"),
  clockDriftMs: integer(0, 60_000)
    .default(0)
    .describe("Most extra milliseconds by which a call moves the clock, drawn for each call"),
});

/** All dials of a world, each with a value. */
export type Dials = Readonly<z.output<typeof dialsSchema>>;
