/** Digests requests, so that equal ones are recognised whatever the order of their keys or their dialect. */
import { createHash, type Hash } from "node:crypto";

/** Returns the digest of a JSON value. Fields that are undefined or null count as absent. */
export function digestJson(value: unknown): string {
  const hash = createHash("sha256");
  updateHash(hash, value);
  return hash.digest("base64");
}

function updateHash(hash: Hash, value: unknown): void {
  if (Array.isArray(value)) {
    hash.update(`[${value.length}:`);
    if (value.every((item) => typeof item === "number")) {
      hash.update(new Uint8Array(Float64Array.from(value).buffer));
    } else for (const item of value) updateHash(hash, item);
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined && item !== null);
    hash.update(`{${entries.length}:`);
    for (const [key, item] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
      hash.update(`${JSON.stringify(key)}:`);
      updateHash(hash, item);
    }
  } else hash.update(`${JSON.stringify(value)},`);
}
