/**
 * The errors of a remote engine, sorted by what a caller can do about them.
 *
 * Every error is a BowlineError with code `engine` and names the call. No error holds a request's headers, and texts
 * from servers pass through `redactSecrets`, so a message cannot contain the API key.
 */
import { BowlineError } from "../../../core/index.ts";

export type TinkerErrorKind =
  | "invalid" // the client refused the call before anything was sent
  | "rejected" // the server refused the request; sending it again changes nothing
  | "denied" // the key is missing or wrong, or has no permission
  | "missing" // the server has no such route or object
  | "conflict" // the name or number is already taken
  | "model-lost" // the server no longer holds the model; create it again from a checkpoint
  | "session-lost" // the session or the sampler has ended; open a new one
  | "future-lost" // the server lost the result of an accepted call; make the call again with the same number
  | "uncertain" // the server may have accepted the call, and would run it twice if it were sent again
  | "billing" // payment is due and was not made within the time that the client waits
  | "unreachable" // only connection errors, timeouts or server errors for as long as the client retries
  | "failed" // the server accepted the call and then failed to do it
  | "malformed" // the answer does not follow the protocol
  | "non-finite" // the answer has NaN or infinity where a finite number is required
  | "unsupported" // the server does not offer this function
  | "cancelled" // the caller's signal aborted
  | "closed"; // the client was closed

export interface TinkerErrorDetails {
  /** The HTTP status of the answer, when there was one. */
  readonly status?: number;
  /** The request id of the future that the error is about. */
  readonly requestId?: string;
  readonly cause?: unknown;
}

/** The error of a failed call; `kind` says what a caller can do about it. */
export class TinkerError extends BowlineError {
  readonly kind: TinkerErrorKind;
  readonly status: number | undefined;
  readonly requestId: string | undefined;

  constructor(kind: TinkerErrorKind, message: string, details: TinkerErrorDetails = {}) {
    const { cause, status, requestId } = details;
    super("engine", message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.status = status;
    this.requestId = requestId;
  }

  /** Returns true for a TinkerError; when kinds are passed, only for one of these kinds. */
  static override is(error: unknown, ...kinds: readonly TinkerErrorKind[]): error is TinkerError {
    return error instanceof TinkerError && (kinds.length === 0 || kinds.includes(error.kind));
  }
}

/**
 * Returns the kind of a server's refusal, from its status and text. The patterns match the texts of the known servers.
 */
export function classifyRefusal(status: number, text: string): TinkerErrorKind {
  const unknown = /\bno (?:such )?(model|session|sampl)/i.exec(text)?.[1];
  if (unknown !== undefined) return /model/i.test(unknown) ? "model-lost" : "session-lost";
  if (/model\b.{0,80}(not loaded|not found|unknown|does not exist|no longer)/is.test(text)) {
    return "model-lost";
  }
  if (/(session|sampler)\b.{0,80}(not found|expired|unknown|does not exist|ended)/is.test(text)) {
    return "session-lost";
  }
  if (status === 401 || status === 403) return "denied";
  if (status === 404 || status === 405) return "missing";
  if (status === 409) return "conflict";
  if (status === 501) return "unsupported";
  return status >= 500 ? "unreachable" : "rejected";
}

const MAX_TEXT_LENGTH = 500;

/** Returns an error body's text: FastAPI's `detail`, open-rl's `error_message`, the protocol's `error`, or the body. */
export function extractErrorText(body: string): string {
  let text = body;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === "object" && parsed !== null) {
      const { detail, error_message, error, message } = parsed as Record<string, unknown>;
      const found = detail ?? error_message ?? error ?? message;
      if (found !== undefined) text = typeof found === "string" ? found : JSON.stringify(found);
    }
  } catch {
    // The body is not JSON, so the text stays as it is.
  }
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH)}…` : line;
}

/** Replaces each secret in the text with `[key]`. */
export function redactSecrets(text: string, secrets: Iterable<string>): string {
  let out = text;
  for (const secret of secrets) if (secret.length > 0) out = out.replaceAll(secret, "[key]");
  return out;
}
