/**
 * The error that functions of the library throw, with a flat list of codes. A message says what was attempted, what was
 * expected, what came instead and what to do next. A failure inside an episode or a rollout is recorded as data and
 * throws no error.
 */

export type ErrorCode =
  | "config" // An option, file, field or combination is wrong; this is found before any work starts.
  | "world" // A world cannot be loaded, opened or trusted.
  | "engine" // The engine refused or failed, or it lacks a capability.
  | "checkpoint" // Weights are missing, incomplete or from another model.
  | "store" // The run directory cannot be read or written.
  | "budget" // The run reached its spending limit. It can be continued with a higher limit.
  | "tripwire" // Training stopped because its numbers can no longer be trusted.
  | "trust"; // A file names code, or a server, that this user has not trusted.

/**
 * Values of fields of a configuration, by their paths, with which an error does not occur. null: the field is left out,
 * so that it has its default.
 */
export type Cure = Readonly<Record<string, string | number | null>>;

/** The error that functions of the library throw or reject with. The message is one line for a person. */
export class BowlineError extends Error {
  override readonly name = "BowlineError";
  readonly code: ErrorCode;
  /** The values with which the error does not occur; absent if no values cure it. */
  readonly cure?: Cure;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; cure?: BowlineError["cure"] } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    if (options.cure !== undefined) this.cure = options.cure;
  }

  /**
   * Returns true if `error` is a BowlineError, even one from another copy of this module or from a worker thread, for
   * which `instanceof` fails.
   */
  static is(error: unknown): error is BowlineError {
    return error instanceof Error && error.name === "BowlineError" && "code" in error;
  }
}

/** Throws when a condition that our own code guarantees does not hold. This means a bug, never a user's mistake. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant violated: ${message}`);
}

/**
 * Returns the message of an error, or the text of any other value that was thrown. The errors of parsers become one
 * line: a schema's lists what is wrong in which field, and a syntax error quotes the text around it.
 */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isSchemaError(error)) return describeIssues(error.issues);
  return error instanceof SyntaxError ? error.message.replace(/\s*\n\s*/g, " ") : error.message;
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Recognises an error of zod by its shape, because a program may hold several copies of zod. */
function isSchemaError(error: Error): error is Error & { readonly issues: readonly SchemaIssue[] } {
  return error.name === "ZodError" && "issues" in error && Array.isArray(error.issues);
}

const MAX_ISSUES = 3;

function describeIssues(issues: readonly SchemaIssue[]): string {
  const described = issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    const field = path.map(String).join(".");
    return field === "" ? message : `${field}: ${message}`;
  });
  const more = issues.length - described.length;
  return `${described.join("; ")}${more > 0 ? `; and ${more} more` : ""}`.replace(/\s*\n\s*/g, " ");
}

/**
 * Returns an error's message and the message of its cause. For Node's `fetch failed`, only the cause says what went
 * wrong.
 */
export function errorMessageWithCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause === undefined) return errorMessage(error);
  // A host name with several addresses fails with one error for each address.
  const causes = cause instanceof AggregateError ? cause.errors : [cause];
  const causeMessages = causes.map(errorMessage).filter(Boolean).join(", ");
  return causeMessages === "" ? errorMessage(error) : `${errorMessage(error)}: ${causeMessages}`;
}

/** Returns the candidate that is nearest to `word` by edit distance; undefined when none is close. */
export function nearestWord(word: string, candidates: Iterable<string>): string | undefined {
  if (word === "") return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Returns a hint such as " (did you mean train?)" to append to a message, or "" when no candidate is close. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const suggestion = nearestWord(word, candidates);
  return suggestion ? ` (did you mean ${suggestion}?)` : "";
}

/** Returns the Levenshtein distance: how many letters must be inserted, deleted or replaced. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
