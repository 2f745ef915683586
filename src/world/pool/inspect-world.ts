/**
 * `inspectWorld`: one worker with a world, to look inside and to step through its episodes by hand.
 *
 * Everything is asked of the worker, the world's own functions included: this thread holds no copy of the world, and the
 * watchdog ends what does not return. An episode from here is an `Episode` like any other, and tells more.
 */
import { requireFields, requireInteger, requireSeed } from "../../core/index.ts";
import type { Demonstration, Dials, Split, StepResult } from "../../spec/index.ts";
import { resolveDials } from "../dials/index.ts";
import type {
  AnsweredCall,
  AppLook,
  EpisodeState,
  TableLook,
  TablePage,
  TaskLook,
  TaskPage,
  WorldLook,
} from "../inspect/index.ts";
import { PooledEpisode } from "./pooled-episode.ts";
import { WorkerHost } from "./worker-host.ts";

/** The seed and dials of a world, as of `openWorld`. */
export interface InspectOptions {
  readonly seed: number;
  readonly dials?: Partial<Dials> | undefined;
  /** As of `openWorld`; default 10,000. */
  readonly wallClockMs?: number;
}

/** A step with all that its calls did. */
export interface SeenStep {
  readonly result: StepResult;
  readonly calls: readonly AnsweredCall[];
}

/** Looking in is work now and then: collecting often costs nothing that is felt, and halves what the thread takes. */
const YOUNG_MB = 6;

/** Rejects with a `world` error when the module is no world, and a `config` error for a wrong option. */
export async function inspectWorld(
  moduleUrl: string,
  options: InspectOptions,
): Promise<WorldInspector> {
  requireFields("options of inspectWorld", options, ["seed", "dials", "wallClockMs"]);
  const { seed, wallClockMs = 10_000 } = options;
  requireSeed("seed", seed);
  requireInteger("wallClockMs", wallClockMs, 1, 2 ** 31 - 1);
  const dials = resolveDials(options.dials);
  const host = { moduleUrl, seed, dials, wallClockMs, youngMb: YOUNG_MB };
  return new WorldInspector(await WorkerHost.start(host), seed);
}

/** A world that shows what is inside; made by `inspectWorld`. */
export class WorldInspector {
  readonly seed: number;
  readonly #host: WorkerHost;
  #episodes = 0;

  constructor(host: WorkerHost, seed: number) {
    this.#host = host;
    this.seed = seed;
  }

  /** True when its worker is gone: every further call rejects. */
  get ended(): boolean {
    return this.#host.ended;
  }

  about(): Promise<WorldLook> {
    return this.#host.call("look", null);
  }

  app(name: string): Promise<AppLook> {
    return this.#host.call("lookApp", { app: name });
  }

  /** Rows of the population; those of a task's own setup come on top. */
  table(name: string, page: TablePage): Promise<TableLook> {
    return this.#host.call("lookTable", { table: name, ...page });
  }

  tasks(split: Split, page: Omit<TaskPage, "split">) {
    return this.#host.call("lookTasks", { split, ...page });
  }

  task(taskId: string): Promise<TaskLook> {
    return this.#host.call("lookTask", { taskId });
  }

  /** The careful solution, run. Rejects with a `world` error where the task has none. */
  solve(taskId: string): Promise<Demonstration> {
    return this.#host.call("demonstrate", { taskId, style: "careful", seed: this.seed });
  }

  async open(taskId: string): Promise<InspectedEpisode> {
    const { info } = await this.task(taskId);
    const id = ++this.#episodes;
    await this.#host.call("open", { taskId, episode: id, past: [] });
    return new InspectedEpisode(info, { host: this.#host, id, nextId: () => ++this.#episodes });
  }

  async close(): Promise<void> {
    await this.#host.close();
  }
}

/** An episode that tells what its calls answered and changed. */
export class InspectedEpisode extends PooledEpisode {
  /** A step whose calls tell what they did; of one that the watchdog ended, they tell their statuses alone. */
  async look(code: string): Promise<SeenStep> {
    this.refuseClosed("step");
    const step = await this.place.host.call("step", {
      episode: this.place.id,
      code,
      recorded: true,
    });
    const { answered, ...result } = step;
    const unanswered = () =>
      result.calls.map((call) => ({ ...call, answer: undefined, changes: [] }));
    return { result, calls: answered ?? unanswered() };
  }

  /** What changed since the start, how it was ended, what time it is. */
  async state(): Promise<EpisodeState> {
    this.refuseClosed("look into");
    return this.place.host.call("lookEpisode", { episode: this.place.id });
  }

  /** A table as it is now. */
  async table(name: string, page: TablePage): Promise<TableLook> {
    this.refuseClosed("look into");
    return this.place.host.call("lookTable", { table: name, episode: this.place.id, ...page });
  }

  override async fork(): Promise<InspectedEpisode> {
    return new InspectedEpisode(this.task, await this.forked());
  }
}
