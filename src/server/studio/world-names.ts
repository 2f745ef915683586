/** Names of worlds: the built-in ones and those that runs name. The studio opens no other world. */
import { fileURLToPath } from "node:url";
import { didYouMean, errorMessage, requireTrust, THIS_CALL } from "../../core/index.ts";
import type { WorldList } from "../../spec/studio/index.ts";
import { resolveWorld } from "../../train/index.ts";
import { namesHosts } from "../../world/index.ts";
import { builtInWorlds } from "../../worlds/index.ts";
import { readWholeNumber } from "./request-parameters.ts";
import type { RunRecords } from "./run-records.ts";
import { StudioError } from "./studio-error.ts";
import type { WorldKey } from "./world-cache.ts";

/** Finds the world with the seed and dials of `?run=`, or with `?seed=` and all dials off. Throws 400, 404 or 409. */
export async function findRequestedWorld(
  records: RunRecords,
  query: URLSearchParams,
  name: string,
): Promise<WorldKey> {
  const run = query.get("run");
  if (run !== null) return findWorldOfRun(records, run, name);
  const seed = readWholeNumber({ query }, "seed", { defaultValue: 1, max: 2 ** 32 - 1 });
  return findWorldByName(records, name, seed);
}

export async function findWorldOfRun(
  records: RunRecords,
  run: string,
  name: string,
): Promise<WorldKey> {
  const world = await records.readWorld(run);
  if (world.name === name) return world;
  throw new StudioError(400, `run ${run} uses the world ${world.name}, not ${name}`);
}

/** Finds a world by its name, with all dials off. Throws 404 for a name that is neither built in nor named by a run. */
export async function findWorldByName(
  records: RunRecords,
  name: string,
  seed: number,
): Promise<WorldKey> {
  const builtInNames = Object.keys(builtInWorlds);
  if (builtInNames.includes(name)) return { name, origin: THIS_CALL, seed, dials: {} };
  const runsByWorldName = await records.findWorlds();
  const run = runsByWorldName.get(name);
  if (run !== undefined) return { ...(await findWorldOfRun(records, run, name)), seed, dials: {} };
  const names = [...new Set([...builtInNames, ...runsByWorldName.keys()])];
  throw new StudioError(
    404,
    `there is no world ${JSON.stringify(name)}${didYouMean(name, names)}; available worlds: ${names.join(", ")}`,
  );
}

export async function listWorlds(records: RunRecords): Promise<WorldList> {
  const builtIn = Object.entries(builtInWorlds).map(([name, { summary }]) => ({ name, summary }));
  const namedByRuns = [...(await records.findWorlds())].filter(
    ([name]) => !Object.hasOwn(builtInWorlds, name),
  );
  const others = namedByRuns.map(async ([name, run]) => ({
    name,
    summary: `A custom world, used by run ${run}.`,
    ...(await findWorldProblem(records, run, name)),
  }));
  return { worlds: [...builtIn, ...(await Promise.all(others))] };
}

/** Says why the world that a run names cannot be opened; an empty object if it can. */
async function findWorldProblem(
  records: RunRecords,
  run: string,
  name: string,
): Promise<{ problem?: string }> {
  if (namesHosts(name)) return { problem: "its data is on other machines, which play it" };
  try {
    const { url } = resolveWorld(name);
    const { origin } = await findWorldOfRun(records, run, name);
    requireTrust(fileURLToPath(url), "world.name", origin);
    return {};
  } catch (cause) {
    return { problem: errorMessage(cause) };
  }
}
