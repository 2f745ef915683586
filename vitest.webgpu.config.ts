/**
 * The engine's own suites on WebGPU. tests/slow/webgpu.test.ts and tests/all/webgpu-suites.test.ts run them with a
 * software adapter where one is found. On a machine with a GPU:
 * BOWLINE_NO_BUILD=1 npx vitest run --config vitest.webgpu.config.ts
 */
import { configDefaults, defineConfig } from "vitest/config";
import fast from "./vitest.config.ts";

export default defineConfig({
  ...fast,
  test: {
    ...fast.test,
    include: [
      "src/engine/onnx/graph/gradients.test.ts",
      "src/engine/onnx/train/{golden,lora,trainer,value,shared-prefix}.test.ts",
      "src/engine/onnx/train/layered/layered.test.ts",
      "tests/webgpu/**/*.test.ts",
    ],
    exclude: configDefaults.exclude,
    globalSetup: [],
    // Sums by products are repeatable, but not in the order of the rows: tests/webgpu/kernels.test.ts.
    testNamePattern: /^(?!.*heavily repeated indices)/,
    setupFiles: ["tests/webgpu/use-webgpu.ts"],
    isolate: true,
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
