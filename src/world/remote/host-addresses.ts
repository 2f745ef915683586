/**
 * Names of worlds that are played on other machines: `openenv:URL`, or `openenv:URL,URL` for several hosts. The name
 * holds addresses and nothing else, so it can stand in a configuration.
 */
import { BowlineError } from "../../core/index.ts";

const SCHEME = "openenv:";
const EXAMPLE = "openenv:http://10.0.0.1:8129,http://10.0.0.2:8129";

/** Returns true if the name of a world means hosts that serve it. */
export function namesHosts(name: string): boolean {
  return name.startsWith(SCHEME);
}

/** Returns the parts of the name of a world that should be addresses, as they are. */
export function splitHostAddresses(name: string): readonly string[] {
  const parts = name.slice(SCHEME.length).split(",");
  return parts.map((part) => part.trim());
}

/** Returns the addresses in the name of a world, without slashes at their ends. Throws a `config` error for a wrong one. */
export function readHostAddresses(name: string): readonly string[] {
  return requireHostAddresses(splitHostAddresses(name));
}

/**
 * Returns the addresses without slashes at their ends. Throws a `config` error unless each is an http or https URL
 * without password and query, and each stands only once.
 */
export function requireHostAddresses(addresses: readonly string[]): readonly string[] {
  if (addresses.length === 0) throw refuse("expected at least one host", "none");
  const read = addresses.map(readAddress);
  const twice = read.find((address, place) => read.indexOf(address) !== place);
  if (twice !== undefined) throw refuse("expected each host once", `${twice} twice`);
  return read;
}

function readAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw refuse("expected http or https URLs, with commas between them", JSON.stringify(address));
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    const cure = "a URL without password and query; put a key into BOWLINE_OPENENV_KEY";
    throw refuse(`expected ${cure}`, `${url.origin} with more`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

function refuse(expected: string, got: string): BowlineError {
  return new BowlineError("config", `world.name: ${expected}, such as ${EXAMPLE}, got ${got}`);
}
