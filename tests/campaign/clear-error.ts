/** Decides whether an error is a message for a person or the remains of a bug. */
import { BowlineError } from "../../src/core/index.ts";

/** What JavaScript says when a value has another shape than the code expects. */
const TEXTS_OF_BUGS =
  /Cannot (read|set|convert|destructure|mix)|is not (a function|iterable|a constructor|an object|defined)|invariant violated|Invalid (array|typed array|string|count) |Maximum call stack|offset is out of|out of range index|\n\s+at |"code": "invalid_|heap out of memory|is not extensible|The "?\w+"? argument must be/;

/** Returns what is wrong with an error that a damaged file led to; undefined when it is one clear line. */
export function findErrorProblem(error: unknown): string | undefined {
  if (!BowlineError.is(error)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `a raw error: ${text.slice(0, 500)}`;
  }
  if (/\n./.test(error.message)) return `an error of several lines: ${error.message.slice(0, 400)}`;
  if (TEXTS_OF_BUGS.test(error.message)) return `a raw message: ${error.message.slice(0, 400)}`;
  if (error.message.length > 2000)
    return `a message of ${error.message.length} characters: ${error.message.slice(0, 200)}`;
  return undefined;
}
