/**
 * A refused request, before a server formats it: a status, a code for programs and a message for people. The front
 * refuses requests that no server could read, and each server writes the refusal in its own form.
 */

/** The statuses with which the front refuses requests. */
export type RefusalStatus = 400 | 403 | 405 | 408 | 413 | 415 | 417 | 421 | 431 | 503;

export class HttpRefusal extends Error {
  override readonly name = "HttpRefusal";
  readonly status: RefusalStatus;
  readonly code: string;

  constructor(status: RefusalStatus, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
