/**
 * Tests `bowline doctor` in this process: errors for wrong addresses, and reports about this machine and about a
 * server.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runBowlineInProcess } from "../../../tests/support/terminal.ts";
import { ToyBackend } from "../../../tests/support/tinker-toy-backend.ts";
import { startTinkerServer, type TinkerServer } from "../../server/index.ts";

const runDoctor = (...args: string[]) => runBowlineInProcess(["doctor", ...args]);

const stateDirectory = mkdtempSync(join(tmpdir(), "bowline-doctor-cli-"));
const webServer = createServer((_, response) => {
  response.setHeader("Content-Type", "text/html").end("<h1>Welcome</h1>");
});
let toyServer: TinkerServer;

beforeAll(async () => {
  toyServer = await startTinkerServer({
    backend: new ToyBackend(),
    stateDirectory: stateDirectory,
  });
  await new Promise<void>((resolve) => webServer.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  await toyServer.close();
  webServer.close();
  rmSync(stateDirectory, { recursive: true, force: true });
});

const WRONG_ARGUMENTS: readonly (readonly [readonly string[], number, RegExp])[] = [
  [["--rank", "4"], 2, /--rank is an option for a server; name its URL/],
  [["--no-risky"], 2, /risky is an option for a server/],
  [["localhost"], 2, /localhost is not a URL; expected http:\/\/host:port/],
  [["ftp://127.0.0.1"], 2, /ftp:\/\/ is not the protocol of a server/],
  [["http://me:secret-9@127.0.0.1:1"], 2, /must not contain a password/],
  [["http://127.0.0.1:1", "--key-from", "NO_SUCH_KEY"], 2, /--key-from: .* NO_SUCH_KEY is not set/],
  [["http://127.0.0.1:1", "--gpu"], 2, /--gpu is about this machine; leave out the URL/],
  [["http://127.0.0.1:1", "--rank", "0"], 2, /Expected an integer from 1 to 256/],
  [["http://127.0.0.1:1", "--algo.groupSize", "8"], 2, /takes no config fields/],
];

test.each(WRONG_ARGUMENTS)("bowline doctor refuses %j", async (args, code, says) => {
  const result = await runDoctor(...args);
  expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: "" });
  expect(result.stderr).toMatch(says);
  expect(result.stderr).not.toContain("secret-9");
});

test("bowline doctor without a URL reports on this machine and its kernels", async () => {
  const text = await runDoctor();
  expect({ code: text.code, stderr: text.stderr }).toEqual({ code: 0, stderr: "" });
  expect(text.stdout).toMatch(/✓ Node +v\d+\.\d+\.\d+ on /);
  expect(text.stdout).toMatch(/✓ kernels +onnxruntime-node \d/);
  expect(text.stdout).toMatch(/[-!✓] GPU +\S/);
  const json = JSON.parse((await runDoctor("--json")).stdout);
  expect(json).toMatchObject({ node: process.version, kernels: { installed: true } });
  // What this build of the kernels could use on other machines is not named.
  expect(json.kernels.providers).toEqual([
    "cpu",
    ...json.gpus.map(({ provider }: { provider: string }) => provider),
  ]);
});

test("bowline doctor fails with a message when no server answers at the URL", async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const { code, stderr } = await runDoctor(`http://127.0.0.1:${port}`);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: http:.*:\d+ cannot be reached: .*ECONNREFUSED.*$/);
});

test("bowline doctor fails with a message when the server is not a Tinker server", async () => {
  const { port } = webServer.address() as AddressInfo;
  const { code, stderr } = await runDoctor(`http://127.0.0.1:${port}`);
  expect(code).toBe(1);
  expect(stderr).toMatch(/does not answer like a Tinker server/);
  expect(stderr.split("\n")).toHaveLength(1);
});

test("when the server lacks the named model, the error lists the models that it has", async () => {
  const { code, stderr } = await runDoctor(toyServer.url, "--model", "other");
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `error: --model: ${toyServer.url} does not have the model other; it has toy`,
  });
});

test("the report on a server has every topic, with its evidence and cost, as text and as JSON", async () => {
  const text = await runDoctor(`${toyServer.url}/api/v1/`, "--eos", "3");
  expect(text.code).toBe(0);
  expect(text.stdout).toContain("✓ ok          reduction of the loss\n");
  expect(text.stdout).toMatch(/sum over tokens and rows; gradient relative to one row's/);
  expect(text.stdout).toMatch(/28 ok\n/);
  expect(text.stdout).toMatch(/\d+ requests in \d+ s: .* prompt tokens, .* optimizer steps$/);
  const json = await runDoctor(toyServer.url, "--no-risky", "--json");
  const report = JSON.parse(json.stdout);
  expect(report).toMatchObject({ url: toyServer.url, model: "toy", models: ["toy"] });
  expect(report.findings).toHaveLength(28);
  const unknown = report.findings.filter(({ verdict }: { verdict: string }) => verdict !== "ok");
  expect(unknown.map(({ topic }: { topic: string }) => topic)).toEqual([
    "token-range",
    "not-a-number",
  ]);
});
