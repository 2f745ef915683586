/**
 * The engine's contract, golden and gradient suites on WebGPU, through a software adapter, which takes half an hour.
 * tests/slow/webgpu.test.ts runs the short ones.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { expectSuitesToPass } from "../slow/support/on-software-adapter.ts";
import { findSoftwareAdapter, NO_ADAPTER } from "../slow/support/software-adapter.ts";

const adapter = findSoftwareAdapter();
if (adapter === undefined) console.log(`the suites on WebGPU are skipped: ${NO_ADAPTER}`);
const cache = mkdtempSync(join(tmpdir(), "bowline-webgpu-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

test
  .skipIf(!adapter)
  .each([
    "src/engine/onnx/train/lora.test.ts",
    "src/engine/onnx/train/trainer.test.ts",
    "src/engine/onnx/train/value.test.ts",
    "src/engine/onnx/train/shared-prefix.test.ts",
    "src/engine/onnx/train/layered/layered.test.ts",
    "tests/webgpu/device-cache.test.ts",
    "tests/webgpu/device-training.test.ts",
    "tests/webgpu/engine-contract.test.ts",
  ])("%s passes on WebGPU", { timeout: 3_600_000 }, (suite) => {
  expectSuitesToPass([suite], { ...adapter, BOWLINE_CACHE: cache });
});
