/**
 * Errors that cross a boundary, one flat list. A message says what was attempted, what was expected, what came,
 * and what to do next. Failures inside an episode or a rollout are data, not these.
 */

export type ErrorCode =
  | "config" // a bad option, file, field or combination, found before any work starts
  | "world" // a world that cannot be loaded, opened or trusted
  | "engine" // the engine refused, failed or lacks a capability
  | "checkpoint" // missing, torn or foreign weights
  | "store" // the run directory cannot be read or written
  | "budget" // the ceiling of a run is reached; under a higher one it goes on
  | "tripwire"; // training stopped loudly: its numbers can no longer be trusted

/**
 * What every function of the library throws or rejects with when it refuses: `code` says of which kind, the message is
 * one line for a person.
 */
export class BowlineError extends Error {
  override readonly name = "BowlineError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }

  /** Works across module copies and worker threads, where `instanceof` does not. */
  static is(error: unknown): error is BowlineError {
    return error instanceof Error && error.name === "BowlineError" && "code" in error;
  }
}

/** A bug of ours, never a user's mistake: stops everything. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant violated: ${message}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The message with that of its cause, where it has one: Node's `fetch failed` says why only there. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause === undefined) return messageOf(error);
  // One error an address, where a name has several.
  const all = cause instanceof AggregateError ? cause.errors : [cause];
  const why = all.map(messageOf).filter(Boolean).join(", ");
  return why === "" ? messageOf(error) : `${messageOf(error)}: ${why}`;
}

/** The candidate nearest to `word` by edit distance, for "did you mean" hints; undefined when none is close. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word === "") return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** " (did you mean train?)", to stand behind what came; empty when no candidate is close. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = nearest(word, candidates);
  return near ? ` (did you mean ${near}?)` : "";
}

function editDistance(a: string, b: string): number {
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
