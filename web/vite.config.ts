/** Builds the studio's page into `dist/web`: one page, its script and its style, nothing from anywhere else. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: fileURLToPath(new URL("../dist/web", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    // The policy of the page allows no data: scripts and no inline ones.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
