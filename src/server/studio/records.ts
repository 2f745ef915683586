/**
 * What looking into worlds needs of runs: one rollout by its address, and the world that it was played in.
 *
 * A world, a scaffold or a method of one's own is a module, and opening it runs it. A run directory may come from anywhere,
 * so a module that lies in one is not opened: what is run here is the user's, from where the user keeps it.
 */
import { realpathSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { isModulePath, isRaw } from "../../core/index.ts";
import type { Dials, Rollout } from "../../spec/index.ts";
import type { RolloutRow } from "../../spec/studio/index.ts";
import { type RunPlace, type Runs, readSmallJson } from "./runs/index.ts";
import { StudioError } from "./studio-error.ts";

/** A world as a run names it. */
export interface WorldOfRun {
  readonly name: string;
  readonly seed: number;
  readonly dials: Partial<Dials>;
}

/** A rollout with its address. */
export interface Recorded {
  readonly run: string;
  readonly file: string;
  readonly rollout: Rollout;
  readonly row: RolloutRow;
}

export interface Records {
  /** Names of the worlds of runs, each with a run that names it. */
  worlds(): Promise<ReadonlyMap<string, string>>;
  /** Throws 404 for a run that is not there, 409 for one whose modules are not to be run from here. */
  directory(run: string): Promise<string>;
  /** `tokens`: also its rows of them. Throws 404, 409. */
  rollout(
    run: string,
    file: string,
    rollout: string,
    has: { readonly tokens: boolean },
  ): Promise<Recorded>;
  /** Throws 404, and 409 where its world is nowhere to be opened from. */
  world(run: string): Promise<WorldOfRun>;
}

export function recordsOf(runs: Runs): Records {
  const configOf = async (place: RunPlace) => {
    const { inside } = runs;
    const path = join(place.directory, "run.json");
    const read = readSmallJson(path, inside.at(path));
    const record = "value" in read && isRaw(read.value) ? read.value : undefined;
    if (!record) throw new StudioError(409, `the run.json of ${place.id} cannot be read`);
    const config = isRaw(record["config"]) ? record["config"] : {};
    refuseModulesOfRuns(config, await runs.places());
    return { record, config };
  };
  return {
    async worlds() {
      const rows = await runs.rows();
      return new Map(rows.flatMap(({ id, world }) => (world === undefined ? [] : [[world, id]])));
    },
    async directory(run) {
      const place = await runs.place(run);
      await configOf(place);
      return place.directory;
    },
    async rollout(run, name, id, has) {
      const file = await runs.file(await runs.place(run), name);
      return { run, file: name, ...(await runs.rollout(file, id, has)) };
    },
    async world(run) {
      const { record, config } = await configOf(await runs.place(run));
      const given: unknown[] = Array.isArray(record["given"]) ? record["given"] : [];
      const part = ["world", "agent"].find((name) => given.includes(name));
      if (part === undefined) return worldIn(config, run);
      throw new StudioError(
        409,
        `the ${part} of run ${run} was handed to train() by a program, so its world cannot be opened from here`,
      );
    },
  };
}

function worldIn(config: Readonly<Record<string, unknown>>, run: string): WorldOfRun {
  const world = isRaw(config["world"]) ? config["world"] : {};
  const { name, seed, dials } = world;
  if (typeof name === "string" && Number.isInteger(seed)) {
    return { name, seed: seed as number, dials: isRaw(dials) ? dials : {} };
  }
  throw new StudioError(409, `the run.json of ${run} names no world that this version can open`);
}

function refuseModulesOfRuns(config: unknown, places: readonly RunPlace[]): void {
  for (const text of textsIn(config)) {
    if (!isModulePath(text)) continue;
    const path = realOf(resolve(text));
    if (!places.some(({ directory }) => path.startsWith(realOf(directory) + sep))) continue;
    throw new StudioError(
      409,
      `${JSON.stringify(text)} lies in the directory of a run: modules that come with a run are not run from here`,
    );
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
