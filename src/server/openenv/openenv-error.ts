/** The errors of the OpenEnv server: one class, written as a message of a socket, an answer of HTTP, or JSON-RPC. */
import { BowlineError, errorMessage } from "../../core/index.ts";
import { HttpRefusal } from "../http/index.ts";

/** The codes that OpenEnv's clients know. */
export type OpenEnvCode =
  | "INVALID_JSON"
  | "UNKNOWN_TYPE"
  | "VALIDATION_ERROR"
  | "EXECUTION_ERROR"
  | "CAPACITY_REACHED"
  | "FACTORY_ERROR"
  | "SESSION_ERROR";

const STATUSES: { readonly [code in OpenEnvCode]: number } = {
  INVALID_JSON: 400,
  UNKNOWN_TYPE: 400,
  VALIDATION_ERROR: 422,
  EXECUTION_ERROR: 400,
  CAPACITY_REACHED: 503,
  FACTORY_ERROR: 500,
  SESSION_ERROR: 404,
};

/** A request that cannot be answered. The message is for a person; `details` has fields that programs read. */
export class OpenEnvError extends Error {
  override readonly name = "OpenEnvError";
  readonly code: OpenEnvCode;
  /** The status of an answer over HTTP. */
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: OpenEnvCode,
    message: string,
    { status, ...details }: { readonly status?: number; readonly [field: string]: unknown } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status ?? STATUSES[code];
    this.details = details;
  }
}

/** Turns anything that was thrown into an error of the protocol. No client gets a stack. */
export function toOpenEnvError(error: unknown): OpenEnvError {
  if (error instanceof OpenEnvError) return error;
  if (error instanceof HttpRefusal) {
    return new OpenEnvError("SESSION_ERROR", error.message, { status: error.status });
  }
  const isUsersMistake = BowlineError.is(error) && error.code === "config";
  return new OpenEnvError(
    isUsersMistake ? "VALIDATION_ERROR" : "EXECUTION_ERROR",
    errorMessage(error),
    { status: isUsersMistake ? 422 : 500 },
  );
}

/** Writes an error as OpenEnv's sockets do. */
export function formatErrorMessage(error: unknown): object {
  const { message, code, details } = toOpenEnvError(error);
  return { type: "error", data: { message, code, ...details } };
}
