/** The place of one episode on one host: a socket, on which the task is open. When it is lost, nothing of it is left. */
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { Evaluation, StepResult } from "../../spec/index.ts";
import {
  type OpenEnvClient,
  type OpenEnvObservation,
  OpenEnvRefusal,
} from "../foreign/openenv/openenv-client.ts";
import { withTimeout } from "../foreign/timeout.ts";
import { answerMetadataSchema, readEvaluation, readStepResult } from "./answers.ts";
import type { HostClient } from "./host-client.ts";

/** The host did not do what was asked, so the episode must be played again elsewhere. */
export class LostHostError extends BowlineError {
  constructor(url: string, why: string, cause?: unknown) {
    super("world", `${url}: ${why}`, { cause });
  }
}

/** The host has no place for another episode. */
export class FullHostError extends LostHostError {}

export interface SeatOptions {
  readonly client: HostClient;
  /** The start of the server whose facts were compared; an answer of another one is not used. */
  readonly server: string;
  readonly taskId: string;
  readonly timeoutMs: number;
}

export class Seat {
  readonly #options: SeatOptions;
  readonly #stop = new AbortController();
  #socket: OpenEnvClient | undefined;

  /** Opens the task on the host. Rejects with a `LostHostError` when that fails, and then nothing is left open. */
  static async open(options: SeatOptions): Promise<Seat> {
    const seat = new Seat(options);
    try {
      const { client, taskId } = options;
      seat.#socket = await seat.#await(client.connect(seat.#stop.signal), "a socket");
      await seat.#await(seat.#socket.reset({ task_id: taskId }), `the task ${taskId}`);
      return seat;
    } catch (error) {
      seat.close();
      throw seat.#explain(error);
    }
  }

  private constructor(options: SeatOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#stop.signal.aborted;
  }

  async runCell(code: string): Promise<StepResult> {
    return readStepResult(await this.#act({ type: "run_cell", code }, "a cell"));
  }

  async evaluate(): Promise<Evaluation> {
    return readEvaluation(await this.#act({ type: "evaluate" }, "an evaluation"));
  }

  /** Gives the place back. Calls in progress reject. */
  close(): void {
    if (this.isClosed) return;
    this.#stop.abort();
    this.#socket?.close();
  }

  async #act(action: Readonly<Record<string, unknown>>, what: string) {
    let answer: OpenEnvObservation;
    try {
      answer = await this.#await(this.#socket!.step(action), what);
    } catch (error) {
      this.close();
      throw this.#explain(error);
    }
    const metadata = answerMetadataSchema.safeParse(answer.metadata);
    if (metadata.data?.server === this.#options.server) return answer.observation;
    this.close();
    throw new LostHostError(this.#options.client.url, "the server was started again");
  }

  #await<T>(promise: Promise<T>, what: string): Promise<T> {
    return withTimeout(promise, this.#options.timeoutMs, what);
  }

  #explain(error: unknown): LostHostError {
    const { url } = this.#options.client;
    if (error instanceof OpenEnvRefusal && error.code === "CAPACITY_REACHED") {
      return new FullHostError(url, error.message, error);
    }
    return new LostHostError(url, errorMessage(error), error);
  }
}
