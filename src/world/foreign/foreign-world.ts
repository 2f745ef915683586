/** A world whose apps are not ours, seen like any other world. */
import {
  BowlineError,
  formatValue,
  hash32,
  requireInteger,
  requireOneOf,
  requireSeed,
} from "../../core/index.ts";
import {
  type Demonstration,
  type DemonstrationStyle,
  type Dials,
  type Evaluation,
  SPLITS,
  type Split,
  type TaskInfo,
} from "../../spec/index.ts";
import type { ApiDescription } from "../api/index.ts";
import type { TaskReport } from "../check/index.ts";
import { demonstrateIn, WorldInstance } from "../episode/index.ts";
import { type Inventory, takeInventory } from "../inspect/inventory.ts";
import { DEMONSTRATION_STYLES, type OpenedWorld, type OpenSelfOptions } from "../opened-world.ts";
import { createSandbox } from "../sandbox/index.ts";
import { CallLog } from "./call-log.ts";
import { checkForeignTask } from "./check-foreign-task.ts";
import { Connections } from "./connections.ts";
import type {
  AnsweredForeignCall,
  ForeignApp,
  ForeignStart,
  ForeignWorldDefinition,
} from "./define.ts";
import {
  type CurrentExchange,
  expandDefinition,
  type TaskWithForeignPart,
} from "./expand-definition.ts";
import { ForeignEpisode, type ForeignWorldParts } from "./foreign-episode.ts";
import { joinApps } from "./join-apps.ts";

const DEFAULT_CONNECTIONS = 16;
const DEFAULT_START_TIMEOUT_MS = 60_000;
const DEFAULT_CALL_TIMEOUT_MS = 30_000;

/** Opens a foreign world: asks its apps what they are, and draws its tasks. */
export async function openForeignWorld(
  definition: ForeignWorldDefinition,
  { seed, dials }: OpenSelfOptions,
): Promise<ForeignWorld> {
  const {
    isolation = "process",
    snapshot = "replay",
    deterministic = true,
    connections: limit = DEFAULT_CONNECTIONS,
    startTimeoutMs = DEFAULT_START_TIMEOUT_MS,
    callTimeoutMs = DEFAULT_CALL_TIMEOUT_MS,
    probe,
  } = definition;
  requireOneOf("isolation", isolation, ["process", "reset"]);
  requireOneOf("snapshot", snapshot, ["directory", "replay"]);
  requireInteger("connections", limit, 1, 1024);
  requireInteger("startTimeoutMs", startTimeoutMs, 1, 2 ** 31 - 1);
  requireInteger("callTimeoutMs", callTimeoutMs, 1, 2 ** 31 - 1);
  const connections = new Connections(joinApps([definition.apps].flat()), {
    ...{ isolation, snapshot, connections: limit, startTimeoutMs, callTimeoutMs },
    mayRevoke: deterministic,
    ...(probe && { probe }),
  });
  try {
    const apps = await connections.describe();
    requireKnownProbe(apps, definition);
    const exchange: CurrentExchange = { answer: undefined };
    const instance = new WorldInstance(expandDefinition(definition, apps, exchange), seed, dials);
    const parts: ForeignWorldParts = {
      ...{ instance, exchange, sandbox: await createSandbox() },
      foreignApps: new Set(apps.map(({ name }) => name)),
      readOnlyApis: listReadOnlyApis(apps),
      judgeTimeoutMs: startTimeoutMs,
    };
    return new ForeignWorld(parts, connections, deterministic);
  } catch (error) {
    await connections.close();
    throw error;
  }
}

export class ForeignWorld implements OpenedWorld {
  readonly name: string;
  readonly seed: number;
  readonly dials: Dials;
  /** False if equal calls may get other answers; then no call is made twice, and a fork needs a snapshot. */
  readonly isDeterministic: boolean;
  readonly #parts: ForeignWorldParts;
  readonly #connections: Connections;

  constructor(parts: ForeignWorldParts, connections: Connections, isDeterministic: boolean) {
    const { definition, seed, dials } = parts.instance;
    this.name = definition.name;
    this.seed = seed;
    this.dials = dials;
    this.isDeterministic = isDeterministic;
    this.#parts = parts;
    this.#connections = connections;
  }

  /** The world in this thread that draws the tasks and documents the apps. */
  get instance(): WorldInstance {
    return this.#parts.instance;
  }

  get hasSolutions(): boolean {
    const [split] = this.splits;
    return (
      split !== undefined && this.instance.findTask(`${split}/0/1`).task.solution !== undefined
    );
  }

  get splits(): readonly Split[] {
    return SPLITS.filter((split) => this.instance.definition.scenarios[split] !== undefined);
  }

  describeApis(): readonly ApiDescription[] {
    return this.instance.dispatcher.describeApis();
  }

  inventory(): Inventory {
    return takeInventory(this.instance);
  }

  tasks(split: Split, scenarios?: number): readonly TaskInfo[] {
    return this.instance.tasks(split, scenarios);
  }

  open(taskId: string): Promise<ForeignEpisode> {
    return this.openRecorded(taskId, []);
  }

  /**
   * Opens an episode whose first calls are answered from a record. After the last of them, it is judged as the record
   * says.
   */
  async openRecorded(
    taskId: string,
    recorded: readonly AnsweredForeignCall[],
    evaluation?: Evaluation,
  ): Promise<ForeignEpisode> {
    const { info, task } = this.instance.findTask(taskId);
    const { foreign } = task as TaskWithForeignPart;
    const seed = hash32(taskId, this.seed);
    const { files = {}, data, setup } = foreign;
    const start: ForeignStart = { task: info, seed, files, data };
    const lease = async () => {
      const held = await this.#connections.lease(start);
      if (!setup) return held;
      try {
        await setup(async (app, api, args = {}) => {
          const reply = await held.call({ app, api, args });
          if (reply.ok) return reply.value;
          throw new BowlineError(
            "world",
            `the setup of task ${taskId}: ${app}.${api} answered ${reply.status}: ${reply.message}`,
          );
        });
        return held;
      } catch (error) {
        await held.discard();
        throw error;
      }
    };
    const { isDeterministic } = this;
    return ForeignEpisode.open(
      this.#parts,
      taskId,
      new CallLog({ taskId, isDeterministic, lease }, recorded),
      evaluation,
    );
  }

  async demonstrate(
    taskId: string,
    style: DemonstrationStyle,
    seed: number,
  ): Promise<Demonstration> {
    requireOneOf("style", style, DEMONSTRATION_STYLES);
    requireSeed("seed", seed);
    const episode = await this.open(taskId);
    try {
      const world = this.instance;
      const start = world.prepareTask(taskId);
      return await demonstrateIn({ world, start, episode }, style, seed);
    } finally {
      await episode.close();
    }
  }

  check(taskId: string): Promise<TaskReport> {
    return checkForeignTask(this, taskId);
  }

  async close(): Promise<void> {
    await this.#connections.close();
  }
}

function listReadOnlyApis(apps: readonly ForeignApp[]): ReadonlySet<string> {
  const names = apps.flatMap(({ name, apis }) =>
    Object.entries(apis).flatMap(([api, { readOnly }]) => (readOnly ? [`${name}.${api}`] : [])),
  );
  return new Set(names);
}

/** Throws a `world` error when the probe names an API that does not exist. */
function requireKnownProbe(
  apps: readonly ForeignApp[],
  { probe, name }: ForeignWorldDefinition,
): void {
  if (!probe || apps.some((app) => app.name === probe.app && app.apis[probe.api])) return;
  throw new BowlineError(
    "world",
    `world ${formatValue(name)}: probe: there is no API ${probe.app}.${probe.api}`,
  );
}
