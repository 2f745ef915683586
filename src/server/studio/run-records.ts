/**
 * What views of worlds need from runs: one rollout by its address, and the world in which it was played.
 *
 * A custom world, scaffold or method is a module, and opening a module runs its code. A run directory may come from
 * anywhere, so a module inside one is never opened.
 */
import { realpathSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { RewardOptions } from "../../algo/index.ts";
import { isModulePath, isPlainObject } from "../../core/index.ts";
import type { Dials, Rollout } from "../../spec/index.ts";
import type { RolloutRow } from "../../spec/studio/index.ts";
import { type RunLocation, type Runs, readSmallJson } from "./runs/index.ts";
import { StudioError } from "./studio-error.ts";

/** The world that a run's configuration names. */
export interface WorldOfRun {
  readonly name: string;
  readonly seed: number;
  readonly dials: Partial<Dials>;
}

/** A recorded rollout with its address. */
export interface RecordedRollout {
  readonly run: string;
  readonly file: string;
  readonly rollout: Rollout;
  readonly row: RolloutRow;
}

export interface RunRecords {
  /** Returns the names of all worlds that runs name, each with the id of such a run. */
  findWorlds(): Promise<ReadonlyMap<string, string>>;
  /**
   * Returns the run's directory. Throws 404 for an unknown run, and 409 if the run names a module inside a run
   * directory.
   */
  findDirectory(run: string): Promise<string>;
  /** Returns what the run's rollouts earn, as it is configured. Throws 404 for an unknown run. */
  readReward(run: string): Promise<RewardOptions>;
  /** Reads a rollout; `tokens` includes its token rows. Throws 404 or 409. */
  readRollout(
    run: string,
    file: string,
    rollout: string,
    include: { readonly tokens: boolean },
  ): Promise<RecordedRollout>;
  /** Returns the run's world. Throws 404 for an unknown run, and 409 if the world cannot be opened from here. */
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
    readReward: async (run) => runs.readReward(await runs.locate(run)),
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
  throw new StudioError(
    409,
    `the run.json of ${run} does not name a world that this version can open`,
  );
}

function refuseModulesInsideRuns(
  { engine, warm, ...sections }: Readonly<Record<string, unknown>>,
  places: readonly RunLocation[],
): void {
  // The weights that a run started from are data, and often those of another run.
  const modules = [sections, withoutField(engine, "model"), withoutField(warm, "policy")];
  for (const text of collectStrings(modules)) {
    if (!isModulePath(text)) continue;
    const path = resolveRealPath(resolve(text));
    if (!places.some(({ directory }) => path.startsWith(resolveRealPath(directory) + sep)))
      continue;
    throw new StudioError(
      409,
      `${JSON.stringify(text)} is inside the directory of a run: modules that come with a run are not executed`,
    );
  }
}

function withoutField(value: unknown, name: string): unknown {
  if (!isPlainObject(value)) return value;
  const { [name]: _, ...others } = value;
  return others;
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
