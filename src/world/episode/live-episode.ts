/**
 * One live episode inside its thread: a session (data and clock), a REPL that runs code, and the task's checks.
 *
 * The REPL calls `call` for each API call. Such a call can change only the session.
 */

import { hash32 } from "../../core/index.ts";
import type { ApiCall, Evaluation, StepResult } from "../../spec/index.ts";
import { type CallResult, cloneSession, type EpisodeSession, readFinish } from "../api/index.ts";
import type { HostReply, Repl, ReplOptions, Sandbox } from "../sandbox/index.ts";
import type { TaskStart, WorldInstance } from "./instance.ts";
import { announceSession, finishedResult, makeLimitResult, makeStepResult } from "./observation.ts";

/** An earlier turn, with what is needed to rebuild an episode: its code, or only its calls if the cell was undone. */
export type PastTurn = { readonly code: string } | { readonly calls: readonly ApiCall[] };

type ReplHost = Pick<ReplOptions, "call" | "now">;
type OpenRepl = (session: number, host: ReplHost) => Repl;

export class LiveEpisode {
  readonly world: WorldInstance;
  readonly start: TaskStart;
  readonly session: EpisodeSession;
  /** Called with every API call when it is made. */
  onCall: ((call: ApiCall) => void) | undefined;
  /** Called with every API call and its result. A fork does not inherit it. */
  onResult: ((call: ApiCall, result: CallResult) => void) | undefined;
  /** Opens an empty console, that of the given session. */
  readonly #openRepl: OpenRepl;
  #repl: Repl;
  #calls: ApiCall[] = [];

  static open(world: WorldInstance, sandbox: Sandbox, taskId: string): LiveEpisode {
    const start = world.prepareTask(taskId);
    const session = world.startSession(start);
    const apps = world.dispatcher.apiNames;
    const openRepl: OpenRepl = (number, host) => {
      const name = number === 1 ? taskId : `${taskId} session ${number}`;
      return sandbox.open({ apps, ...host, seed: hash32(name, world.seed) });
    };
    return new LiveEpisode(world, start, session, openRepl, (host) => openRepl(1, host));
  }

  private constructor(
    world: WorldInstance,
    start: TaskStart,
    session: EpisodeSession,
    openRepl: OpenRepl,
    makeRepl: (host: ReplHost) => Repl,
  ) {
    this.world = world;
    this.start = start;
    this.session = session;
    this.#openRepl = openRepl;
    this.#repl = makeRepl(this.#replHost);
  }

  get #replHost(): ReplHost {
    return {
      call: (app, api, args) => this.call(app, api, args),
      now: () => this.world.dispatcher.now(this.session),
    };
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
    this.#beginNextSession();
    const { status, stdout, error, limit } = await this.#repl.run(code);
    const calls = this.#calls;
    const finished = this.isFinished;
    const result = limit
      ? makeLimitResult(limit, stdout, calls)
      : makeStepResult({ status, stdout, calls, finished, ...(error && { error }) });
    const next = this.world.findNextSession(this.start, this.session);
    return next ? announceSession(result, next) : result;
  }

  /** Begins the next session, if one has ended: time passes, and the console is a new one. */
  #beginNextSession(): void {
    const next = this.world.beginNextSession(this.start, this.session);
    if (!next) return;
    this.#repl.close();
    this.#repl = this.#openRepl(next.number, this.#replHost);
  }

  /** Runs the past turns of another episode. This brings a fresh episode to the same state. */
  async replay(past: readonly PastTurn[]): Promise<void> {
    for (const turn of past) {
      if ("code" in turn) {
        await this.step(turn.code);
        continue;
      }
      this.#beginNextSession();
      for (const { app, api, args } of turn.calls) this.call(app, api, args);
    }
  }

  evaluate(): Evaluation {
    return this.start.checks.evaluate(this.session.state, this.session.living?.history);
  }

  fork(): LiveEpisode {
    const session = cloneSession(this.session);
    const fork = new LiveEpisode(this.world, this.start, session, this.#openRepl, ({ call, now }) =>
      this.#repl.fork(call, now),
    );
    fork.onCall = this.onCall;
    return fork;
  }

  close(): void {
    this.#repl.close();
  }
}
