/**
 * The engine on WebGPU, through a software adapter, which says nothing about speed: the operators with their gradients,
 * the golden numbers, and where operators run. The longer suites are in tests/all/webgpu-suites.test.ts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { expectSuitesToPass, runNode } from "./support/on-software-adapter.ts";
import { findSoftwareAdapter, NO_ADAPTER } from "./support/software-adapter.ts";

const adapter = findSoftwareAdapter();
if (adapter === undefined) console.log(`the suites on WebGPU are skipped: ${NO_ADAPTER}`);
const cache = mkdtempSync(join(tmpdir(), "bowline-webgpu-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  runNode(args, { BOWLINE_CACHE: cache, ...env });

test.skipIf(!adapter)(
  "operators, gradients and golden numbers on WebGPU are the CPU's, and no float operator runs on the CPU",
  { timeout: 900_000 },
  () => {
    const suites = [
      "src/engine/onnx/graph/gradients.test.ts",
      "src/engine/onnx/train/golden.test.ts",
      "tests/webgpu/kernels.test.ts",
      "tests/webgpu/placement.test.ts",
    ];
    expectSuitesToPass(suites, { ...adapter, BOWLINE_CACHE: cache });
  },
);

test.skipIf(!adapter)("doctor names the adapter and says whether it agrees with the CPU", () => {
  const { stdout } = run(["dist/cli/main.js", "doctor", "--json"], adapter!);
  expect(JSON.parse(stdout)).toMatchObject({
    kernels: { providers: ["cpu", "webgpu"] },
    gpus: [{ provider: "webgpu", name: expect.stringContaining("software"), memoryMb: null }],
  });
});

test("without an adapter, doctor says that there is no GPU, and training on one is refused in one line", () => {
  const nowhere = { VK_DRIVER_FILES: "/nonexistent.json", VK_ICD_FILENAMES: "/nonexistent.json" };
  const doctor = run(["dist/cli/main.js", "doctor", "--json"], nowhere);
  expect(JSON.parse(doctor.stdout)).toMatchObject({ kernels: { providers: ["cpu"] }, gpus: [] });
  const trained = run(
    [
      "dist/cli/main.js",
      "train",
      "smoke",
      "--engine.provider",
      "webgpu",
      "--out",
      join(cache, "run"),
    ],
    nowhere,
  );
  expect(trained.status).toBe(2);
  expect(trained.output).toMatch(
    /engine\.provider: webgpu cannot be used on .*what works here: cpu/,
  );
});
