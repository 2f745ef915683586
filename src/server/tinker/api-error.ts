/**
 * An error answer in the form that FastAPI servers use: a status and `detail`. The detail is a sentence or, when a
 * request does not fit its schema (422), a list with one entry per wrong field.
 */
export interface FieldError {
  /** The kind of error: `missing`, `extra_forbidden` or a code of the schema check. */
  readonly type: string;
  /** The path of the field, such as `["body", "data", 0, "model_input"]`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** The wrong value; absent when it is large. */
  readonly input?: unknown;
}

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly detail: string | readonly FieldError[];

  constructor(status: number, detail: string | readonly FieldError[]) {
    super(typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; "));
    this.status = status;
    this.detail = detail;
  }

  /** True when the request itself is wrong, so that repeating it does not help. */
  get isUserError(): boolean {
    return this.status >= 400 && this.status < 500;
  }
}

export function throwApiError(status: number, detail: string): never {
  throw new ApiError(status, detail);
}
