/** What a request to the studio did wrong: a status and one sentence. Anything else that is thrown answers 500. */
import { BowlineError, type ErrorCode, errorMessage } from "../../core/index.ts";
import { WorkerDeath } from "../../world/index.ts";

export class StudioError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const BAD_INPUT_CODES: readonly ErrorCode[] = ["config", "world", "store", "checkpoint"];

/** The status and text that any thrown thing is answered by. */
export function errorReply(error: unknown): { readonly status: number; readonly error: string } {
  if (error instanceof StudioError) return { status: error.status, error: error.message };
  if (error instanceof WorkerDeath) {
    return { status: 503, error: `${error.message}; it is opened anew for whoever asks again` };
  }
  const isInput = BowlineError.is(error) && BAD_INPUT_CODES.includes(error.code);
  return { status: isInput ? 400 : 500, error: errorMessage(error) };
}
