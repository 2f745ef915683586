/**
 * What views of worlds need from runs: one rollout by its address, and the world in which it was played.
 *
 * A custom world, scaffold or method is a module, and opening a module runs its code. A run directory may come from
 * anywhere, so a module that a run names is opened only if this user has trusted it.
 */
import { join } from "node:path";
import type { RewardOptions } from "../../algo/index.ts";
import { isPlainObject, type ModuleOrigin } from "../../core/index.ts";
import type { Dials, Rollout } from "../../spec/index.ts";
import type { RolloutRow } from "../../spec/studio/index.ts";
import { requireTrustedModules } from "../../train/index.ts";
import { type RunLocation, type Runs, readSmallJson } from "./runs/index.ts";
import { StudioError } from "./studio-error.ts";

/** The world that a run's configuration names. */
export interface WorldOfRun {
  readonly name: string;
  /** The file that names the world. */
  readonly origin: ModuleOrigin;
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
   * Returns the run's directory. Throws 404 for an unknown run, and 403 if the run names a module that is not trusted.
   */
  findDirectory(run: string): Promise<string>;
  /**
   * Returns the stored configuration of the run. Throws 404 for an unknown run, and 403 if it names a module that is not
   * trusted.
   */
  readTrustedConfig(run: string): Promise<object>;
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
    const origin: ModuleOrigin = { by: "file", file: path, subject: location.directory };
    return { record, config, origin };
  };
  return {
    async findWorlds() {
      const rows = await runs.listRows();
      return new Map(rows.flatMap(({ id, world }) => (world === undefined ? [] : [[world, id]])));
    },
    async findDirectory(run) {
      const location = await runs.locate(run);
      const { config, origin } = await readRecord(location);
      requireTrustedModules(config, origin);
      return location.directory;
    },
    async readTrustedConfig(run) {
      const { config, origin } = await readRecord(await runs.locate(run));
      requireTrustedModules(config, origin);
      return config;
    },
    readReward: async (run) => runs.readReward(await runs.locate(run)),
    async readRollout(run, name, id, has) {
      const file = await runs.findFile(await runs.locate(run), name);
      return { run, file: name, ...(await runs.readRollout(file, id, has)) };
    },
    async readWorld(run) {
      const { record, config, origin } = await readRecord(await runs.locate(run));
      const givenParts: unknown[] = Array.isArray(record["given"]) ? record["given"] : [];
      const part = ["world", "agent"].find((name) => givenParts.includes(name));
      if (part === undefined) return { ...worldFromConfig(config, run), origin };
      throw new StudioError(
        409,
        `the ${part} of run ${run} was handed to train() by a program, so its world cannot be opened from here`,
      );
    },
  };
}

function worldFromConfig(
  config: Readonly<Record<string, unknown>>,
  run: string,
): Omit<WorldOfRun, "origin"> {
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
