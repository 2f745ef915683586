/** Reads the version of this package from its package.json, which is in the folder that contains `src/` and `dist/`. */
import { readFileSync } from "node:fs";

export function packageVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
