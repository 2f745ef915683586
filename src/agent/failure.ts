/**
 * Failures of a rollout are data. Every call that leaves the agent names the boundary that it crosses, so that whatever
 * is thrown there can be recorded as `Failure { boundary, code, message, retryable }` while sibling rollouts live on.
 */
import { BowlineError, errorMessage } from "../core/index.ts";
import type { Failure } from "../spec/index.ts";

class BoundaryError extends Error {
  readonly boundary: Failure["boundary"];

  constructor(boundary: Failure["boundary"], cause: unknown) {
    super(errorMessage(cause), { cause });
    this.boundary = boundary;
  }
}

/** Calls across a boundary; whatever it throws carries the boundary's name to `failureOf`. */
export async function callAcrossBoundary<T>(
  boundary: Failure["boundary"],
  call: () => T | Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new BoundaryError(boundary, cause);
  }
}

/** What is thrown outside of `at` is the agent's own. A wrong configuration or an agent's bug fails again: no retry. */
export function failureFromError(error: unknown): Failure {
  const boundary = error instanceof BoundaryError ? error.boundary : "agent";
  const cause = error instanceof BoundaryError ? error.cause : error;
  const code = BowlineError.is(cause)
    ? cause.code
    : cause instanceof Error
      ? cause.name
      : "unknown";
  const retryable = boundary !== "agent" && code !== "config";
  return { boundary, code, message: errorMessage(cause), retryable };
}

/**
 * What a policy throws that cannot go on with this rollout and is not broken: its context is full, or its provider refuses
 * the prompt. The rollout ends there as if its tokens were spent, and the state that it left is scored.
 */
export class EndOfPolicy extends Error {
  override readonly name = "EndOfPolicy";
}

/** Also behind the boundary that it crossed. */
export function isEndOfPolicy(error: unknown): boolean {
  const cause = error instanceof BoundaryError ? error.cause : error;
  return cause instanceof EndOfPolicy;
}
