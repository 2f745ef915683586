/** Names of worlds: those that ship, and those that runs name. No other is opened, whatever a request says. */
import { didYouMean, messageOf } from "../../core/index.ts";
import type { WorldList } from "../../spec/studio/index.ts";
import { resolveWorld } from "../../train/index.ts";
import { builtInWorlds } from "../../worlds/index.ts";
import { wholeNumber } from "./queries.ts";
import type { Records } from "./records.ts";
import { StudioError } from "./studio-error.ts";
import type { WorldKey } from "./world-shelf.ts";

/** `?run=`: as that run has it; otherwise by `?seed=`, with all dials off. Throws 400, 404, 409. */
export async function worldAsked(
  records: Records,
  query: URLSearchParams,
  name: string,
): Promise<WorldKey> {
  const run = query.get("run");
  if (run !== null) return worldOfRun(records, run, name);
  const seed = wholeNumber({ query }, "seed", { standard: 1, most: 2 ** 32 - 1 });
  return worldNamed(records, name, seed);
}

export async function worldOfRun(records: Records, run: string, name: string): Promise<WorldKey> {
  const world = await records.world(run);
  if (world.name === name) return world;
  throw new StudioError(400, `run ${run} is in the world ${world.name}, not in ${name}`);
}

/** With all dials off. */
export async function worldNamed(records: Records, name: string, seed: number): Promise<WorldKey> {
  const own = Object.keys(builtInWorlds);
  if (own.includes(name)) return { name, seed, dials: {} };
  const named = await records.worlds();
  const run = named.get(name);
  if (run !== undefined) return { ...(await worldOfRun(records, run, name)), seed, dials: {} };
  const names = [...new Set([...own, ...named.keys()])];
  throw new StudioError(
    404,
    `there is no world ${JSON.stringify(name)}${didYouMean(name, names)}; there are ${names.join(", ")}`,
  );
}

export async function worldList(records: Records): Promise<WorldList> {
  const own = Object.entries(builtInWorlds).map(([name, { summary }]) => ({ name, summary }));
  const named = [...(await records.worlds())].filter(
    ([name]) => !Object.hasOwn(builtInWorlds, name),
  );
  const others = named.map(([name, run]) => ({
    name,
    summary: `A world of one's own, of run ${run}.`,
    ...problemOf(name),
  }));
  return { worlds: [...own, ...others] };
}

function problemOf(name: string): { problem?: string } {
  try {
    resolveWorld(name);
    return {};
  } catch (cause) {
    return { problem: messageOf(cause) };
  }
}
