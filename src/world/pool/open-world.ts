/**
 * `openWorld` opens a world whose episodes live in worker threads, so that the agent's code can neither block nor stop
 * this thread. This thread lists the tasks from its own equal instance of the world. Nothing depends on which worker
 * runs what.
 */
import {
  BowlineError,
  formatValue,
  hash32,
  type ModuleOrigin,
  requireInteger,
  requireKnownFields,
  requireOneOf,
  requireSeed,
  THIS_CALL,
} from "../../core/index.ts";
import {
  type Demonstration,
  type DemonstrationStyle,
  type Dials,
  type Episode,
  SPLITS,
  type Split,
  type TaskInfo,
} from "../../spec/index.ts";
import type { ApiDescription } from "../api/index.ts";
import {
  compareFingerprints,
  comparePopulations,
  explainUnsteadiness,
  fingerprintTask,
  readPopulation,
  type SolutionMeasure,
  type TaskReport,
} from "../check/index.ts";
import { resolveDials } from "../dials/index.ts";
import { WorldInstance } from "../episode/index.ts";
import { type Inventory, takeInventory } from "../inspect/index.ts";
import { DEMONSTRATION_STYLES, isSelfOpening, type OpenedWorld } from "../opened-world.ts";
import { loadWorld } from "./load-world.ts";
import { MainThreadWatch } from "./main-thread-watch.ts";
import { PooledEpisode } from "./pooled-episode.ts";
import { type HostOptions, WorkerHost } from "./worker-host.ts";

/** The seed of a world, and how the world is run. */
export interface OpenWorldOptions {
  readonly seed: number;
  /** The number of worker threads. Default: 1. */
  readonly workers?: number;
  /**
   * The largest number of milliseconds for a cell, handler, goal or solution. It is the last resort against code that
   * cannot be interrupted or does not return. Default: 10,000.
   */
  readonly wallClockMs?: number;
  /** The world's dials. Dials that are not named are off. */
  readonly dials?: Partial<Dials> | undefined;
  /**
   * Who named the module. Default: this call. A module that a file names must be trusted, or a `trust` error is thrown.
   */
  readonly origin?: ModuleOrigin;
}

const OPTIONS = [
  "seed",
  "workers",
  "wallClockMs",
  "dials",
  "origin",
] as const satisfies (keyof OpenWorldOptions)[];
/** An episode goes to its usual worker while this has at most so many times the work of the least busy one, and some. */
const MAX_IMBALANCE = 1.25;
const MAX_WAITING = 4;

/** Throws a `config` error unless the value is a module URL; `resolveWorld` gives it for a path or a built-in name. */
function requireModuleUrl(url: unknown): asserts url is string {
  if (typeof url === "string" && URL.canParse(url)) return;
  throw new BowlineError(
    "config",
    `world: expected the URL of a module, such as resolveWorld("toy").url, got ${formatValue(url)}`,
  );
}

/**
 * Opens a world. Rejects with a `world` error when the module exports no world, and with a `config` error for a wrong
 * option.
 */
export async function openWorld(
  moduleUrl: string,
  options: OpenWorldOptions,
): Promise<OpenedWorld> {
  requireModuleUrl(moduleUrl);
  requireKnownFields("options of openWorld", options, OPTIONS);
  const { seed, workers = 1, wallClockMs = 10_000, origin = THIS_CALL } = options;
  requireSeed("seed", seed);
  requireInteger("workers", workers, 1, 256);
  requireInteger("wallClockMs", wallClockMs, 1, 2 ** 31 - 1);
  const dials = resolveDials(options.dials);
  const hosts = await startHosts({ moduleUrl, origin, seed, dials, wallClockMs }, workers);
  try {
    const definition = await loadWorld(moduleUrl, origin);
    if (isSelfOpening(definition)) {
      await Promise.all(hosts.map((host) => host.close()));
      return await definition.openWorld({ seed, dials, url: moduleUrl });
    }
    const instance = new WorldInstance(definition, seed, dials);
    instance.dispatcher.watch = new MainThreadWatch(wallClockMs);
    return new PooledWorld(instance, hosts);
  } catch (error) {
    await Promise.all(hosts.map((host) => host.close()));
    throw error;
  }
}

/**
 * Starts the workers. They load the world before this thread does, because a watchdog can end a worker whose module or
 * `populate` does not return.
 */
async function startHosts(options: HostOptions, workers: number): Promise<readonly WorkerHost[]> {
  const starts = Array.from({ length: workers }, () => WorkerHost.start(options));
  const hosts = await Promise.allSettled(starts);
  const failure = hosts.find((host) => host.status === "rejected");
  const running = hosts.flatMap((host) => (host.status === "fulfilled" ? [host.value] : []));
  if (!failure) return running;
  await Promise.all(running.map((host) => host.close()));
  throw failure.reason;
}

/** A world whose episodes live in worker threads; made by `openWorld`. */
export class PooledWorld implements OpenedWorld {
  readonly name: string;
  readonly version?: string;
  readonly seed: number;
  readonly dials: Dials;
  readonly #instance: WorldInstance;
  readonly #hosts: readonly WorkerHost[];
  #episodes = 0;
  readonly #populations = new Map<WorkerHost, Promise<string | undefined>>();

  constructor(instance: WorldInstance, hosts: readonly WorkerHost[]) {
    const { name, version } = instance.definition;
    this.name = name;
    if (version !== undefined) this.version = version;
    this.seed = instance.seed;
    this.dials = instance.dials;
    this.#instance = instance;
    this.#hosts = hosts;
  }

  /**
   * True if tasks have solutions. Only the first scenario is asked, because a world has solutions for all of its tasks
   * or for none.
   */
  get hasSolutions(): boolean {
    const [split] = this.splits;
    return (
      split !== undefined && this.#instance.findTask(`${split}/0/1`).task.solution !== undefined
    );
  }

  /** The splits that have tasks, in their usual order. */
  get splits(): readonly Split[] {
    return SPLITS.filter((split) => this.#instance.definition.scenarios[split] !== undefined);
  }

  /** Describes the APIs that the agent can call, with the JSON Schemas of their arguments. */
  describeApis(): readonly ApiDescription[] {
    return this.#instance.dispatcher.describeApis();
  }

  /** Counts what is in the world before any task. */
  inventory(): Inventory {
    return takeInventory(this.#instance);
  }

  tasks(split: Split, scenarios?: number): readonly TaskInfo[] {
    return this.#instance.tasks(split, scenarios);
  }

  async open(taskId: string): Promise<Episode> {
    const info = this.#instance.findInfo(taskId);
    const host = this.#hostOfScenario(info.scenario);
    const episode = ++this.#episodes;
    const attempts = this.#instance.findAttempts(taskId);
    await host.call("open", { taskId, episode, past: [], attempts });
    return new PooledEpisode(info, { host, id: episode, nextId: () => ++this.#episodes });
  }

  async demonstrate(
    taskId: string,
    style: DemonstrationStyle,
    seed: number,
  ): Promise<Demonstration> {
    requireOneOf("style", style, DEMONSTRATION_STYLES);
    requireSeed("seed", seed);
    this.#instance.findInfo(taskId);
    return this.#leastBusyHost().call("demonstrate", { taskId, style, seed });
  }

  /** Proves one task. The worker and this thread, which loaded the module separately, must draw the same task. */
  async check(taskId: string): Promise<TaskReport> {
    this.#instance.findInfo(taskId);
    const host = this.#leastBusyHost();
    const population = await this.#comparePopulation(host);
    const { report, print } = await host.call("check", { taskId, seed: this.seed });
    if (report.unsteady !== undefined) return report;
    const difference =
      population ?? compareFingerprints(fingerprintTask(this.#instance, taskId), print);
    return difference === undefined
      ? report
      : { ...report, unsteady: explainUnsteadiness(difference) };
  }

  async measure(taskId: string, tryEachApi: boolean): Promise<SolutionMeasure> {
    this.#instance.findInfo(taskId);
    return this.#leastBusyHost().call("measure", { taskId, seed: this.seed, tryEachApi });
  }

  /**
   * Makes the world a second time, once in each worker, and describes how its population differs from the first one;
   * undefined if it does not.
   */
  #comparePopulation(host: WorkerHost): Promise<string | undefined> {
    const known = this.#populations.get(host);
    if (known) return known;
    const compared = host
      .call("redraw", null)
      .then((there) => comparePopulations(readPopulation(this.#instance), there));
    this.#populations.set(host, compared);
    return compared;
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close()));
  }

  /**
   * Returns the worker that has probably prepared this scenario before, which is work, unless it is much busier than
   * another one.
   */
  #hostOfScenario(scenario: string): WorkerHost {
    const usual = this.#hosts[hash32(scenario, this.seed) % this.#hosts.length]!;
    const leastBusy = this.#leastBusyHost();
    return usual.openWork <= MAX_IMBALANCE * leastBusy.openWork + MAX_WAITING ? usual : leastBusy;
  }

  #leastBusyHost(): WorkerHost {
    return this.#hosts.reduce((best, host) => (host.openWork < best.openWork ? host : best));
  }
}
