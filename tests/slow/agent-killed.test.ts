/**
 * Kills a process that trains an agent on a server in the middle of an iteration. The same command continues the run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { createTemporaryFolder } from "../e2e/support/cli.ts";
import { withServer } from "../e2e/support/with-server.ts";
import { QWEN } from "../support/tinker-agent.ts";
import { readRunFiles } from "../support/tinker-run.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);
const CONTROLLER_SCRIPT = fileURLToPath(new URL("./support/agent-controller.ts", import.meta.url));

/** Trains in a process and returns the lines that it printed. The process is killed when it prints `killAt`. */
async function trainInProcess(url: string, out: string, killAt?: string): Promise<string[]> {
  const args = ["--import", "tsx", CONTROLLER_SCRIPT, url, out];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line);
    if (line === killAt) child.kill("SIGKILL");
  }
  expect(await ended).toEqual(killAt === undefined ? [0, null] : [null, "SIGKILL"]);
  return printed;
}

test("after a SIGKILL only the running episodes are repeated, and the run ends with the files of an uninterrupted run", async () => {
  await withServer<{ url: string }>(["--tinker", "--engine.model", QWEN], async ({ url }) => {
    const [whole, killed] = [join(folder.path, "whole"), join(folder.path, "killed")];
    const all = await trainInProcess(url, whole);
    const before = await trainInProcess(url, killed, "2/2/0");
    const after = await trainInProcess(url, killed);
    expect(readRunFiles(killed)).toEqual(readRunFiles(whole));
    const listTrainingEpisodes = (lines: readonly string[]) =>
      lines.filter((id) => /^\d+\//.test(id));
    expect(new Set([...listTrainingEpisodes(before), ...listTrainingEpisodes(after)])).toEqual(
      new Set(listTrainingEpisodes(all)),
    );
    const again = listTrainingEpisodes(after).filter((id) => before.includes(id));
    // At most `world.episodes` episodes ran when the process was killed, and no repeated episode belongs to an earlier
    // iteration.
    expect(again.length).toBeLessThanOrEqual(8);
    expect(again.filter((id) => id.startsWith("1/"))).toEqual([]);
  });
});
