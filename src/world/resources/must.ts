/** Refusals: an error of the API unless a condition holds. */
import { ApiError } from "../define.ts";

/** What a refusal says: the parameter's name, what was expected, what came, and what to call instead. */
export type Message = string | (() => string);

/** Throws an `ApiError` unless `condition` holds. A message that is costly, or that fails where it holds, is a function. */
export function refuseUnless(
  condition: unknown,
  status: ApiError["status"] & (400 | 401 | 403 | 404 | 409 | 422 | 503),
  message: Message,
): asserts condition {
  if (condition) return;
  throw new ApiError(status, typeof message === "string" ? message : message());
}
