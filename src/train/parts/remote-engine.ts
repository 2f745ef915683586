/** Whether the server of a remote engine can be reached. */
import { BowlineError, errorMessageWithCause } from "../../core/index.ts";
import type { Config } from "../config/config.ts";

const ANSWER_TIMEOUT_MS = 5000;

/**
 * Whether anybody is at a remote engine's address; any HTTP answer will do. Only where the run is about to be refused
 * for another reason, which would hide a wrong address: opening the engine asks more, and waits for a server that
 * restarts.
 */
export async function requireServerAnswer({ engine }: Config): Promise<void> {
  if (!("url" in engine) || engine.url === null) return;
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    await fetch(`${engine.url.replace(/\/+$/, "")}/api/v1/healthz`, { signal });
  } catch (cause) {
    const problem = `engine.url: nobody answers at ${engine.url} (${errorMessageWithCause(cause)})`;
    throw new BowlineError("engine", problem, { cause });
  }
}
