/** Reads the version of this package from its package.json, which lies one folder above both `src/` and `dist/`. */
import { readFileSync } from "node:fs";

export function packageVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
