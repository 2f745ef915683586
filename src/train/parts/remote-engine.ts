/** Checks whether the server of a remote engine can be reached. */
import { BowlineError, errorMessageWithCause } from "../../core/index.ts";
import type { Config } from "../config/config.ts";

const ANSWER_TIMEOUT_MS = 5000;

/**
 * Throws an `engine` error if no server answers at a remote engine's address. Any HTTP answer counts. It is called when
 * a run is about to be rejected for another reason, because a wrong address may be the real one.
 */
export async function requireServerAnswer({ engine }: Config): Promise<void> {
  if (!("url" in engine) || engine.url === null) return;
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    await fetch(`${engine.url.replace(/\/+$/, "")}/api/v1/healthz`, { signal });
  } catch (cause) {
    const problem = `engine.url: no server answers at ${engine.url} (${errorMessageWithCause(cause)})`;
    throw new BowlineError("engine", problem, { cause });
  }
}
