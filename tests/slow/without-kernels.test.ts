/**
 * Installs the package without the optional package onnxruntime-node, whose install script fails in this test as it
 * does without a network. Commands that do not need it run, and all other commands print one line on how to install it.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTinkerServer, type TinkerServer } from "../../src/server/index.ts";
import { createTemporaryFolder, ROOT, runCommand } from "../e2e/support/cli.ts";
import { writeSyntheticRun } from "../e2e/support/synthetic-run.ts";
import { installPackage, packPackage } from "../support/packed-project.ts";
import { ToyBackend } from "../support/tinker-toy-backend.ts";

const folder = createTemporaryFolder();
const project = folder.path;
let server: TinkerServer;

beforeAll(async () => {
  const kernels = join(project, "kernels");
  mkdirSync(kernels);
  const manifest = {
    name: "onnxruntime-node",
    version: "1.30.0",
    scripts: { postinstall: 'node -e "process.exit(1)"' },
  };
  writeFileSync(join(kernels, "package.json"), JSON.stringify(manifest));
  const broken = await packPackage(project, kernels);
  const overrides = { "onnxruntime-node": `file:./${broken.filename}` };
  const packed = await packPackage(project);
  const installed = await installPackage(project, packed, { overrides }, [
    "--ignore-scripts=false",
  ]);
  expect({ code: installed.code, stderr: installed.stderr }).toMatchObject({ code: 0 });
  server = await startTinkerServer({
    backend: new ToyBackend(),
    stateDirectory: join(project, "server"),
  });
});

afterAll(async () => {
  await server.close();
  folder.remove();
});

const commandPath = join(project, "node_modules", ".bin", "bowline");
const runInstalledBowline = (args: readonly string[], input = "") =>
  runCommand(process.execPath, [commandPath, ...args], { cwd: project, input });

test("onnxruntime-node is not installed", () => {
  expect(existsSync(join(project, "node_modules", "onnxruntime-node"))).toBe(false);
});

test.each([
  [["--help"], /Usage: bowline/],
  [["train", "--help"], /Methods \(--method\)/],
  [["config", "algo.clip"], /Epsilon of/],
  [["world", "check", "--world", "toy", "--tasks", "3"], /100\.0%/],
  [["eval", "solution", "--world", "toy", "--split", "dev", "--scenarios", "1"], /100/],
  [["doctor"], /! kernels .*install them with: npm install --save-optional\s+--ignore-scripts/s],
] as const)("bowline %j runs without kernels", async (args, text) => {
  const { code, stdout, stderr } = await runInstalledBowline(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(text);
});

test("play, report and the library run without kernels", async () => {
  const input = "print(6 * 7)\n.quit\n";
  const play = await runInstalledBowline(["play", "--world", "toy"], input);
  expect(play).toMatchObject({ code: 0, stdout: expect.stringContaining("42"), stderr: "" });
  writeSyntheticRun(join(project, "finished"));
  const report = await runInstalledBowline(["report", "finished"]);
  expect(report).toMatchObject({ code: 0, stderr: "" });
  const program = 'import { resolveConfig } from "bowline"; console.log(resolveConfig().recipe);';
  const library = await runCommand(process.execPath, ["--input-type=module", "-e", program], {
    cwd: project,
  });
  expect(library).toMatchObject({ code: 0, stdout: "starter\n" });
});

test("type declarations compile without kernels", async () => {
  const program = `import { train } from "bowline"; import { createOnnxEngine } from "bowline/engine";
    export const both = [train, createOnnxEngine];\n`;
  writeFileSync(join(project, "types.mts"), program);
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const options = "--strict --noEmit --module NodeNext --target ES2023 --types node".split(" ");
  const checked = await runCommand(process.execPath, [tsc, ...options, "types.mts"], {
    cwd: project,
  });
  expect(checked).toMatchObject({ code: 0, stdout: "" });
});

test("bowline doctor examines a Tinker server without kernels", async () => {
  const { code, stdout } = await runInstalledBowline(["doctor", server.url, "--eos", "3"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/28 ok/);
});

test.each([
  ["train", "smoke"],
  ["train", "smoke", "--method", "ei"],
  ["serve", "--tinker"],
])(
  "bowline %s %s prints in one line how to install the kernels, before anything is written",
  async (...args) => {
    const { code, stdout, stderr } = await runInstalledBowline(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^error: the embedded engine .* needs the kernels .* is not installed; install them with: npm install --save-optional --ignore-scripts onnxruntime-node@1\.30\n$/,
    );
    expect(existsSync(join(project, "runs"))).toBe(false);
  },
);

test("the command in the error installs the kernels", async () => {
  const { stderr } = await runInstalledBowline(["train", "smoke"]);
  const [, words = ""] = /install them with: npm (.*)$/m.exec(stderr) ?? [];
  const file = join(project, "package.json");
  const { overrides: _, ...manifest } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(manifest));
  const installed = await runCommand("npm", [...words.split(" "), "--prefer-offline"], {
    cwd: project,
  });
  expect({ code: installed.code, stderr: installed.code === 0 ? "" : installed.stderr }).toEqual({
    code: 0,
    stderr: "",
  });
  const doctor = await runInstalledBowline(["doctor"]);
  expect(doctor).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/✓ kernels +onnxruntime-node/),
  });
});
