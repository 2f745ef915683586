/**
 * Errors of requests to the studio: a status and one sentence. Other thrown values answer 500 unless they are bad
 * input.
 */
import { BowlineError, type ErrorCode, errorMessage, isTrustError } from "../../core/index.ts";
import { WorkerDeath } from "../../world/index.ts";
import { HttpRefusal } from "../http/index.ts";

export class StudioError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const BAD_INPUT_CODES: readonly ErrorCode[] = ["config", "world", "store", "checkpoint"];

/** Returns the status and the text with which a thrown value is answered. */
export function errorReply(error: unknown): { readonly status: number; readonly error: string } {
  if (error instanceof StudioError || error instanceof HttpRefusal)
    return { status: error.status, error: error.message };
  if (error instanceof WorkerDeath) {
    return { status: 503, error: `${error.message}; the next request opens it anew` };
  }
  if (isTrustError(error)) return { status: 403, error: errorMessage(error) };
  const isInput = BowlineError.is(error) && BAD_INPUT_CODES.includes(error.code);
  return { status: isInput ? 400 : 500, error: errorMessage(error) };
}
