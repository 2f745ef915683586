/**
 * An answer that is not a success, in the form that clients of FastAPI servers know: a status, and `detail`, which is a
 * sentence or, where a request does not fit its schema (422), one entry for each field that is wrong.
 */
export interface FieldError {
  /** `missing`, `extra_forbidden`, or what kind of value was expected. */
  readonly type: string;
  /** Where: `["body", "data", 0, "model_input"]`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** What came; left out where it is large. */
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

  /** The request itself is wrong: repeating it cannot help. */
  get isUserError(): boolean {
    return this.status >= 400 && this.status < 500;
  }
}

export function throwApiError(status: number, detail: string): never {
  throw new ApiError(status, detail);
}
