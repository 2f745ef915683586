/**
 * `inspectWorld` opens a world in one worker, to look inside it and to step through its episodes by hand.
 *
 * The worker answers everything and runs the world's own functions: this thread holds no copy of the world, and the
 * watchdog ends what does not return. An episode from here is an `Episode` like any other that reports more.
 */
import {
  assert,
  type ModuleOrigin,
  requireInteger,
  requireKnownFields,
  requireSeed,
} from "../../core/index.ts";
import type { Demonstration, Dials, Split } from "../../spec/index.ts";
import { resolveDials } from "../dials/index.ts";
import type {
  AppDetails,
  EpisodeState,
  InspectedEpisode,
  InspectedStep,
  TablePageRequest,
  TableRows,
  TaskDetails,
  TaskPageRequest,
  WorldInspector,
  WorldOverview,
} from "../inspect/index.ts";
import { isSelfOpening } from "../opened-world.ts";
import { loadWorld } from "./load-world.ts";
import { PooledEpisode } from "./pooled-episode.ts";
import { WorkerHost } from "./worker-host.ts";

/** The seed and dials of a world, and how it is run; see `OpenWorldOptions`. */
export interface InspectOptions {
  readonly seed: number;
  /** Who named the module. A module that a file names must be trusted, or a `trust` error is thrown. */
  readonly origin: ModuleOrigin;
  readonly dials?: Partial<Dials> | undefined;
  /** The largest number of milliseconds for a cell or for one of the world's own functions. Default: 10,000. */
  readonly wallClockMs?: number;
}

/**
 * The limit on memory for young objects of the worker, in MB. A low limit halves the worker's memory, and inspection is
 * rare.
 */
const YOUNG_GENERATION_MB = 6;

/**
 * Opens a world to inspect it. Rejects with a `world` error when the module exports no world, and with a `config` error
 * for a wrong option.
 */
export async function inspectWorld(
  moduleUrl: string,
  options: InspectOptions,
): Promise<WorldInspector> {
  requireKnownFields("options of inspectWorld", options, [
    "seed",
    "origin",
    "dials",
    "wallClockMs",
  ]);
  const { seed, origin, wallClockMs = 10_000 } = options;
  requireSeed("seed", seed);
  requireInteger("wallClockMs", wallClockMs, 1, 2 ** 31 - 1);
  const dials = resolveDials(options.dials);
  const limits = { wallClockMs, youngGenerationMb: YOUNG_GENERATION_MB };
  const host = { moduleUrl, origin, seed, dials, ...limits };
  const worker = await WorkerHost.start(host);
  if (!worker.opensItself) return new PooledInspector(worker, seed);
  await worker.close();
  const world = await loadWorld(moduleUrl, origin);
  assert(isSelfOpening(world), "the module exports a world that opens itself");
  return world.inspectWorld({ seed, dials, url: moduleUrl });
}

/** A world in a worker that shows what is inside it. */
class PooledInspector implements WorldInspector {
  readonly seed: number;
  readonly #host: WorkerHost;
  #episodes = 0;

  constructor(host: WorkerHost, seed: number) {
    this.#host = host;
    this.seed = seed;
  }

  get isEnded(): boolean {
    return this.#host.isEnded;
  }

  overview(): Promise<WorldOverview> {
    return this.#host.call("look", null);
  }

  app(name: string): Promise<AppDetails> {
    return this.#host.call("lookApp", { app: name });
  }

  table(name: string, page: TablePageRequest): Promise<TableRows> {
    return this.#host.call("lookTable", { table: name, ...page });
  }

  tasks(split: Split, page: Omit<TaskPageRequest, "split">) {
    return this.#host.call("lookTasks", { split, ...page });
  }

  task(taskId: string): Promise<TaskDetails> {
    return this.#host.call("lookTask", { taskId });
  }

  solve(taskId: string): Promise<Demonstration> {
    return this.#host.call("demonstrate", { taskId, style: "careful", seed: this.seed });
  }

  async open(taskId: string): Promise<PooledInspectedEpisode> {
    const { info } = await this.task(taskId);
    const id = ++this.#episodes;
    await this.#host.call("open", { taskId, episode: id, past: [] });
    return new PooledInspectedEpisode(info, {
      host: this.#host,
      id,
      nextId: () => ++this.#episodes,
    });
  }

  async close(): Promise<void> {
    await this.#host.close();
  }
}

/** An episode that reports what its calls answered and changed. */
class PooledInspectedEpisode extends PooledEpisode implements InspectedEpisode {
  async inspectStep(code: string): Promise<InspectedStep> {
    this.requireOpen("step");
    const step = await this.place.host.call("step", {
      episode: this.place.id,
      code,
      recorded: true,
    });
    const { answered, ...result } = step;
    const callsWithoutAnswers = () =>
      result.calls.map((call) => ({ ...call, answer: undefined, changes: [] }));
    return { result, calls: answered ?? callsWithoutAnswers() };
  }

  async state(): Promise<EpisodeState> {
    this.requireOpen("look into");
    return this.place.host.call("lookEpisode", { episode: this.place.id });
  }

  async table(name: string, page: TablePageRequest): Promise<TableRows> {
    this.requireOpen("look into");
    return this.place.host.call("lookTable", { table: name, episode: this.place.id, ...page });
  }

  override async fork(): Promise<PooledInspectedEpisode> {
    return new PooledInspectedEpisode(this.task, await this.forkInWorker());
  }
}
