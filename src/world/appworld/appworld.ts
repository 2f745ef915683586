/** AppWorld as a world: tasks of the user's own installation, whose cells are Python. */
import { BowlineError } from "../../core/index.ts";
import type { Demonstration, Dials, Split, TaskInfo } from "../../spec/index.ts";
import type { OpenedWorld, OpenSelfOptions } from "../opened-world.ts";
import { AppWorldEpisode } from "./appworld-episode.ts";
import { APPWORLD_DEFAULTS, type AppWorldDefinition, type AppWorldSettings } from "./define.ts";
import { type ListedTask, listTasks, readTaskIds } from "./list-tasks.ts";
import { ServerPool } from "./server-pool.ts";

const NO_SOLUTIONS =
  "AppWorld's solutions are not used, so there is nothing to imitate or to check";

/** Opens an installation: starts one server and reads the tasks of all splits from it. */
export async function openAppWorld(
  definition: AppWorldDefinition,
  { seed, dials }: OpenSelfOptions,
): Promise<AppWorld> {
  const settings: AppWorldSettings = { ...APPWORLD_DEFAULTS, ...definition };
  const [firstSplit] = settings.splits;
  if (firstSplit === undefined) throw new BowlineError("config", "splits: expected at least one");
  const pool = new ServerPool(settings, readTaskIds(settings, firstSplit)[0]!);
  try {
    const server = await pool.lease();
    const tasks = new Map<Split, readonly ListedTask[]>();
    for (const split of settings.splits) {
      tasks.set(split, await listTasks(settings, split, server.client));
    }
    await pool.release(server);
    return new AppWorld(settings, pool, tasks, seed, dials);
  } catch (error) {
    await pool.close();
    throw error;
  }
}

export class AppWorld implements OpenedWorld {
  readonly name = "appworld";
  readonly seed: number;
  readonly dials: Dials;
  readonly hasSolutions = false;
  readonly #settings: AppWorldSettings;
  readonly #pool: ServerPool;
  readonly #tasks: ReadonlyMap<Split, readonly ListedTask[]>;

  constructor(
    settings: AppWorldSettings,
    pool: ServerPool,
    tasks: ReadonlyMap<Split, readonly ListedTask[]>,
    seed: number,
    dials: Dials,
  ) {
    this.#settings = settings;
    this.#pool = pool;
    this.#tasks = tasks;
    this.seed = seed;
    this.dials = dials;
  }

  get splits(): readonly Split[] {
    return [...this.#tasks.keys()];
  }

  /** The process ids of the servers that run now. */
  get processIds(): readonly number[] {
    return this.#pool.processIds;
  }

  tasks(split: Split, scenarios?: number): readonly TaskInfo[] {
    const all = this.#tasks.get(split)?.map(({ info }) => info);
    if (!all) {
      throw new BowlineError(
        "config",
        `the split ${split} of AppWorld is not open; it has ${this.splits.join(", ")} (field splits of the world)`,
      );
    }
    const chosen = new Set([...new Set(all.map(({ scenario }) => scenario))].slice(0, scenarios));
    return all.filter(({ scenario }) => chosen.has(scenario));
  }

  async open(id: string): Promise<AppWorldEpisode> {
    for (const [split, listed] of this.#tasks) {
      const found = listed.find(({ info }) => info.id === id);
      if (!found) continue;
      const hidesChecks = split !== "train" && split !== "dev";
      const parts = { task: found.info, taskId: found.taskId, hidesChecks };
      return new AppWorldEpisode({ ...parts, pool: this.#pool, settings: this.#settings });
    }
    throw new BowlineError("world", `AppWorld has no task ${id} in ${this.splits.join(", ")}`);
  }

  async demonstrate(): Promise<Demonstration> {
    throw new BowlineError("world", NO_SOLUTIONS);
  }

  async check(): Promise<never> {
    throw new BowlineError("world", NO_SOLUTIONS);
  }

  describeApis() {
    return [];
  }

  inventory() {
    return { apps: [], tables: [] };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
