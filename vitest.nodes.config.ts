/** `npm run test:nodes`: every Node that package.json allows, and some that it does not. Downloads each from npm. */
import { defineConfig } from "vitest/config";
import slow from "./vitest.slow.config.ts";

export default defineConfig({
  ...slow,
  test: { ...slow.test, include: ["tests/nodes/**/*.test.ts"] },
});
