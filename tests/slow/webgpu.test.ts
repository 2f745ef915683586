/**
 * The engine on WebGPU, through a software adapter, which says nothing about speed. `npm run test:slow` tests single
 * kernels and where operators run. A whole sweep (`npm run test:all`) also runs the engine's golden, gradient and
 * contract suites, which take a quarter of an hour in software: vitest.webgpu.config.ts.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../e2e/support/cli.ts";
import { findSoftwareAdapter, NO_ADAPTER } from "./support/software-adapter.ts";

const IS_WHOLE = process.env["BOWLINE_SWEEP"] === "whole";
const SHORT_SUITES = ["tests/webgpu/kernels.test.ts", "tests/webgpu/placement.test.ts"];

const adapter = findSoftwareAdapter();
if (adapter === undefined) console.log(`the suites on WebGPU are skipped: ${NO_ADAPTER}`);
const cache = mkdtempSync(join(tmpdir(), "bowline-webgpu-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: "utf8",
    env: { ...process.env, BOWLINE_CACHE: cache, BOWLINE_NO_BUILD: "1", NO_COLOR: "1", ...env },
  });
  return { status, stdout, output: stdout + stderr };
};

test.skipIf(!adapter)(
  "the engine's kernels on WebGPU agree with the CPU's, and no float operator runs on the CPU",
  { timeout: 1_800_000 },
  () => {
    const config = join(ROOT, "vitest.webgpu.config.ts");
    const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
    const suites = IS_WHOLE ? [] : SHORT_SUITES;
    const { status, output } = run([vitest, "run", "--config", config, ...suites], adapter);
    expect(output).not.toMatch(/FAIL/);
    expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
  },
);

test.skipIf(!adapter)("doctor names the adapter and says whether it agrees with the CPU", () => {
  const { stdout } = run(["dist/cli/main.js", "doctor", "--json"], adapter);
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
