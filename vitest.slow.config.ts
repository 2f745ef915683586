/**
 * `npm run test:slow`: the package as others get it (packed, installed, type-checked from outside), the examples as a
 * user runs them, benchmarks, runs that are killed, and what needs a browser or somebody else's client. At most eight
 * minutes on two quiet cores. In a whole sweep (`npm run test:all`) it also runs `tests/all`, which takes longer.
 */
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import fast from "./vitest.config.ts";

const IS_WHOLE = process.env["BOWLINE_SWEEP"] === "whole";

/** What takes longest begins, so that no worker is left alone with it at the end. */
const LONGEST = /\/(docs|docs-guide|studio|agent-examples|agent-projects|init-command)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  ...fast,
  test: {
    ...fast.test,
    include: ["tests/slow/**/*.test.ts", ...(IS_WHOLE ? ["tests/all/**/*.test.ts"] : [])],
    exclude: configDefaults.exclude,
    sequence: { sequencer: LongestFirst },
    // A limit is there to end what hangs, not to measure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
