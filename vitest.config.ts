import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  // Worlds of tests name the package, as users' do: here that is the source, in their threads the build.
  resolve: {
    alias: { "bowline/world": new URL("src/exports/world.ts", import.meta.url).pathname },
  },
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
    globalSetup: process.env["BOWLINE_NO_BUILD"] ? [] : ["tests/build.ts"],
    pool: "forks",
    // Modules are loaded once a worker: no test replaces a module, and what a test opens it closes.
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
