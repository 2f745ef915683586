/**
 * `inspectWorld`: one worker with a world, to look inside and to step through its episodes by hand.
 *
 * Everything is asked of the worker, the world's own functions included: this thread holds no copy of the world, and the
 * watchdog ends what does not return. An episode from here is an `Episode` like any other, and tells more.
 */
import { BowlineError, requireFields, requireInteger, requireSeed } from "../../core/index.ts";
import type {
  Demonstration,
  Dials,
  Episode,
  Evaluation,
  Split,
  StepResult,
  TaskInfo,
} from "../../spec/index.ts";
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
  return new WorldInspector(await WorkerHost.start({ moduleUrl, seed, dials, wallClockMs }), seed);
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
    return new InspectedEpisode(info, this.#host, id, () => ++this.#episodes);
  }

  async close(): Promise<void> {
    await this.#host.close();
  }
}

/** An episode that tells what its calls answered and changed. */
export class InspectedEpisode implements Episode {
  readonly task: TaskInfo;
  readonly #host: WorkerHost;
  readonly #id: number;
  readonly #nextId: () => number;
  #closed = false;

  constructor(task: TaskInfo, host: WorkerHost, id: number, nextId: () => number) {
    this.task = task;
    this.#host = host;
    this.#id = id;
    this.#nextId = nextId;
  }

  async step(code: string, signal?: AbortSignal): Promise<StepResult> {
    this.#refuseClosed("step");
    signal?.throwIfAborted();
    return this.#host.call("step", { episode: this.#id, code });
  }

  /** A step whose calls tell what they did; of one that the watchdog ended, they tell their statuses alone. */
  async look(code: string): Promise<SeenStep> {
    this.#refuseClosed("step");
    const step = await this.#host.call("step", { episode: this.#id, code, recorded: true });
    const { answered, ...result } = step;
    const unanswered = () =>
      result.calls.map((call) => ({ ...call, answer: undefined, changes: [] }));
    return { result, calls: answered ?? unanswered() };
  }

  /** What changed since the start, how it was ended, what time it is. */
  async state(): Promise<EpisodeState> {
    this.#refuseClosed("look into");
    return this.#host.call("lookEpisode", { episode: this.#id });
  }

  /** A table as it is now. */
  async table(name: string, page: TablePage): Promise<TableLook> {
    this.#refuseClosed("look into");
    return this.#host.call("lookTable", { table: name, episode: this.#id, ...page });
  }

  async evaluate(): Promise<Evaluation> {
    this.#refuseClosed("evaluate");
    return this.#host.call("evaluate", { episode: this.#id });
  }

  async fork(): Promise<InspectedEpisode> {
    this.#refuseClosed("fork");
    const id = this.#nextId();
    await this.#host.call("fork", { episode: this.#id, as: id });
    return new InspectedEpisode(this.task, this.#host, id, this.#nextId);
  }

  async close(): Promise<void> {
    if (this.#closed || this.#host.ended) return;
    this.#closed = true;
    await this.#host.call("close", { episode: this.#id });
  }

  #refuseClosed(operation: string): void {
    if (!this.#closed) return;
    throw new BowlineError(
      "world",
      `cannot ${operation}: this episode of ${this.task.id} is closed`,
    );
  }
}
