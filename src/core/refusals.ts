/**
 * Refusals: what a configuration asks for and cannot have, with the values that cure it. Refusals that are known at the
 * same time are thrown as one error, so that one change cures all of them.
 */
import { BowlineError, type Cure, type ErrorCode } from "./errors.ts";

/** Something that is refused. */
export interface Refusal {
  /** What was expected, what came instead, and what to do. */
  readonly sentence: string;
  /** The values of fields with which it would not be refused; absent if there are none. */
  readonly cure?: Cure | undefined;
}

/** Creates one error for at least one refusal. It has a cure only if its values cure all of them. */
export function createRefusalError(
  code: ErrorCode,
  refusals: readonly Refusal[],
  cause?: unknown,
): BowlineError {
  const message = refusals.map(({ sentence }) => sentence).join("; ");
  const options = cause === undefined ? {} : { cause };
  if (refusals.some(({ cure }) => cure === undefined))
    return new BowlineError(code, message, options);
  const cure: Cure = Object.assign({}, ...refusals.map((refusal) => refusal.cure));
  return new BowlineError(code, message, { ...options, cure });
}

/** How often a check is repeated. A check that still refuses is then shown as it is. */
const MAX_CHECKS = 8;

/**
 * Repeats a check with the values that cure its error, as long as it refuses something else, and returns one error with
 * everything that it refused. `check` is called with all cures so far. An error without a cure is returned as it is.
 */
export async function joinLaterRefusals(
  first: unknown,
  check: (cure: Cure) => Promise<unknown>,
): Promise<unknown> {
  let joined = first;
  for (let i = 0; i < MAX_CHECKS; i++) {
    if (!BowlineError.is(joined) || joined.cure === undefined) return joined;
    const { code, message, cure } = joined;
    const later = await check(cure).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!BowlineError.is(later) || message.includes(later.message)) return joined;
    const refusals = [
      { sentence: message, cure },
      { sentence: later.message, cure: later.cure },
    ];
    joined = createRefusalError(code, refusals, joined.cause);
  }
  return joined;
}
