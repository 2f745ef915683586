/**
 * Builds `dist/` once before the suite, because tests import it (vitest.config.ts) and end-to-end tests run it. The
 * web page is part of it, because every run ends with a report.
 */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build as bundle } from "vite";

export default async function build(): Promise<void> {
  const tsc = createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace("package.json", "bin/tsc");
  execFileSync(process.execPath, [tsc, "-b"], { stdio: "inherit" });
  const configFile = fileURLToPath(new URL("../web/vite.config.ts", import.meta.url));
  await bundle({ configFile, logLevel: "warn" });
}
