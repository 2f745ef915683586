/**
 * The error of a request that a session refuses. The cause is the caller's mistake or the end of the episode, never a
 * fault of ours.
 */
import type { SessionRefusal } from "../../spec/index.ts";

/** A refused request. The message is one line for the author of the agent. HTTP servers turn it into a 4xx status. */
export class SessionError extends Error {
  override readonly name = "SessionError";
  readonly reason: SessionRefusal;

  constructor(reason: SessionRefusal, message: string) {
    super(message);
    this.reason = reason;
  }

  static is(error: unknown): error is SessionError {
    return error instanceof Error && error.name === "SessionError" && "reason" in error;
  }
}
