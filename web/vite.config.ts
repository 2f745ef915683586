/** Builds the studio's page into `dist/web`: one page with its script and style, which loads nothing from elsewhere. */
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
    // The content security policy of the page forbids inline scripts and `data:` scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
