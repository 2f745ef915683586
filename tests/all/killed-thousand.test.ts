/**
 * Kills a run in the middle of an iteration of a thousand rollouts, which are all open at once. The run that continues
 * ends with the files of a run that nobody killed, and no rollout that was finished is played again.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { createTemporaryFolder } from "../e2e/support/cli.ts";
import { readRunFiles, startTableServer, TABLE_VOCABULARY } from "../support/tinker-run.ts";

const PROGRAM = fileURLToPath(new URL("../support/thousand-run.ts", import.meta.url));
const KILL_AT = 400;

const folder = createTemporaryFolder();
afterAll(folder.remove);

const start = (url: string, out: string): ChildProcess =>
  fork(PROGRAM, [url, out], { execArgv: ["--import", import.meta.resolve("tsx")] });

/** Returns the lines of the journal of the iteration. */
function readJournal(out: string): string[] {
  try {
    return readFileSync(join(out, "journal/train-0001.jsonl"), "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}

it("an iteration of 1,000 rollouts that was killed ends with the same bytes", {
  timeout: 1_800_000,
}, async () => {
  const server = await startTableServer(TABLE_VOCABULARY);
  const [whole, killed] = [join(folder.path, "whole"), join(folder.path, "killed")];
  const undisturbed = start(server.url, whole);
  expect((await once(undisturbed, "exit"))[0]).toBe(0);

  const first = start(server.url, killed);
  const ended = once(first, "exit");
  while (readJournal(killed).length < KILL_AT && first.exitCode === null) await wait(5);
  first.kill("SIGKILL");
  expect((await ended)[1]).toBe("SIGKILL");
  const finished = readJournal(killed).length;
  expect(finished).toBeGreaterThanOrEqual(KILL_AT);
  expect(finished).toBeLessThan(1000);

  expect((await once(start(server.url, killed), "exit"))[0]).toBe(0);
  expect(readRunFiles(killed)).toEqual(readRunFiles(whole));
  expect(readRunFiles(killed).get("rollouts/train-0001.jsonl")!.split("\n")).toHaveLength(1001);
  await server.close();
});
