/**
 * What looking into worlds needs of runs: one rollout by its address, and the world that it was played in.
 *
 * A world, a scaffold or a method of one's own is a module, and opening it runs it. A run directory may come from anywhere,
 * so a module that lies in one is not opened: what is run here is the user's, from where the user keeps it.
 */
import { realpathSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { isModulePath, isPlainObject } from "../../core/index.ts";
import type { Dials, Rollout } from "../../spec/index.ts";
import type { RolloutRow } from "../../spec/studio/index.ts";
import { type RunLocation, type Runs, readSmallJson } from "./runs/index.ts";
import { StudioError } from "./studio-error.ts";

/** A world as a run names it. */
export interface WorldOfRun {
  readonly name: string;
  readonly seed: number;
  readonly dials: Partial<Dials>;
}

/** A rollout with its address. */
export interface RecordedRollout {
  readonly run: string;
  readonly file: string;
  readonly rollout: Rollout;
  readonly row: RolloutRow;
}

export interface RunRecords {
  /** Names of the worlds of runs, each with a run that names it. */
  findWorlds(): Promise<ReadonlyMap<string, string>>;
  /** Throws 404 for a run that is not there, 409 for one whose modules are not to be run from here. */
  findDirectory(run: string): Promise<string>;
  /** `tokens`: also its rows of them. Throws 404, 409. */
  readRollout(
    run: string,
    file: string,
    rollout: string,
    include: { readonly tokens: boolean },
  ): Promise<RecordedRollout>;
  /** Throws 404, and 409 where its world is nowhere to be opened from. */
  readWorld(run: string): Promise<WorldOfRun>;
}

export function openRunRecords(runs: Runs): RunRecords {
  const readRecord = async (location: RunLocation) => {
    const { folder } = runs;
    const path = join(location.directory, "run.json");
    const read = readSmallJson(path, folder.inspect(path));
    const record = "value" in read && isPlainObject(read.value) ? read.value : undefined;
    if (!record) throw new StudioError(409, `the run.json of ${location.id} cannot be read`);
    const config = isPlainObject(record["config"]) ? record["config"] : {};
    refuseModulesInsideRuns(config, await runs.locateAll());
    return { record, config };
  };
  return {
    async findWorlds() {
      const rows = await runs.listRows();
      return new Map(rows.flatMap(({ id, world }) => (world === undefined ? [] : [[world, id]])));
    },
    async findDirectory(run) {
      const location = await runs.locate(run);
      await readRecord(location);
      return location.directory;
    },
    async readRollout(run, name, id, has) {
      const file = await runs.findFile(await runs.locate(run), name);
      return { run, file: name, ...(await runs.readRollout(file, id, has)) };
    },
    async readWorld(run) {
      const { record, config } = await readRecord(await runs.locate(run));
      const givenParts: unknown[] = Array.isArray(record["given"]) ? record["given"] : [];
      const part = ["world", "agent"].find((name) => givenParts.includes(name));
      if (part === undefined) return worldFromConfig(config, run);
      throw new StudioError(
        409,
        `the ${part} of run ${run} was handed to train() by a program, so its world cannot be opened from here`,
      );
    },
  };
}

function worldFromConfig(config: Readonly<Record<string, unknown>>, run: string): WorldOfRun {
  const world = isPlainObject(config["world"]) ? config["world"] : {};
  const { name, seed, dials } = world;
  if (typeof name === "string" && Number.isInteger(seed)) {
    return { name, seed: seed as number, dials: isPlainObject(dials) ? dials : {} };
  }
  throw new StudioError(409, `the run.json of ${run} names no world that this version can open`);
}

function refuseModulesInsideRuns(config: unknown, places: readonly RunLocation[]): void {
  for (const text of collectStrings(config)) {
    if (!isModulePath(text)) continue;
    const path = resolveRealPath(resolve(text));
    if (!places.some(({ directory }) => path.startsWith(resolveRealPath(directory) + sep)))
      continue;
    throw new StudioError(
      409,
      `${JSON.stringify(text)} lies in the directory of a run: modules that come with a run are not run from here`,
    );
  }
}

function collectStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(collectStrings);
}

function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
