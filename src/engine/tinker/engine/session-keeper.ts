/** The session that everything on the server belongs to, opened anew whenever the server has forgotten it. */
import {
  TinkerError,
  type TinkerErrorKind,
  type TinkerModel,
  type TinkerSession,
} from "../client/index.ts";

/** After these a model is built again. */
const GONE: readonly TinkerErrorKind[] = [
  "model-lost",
  "session-lost",
  "future-lost",
  "uncertain",
  "conflict",
  "non-finite",
];
/** A recorded call that failed belongs to a model that is not to be trusted any more. */
const GONE_WHILE_REPEATING: readonly TinkerErrorKind[] = [
  ...GONE,
  "failed",
  "rejected",
  "missing",
  "malformed",
];

export class SessionKeeper {
  readonly #open: () => Promise<TinkerSession>;
  #session: TinkerSession | undefined;

  constructor(open: () => Promise<TinkerSession>, session: TinkerSession) {
    this.#open = open;
    this.#session = session;
  }

  /** Undefined: there is none, until one is needed. */
  get present(): TinkerSession | undefined {
    return this.#session;
  }

  get lost(): boolean {
    return this.#session?.isLost ?? false;
  }

  async get(): Promise<TinkerSession> {
    if (this.#session?.isLost) this.#drop();
    this.#session ??= await this.#open();
    return this.#session;
  }

  adopt(session: TinkerSession): void {
    this.#session?.close();
    this.#session = session;
  }

  close(): void {
    this.#session?.close();
  }

  /** A session that the server has forgotten is replaced once. */
  async createModel(options: Parameters<TinkerSession["createModel"]>[0]): Promise<TinkerModel> {
    try {
      return await (await this.get()).createModel(options);
    } catch (error) {
      if (!TinkerError.is(error, "session-lost", "missing")) throw error;
      this.#drop();
      return (await this.get()).createModel(options);
    }
  }

  /**
   * Whether an error means that a model is not there any more; `repeating`: it was answered from a record of calls.
   * Servers say "unknown session" in many ways, so where it may be meant the heartbeat decides.
   */
  async isGone(error: unknown, repeating: boolean): Promise<boolean> {
    if (TinkerError.is(error, ...(repeating ? GONE_WHILE_REPEATING : GONE))) return true;
    if (!TinkerError.is(error, "missing", "rejected")) return false;
    await this.#session?.sendHeartbeat();
    return this.lost;
  }

  #drop(): void {
    this.#session?.close();
    this.#session = undefined;
  }
}
