import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type Plugin } from "vitest/config";

const ROOT = dirname(fileURLToPath(import.meta.url));
/** Where sources are, and where they were built. */
const BUILDS = [
  [join(ROOT, "src/"), join(ROOT, "dist/")],
  [join(ROOT, "worlds/everyday/"), join(ROOT, "worlds/everyday/dist/")],
] as const;
const { exports: DOORS } = createRequire(import.meta.url)("./package.json") as {
  exports: Record<string, { default: string }>;
};
const HAS_BUILD = !process.env["BOWLINE_NO_BUILD"];
// While files are watched the build is older than they are.
const isWatching = !process.argv.includes("run");

/**
 * Tests import the package and the Everyday world as they were built: that is what users run, its threads start in a
 * third of the time that TypeScript takes, and hundreds of files are not transformed again.
 */
const built: Plugin = {
  name: "built",
  enforce: "pre",
  resolveId(source, importer) {
    const path = importer && source.startsWith(".") ? resolve(dirname(importer), source) : "";
    const [from, to] = BUILDS.find(([folder]) => path.startsWith(folder)) ?? [];
    if (from === undefined || to === undefined) return;
    const id = join(to, path.slice(from.length).replace(/\.ts$/, ".js"));
    return existsSync(id) ? { id, external: true } : undefined;
  },
};

/** `bowline/world` and the other doors of the package, as Node resolves them from inside the package. */
const doors: Plugin = {
  name: "doors",
  enforce: "pre",
  resolveId(source) {
    if (!/^bowline(\/|$)/.test(source)) return;
    const door = DOORS[source.replace(/^bowline/, ".")];
    return door && { id: join(ROOT, door.default), external: true };
  },
};

export default defineConfig({
  plugins: HAS_BUILD && !isWatching ? [built, doors] : [doors],
  test: {
    include: [
      "src/**/*.test.ts",
      "worlds/**/*.test.ts",
      "tests/**/*.test.ts",
      "bench/**/*.test.ts",
      "web/src/**/*.test.ts",
    ],
    // What packs, installs, measures or drives other programs: npm run test:slow. Other Nodes: npm run test:nodes.
    exclude: [...configDefaults.exclude, "tests/{slow,all,nodes,webgpu}/**"],
    // Unit tests alone need no build: BOWLINE_NO_BUILD=1 npx vitest run src/algo
    globalSetup: ["tests/user-folder.ts", ...(HAS_BUILD ? ["tests/build.ts"] : [])],
    pool: "forks",
    // Modules are loaded once a worker: no test replaces a module, and what a test opens it closes.
    isolate: false,
    server: { deps: { external: [/\/dist\/.*\.js$/] } },
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
