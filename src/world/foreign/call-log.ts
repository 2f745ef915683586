/**
 * The calls of an episode with their answers, and the connection that answers the next one.
 *
 * Answers of a record are used before any connection is opened. When a new call comes, a connection is opened and makes
 * the earlier calls again, which brings it to the episode's state. In a world that is not deterministic no call is made
 * twice: there, a lost connection ends the episode.
 */
import { setTimeout as wait } from "node:timers/promises";
import { BowlineError, errorMessage, formatValue } from "../../core/index.ts";
import { AbsentServerError } from "./absent-server.ts";
import type { AnsweredForeignCall, ForeignCall, ForeignReply } from "./define.ts";
import type { ForeignLease, LeaseConnection } from "./lease.ts";

/** How often a call is tried when its connection is lost, the first try included. */
const MAX_TRIES = 2;
/** How long one waits for a server that is not there, before each further try. */
const ABSENT_WAITS_MS = [100, 400, 1500];

/** What a log needs to know about its world. */
export interface CallLogOptions {
  readonly taskId: string;
  readonly isDeterministic: boolean;
  /** Opens a connection in the task's start state. */
  readonly lease: LeaseConnection;
}

/** One episode's calls. Calls must not overlap. */
export class CallLog {
  readonly #options: CallLogOptions;
  readonly #calls: AnsweredForeignCall[];
  /** Answers of a record that were not asked for yet. */
  readonly #recorded: AnsweredForeignCall[];
  #lease: ForeignLease | undefined;
  /** True if no call was made beyond those of a record. */
  #isRecorded: boolean;
  /** True if a connection of this episode was lost in a world in which no call may be made twice. */
  #isLost = false;
  #isClosed = false;

  constructor(
    options: CallLogOptions,
    recorded: readonly AnsweredForeignCall[] = [],
    made: readonly AnsweredForeignCall[] = [],
    lease?: ForeignLease,
  ) {
    this.#options = options;
    this.#recorded = [...recorded];
    this.#isRecorded = recorded.length > 0;
    this.#calls = [...made];
    this.#lease = lease;
  }

  /** All calls so far, oldest first. */
  get calls(): readonly AnsweredForeignCall[] {
    return this.#calls;
  }

  /** True if every answer so far is from a record, and the record has no further one. */
  get isAtEndOfRecord(): boolean {
    return this.#isRecorded && this.#recorded.length === 0;
  }

  /** Returns the answer of the next call. Rejects with a `world` error when the apps cannot answer. */
  async ask(call: ForeignCall): Promise<ForeignReply> {
    const expected = this.#recorded[0];
    if (expected !== undefined) {
      requireSameCall(expected, call);
      this.#recorded.shift();
      this.#calls.push(expected);
      return expected.reply;
    }
    this.#isRecorded = false;
    const reply = await this.use((lease) => lease.call(call));
    this.#calls.push({ ...call, reply });
    return reply;
  }

  /** Runs `work` with a connection in the episode's present state. `work` runs again when the connection is lost. */
  async use<T>(work: (lease: ForeignLease) => Promise<T>): Promise<T> {
    const waits = [...ABSENT_WAITS_MS];
    for (let tries = 1; ; ) {
      try {
        return await work(await this.#open());
      } catch (cause) {
        // A connection that was taken away did not fail.
        const wasRevoked = this.#lease?.isRevoked === true;
        await this.#lose();
        if (wasRevoked && !this.#isClosed) continue;
        const waitMs = cause instanceof AbsentServerError ? waits.shift() : undefined;
        const isOver = waitMs === undefined && tries >= MAX_TRIES;
        if (this.#isLost || this.#isClosed || isOver) throw this.#fail(cause);
        if (waitMs === undefined) tries += 1;
        else await wait(waitMs);
      }
    }
  }

  /** Returns an independent log in the same state. */
  async fork(): Promise<CallLog> {
    const copy = this.#lease?.isRevoked ? undefined : await this.#lease?.copy();
    return new CallLog(this.#options, this.#recorded, this.#calls, copy);
  }

  /** Gives the connection back. Work that is still going on ends with an error, and opens no other connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const lease = this.#lease;
    this.#lease = undefined;
    await lease?.release();
  }

  async #open(): Promise<ForeignLease> {
    if (this.#lease?.isRevoked) this.#lease = undefined;
    if (this.#lease) return this.#lease;
    const { isDeterministic, lease: open, taskId } = this.#options;
    if (this.#isLost || (!isDeterministic && this.#calls.length > 0)) {
      this.#isLost = true;
      throw new BowlineError(
        "world",
        "this world is not deterministic, so its calls cannot be made again on another connection",
      );
    }
    this.#requireNotClosed();
    const lease = await open();
    if (this.#isClosed) await lease.release();
    this.#requireNotClosed();
    this.#lease = lease;
    for (const { reply, ...call } of this.#calls) {
      requireSameReply(taskId, call, reply, await lease.call(call));
    }
    return lease;
  }

  #requireNotClosed(): void {
    if (this.#isClosed) throw new BowlineError("world", "the episode was closed");
  }

  #fail(cause: unknown): BowlineError {
    const message = `${this.#options.taskId}: the apps did not answer: ${errorMessage(cause)}`;
    return new BowlineError("world", message, { cause });
  }

  async #lose(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    if (!this.#options.isDeterministic && this.#calls.length > 0) this.#isLost = true;
    await lease?.discard();
  }
}

function requireSameCall(expected: ForeignCall, call: ForeignCall): void {
  const text = ({ app, api, args }: ForeignCall) => `${app}.${api}(${JSON.stringify(args)})`;
  if (text(expected) === text(call)) return;
  throw new BowlineError(
    "world",
    `the record does not fit: expected the call ${text(expected).slice(0, 200)}, got ${text(call).slice(0, 200)}`,
  );
}

function requireSameReply(
  taskId: string,
  { app, api }: ForeignCall,
  expected: ForeignReply,
  got: ForeignReply,
): void {
  if (JSON.stringify(expected) === JSON.stringify(got)) return;
  throw new BowlineError(
    "world",
    `${taskId}: ${app}.${api} answered ${formatValue(got)} where the same call from the start answered ${formatValue(expected)}; write deterministic: false into the world, or snapshot: "directory"`,
  );
}
