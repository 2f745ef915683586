/** Runs programs on WebGPU in software: the suites of vitest.webgpu.config.ts, and the built command line. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT } from "../../e2e/support/cli.ts";

type Environment = Readonly<Record<string, string>>;

/** Runs Node with arguments in the repository, and returns what it printed. */
export function runNode(args: readonly string[], env: Environment) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: { ...process.env, BOWLINE_NO_BUILD: "1", NO_COLOR: "1", ...env },
  });
  return { status, stdout, output: stdout + stderr };
}

/** Expects that test files pass on WebGPU. `env` chooses the adapter and the folder that keeps its comparison. */
export function expectSuitesToPass(files: readonly string[], env: Environment): void {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const config = join(ROOT, "vitest.webgpu.config.ts");
  const { status, output } = runNode([vitest, "run", "--config", config, ...files], env);
  expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
  expect(output).toMatch(new RegExp(`Test Files +${files.length} passed`));
}
