/** A world of Bowline that is served by other machines. Its tasks are listed here, and its episodes are played there. */
import {
  BowlineError,
  errorMessage,
  mapConcurrently,
  requireInteger,
  requireOneOf,
  requireSeed,
} from "../../core/index.ts";
import {
  type Demonstration,
  type DemonstrationStyle,
  type Dials,
  SPLITS,
  type Split,
  type TaskInfo,
} from "../../spec/index.ts";
import type { ApiDescription } from "../api/index.ts";
import { MAX_SCENARIOS } from "../episode/definition.ts";
import type { Inventory } from "../inspect/inventory.ts";
import { DEMONSTRATION_STYLES, type OpenedWorld } from "../opened-world.ts";
import { isLost } from "./host.ts";
import { type HostClient, isAbsent } from "./host-client.ts";
import type { HostPool } from "./host-pool.ts";
import { RemoteEpisode } from "./remote-episode.ts";
import type { WorldFacts } from "./world-facts.ts";

export interface RemoteWorldParts {
  readonly facts: WorldFacts;
  readonly pool: HostPool;
  readonly tasks: ReadonlyMap<Split, readonly TaskInfo[]>;
  readonly answerTimeoutMs: number;
}

export class RemoteWorld implements OpenedWorld {
  readonly name: string;
  readonly version?: string;
  readonly seed: number;
  readonly dials: Dials;
  readonly hasSolutions: boolean;
  readonly #parts: RemoteWorldParts;
  readonly #tasksById: ReadonlyMap<string, TaskInfo>;

  constructor(parts: RemoteWorldParts) {
    const { name, version, seed, dials, hasSolutions } = parts.facts;
    this.name = name;
    if (version !== null) this.version = version;
    this.seed = seed;
    this.dials = dials;
    this.hasSolutions = hasSolutions;
    this.#parts = parts;
    this.#tasksById = new Map([...parts.tasks.values()].flat().map((task) => [task.id, task]));
  }

  get splits(): readonly Split[] {
    return SPLITS.filter((split) => this.#parts.tasks.has(split));
  }

  tasks(split: Split, scenarios?: number): readonly TaskInfo[] {
    requireOneOf("split", split, SPLITS);
    if (scenarios !== undefined) requireInteger("scenarios", scenarios, 1, MAX_SCENARIOS);
    const all = this.#parts.tasks.get(split);
    if (all === undefined) return [];
    if (scenarios === undefined) return all;
    const listed = new Set(all.map(({ scenario }) => scenario));
    if (scenarios > listed.size) {
      throw new BowlineError(
        "config",
        `the hosts of ${this.name} list ${listed.size} scenarios of ${split}, and ${scenarios} are asked for; start them with --scenarios ${scenarios}, or ask for fewer (world.trainScenarios, evaluation.scenarios)`,
      );
    }
    const chosen = new Set([...listed].slice(0, scenarios));
    return all.filter(({ scenario }) => chosen.has(scenario));
  }

  async open(taskId: string): Promise<RemoteEpisode> {
    return new RemoteEpisode(this.#findTask(taskId), this.#parts.pool);
  }

  async demonstrate(
    taskId: string,
    style: DemonstrationStyle,
    seed: number,
  ): Promise<Demonstration> {
    requireOneOf("style", style, DEMONSTRATION_STYLES);
    requireSeed("seed", seed);
    this.#findTask(taskId);
    const { pool, answerTimeoutMs } = this.#parts;
    const problems: string[] = [];
    for (const client of pool.clients) {
      try {
        return await client.demonstrate(taskId, style, seed, answerTimeoutMs);
      } catch (error) {
        if (!isAbsent(error) && !isLost(error)) throw error;
        problems.push(errorMessage(error));
      }
    }
    throw new BowlineError("world", `the solution of ${taskId}: ${problems.join("; ")}`);
  }

  async check(): Promise<never> {
    throw new BowlineError(
      "world",
      "the tasks of a world are proved where its module is: run bowline world check on a host",
    );
  }

  describeApis(): readonly ApiDescription[] {
    return this.#parts.facts.apis;
  }

  /** The apps are known by their APIs, and `docs` and `me` are not counted. The tables are on the hosts. */
  inventory(): Inventory {
    const { apis, version } = this.#parts.facts;
    const names = new Set(apis.map(({ app }) => app));
    for (const everywhere of ["docs", "me"]) names.delete(everywhere);
    return {
      ...(version === null ? {} : { version }),
      apps: [...names].map((name) => {
        const own = apis.filter(({ app }) => app === name);
        const login = own.some(({ api }) => api === "login");
        return { name, summary: "", apis: own.length, login };
      }),
      tables: [],
    };
  }

  async close(): Promise<void> {
    this.#parts.pool.close();
  }

  #findTask(taskId: string): TaskInfo {
    const task = this.#tasksById.get(taskId);
    if (task) return task;
    const splits = this.splits.join(", ");
    throw new BowlineError(
      "world",
      `the hosts of ${this.name} list no task ${JSON.stringify(taskId)} in ${splits}; start them with the --splits and --scenarios that are needed`,
    );
  }
}

/** Lists the tasks of all splits that a host serves. */
export async function listAllTasks(
  client: HostClient,
  { splits }: WorldFacts,
  timeoutMs: number,
): Promise<ReadonlyMap<Split, readonly TaskInfo[]>> {
  const lists = await mapConcurrently(splits, 2, async ({ name, tasks }) => {
    const listed = await client.listTasks(name, tasks, timeoutMs);
    return [name, listed] as const;
  });
  return new Map(lists);
}
