/**
 * What can go wrong with a remote engine, by what a caller can do about it.
 *
 * Every error is a BowlineError of code `engine` (so it crosses layers as any other) and names the call. Nothing here
 * ever holds a request's headers, and texts of servers pass through `redact`, so a key cannot leave in a message.
 */
import { BowlineError } from "../../../core/index.ts";

export type TinkerErrorKind =
  | "invalid" // refused here, before anything was sent
  | "rejected" // the server finds the request wrong: sending it again changes nothing
  | "denied" // no key, a wrong key, or no right
  | "missing" // no such route or object
  | "conflict" // the name or number is taken
  | "model-lost" // the server no longer holds the model: build it again from a checkpoint
  | "session-lost" // the session or the sampler ended: open another
  | "future-lost" // the result of an accepted call is gone: make the call again, with its number
  | "uncertain" // whether the call was accepted is unknown, and this server would run it twice
  | "billing" // payment is due, and was for longer than we wait
  | "unreachable" // no connection, no time, or only server errors, for longer than we try
  | "failed" // the server accepted the call and could not do it
  | "malformed" // the answer is none that the protocol knows
  | "non-finite" // an answer with NaN or infinity where a number must be
  | "unsupported" // this server does not offer that
  | "cancelled" // the caller's signal
  | "closed"; // the client was closed

export interface TinkerErrorDetails {
  /** HTTP status of the answer, where there was one. */
  readonly status?: number;
  /** Of the future. */
  readonly requestId?: string;
  readonly cause?: unknown;
}

/** What a call ended with: `kind` says what to do about it. */
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

  /** With kinds: one of these. */
  static override is(error: unknown, ...kinds: readonly TinkerErrorKind[]): error is TinkerError {
    return error instanceof TinkerError && (kinds.length === 0 || kinds.includes(error.kind));
  }
}

/** What a refusal of the server means, by its status and words. Words are those of the known servers. */
export function kindOfRefusal(status: number, text: string): TinkerErrorKind {
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

const LONGEST_TEXT = 500;

/** The words of an error body: FastAPI's `detail`, open-rl's `error_message`, the protocol's `error`, or the text. */
export function textOfBody(body: string): string {
  let text = body;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === "object" && parsed !== null) {
      const { detail, error_message, error, message } = parsed as Record<string, unknown>;
      const found = detail ?? error_message ?? error ?? message;
      if (found !== undefined) text = typeof found === "string" ? found : JSON.stringify(found);
    }
  } catch {
    // Not JSON: the text itself.
  }
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}

/** `text` without any of the secrets, whatever a server or a runtime put into it. */
export function redact(text: string, secrets: Iterable<string>): string {
  let out = text;
  for (const secret of secrets) if (secret.length > 0) out = out.replaceAll(secret, "[key]");
  return out;
}
