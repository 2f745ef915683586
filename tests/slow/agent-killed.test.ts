/** `trainAgent` whose process is killed in the middle of an iteration, on a server that lives: it goes on where it was. */
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
const CONTROLLER = fileURLToPath(new URL("./support/agent-controller.ts", import.meta.url));

/** What it said, until it ended or said the last word that is waited for. */
async function controlled(url: string, out: string, killAt?: string): Promise<string[]> {
  const args = ["--import", "tsx", CONTROLLER, url, out];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (line === killAt) child.kill("SIGKILL");
  }
  expect(await ended).toEqual(killAt === undefined ? [0, null] : [null, "SIGKILL"]);
  return said;
}

test("a SIGKILL in an iteration costs the episodes in flight, and the numbers are those of a whole run", async () => {
  await withServer<{ url: string }>(["--tinker", "--engine.model", QWEN], async ({ url }) => {
    const [whole, killed] = [join(folder.path, "whole"), join(folder.path, "killed")];
    const all = await controlled(url, whole);
    const before = await controlled(url, killed, "2/2/0");
    const after = await controlled(url, killed);
    expect(readRunFiles(killed)).toEqual(readRunFiles(whole));
    const trained = (said: readonly string[]) => said.filter((id) => /^\d+\//.test(id));
    expect(new Set([...trained(before), ...trained(after)])).toEqual(new Set(trained(all)));
    const again = trained(after).filter((id) => before.includes(id));
    // At most those that ran at the same time, `world.episodes`, and none of the iteration before.
    expect(again.length).toBeLessThanOrEqual(8);
    expect(again.filter((id) => id.startsWith("1/"))).toEqual([]);
  });
});
