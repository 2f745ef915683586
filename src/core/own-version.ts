/** The version of the package that is running. */
import { readFileSync } from "node:fs";

/** Returns the version of Bowline, from its `package.json`. */
export function readOwnVersion(): string {
  const manifest = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
