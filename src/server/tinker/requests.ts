/** Parses requests by the tables of `request-formats.ts`, and writes errors as FastAPI does. */
import type { z } from "zod";
import { ApiError, type FieldError } from "./api-error.ts";

export { requests } from "./request-formats.ts";

/** Parses a request. Throws a 422 that names up to 16 wrong fields. */
export function parseRequest<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body, { reportInput: true });
  if (result.success) return result.data;
  throw new ApiError(422, result.error.issues.slice(0, 16).flatMap(toFieldErrors));
}

type Issue = z.core.$ZodIssue;

function toFieldErrors(issue: Issue): FieldError[] {
  const loc = ["body", ...issue.path.map((part) => (typeof part === "symbol" ? "?" : part))];
  if (issue.code === "custom" && issue.params?.["isUnknownField"]) {
    return [{ type: "extra_forbidden", loc, msg: "Extra inputs are not permitted" }];
  }
  const missing = issue.code === "invalid_type" && issue.input === undefined;
  if (missing) return [{ type: "missing", loc, msg: "Field required" }];
  return [{ type: issue.code, loc, msg: issue.message, ...inputIfSmall(issue.input) }];
}

/** Returns the wrong value only when it is small, because a body may have megabytes. */
function inputIfSmall(input: unknown): { readonly input?: unknown } {
  const isPlain = input === null || ["string", "number", "boolean"].includes(typeof input);
  return isPlain && String(input).length <= 200 ? { input } : {};
}
