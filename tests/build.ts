/** Builds `dist/` once before the suite: it is what tests meet (vitest.config.ts), and what end-to-end tests run. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";

export default function build(): void {
  const tsc = createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace("package.json", "bin/tsc");
  execFileSync(process.execPath, [tsc, "-b"], { stdio: "inherit" });
}
