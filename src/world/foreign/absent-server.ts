/** The failure of a server that is not there, which is worth waiting for: it may be starting again. */
import { BowlineError } from "../../core/index.ts";

/** Nothing usable came from the server's address. What was asked for may have been done or not. */
export class AbsentServerError extends BowlineError {
  constructor(message: string, cause: unknown) {
    super("world", message, { cause });
  }
}
