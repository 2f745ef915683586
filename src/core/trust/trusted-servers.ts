/**
 * The servers that this user trusts. Prompts and the user's key go to a server, so a server that a file names is as
 * dangerous as a module.
 */
import { type ModuleOrigin, refuseUntrusted } from "./refuse-untrusted.ts";
import { findEntry, listEntries, removeEntry, writeEntry } from "./trust-entries.ts";

/** Trusts the server at this URL. */
export function trustServer(url: string): void {
  const server = originOf(url);
  if (findEntry(server) === undefined) writeEntry({ version: 1, server });
}

/** Returns the trusted servers in alphabetical order. */
export function listTrustedServers(): readonly string[] {
  return listEntries()
    .flatMap((entry) => ("server" in entry ? entry.server : []))
    .sort();
}

/** Ends the trust in the server at this URL. Returns false if it was not trusted. */
export function removeServerTrust(url: string): boolean {
  return removeEntry(originOf(url));
}

/** Throws a `trust` error when a file names the server at `url` and this user has not trusted it. */
export function requireTrustedServer(url: string, field: string, origin: ModuleOrigin): void {
  if (origin.by === "call" || findEntry(originOf(url)) !== undefined) return;
  throw refuseUntrusted(
    field,
    `the server ${originOf(url)}, to which your key would be sent and which`,
    origin,
  );
}

/** Returns protocol, host and port of a URL; for a text that is none, the text, to which nobody can connect. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
