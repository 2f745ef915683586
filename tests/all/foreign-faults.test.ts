/**
 * Plays a thousand episodes with MCP servers that die, hang and answer garbage: nothing is counted twice, no reward is
 * invented, no process and no folder is left behind, and memory does not grow.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT, runCommand } from "../e2e/support/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-faults-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a thousand episodes of a faulty server give no wrong reward and leave nothing behind", async () => {
  const script = join(ROOT, "tests/support/foreign-fault-run.ts");
  const args = ["--expose-gc", "--import", "tsx", script, "1000", "0.03"];
  const { code, stdout, stderr } = await runCommand(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { played, passed, failed, lost, wrong, memoryMb, processesLeft, foldersLeft } =
    JSON.parse(stdout);
  console.log(stdout.trim());
  expect(played).toBe(1000);
  expect(wrong).toBe(0);
  expect(passed + failed + lost).toBe(1000);
  expect(passed).toBeGreaterThan(250);
  expect(memoryMb[1] - memoryMb[0]).toBeLessThanOrEqual(20);
  expect({ processesLeft, foldersLeft }).toEqual({ processesLeft: 0, foldersLeft: 0 });
}, 900_000);
