/** Refusals: an API fails with an error unless a condition holds. */
import { ApiError } from "../define.ts";

/** The text of a refusal: the parameter's name, what was expected, what came, and what to call instead. */
export type RefusalMessage = string | (() => string);

/**
 * Throws an `ApiError` unless the condition holds. If the text is a function, it is called only when the text is
 * needed.
 */
export function refuseUnless(
  condition: unknown,
  status: ApiError["status"] & (400 | 401 | 403 | 404 | 409 | 422 | 503),
  message: RefusalMessage,
): asserts condition {
  if (condition) return;
  throw new ApiError(status, typeof message === "string" ? message : message());
}
