/**
 * One episode of a foreign world: a REPL, a session for the kit's own apps, and the log of foreign calls.
 *
 * A cell runs until it makes a call without a known answer. The host then throws, so the REPL keeps its old memory; the
 * call is awaited, and the cell runs again with the answers so far. This is right because a cell depends on nothing but
 * its code, the memory and the answers. A cell with n calls runs n + 1 times.
 */
import { hash32, rejectOnAbort, requireText } from "../../core/index.ts";
import type { ApiCall, Episode, Evaluation, StepResult, TaskInfo } from "../../spec/index.ts";
import { cloneSession, type EpisodeSession, readFinish } from "../api/index.ts";
import type { Finish } from "../define.ts";
import type { TaskStart, WorldInstance } from "../episode/index.ts";
import { finishedResult, makeLimitResult, makeStepResult } from "../episode/observation.ts";
import { requireOpenEpisode } from "../episode/require-open.ts";
import type { HostReply, Repl, Sandbox } from "../sandbox/index.ts";
import type { CallLog } from "./call-log.ts";
import type { AnsweredForeignCall, ForeignCall, ForeignReply } from "./define.ts";
import type { CurrentExchange } from "./expand-definition.ts";
import { judgeEpisode } from "./judge-episode.ts";

/** What all episodes of a foreign world share. */
export interface ForeignWorldParts {
  readonly instance: WorldInstance;
  readonly sandbox: Sandbox;
  readonly exchange: CurrentExchange;
  /** The apps that are not the kit's own, with the APIs that change nothing as `app.api`. */
  readonly foreignApps: ReadonlySet<string>;
  readonly readOnlyApis: ReadonlySet<string>;
  /** The largest number of milliseconds for a judgement. */
  readonly judgeTimeoutMs: number;
}

/** A call of a cell with the value or the message that its code received. */
export interface CallWithAnswer {
  readonly call: ApiCall;
  readonly answer: unknown;
}

/** Thrown inside a cell by a call whose answer is not known yet. */
class UnansweredCall extends Error {
  readonly call: ForeignCall;

  constructor(call: ForeignCall) {
    super(`${call.app}.${call.api} is not answered yet`);
    this.call = call;
  }
}

/** One try of a cell. */
interface Attempt {
  readonly session: EpisodeSession;
  readonly replies: readonly AnsweredForeignCall[];
  readonly calls: CallWithAnswer[];
  /** The number of foreign calls so far. */
  foreign: number;
}

export class ForeignEpisode implements Episode {
  readonly task: TaskInfo;
  readonly #parts: ForeignWorldParts;
  readonly #start: TaskStart;
  readonly #log: CallLog;
  readonly #repl: Repl;
  #session: EpisodeSession;
  #attempt: Attempt | undefined;
  #lastCalls: readonly CallWithAnswer[] = [];
  /** How a record judges the episode after its last call. */
  #recordedEvaluation: Evaluation | undefined;
  #isClosed = false;

  static open(
    parts: ForeignWorldParts,
    taskId: string,
    log: CallLog,
    recordedEvaluation?: Evaluation,
  ): ForeignEpisode {
    const start = parts.instance.prepareTask(taskId);
    const session = parts.instance.startSession(start);
    const episode = new ForeignEpisode(parts, start, session, log, (call, now) =>
      parts.sandbox.open({
        apps: parts.instance.dispatcher.apiNames,
        call,
        now,
        seed: hash32(taskId, parts.instance.seed),
      }),
    );
    episode.#recordedEvaluation = recordedEvaluation;
    return episode;
  }

  private constructor(
    parts: ForeignWorldParts,
    start: TaskStart,
    session: EpisodeSession,
    log: CallLog,
    makeRepl: (
      call: (app: string, api: string, args: unknown) => HostReply,
      now: () => string,
    ) => Repl,
  ) {
    this.task = start.info;
    this.#parts = parts;
    this.#start = start;
    this.#session = session;
    this.#log = log;
    this.#repl = makeRepl(
      (app, api, args) => this.#call(app, api, args),
      () => parts.instance.dispatcher.now((this.#attempt ?? { session: this.#session }).session),
    );
  }

  get finish(): Finish | undefined {
    return readFinish(this.#session.state);
  }

  /** The calls of the last cell with their answers. */
  get lastCalls(): readonly CallWithAnswer[] {
    return this.#lastCalls;
  }

  /** The episode's clock, ISO in UTC. */
  get now(): string {
    return this.#parts.instance.dispatcher.now(this.#session);
  }

  step(code: string, signal?: AbortSignal): Promise<StepResult> {
    this.#requireOpen("step");
    requireText("code", code);
    signal?.throwIfAborted();
    const result = this.#runCell(code);
    return rejectOnAbort(result, signal);
  }

  async evaluate(): Promise<Evaluation> {
    this.#requireOpen("evaluate");
    if (this.#recordedEvaluation && this.#log.isAtEndOfRecord) return this.#recordedEvaluation;
    const { judgeTimeoutMs } = this.#parts;
    return judgeEpisode(this.#start, this.finish, this.#log, judgeTimeoutMs);
  }

  async fork(): Promise<ForeignEpisode> {
    this.#requireOpen("fork");
    const session = cloneSession(this.#session);
    const log = await this.#log.fork();
    return new ForeignEpisode(this.#parts, this.#start, session, log, (call, now) =>
      this.#repl.fork(call, now),
    );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#repl.close();
    await this.#log.close();
  }

  async #runCell(code: string): Promise<StepResult> {
    this.#lastCalls = [];
    if (this.finish !== undefined) return finishedResult();
    const replies: AnsweredForeignCall[] = [];
    for (;;) {
      const attempt = { session: cloneSession(this.#session), replies, calls: [], foreign: 0 };
      try {
        return await this.#runOnce(code, attempt);
      } catch (error) {
        if (!(error instanceof UnansweredCall)) throw error;
        const { call } = error;
        replies.push({ ...call, reply: await this.#log.ask(call) });
        this.#requireOpen("continue a cell");
      }
    }
  }

  /** Runs the cell from its beginning. Throws `UnansweredCall` when it makes a call that `attempt` has no answer for. */
  async #runOnce(code: string, attempt: Attempt): Promise<StepResult> {
    this.#attempt = attempt;
    const { status, stdout, error, limit } = await this.#repl.run(code).finally(() => {
      this.#attempt = undefined;
    });
    this.#session = attempt.session;
    this.#lastCalls = attempt.calls;
    const calls = attempt.calls.map(({ call }) => call);
    if (limit) return makeLimitResult(limit, stdout, calls);
    const finished = this.finish !== undefined;
    return makeStepResult({ status, stdout, calls, finished, ...(error && { error }) });
  }

  /** Makes one call of the code in the sandbox. */
  #call(app: string, api: string, args: unknown): HostReply {
    const attempt = this.#attempt!;
    const { instance, exchange, foreignApps, readOnlyApis } = this.#parts;
    let unanswered: UnansweredCall | undefined;
    let reply: ForeignReply | undefined;
    exchange.answer = (call) => {
      reply = attempt.replies[attempt.foreign++]?.reply;
      if (reply) return reply;
      unanswered = new UnansweredCall(call);
      throw unanswered;
    };
    const result = instance.dispatcher.call(attempt.session, instance.owner, app, api, args);
    exchange.answer = undefined;
    if (unanswered) throw unanswered;
    const isForeign = foreignApps.has(app);
    const { status } = result;
    const wrote = isForeign ? status === 200 && !readOnlyApis.has(`${app}.${api}`) : result.wrote;
    const fault = "fault" in result ? { fault: result.fault } : {};
    const call = { app, api, args, status, wrote, ...fault, ...(reply && { reply }) };
    const answer = "value" in result ? result.value : result.message;
    attempt.calls.push({ call, answer });
    if ("value" in result) return { ok: true, value: result.value };
    return { ok: false, status, message: result.message };
  }

  #requireOpen(operation: string): void {
    requireOpenEpisode(this.#isClosed, operation, this.task.id);
  }
}
