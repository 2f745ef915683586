/**
 * An episode of AppWorld. It leases a server at its first cell. A lost server is ended, and the episode's cells run
 * again on another one, whose answers must be the same: time is frozen there and random numbers have a fixed seed.
 */
import { BowlineError, errorMessage, rejectOnAbort, requireText } from "../../core/index.ts";
import type { CheckResult, Episode, Evaluation, StepResult, TaskInfo } from "../../spec/index.ts";
import { requireOpenEpisode } from "../episode/require-open.ts";
import type { AppWorldSettings } from "./define.ts";
import type { EvaluationAnswer } from "./formats.ts";
import { makeLostCellResult, readCellOutput } from "./read-output.ts";
import { LostServerError } from "./server-client.ts";
import type { ServerPool } from "./server-pool.ts";
import type { AppWorldServer } from "./server-process.ts";

/** How often an operation is tried when its server is lost, the first try included. */
const MAX_TRIES = 2;

/** A cell that ran, with what it returned. */
interface RunCell {
  readonly code: string;
  readonly output: string;
}

export interface EpisodeParts {
  readonly task: TaskInfo;
  /** AppWorld's own id of the task. */
  readonly taskId: string;
  readonly pool: ServerPool;
  readonly settings: AppWorldSettings;
  /** True for a split of which only totals may be shown. */
  readonly hidesChecks: boolean;
}

export class AppWorldEpisode implements Episode {
  readonly task: TaskInfo;
  readonly #parts: EpisodeParts;
  readonly #cells: RunCell[];
  #server: AppWorldServer | undefined;
  #finished: boolean;
  #isBusy = false;
  #isClosed = false;

  constructor(parts: EpisodeParts, cells: readonly RunCell[] = [], finished = false) {
    this.task = parts.task;
    this.#parts = parts;
    this.#cells = [...cells];
    this.#finished = finished;
  }

  async step(code: string, signal?: AbortSignal): Promise<StepResult> {
    this.#requireOpen("step");
    requireText("code", code);
    signal?.throwIfAborted();
    if (this.#finished) return readCellOutput("The task is already finished.", true);
    const result = this.#use((server) => this.#runCell(server, code));
    return rejectOnAbort(result, signal);
  }

  async evaluate(): Promise<Evaluation> {
    this.#requireOpen("evaluate");
    const { taskId, hidesChecks } = this.#parts;
    const answer = await this.#use(({ client }) => client.evaluate(taskId));
    return toEvaluation(answer, this.#finished, hidesChecks);
  }

  async fork(): Promise<AppWorldEpisode> {
    this.#requireOpen("fork");
    return new AppWorldEpisode(this.#parts, this.#cells, this.#finished);
  }

  /** Gives the server back. A server that still runs a cell is ended, because a cell cannot be stopped. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const { pool, taskId } = this.#parts;
    const isReusable =
      !this.#isBusy &&
      (await server.client.closeAll(taskId).then(
        () => true,
        () => false,
      ));
    await (isReusable ? pool.release(server) : pool.discard(server));
  }

  async #runCell(server: AppWorldServer, code: string): Promise<StepResult> {
    const { taskId, settings } = this.#parts;
    const timeoutMs = settings.cellSeconds * 1000 + settings.graceMs;
    let output: string;
    try {
      output = await server.client.execute(taskId, code, timeoutMs);
    } catch (error) {
      // A cell that does not come back would not come back elsewhere either, so only the cells before it run again.
      if (!(error instanceof LostServerError) || !error.isTimeout) throw error;
      await this.#lose();
      return makeLostCellResult(timeoutMs / 1000);
    }
    const finished = await server.client.isCompleted(taskId);
    this.#cells.push({ code, output });
    this.#finished = finished;
    return readCellOutput(output, finished);
  }

  /** Runs work on a server that is in the episode's present state. A lost server is replaced once. */
  async #use<T>(work: (server: AppWorldServer) => Promise<T>): Promise<T> {
    this.#isBusy = true;
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await work(await this.#open());
        } catch (error) {
          await this.#lose();
          const isOver = !(error instanceof LostServerError) || tries >= MAX_TRIES;
          if (!isOver && !this.#isClosed) continue;
          if (BowlineError.is(error)) throw error;
          const why = errorMessage(error);
          throw new BowlineError("world", `AppWorld ${this.#parts.taskId}: ${why}`, {
            cause: error,
          });
        }
      }
    } finally {
      this.#isBusy = false;
    }
  }

  async #open(): Promise<AppWorldServer> {
    if (this.#server) return this.#server;
    const { pool, taskId, settings } = this.#parts;
    const server = await pool.lease();
    if (this.#isClosed) {
      await pool.release(server);
      throw new BowlineError("world", `this episode of ${this.task.id} is closed`);
    }
    this.#server = server;
    const { experiment, client } = server;
    const { cellSeconds, graceMs } = settings;
    await client.initialize({ taskId, experiment, cellSeconds });
    for (const { code, output } of this.#cells) {
      const again = await client.execute(taskId, code, cellSeconds * 1000 + graceMs);
      if (again === output) continue;
      throw new BowlineError(
        "world",
        `AppWorld ${taskId}: a cell that ran again on another server answered ${JSON.stringify(again.slice(0, 200))}, before ${JSON.stringify(output.slice(0, 200))}`,
      );
    }
    return server;
  }

  async #lose(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server) await this.#parts.pool.discard(server);
  }

  #requireOpen(operation: string): void {
    requireOpenEpisode(this.#isClosed, operation, this.task.id);
  }
}

/** The reward is the share of AppWorld's tests that pass, as in the paper: no check is added to them. */
function toEvaluation(
  { success, passes, failures }: EvaluationAnswer,
  finished: boolean,
  hidesChecks: boolean,
): Evaluation {
  const toCheck = (
    { requirement, label }: EvaluationAnswer["passes"][number],
    passed: boolean,
  ): CheckResult => ({
    name: hidesChecks ? "a test" : requirement,
    label: label === "no_op_pass" ? "guard" : "progress",
    passed,
  });
  const checks = [
    ...passes.map((test) => toCheck(test, true)),
    ...failures.map((test) => toCheck(test, false)),
  ];
  return { passed: success && finished, finished, checks };
}
