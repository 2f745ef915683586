/**
 * The error of a call, before a dialect formats it: a status, a code for programs and a message for people. The
 * statuses are chosen by what clients do with them: all clients retry 429 and 5xx, some also 408, 409 and 410. So a
 * call that cannot succeed gets 400, 401, 403, 404, 413 or 415, and a failure of the gateway gets 500.
 */

import { SessionError } from "../../agent/index.ts";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { SessionRefusal } from "../../spec/index.ts";
import { HttpRefusal, type RefusalStatus } from "../http/index.ts";

export type GatewayStatus = RefusalStatus | 401 | 404 | 500;

export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly status: GatewayStatus;
  readonly code: string;
  /** The wrong field of the body, if any. */
  readonly param: string | undefined;

  constructor(status: GatewayStatus, code: string, message: string, param?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

/** Returns a 400 that names the wrong field. */
export function invalidField(param: string, message: string): GatewayError {
  return new GatewayError(400, "invalid_request", `${param}: ${message}`, param);
}

const REFUSALS: { readonly [reason in SessionRefusal]: readonly [GatewayStatus, string] } = {
  invalid: [400, "invalid_request"],
  context: [400, "context_length_exceeded"],
  ceiling: [403, "ceiling_reached"],
  closed: [403, "session_closed"],
};

/** Converts an error to a GatewayError. A session's refusal keeps its reason; any other error becomes a 500. */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof HttpRefusal)
    return new GatewayError(error.status, error.code, error.message);
  if (SessionError.is(error)) {
    const [status, code] = REFUSALS[error.reason];
    return new GatewayError(status, code, error.message);
  }
  const code = BowlineError.is(error) ? `${error.code}_error` : "server_error";
  return new GatewayError(500, code, errorMessage(error));
}
