/**
 * One world worker seen from the main thread, with a watchdog.
 *
 * Limits inside the sandbox are deterministic, but some native loops cannot be interrupted. A request that does not
 * come back is ended with its thread; a new worker replays the other episodes (cells are deterministic), the stuck
 * turn comes back as a `wall-clock` limit with the calls it had made, and requests that waited are sent again.
 */
import type { Worker } from "node:worker_threads";
import { BowlineError, type ErrorCode, spawnWorker } from "../../core/index.ts";
import type { ApiCall, Dials, Limit } from "../../spec/index.ts";
import { limitResult, type PastTurn } from "../episode/index.ts";
import { FlightRecorder } from "./flight-recorder.ts";
import type { Method, Params, Reply, Request, Result } from "./protocol.ts";

const TICK_MS = 100;

export interface HostOptions {
  readonly moduleUrl: string;
  readonly seed: number;
  readonly dials: Dials;
  /** A cell that takes longer is ended. */
  readonly wallClockMs: number;
}

interface Pending {
  readonly request: Request;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** Calls of this request that did not fit into the flight recorder. */
  spilled: string;
}

/** Enough to bring an episode back in another worker. */
interface Past {
  readonly taskId: string;
  readonly turns: PastTurn[];
}

export class WorkerHost {
  readonly #options: HostOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #episodes = new Map<number, Past>();
  readonly #watchdog: NodeJS.Timeout;
  #worker: Worker;
  #recorder: FlightRecorder;
  #lastId = 0;
  #watched = { request: 0, ticks: 0 };
  #ended: Error | undefined;

  private constructor(options: HostOptions) {
    this.#options = options;
    this.#recorder = new FlightRecorder();
    this.#worker = this.#spawn();
    this.#watchdog = setInterval(() => this.#watch(), TICK_MS).unref();
  }

  /** Rejects with a `world` error when the world cannot be loaded. */
  static async start(options: HostOptions): Promise<WorkerHost> {
    const host = new WorkerHost(options);
    try {
      await host.call("load", options);
      return host;
    } catch (error) {
      await host.close();
      throw error;
    }
  }

  /** How busy this worker is: requests that wait and episodes alive. */
  get load(): number {
    return this.#pending.size + this.#episodes.size;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    if (this.#ended) return Promise.reject(this.#ended);
    const request = { id: ++this.#lastId, method, params } as Request;
    return new Promise((resolve, reject) => {
      const settle = resolve as Pending["resolve"];
      this.#pending.set(request.id, { request, resolve: settle, reject, spilled: "" });
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    this.#end(new BowlineError("world", "the world is closed"));
    await this.#worker.terminate();
  }

  #spawn(): Worker {
    const worker = spawnWorker(new URL("./worker.ts", import.meta.url), {
      workerData: { shared: this.#recorder.shared },
      resourceLimits: { stackSizeMb: 8 },
    });
    worker.on("message", (reply: Reply) => worker === this.#worker && this.#receive(reply));
    worker.on("error", (error) => worker === this.#worker && this.#crashed(error));
    worker.on(
      "exit",
      (code) => worker === this.#worker && this.#crashed(new Error(`exit code ${code}`)),
    );
    return worker;
  }

  #receive(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    if (reply.kind === "calls") {
      pending.spilled += reply.text;
      return;
    }
    this.#pending.delete(reply.id);
    if (reply.kind === "failure") {
      pending.reject(revive(reply));
    } else {
      this.#remember(pending.request, reply.result);
      pending.resolve(reply.result);
    }
  }

  /** Keeps what is needed to rebuild the episodes, in the order in which the worker did it. */
  #remember({ method, params }: Request, result: unknown): void {
    if (method === "open") {
      this.#episodes.set(params.episode, { taskId: params.taskId, turns: [...params.past] });
    } else if (method === "step") {
      const { limit, calls } = result as Result<"step">;
      this.#episodes.get(params.episode)?.turns.push(limit ? { calls } : { code: params.code });
    } else if (method === "fork") {
      const { taskId, turns } = this.#episodes.get(params.episode)!;
      this.#episodes.set(params.as, { taskId, turns: [...turns] });
    } else if (method === "close") {
      this.#episodes.delete(params.episode);
    }
  }

  /** Counts ticks, not time: a main thread that was busy elsewhere does not end a worker. */
  #watch(): void {
    const pending = this.#pending.get(this.#recorder.request);
    const id = pending?.request.id ?? 0;
    if (id !== this.#watched.request) this.#watched = { request: id, ticks: 0 };
    this.#watched.ticks += 1;
    if (!pending || this.#watched.ticks * TICK_MS < this.#patienceMs(pending.request)) return;
    this.#restart(pending, "wall-clock");
  }

  #patienceMs({ method, params }: Request): number {
    if (method === "load") return Number.POSITIVE_INFINITY;
    const cells = method === "open" ? 1 + params.past.length : method === "step" ? 1 : 20;
    return cells * this.#options.wallClockMs;
  }

  #crashed(error: Error & { readonly code?: string }): void {
    const pending = this.#pending.get(this.#recorder.request);
    const died = new BowlineError("world", `a world worker died: ${error.message}`, {
      cause: error,
    });
    if (pending?.request.method !== "step") this.#end(died);
    else this.#restart(pending, error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : died);
  }

  /** A new worker takes over; `culprit` is settled here, everything else is sent again. */
  #restart(culprit: Pending, why: Limit | Error): void {
    const calls = this.#recorder.calls(culprit.spilled);
    void this.#worker.terminate();
    this.#recorder = new FlightRecorder();
    this.#worker = this.#spawn();
    this.#pending.delete(culprit.request.id);
    const waiting = [...this.#pending.values()].map(({ request }) => request);
    this.#settle(culprit, why, calls);
    const fail = (error: Error) => this.#end(error);
    this.call("load", this.#options).catch(fail);
    for (const [episode, { taskId, turns }] of this.#episodes) {
      this.call("open", { taskId, episode, past: turns }).catch(fail);
    }
    for (const request of waiting) this.#worker.postMessage(request);
  }

  #settle(
    { request, resolve, reject }: Pending,
    why: Limit | Error,
    calls: readonly ApiCall[],
  ): void {
    if (why instanceof Error) {
      reject(why);
    } else if (request.method === "step") {
      const result = limitResult(why, "", calls);
      this.#remember(request, result);
      resolve(result);
    } else {
      const what = "taskId" in request.params ? ` of task ${request.params.taskId}` : "";
      reject(new BowlineError("world", `${request.method}${what} did not come back and was ended`));
    }
  }

  #end(error: Error): void {
    clearInterval(this.#watchdog);
    this.#ended ??= error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#episodes.clear();
  }
}

function revive({ code, message }: Extract<Reply, { kind: "failure" }>): Error {
  return code ? new BowlineError(code as ErrorCode, message) : new Error(message);
}
