import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type Plugin } from "vitest/config";

const ROOT = dirname(fileURLToPath(import.meta.url));
const SOURCE = join(ROOT, "src/");
const HAS_BUILD = !process.env["BOWLINE_NO_BUILD"];
// While files are watched the build is older than they are.
const isWatching = !process.argv.includes("run");

/**
 * What tests import of `src` is met as it was built: that is what users run, its threads start in a third of the time that
 * TypeScript takes, and hundreds of files are not transformed again.
 */
const built: Plugin = {
  name: "built",
  enforce: "pre",
  resolveId(source, importer) {
    const path = importer && source.startsWith(".") ? resolve(dirname(importer), source) : "";
    if (!path.startsWith(SOURCE)) return;
    const id = join(ROOT, "dist", path.slice(SOURCE.length).replace(/\.ts$/, ".js"));
    return existsSync(id) ? { id, external: true } : undefined;
  },
};

export default defineConfig({
  plugins: HAS_BUILD && !isWatching ? [built] : [],
  test: {
    include: [
      "src/**/*.test.ts",
      "tests/**/*.test.ts",
      "bench/**/*.test.ts",
      "web/src/**/*.test.ts",
    ],
    // What packs, installs, measures or drives other programs: npm run test:slow. Other Nodes: npm run test:nodes.
    exclude: [...configDefaults.exclude, "tests/{slow,nodes}/**"],
    // Unit tests alone need no build: BOWLINE_NO_BUILD=1 npx vitest run src/algo
    globalSetup: HAS_BUILD ? ["tests/build.ts"] : [],
    pool: "forks",
    // Modules are loaded once a worker: no test replaces a module, and what a test opens it closes.
    isolate: false,
    server: { deps: { external: [/\/dist\/.*\.js$/] } },
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
