/** The version of this package, from its package.json: one folder above `src/` and `dist/` alike. */
import { readFileSync } from "node:fs";

export function packageVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
