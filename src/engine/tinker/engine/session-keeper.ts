/** Keeps the session that holds the models and samplers, and opens a new one when the server has lost it. */
import {
  TinkerError,
  type TinkerErrorKind,
  type TinkerModel,
  type TinkerSession,
} from "../client/index.ts";

/** The kinds of errors after which a model is built again. */
const GONE_KINDS: readonly TinkerErrorKind[] = [
  "model-lost",
  "session-lost",
  "future-lost",
  "uncertain",
  "conflict",
  "non-finite",
];
/** While calls are answered from the journal, a failed call also means that the model cannot be trusted. */
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

  /** The present session, or undefined until one is needed. */
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

  /** Creates a model. When the server has lost the session, tries once more in a new one. */
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
   * Returns whether the error means that the model is gone. `isReplaying` is true while calls are answered from the
   * journal. Servers say "unknown session" in many ways, so in doubt a heartbeat decides.
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
