/** An episode in a worker thread, seen from the main thread: every call is a request to the world's worker. */
import { rejectOnAbort, requireText } from "../../core/index.ts";
import type { Episode, Evaluation, StepResult, TaskInfo } from "../../spec/index.ts";
import { requireOpenEpisode } from "../episode/require-open.ts";
import type { WorkerHost } from "./worker-host.ts";

/** The worker in which an episode lives, with the episode's number in this worker. */
export interface EpisodePlace {
  readonly host: WorkerHost;
  readonly id: number;
  /** Returns a number that no other episode of the host has. */
  readonly nextId: () => number;
}

/** One live episode of a pooled world. */
export class PooledEpisode implements Episode {
  readonly task: TaskInfo;
  protected readonly place: EpisodePlace;
  #closed = false;

  constructor(task: TaskInfo, place: EpisodePlace) {
    this.task = task;
    this.place = place;
  }

  async step(code: string, signal?: AbortSignal): Promise<StepResult> {
    this.requireOpen("step");
    requireText("code", code);
    signal?.throwIfAborted();
    const result = this.place.host.call("step", { episode: this.place.id, code });
    return rejectOnAbort(result, signal);
  }

  async evaluate(): Promise<Evaluation> {
    this.requireOpen("evaluate");
    return this.place.host.call("evaluate", { episode: this.place.id });
  }

  async fork(): Promise<Episode> {
    return new PooledEpisode(this.task, await this.forkInWorker());
  }

  async close(): Promise<void> {
    if (this.#closed || this.place.host.isEnded) return;
    this.#closed = true;
    await this.place.host.call("close", { episode: this.place.id });
  }

  /** Forks the episode in its worker and returns where the copy is. */
  protected async forkInWorker(): Promise<EpisodePlace> {
    this.requireOpen("fork");
    const { host, id: episode, nextId } = this.place;
    const id = nextId();
    await host.call("fork", { episode, as: id });
    return { host, id, nextId };
  }

  protected requireOpen(operation: string): void {
    requireOpenEpisode(this.#closed, operation, this.task.id);
  }
}
