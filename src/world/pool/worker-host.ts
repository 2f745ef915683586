/**
 * One world worker seen from the main thread, with a watchdog.
 *
 * Limits inside the sandbox are counts, but nothing limits the world's own functions. When a request does not return,
 * the watchdog ends its thread. A new worker then replays the other episodes, which is possible because cells are
 * deterministic. The stuck turn returns a `wall-clock` limit with the calls that it had made, and waiting requests are
 * sent again. A handler that did not return is a bug of the world: its call gets status 504 and a `Fault`. A thread that
 * something else ended, such as the system, is replaced in the same way, and no request fails.
 */
import type { Worker } from "node:worker_threads";
import { BowlineError, type ErrorCode, type ModuleOrigin, spawnWorker } from "../../core/index.ts";
import type { ApiCall, Dials, Limit } from "../../spec/index.ts";
import { type Activity, formatFault } from "../api/index.ts";
import { makeLimitResult, type PastTurn } from "../episode/index.ts";
import { FlightRecorder } from "./flight-recorder.ts";
import type {
  WorkerMethod,
  WorkerParams,
  WorkerReply,
  WorkerRequest,
  WorkerResult,
} from "./protocol.ts";
import { WorkerDeath } from "./worker-death.ts";

const WATCHDOG_TICK_MS = 100;
/** A cell's work is bounded, so only a bug of this package can reach this multiple of `wallClockMs`. */
const METERED_FACTOR = 30;
/** Importing modules and comparing large populations take longer than a function of the world, but not for ever. */
const LOADING_FACTOR = 3;
/** The exit code of a thread that was ended from outside. */
const ENDED_FROM_OUTSIDE = 1;
/** If the thread ends more often than this during one request, or while it is idle, that is a fault of the world. */
const MAX_REPLACEMENTS = 3;

export interface HostOptions {
  readonly moduleUrl: string;
  /** Who named the module. The worker checks again that it is trusted. */
  readonly origin: ModuleOrigin;
  readonly seed: number;
  readonly dials: Dials;
  /** The largest number of milliseconds for a cell or for one of the world's own functions. */
  readonly wallClockMs: number;
  /** The number of MB of young objects in the thread at which they are collected. The default is Node's own limit. */
  readonly youngGenerationMb?: number;
}

interface PendingRequest {
  readonly request: WorkerRequest;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** The calls of this request that did not fit into the flight recorder. */
  spilled: string;
  /** How often the thread was replaced while it worked at this request. */
  replacements: number;
}

/** What is needed to rebuild an episode in another worker. */
interface EpisodePast {
  readonly taskId: string;
  readonly attempts: readonly number[] | undefined;
  readonly turns: PastTurn[];
}

export class WorkerHost {
  readonly #options: HostOptions;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #episodes = new Map<number, EpisodePast>();
  readonly #watchdog: NodeJS.Timeout;
  #worker: Worker;
  #recorder: FlightRecorder;
  #lastId = 0;
  /** The request in progress, its progress, and the number of watchdog ticks since it last made any (`quietTicks`). */
  #watched = { request: 0, progress: 0, quietTicks: 0 };
  #ended: Error | undefined;
  #opensItself = false;
  #idleReplacements = 0;

  private constructor(options: HostOptions) {
    this.#options = options;
    this.#recorder = new FlightRecorder();
    this.#worker = this.#spawn();
    this.#watchdog = setInterval(() => this.#checkForStuckRequest(), WATCHDOG_TICK_MS).unref();
  }

  /** Starts a worker and loads the world. Rejects with a `world` error when the world cannot be loaded. */
  static async start(options: HostOptions): Promise<WorkerHost> {
    const host = new WorkerHost(options);
    try {
      await host.#load();
      return host;
    } catch (error) {
      await host.close();
      throw error;
    }
  }

  /** The number of waiting requests and live episodes of this worker. */
  get openWork(): number {
    return this.#pending.size + this.#episodes.size;
  }

  /** True when the module exports a world that opens itself, so that this worker has none. */
  get opensItself(): boolean {
    return this.#opensItself;
  }

  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  call<M extends WorkerMethod>(method: M, params: WorkerParams<M>): Promise<WorkerResult<M>> {
    if (this.#ended) return Promise.reject(this.#ended);
    const request = { id: ++this.#lastId, method, params } as WorkerRequest;
    return new Promise((resolve, reject) => {
      const settle = resolve as PendingRequest["resolve"];
      this.#pending.set(request.id, {
        request,
        resolve: settle,
        reject,
        spilled: "",
        replacements: 0,
      });
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    this.#endHost(new BowlineError("world", "the world is closed"));
    await this.#worker.terminate();
  }

  async #load(): Promise<void> {
    const { opensItself } = await this.call("load", this.#options);
    this.#opensItself = opensItself;
  }

  #spawn(): Worker {
    const { youngGenerationMb } = this.#options;
    const young =
      youngGenerationMb === undefined ? {} : { maxYoungGenerationSizeMb: youngGenerationMb };
    const options = {
      workerData: { shared: this.#recorder.shared },
      resourceLimits: { stackSizeMb: 8, ...young },
    };
    const entry = new URL("./worker.ts", import.meta.url);
    const worker = spawnWorker(entry, options);
    worker.on("message", (reply: WorkerReply) => worker === this.#worker && this.#receive(reply));
    worker.on("error", (error) => worker === this.#worker && this.#handleCrash(error));
    worker.on("exit", (code) => worker === this.#worker && this.#handleExit(code));
    return worker;
  }

  #receive(reply: WorkerReply): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    if (reply.kind === "calls") {
      pending.spilled += reply.text;
      return;
    }
    this.#pending.delete(reply.id);
    if (reply.kind === "failure") {
      pending.reject(toError(reply));
    } else {
      this.#remember(pending.request, reply.result);
      pending.resolve(reply.result);
    }
  }

  /** Records what is needed to rebuild the episodes, in the order of the worker's actions. */
  #remember({ method, params }: WorkerRequest, result: unknown): void {
    if (method === "open") {
      const { taskId, attempts, past } = params;
      this.#episodes.set(params.episode, { taskId, attempts, turns: [...past] });
    } else if (method === "step") {
      const { limit, calls } = result as WorkerResult<"step">;
      // A call that never returned is not repeated.
      const made = calls.filter(({ status }) => status !== NOT_RETURNED_STATUS);
      this.#episodes
        .get(params.episode)
        ?.turns.push(limit ? { calls: made } : { code: params.code });
    } else if (method === "fork") {
      const known = this.#episodes.get(params.episode)!;
      this.#episodes.set(params.as, { ...known, turns: [...known.turns] });
    } else if (method === "close") {
      this.#episodes.delete(params.episode);
    }
  }

  /**
   * Ends a request that is stuck. It counts ticks and not time, so that a worker is not ended because the main thread
   * was busy.
   */
  #checkForStuckRequest(): void {
    const { progress, isBusy, request } = this.#recorder;
    const pending = this.#pending.get(request);
    const id = pending?.request.id ?? 0;
    if (id !== this.#watched.request || progress !== this.#watched.progress)
      this.#watched = { request: id, progress, quietTicks: 0 };
    this.#watched.quietTicks += 1;
    if (!pending || !this.#isStuck(pending.request, isBusy)) return;
    this.#restartWorker(pending, (isBusy && this.#recorder.activity) || "wall-clock");
  }

  /**
   * Decides whether a request is stuck, that is, has made no progress for too long: `wallClockMs` in a function of the
   * world, and twice that outside of one. A step has much more time there, because the sandbox meters its work. In a
   * population, every row that is inserted is progress, so a large one may take any time.
   */
  #isStuck({ method }: WorkerRequest, busy: boolean): boolean {
    const { wallClockMs } = this.#options;
    const factor = busy ? 1 : (QUIET_FACTORS[method] ?? 2);
    return this.#watched.quietTicks * WATCHDOG_TICK_MS >= factor * wallClockMs;
  }

  /** Replaces a thread that was ended from outside. If a function of the world ended it, that is a crash. */
  #handleExit(code: number): void {
    if (this.#ended) return;
    const pending = this.#pending.get(this.#recorder.request);
    const replacements = pending ? ++pending.replacements : ++this.#idleReplacements;
    const isLoading = [...this.#pending.values()].some(({ request }) => request.method === "load");
    const isCrash = code !== ENDED_FROM_OUTSIDE || isLoading || replacements > MAX_REPLACEMENTS;
    if (isCrash) this.#handleCrash(new Error(`exit code ${code}`));
    else this.#replaceWorker();
  }

  #handleCrash(error: Error & { readonly code?: string }): void {
    const pending = this.#pending.get(this.#recorder.request);
    const { isBusy, activity } = this.#recorder;
    const where = isBusy ? `, in ${describeActivity(activity)}` : "";
    const died = new WorkerDeath(
      "world",
      `the worker of world ${this.#options.moduleUrl} ended: ${error.message}${where}`,
      { cause: error },
    );
    if (pending?.request.method !== "step") this.#endHost(died);
    else this.#restartWorker(pending, error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : died);
  }

  /** Answers the request that was stuck, and replaces the worker. */
  #restartWorker(culprit: PendingRequest, why: Limit | Activity | Error): void {
    const calls = this.#recorder.readCalls(culprit.spilled);
    // A world that cannot be loaded would be stuck in every other worker too.
    if (culprit.request.method === "load") {
      void this.#worker.terminate();
      this.#endHost(this.#explainStuck(culprit, why));
      return;
    }
    this.#pending.delete(culprit.request.id);
    this.#settleStuckRequest(culprit, why, calls);
    this.#replaceWorker();
  }

  /** Starts a new worker, rebuilds the episodes in it, and sends all waiting requests again. */
  #replaceWorker(): void {
    void this.#worker.terminate();
    this.#recorder = new FlightRecorder();
    this.#worker = this.#spawn();
    const waiting = [...this.#pending.values()];
    const endWithError = (error: Error) => this.#endHost(error);
    this.#load().catch(endWithError);
    for (const [episode, { taskId, attempts, turns }] of this.#episodes) {
      this.call("open", { taskId, episode, past: turns, attempts }).catch(endWithError);
    }
    for (const pending of waiting) {
      pending.spilled = "";
      this.#worker.postMessage(pending.request);
    }
  }

  #settleStuckRequest(
    { request, resolve, reject }: PendingRequest,
    why: Limit | Activity | Error,
    calls: readonly ApiCall[],
  ): void {
    if (why instanceof Error) {
      reject(why);
    } else if (request.method === "step" && (typeof why === "string" || "api" in why)) {
      const limit = typeof why === "string" ? why : "wall-clock";
      const stuck = typeof why === "string" ? [] : [unreturnedCall(why, this.#options.wallClockMs)];
      const result = makeLimitResult(limit, "", [...calls, ...stuck]);
      this.#remember(request, result);
      resolve(result);
    } else {
      reject(this.#explainStuck({ request }, why));
    }
  }

  #explainStuck(
    { request }: Pick<PendingRequest, "request">,
    why: Limit | Activity | Error,
  ): Error {
    if (why instanceof Error) return why;
    return stuckError(request, typeof why === "string" ? undefined : why, this.#options);
  }

  #endHost(error: Error): void {
    clearInterval(this.#watchdog);
    this.#ended ??= error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#episodes.clear();
  }
}

/** The multiples of `wallClockMs` that requests may take outside of the world's functions, where that is not 2. */
const QUIET_FACTORS: { readonly [M in WorkerMethod]?: number } = {
  step: METERED_FACTOR,
  load: LOADING_FACTOR,
  redraw: LOADING_FACTOR,
};

/** The status of a call that never returned, like that of a gateway that timed out. */
const NOT_RETURNED_STATUS = 504;

function unreturnedCall(
  { app, api, args }: Extract<Activity, { api: string }>,
  wallClockMs: number,
): ApiCall {
  const fault = { message: `did not return within ${wallClockMs / 1000} s` };
  return { app, api, args, status: NOT_RETURNED_STATUS, wrote: false, fault };
}

/** Creates the error that names what did not return, with its task and split, or with the world's module. */
function stuckError(
  { method, params }: WorkerRequest,
  activity: Activity | undefined,
  { moduleUrl, wallClockMs }: HostOptions,
) {
  const id = params && "taskId" in params ? params.taskId : undefined;
  const name =
    activity === undefined && method === "load"
      ? "the module of the world"
      : describeActivity(activity);
  const task = id === undefined ? ` (${moduleUrl})` : ` of task ${id} (split ${id.split("/")[0]})`;
  return new BowlineError(
    "world",
    `${REQUEST_NOUNS[method]}${task}: ${name} did not return within ${wallClockMs / 1000} s, so its thread was ended; if it only needs longer, give openWorld or checkWorld a larger wallClockMs`,
  );
}

const REQUEST_NOUNS: { readonly [M in WorkerMethod]: string } = {
  load: "loading the world",
  open: "the start",
  step: "a cell",
  evaluate: "an evaluation",
  fork: "a fork",
  close: "the end of an episode",
  demonstrate: "the solution",
  check: "the check",
  measure: "the measuring of the solution",
  redraw: "making the world a second time",
  look: "inspecting the world",
  lookApp: "inspecting an app",
  lookTable: "inspecting a table",
  lookTasks: "a list of tasks",
  lookTask: "inspecting the task",
  lookEpisode: "inspecting an episode",
};

function describeActivity(activity: Activity | undefined): string {
  if (activity === undefined) return "it";
  return "what" in activity ? activity.what : `the handler of ${formatFault(activity).trimEnd()}`;
}

function toError({ code, message, stack }: Extract<WorkerReply, { kind: "failure" }>): Error {
  if (code) return new BowlineError(code as ErrorCode, message);
  // The stack says where the worker failed. The stack of this thread would only say that the worker answered.
  return Object.assign(new Error(message), stack === undefined ? {} : { stack });
}
