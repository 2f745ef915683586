/**
 * Failures of a rollout are recorded as data. Every call to the policy, the world or the agent names the boundary that
 * it crosses. An error thrown there becomes `Failure { boundary, code, message, retryable }`, and other rollouts
 * continue.
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

/**
 * Runs a call across a boundary. An error that it throws carries the boundary's name, which `failureFromError` reads.
 */
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

/**
 * Turns an error into a failure record. An error outside `callAcrossBoundary` belongs to the agent. A wrong
 * configuration or a bug of the agent would fail again, so it is not retryable.
 */
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
 * A policy throws this when it cannot continue a rollout but is not broken: its context is full, or its provider
 * refuses the prompt. The rollout then ends as if its tokens were used up, and the state that it reached is scored.
 */
export class PolicyUnableToContinue extends Error {
  override readonly name = "EndOfPolicy";
}

/** Tells whether an error is a `PolicyCannotContinue`, also when a boundary error wraps it. */
export function isPolicyUnableToContinue(error: unknown): boolean {
  const cause = error instanceof BoundaryError ? error.cause : error;
  return cause instanceof PolicyUnableToContinue;
}
