/**
 * What a host says about the world that it serves, at `GET /NAME/world`. Two hosts whose facts are equal give equal
 * results: the same Bowline, the same world with the same seed and dials, the same tasks and the same APIs.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { dialsSchema, SPLITS, type TaskInfo } from "../../spec/index.ts";

const splitFactsSchema = z.strictObject({
  name: z.enum(SPLITS),
  /** The number of tasks that clients can list. */
  tasks: z.int().min(0),
  /** A digest of everything that a policy may see of these tasks. */
  digest: z.string(),
});

const apiSchema = z.strictObject({
  app: z.string(),
  api: z.string(),
  summary: z.string(),
  params: z.record(z.string(), z.unknown()),
});

/** The schema of a host's facts. */
export const worldFactsSchema = z.strictObject({
  /** The version of Bowline that serves the world. */
  bowline: z.string(),
  /** A name that no other start of a server has, so that a server that was started again is noticed. */
  server: z.string(),
  name: z.string(),
  version: z.string().nullable(),
  seed: z.int(),
  dials: dialsSchema,
  /** True if the host hands out the tasks' solutions. */
  hasSolutions: z.boolean(),
  splits: z.array(splitFactsSchema),
  apis: z.array(apiSchema),
  /** The number of episodes that the host plays at once. */
  episodes: z.int().min(1),
});

/** What a host says about the world that it serves. */
export type WorldFacts = Readonly<z.output<typeof worldFactsSchema>>;

/** Facts without those that may differ between hosts. */
type ComparedFacts = Omit<WorldFacts, "server" | "episodes">;

/** Returns a digest of everything that a policy may see of these tasks. */
export function digestTaskList(tasks: readonly TaskInfo[]): string {
  const digest = createHash("sha256");
  for (const { id, scenario, difficulty, signature, instruction } of tasks) {
    digest.update(JSON.stringify([id, scenario, difficulty, signature, instruction]));
  }
  return digest.digest("hex").slice(0, 16);
}

/**
 * Describes how the world of a second host differs from that of a first one, such as `version (there 2, here 1)`.
 * Returns an empty list when both serve the same world.
 */
export function describeDifferences(here: ComparedFacts, there: ComparedFacts): string[] {
  const values = (["bowline", "name", "version", "seed", "hasSolutions"] as const).flatMap(
    (field) => describeValue(field, here[field], there[field]),
  );
  const dials = (Object.keys(here.dials) as (keyof ComparedFacts["dials"])[]).flatMap((dial) =>
    describeValue(`dials.${dial}`, here.dials[dial], there.dials[dial]),
  );
  const apis = JSON.stringify(here.apis) === JSON.stringify(there.apis) ? [] : ["its APIs"];
  return [...values, ...dials, ...describeSplits(here, there), ...apis];
}

function describeValue(field: string, here: unknown, there: unknown): string[] {
  const show = (value: unknown) => (value === null ? "none" : String(value));
  return here === there ? [] : [`${field} (there ${show(there)}, here ${show(here)})`];
}

function describeSplits(
  { splits: here }: ComparedFacts,
  { splits: there }: ComparedFacts,
): string[] {
  const names = [...new Set([...here, ...there].map(({ name }) => name))];
  return names.flatMap((name) => {
    const [one, other] = [here, there].map((splits) => splits.find((split) => split.name === name));
    const count = describeValue(`tasks of ${name}`, one?.tasks ?? null, other?.tasks ?? null);
    if (count.length > 0) return count;
    return one?.digest === other?.digest ? [] : [`the contents of its tasks of ${name}`];
  });
}
