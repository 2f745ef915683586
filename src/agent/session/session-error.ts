/** Why a session answers a request with no turn: the caller's mistake or the episode's end, never a failure of ours. */
import type { SessionRefusal } from "../../spec/index.ts";

/** The message is one line for whoever wrote the agent. Doors turn it into a status of 4xx. */
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
