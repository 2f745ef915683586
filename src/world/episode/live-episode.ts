/**
 * One live episode inside its thread: a session (data and clock), a REPL that runs code, and the task's checks.
 *
 * The REPL calls `call` for each API call. Such a call can change only the session.
 */

import { hash32 } from "../../core/index.ts";
import type { ApiCall, Evaluation, StepResult } from "../../spec/index.ts";
import { type CallResult, cloneSession, type EpisodeSession, readFinish } from "../api/index.ts";
import type { HostReply, Repl, Sandbox } from "../sandbox/index.ts";
import type { TaskStart, WorldInstance } from "./instance.ts";
import { finishedResult, makeLimitResult, makeStepResult } from "./observation.ts";

/** An earlier turn, with what is needed to rebuild an episode: its code, or only its calls if the cell was undone. */
export type PastTurn = { readonly code: string } | { readonly calls: readonly ApiCall[] };

export class LiveEpisode {
  readonly world: WorldInstance;
  readonly start: TaskStart;
  readonly session: EpisodeSession;
  /** Called with every API call when it is made. */
  onCall: ((call: ApiCall) => void) | undefined;
  /** Called with every API call and its result. A fork does not inherit it. */
  onResult: ((call: ApiCall, result: CallResult) => void) | undefined;
  readonly #repl: Repl;
  #calls: ApiCall[] = [];

  static open(world: WorldInstance, sandbox: Sandbox, taskId: string): LiveEpisode {
    const start = world.prepareTask(taskId);
    const session = world.startSession(start);
    return new LiveEpisode(world, start, session, (call, now) =>
      sandbox.open({
        apps: world.dispatcher.apiNames,
        call,
        now,
        seed: hash32(taskId, world.seed),
      }),
    );
  }

  private constructor(
    world: WorldInstance,
    start: TaskStart,
    session: EpisodeSession,
    makeRepl: (call: LiveEpisode["call"], now: () => string) => Repl,
  ) {
    this.world = world;
    this.start = start;
    this.session = session;
    this.#repl = makeRepl(
      (app, api, args) => this.call(app, api, args),
      () => world.dispatcher.now(session),
    );
  }

  get isFinished(): boolean {
    return readFinish(this.session.state) !== undefined;
  }

  /** Makes one API call, inside or outside a cell. */
  call(app: string, api: string, args: unknown): HostReply {
    const { dispatcher, owner } = this.world;
    const result = dispatcher.call(this.session, owner, app, api, args);
    const { status, wrote } = result;
    const fault = "fault" in result ? { fault: result.fault } : {};
    const call = { app, api, args, status, wrote, ...fault };
    this.#calls.push(call);
    this.onCall?.(call);
    this.onResult?.(call, result);
    if ("value" in result) return { ok: true, value: result.value };
    return { ok: false, status: result.status, message: result.message };
  }

  async step(code: string): Promise<StepResult> {
    this.#calls = [];
    this.world.dispatcher.watch.noteProgress();
    if (this.isFinished) return finishedResult();
    const { status, stdout, error, limit } = await this.#repl.run(code);
    const calls = this.#calls;
    if (limit) return makeLimitResult(limit, stdout, calls);
    return makeStepResult({
      status,
      stdout,
      calls,
      finished: this.isFinished,
      ...(error && { error }),
    });
  }

  /** Runs the past turns of another episode. This brings a fresh episode to the same state. */
  async replay(past: readonly PastTurn[]): Promise<void> {
    for (const turn of past) {
      if ("code" in turn) await this.step(turn.code);
      else for (const { app, api, args } of turn.calls) this.call(app, api, args);
    }
  }

  evaluate(): Evaluation {
    return this.start.checks.evaluate(this.session.state, this.session.living?.history);
  }

  fork(): LiveEpisode {
    const session = cloneSession(this.session);
    const fork = new LiveEpisode(this.world, this.start, session, (call, now) =>
      this.#repl.fork(call, now),
    );
    fork.onCall = this.onCall;
    return fork;
  }

  close(): void {
    this.#repl.close();
  }
}
