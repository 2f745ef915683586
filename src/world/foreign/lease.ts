/** A connection that an episode holds, in its task's start state, and how it is given back. */
import type { ForeignCall, ForeignEnd, ForeignReply, ForeignVerdict } from "./define.ts";

/** A connection that serves one episode. After a rejection, only `discard` may be called. */
export interface ForeignLease {
  readonly directory: string;
  /** True when the connection was taken away, because another episode needed one. Only `release` may be called then. */
  readonly isRevoked: boolean;
  call(call: ForeignCall): Promise<ForeignReply>;
  /** Judges the episode, if the apps judge themselves. */
  evaluate(end: Omit<ForeignEnd, "verdict">): Promise<ForeignVerdict | undefined>;
  /** Returns another connection in the same state, or undefined if the calls have to be made again. */
  copy(): Promise<ForeignLease | undefined>;
  /** Gives the connection back; it may serve another episode. */
  release(): Promise<void>;
  /** Ends the connection, because it failed. */
  discard(): Promise<void>;
}

/** Opens a connection in the start state of a task. */
export type LeaseConnection = () => Promise<ForeignLease>;
