/**
 * Refuses requests that a web page sends to a server of this machine. A page can let its own name resolve to this
 * machine, which shows in `Host`, and it can send some requests to other origins, which shows in `Origin`.
 */
import { HttpRefusal } from "./refusal.ts";

type Headers = Readonly<Record<string, string | undefined>>;

const LOOPBACK_NAMES = new Set(["127.0.0.1", "[::1]", "::1", "localhost"]);

/** Tells whether a server that listens on this address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.has(host);
}

/**
 * Refuses requests for other host names, and requests of pages of other origins, when the server listens on loopback.
 * A server that listens on another address has names that it does not know, so it refuses none.
 */
export function requireLocalRequest(listenHost: string, { host = "", origin }: Headers): void {
  if (!isLoopback(listenHost)) return;
  const name = host.replace(/:\d+$/, "");
  if (!LOOPBACK_NAMES.has(name)) {
    throw new HttpRefusal(
      421,
      "misdirected",
      `this server answers requests for ${listenHost}, but the request is for ${name === "" ? "no host" : JSON.stringify(name)}`,
    );
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new HttpRefusal(
      403,
      "foreign_origin",
      "requests from pages of another origin are refused",
    );
  }
}
