/**
 * Builds `dist/` once before the suite: end-to-end tests run the command line that users run, and threads start from the build
 * (src/core/spawn-worker.ts), unless files are watched and may be newer.
 */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import type { TestProject } from "vitest/node";

export default function build({ config }: TestProject): void {
  const tsc = createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace("package.json", "bin/tsc");
  execFileSync(process.execPath, [tsc, "-b"], { stdio: "inherit" });
  if (!config.watch) process.env["BOWLINE_BUILT"] = "1";
}
