/** Builds `dist/` once before the suite, because tests import it (vitest.config.ts) and end-to-end tests run it. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

export default function build(): void {
  const tsc = createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace("package.json", "bin/tsc");
  execFileSync(process.execPath, [tsc, "-b"], { stdio: "inherit" });
}
