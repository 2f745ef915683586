/**
 * Checks that every Node that package.json allows runs the built command line, and that older ones print which Node
 * they need. Each Node is the npm package `node`, so this needs a network or npm's cache. A table is printed at the
 * end.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CLI_PATH, createTemporaryFolder, ROOT, runCommand } from "../e2e/support/cli.ts";

const folder = createTemporaryFolder();
const table: string[] = [];
afterAll(() => {
  folder.remove();
  console.log(["node       help   smoke run", ...table].join("\n"));
});

/**
 * Returns the path of the newest Node of a release line. The first call may find the machine's own `node`, because npm
 * has not put the downloaded one in place yet. The second call finds it.
 */
async function findNode(version: string): Promise<string> {
  const args = ["-y", "-p", `node@${version}`, "node", "-p", "process.version + process.execPath"];
  for (let call = 1; ; call++) {
    const { stdout } = await runCommand("npx", args, { cwd: folder.path });
    const [line = ""] = stdout.trim().split("\n").slice(-1);
    const isWanted = line.startsWith(`v${version}.`);
    if (isWanted || call === 2) return line.replace(/^v[\d.]+/, "");
  }
}

const secondsSince = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`;

describe.each(["20.19", "22", "24"])("Node %s", (version) => {
  test("shows help and runs the smoke recipe", { timeout: 900_000 }, async () => {
    const node = await findNode(version);
    const { stdout: name } = await runCommand(node, ["--version"]);
    expect(name).toMatch(new RegExp(`^v${version.replace(".", "\\.")}\\.`));
    let start = performance.now();
    const help = await runCommand(node, [CLI_PATH, "--help"], { cwd: folder.path });
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining("Usage:"), stderr: "" });
    const helpTime = secondsSince(start);
    start = performance.now();
    const out = join(folder.path, version);
    const args = [CLI_PATH, "train", "smoke", "--out", out, "--json"];
    const { code, stdout, stderr } = await runCommand(node, args, { cwd: folder.path });
    expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({ recipe: "smoke", after: { dev: { tgc: expect.any(Number) } } });
    const { dev } = summary.after;
    table.push(
      `${name.trim().padEnd(9)}  ${helpTime}  ${secondsSince(start)}, dev ${(100 * dev.tgc).toFixed(1)}%`,
    );
  });
});

describe.each(["12", "16", "18", "20.18"])("Node %s", (version) => {
  test("prints in one line which Node is needed", async () => {
    const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const node = await findNode(version);
    for (const args of [["--help"], ["train"], []]) {
      const { code, stdout, stderr } = await runCommand(node, [CLI_PATH, ...args], {
        cwd: folder.path,
      });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      const needed = engines.node.replace(">=", ">= ");
      expect(stderr).toMatch(
        new RegExp(`^error: bowline needs Node ${needed}, and this is v${version}\\..*\\n$`),
      );
    }
    table.push(`${version.padEnd(9)}  refused in one line`);
  });
});
