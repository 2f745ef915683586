/**
 * An episode on another machine. It takes a place on a host at its first call. When the place is lost, the cells so far
 * run again on another host, and their results must be the same. So the episode is exact whatever host answers.
 */
import { createHash } from "node:crypto";
import { BowlineError, rejectOnAbort, requireText, truncateText } from "../../core/index.ts";
import type { Episode, Evaluation, StepResult, TaskInfo } from "../../spec/index.ts";
import { requireOpenEpisode } from "../episode/require-open.ts";
import { type Host, isLost } from "./host.ts";
import type { HostPool, TakenSeat } from "./host-pool.ts";
import type { Seat } from "./seat.ts";

/** A cell that ran, with a digest of its result. */
interface RunCell {
  readonly code: string;
  readonly digest: string;
}

export class RemoteEpisode implements Episode {
  readonly task: TaskInfo;
  readonly #pool: HostPool;
  readonly #cells: RunCell[];
  #taken: TakenSeat | undefined;
  #isClosed = false;

  constructor(task: TaskInfo, pool: HostPool, cells: readonly RunCell[] = []) {
    this.task = task;
    this.#pool = pool;
    this.#cells = [...cells];
  }

  async step(code: string, signal?: AbortSignal): Promise<StepResult> {
    this.#requireOpen("step");
    requireText("code", code);
    signal?.throwIfAborted();
    const result = this.#runCell(code);
    return rejectOnAbort(result, signal);
  }

  async evaluate(): Promise<Evaluation> {
    this.#requireOpen("evaluate");
    return this.#use((seat) => seat.evaluate(), "an evaluation");
  }

  /** The copy runs the cells again when it is first used. */
  async fork(): Promise<RemoteEpisode> {
    this.#requireOpen("fork");
    return new RemoteEpisode(this.task, this.#pool, this.#cells);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leave();
  }

  async #runCell(code: string): Promise<StepResult> {
    const what = `cell ${this.#cells.length + 1}`;
    const result = await this.#use((seat) => seat.runCell(code), what);
    this.#cells.push({ code, digest: digestResult(result) });
    return result;
  }

  /** Makes a call in the episode's present state. A lost host is replaced, once for each host and once more. */
  async #use<T>(call: (seat: Seat) => Promise<T>, what: string): Promise<T> {
    const lost: string[] = [];
    const avoided = new Set<Host>();
    for (;;) {
      try {
        const taken = await this.#enter(avoided);
        const answer = await call(taken.seat);
        this.#pool.rest(taken);
        return answer;
      } catch (error) {
        const host = this.#taken?.host;
        this.#leave(isLost(error) ? error : undefined);
        if (!isLost(error) || this.#isClosed) throw error;
        if (host) avoided.add(host);
        lost.push(error.message);
        if (lost.length <= this.#pool.size) continue;
        const list = lost.join("; ");
        const problem = `task ${this.task.id}: ${what} was lost ${lost.length} times: ${list}`;
        throw new BowlineError("world", problem, { cause: error });
      }
    }
  }

  /** Returns a seat in the episode's present state: the one that it has, or another one after the cells ran again. */
  async #enter(avoided: ReadonlySet<Host>): Promise<TakenSeat> {
    if (this.#taken && !this.#taken.seat.isClosed) {
      this.#pool.use(this.#taken);
      return this.#taken;
    }
    this.#leave();
    const taken = await this.#pool.take(this.task.id, avoided);
    this.#taken = taken;
    if (this.#isClosed) this.#leave();
    this.#requireOpen("use");
    for (const [place, { code, digest }] of this.#cells.entries()) {
      const again = await taken.seat.runCell(code);
      if (digestResult(again) !== digest) throw this.#disagree(taken.host, place, again);
    }
    return taken;
  }

  #leave(problem?: unknown): void {
    const taken = this.#taken;
    this.#taken = undefined;
    if (taken) this.#pool.leave(taken, problem);
  }

  #disagree({ client }: Host, place: number, { text }: StepResult): BowlineError {
    return new BowlineError(
      "world",
      `the hosts disagree: cell ${place + 1} of task ${this.task.id} ran again on ${client.url} and answered ${JSON.stringify(truncateText(text, 200))}, which is not what it answered before; every host must serve the same build of the world, and its APIs must answer the same when called again`,
    );
  }

  #requireOpen(operation: string): void {
    requireOpenEpisode(this.#isClosed, operation, this.task.id);
  }
}

/** The result itself is not kept: a rollout has it already, and ten thousand episodes would hold it twice. */
function digestResult(result: StepResult): string {
  return createHash("sha256").update(JSON.stringify(result)).digest("base64").slice(0, 24);
}
