/**
 * `npm run test:slow`: the package as others get it (packed, installed, type-checked from outside), the examples of parts of
 * one's own as a user runs them, the benchmarks, sweeps over every field, properties on many cases, runs that are killed,
 * and what needs a browser or a client that is not ours. At most 20 minutes on two cores; what proves the library itself is
 * in `npm test`.
 */
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import fast from "./vitest.config.ts";

/** What takes longest begins, so that no worker is left alone with it at the end. */
const LONGEST = /\/(docs|docs-guide|studio|agents|init)\.test\.ts$/;

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
    include: [
      "tests/slow/**/*.test.ts",
      "tests/properties/{apis,calls,fork}.test.ts",
      "tests/{e2e/train,tinker/controller}.test.ts",
      "src/engine/onnx/decode/sampler-properties.test.ts",
      "worlds/everyday/errands/errands.test.ts",
      "worlds/everyday/handmade/handmade.test.ts",
      "worlds/everyday/{everyday,reading,parts/papers}.test.ts",
    ],
    globalSetup: [...fast.test!.globalSetup!, "tests/slow/support/build-web.ts"],
    // Properties on many cases: tests/support/at-length.ts.
    env: { BOWLINE_AT_LENGTH: "1" },
    exclude: configDefaults.exclude,
    sequence: { sequencer: LongestFirst },
    // A limit is there to end what hangs, not to measure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
