/** The session that everything on the server belongs to, opened anew whenever the server has forgotten it. */
import {
  TinkerError,
  type TinkerErrorKind,
  type TinkerModel,
  type TinkerSession,
} from "../client/index.ts";

/** After these a model is built again. */
const GONE_KINDS: readonly TinkerErrorKind[] = [
  "model-lost",
  "session-lost",
  "future-lost",
  "uncertain",
  "conflict",
  "non-finite",
];
/** A recorded call that failed belongs to a model that is not to be trusted any more. */
const GONE_KINDS_WHILE_REPLAYING: readonly TinkerErrorKind[] = [
  ...GONE_KINDS,
  "failed",
  "rejected",
  "missing",
  "malformed",
];

export class SessionKeeper {
  readonly #openSession: () => Promise<TinkerSession>;
  #session: TinkerSession | undefined;

  constructor(openSession: () => Promise<TinkerSession>, session: TinkerSession) {
    this.#openSession = openSession;
    this.#session = session;
  }

  /** Undefined: there is none, until one is needed. */
  get current(): TinkerSession | undefined {
    return this.#session;
  }

  get isLost(): boolean {
    return this.#session?.isLost ?? false;
  }

  async getOrOpen(): Promise<TinkerSession> {
    if (this.#session?.isLost) this.#closeSession();
    this.#session ??= await this.#openSession();
    return this.#session;
  }

  replaceWith(session: TinkerSession): void {
    this.#session?.close();
    this.#session = session;
  }

  close(): void {
    this.#session?.close();
  }

  /** A session that the server has forgotten is replaced once. */
  async createModel(options: Parameters<TinkerSession["createModel"]>[0]): Promise<TinkerModel> {
    try {
      return await (await this.getOrOpen()).createModel(options);
    } catch (error) {
      if (!TinkerError.is(error, "session-lost", "missing")) throw error;
      this.#closeSession();
      return (await this.getOrOpen()).createModel(options);
    }
  }

  /**
   * Whether an error means that a model is not there any more; `repeating`: it was answered from a record of calls.
   * Servers say "unknown session" in many ways, so where it may be meant the heartbeat decides.
   */
  async isModelGone(error: unknown, isReplaying: boolean): Promise<boolean> {
    if (TinkerError.is(error, ...(isReplaying ? GONE_KINDS_WHILE_REPLAYING : GONE_KINDS)))
      return true;
    if (!TinkerError.is(error, "missing", "rejected")) return false;
    await this.#session?.sendHeartbeat();
    return this.isLost;
  }

  #closeSession(): void {
    this.#session?.close();
    this.#session = undefined;
  }
}
