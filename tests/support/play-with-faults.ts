/** Plays episodes with faulty programs, in a process of its own, and says what must hold. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT, runCommand } from "../e2e/support/cli.ts";
import type { DoorName } from "./foreign/doors.ts";

const FAULT_RATE = "0.03";
/** The largest growth of resident memory, between a hundred episodes and all of them. */
const MEMORY_MB = 20;

/** Runs a script of this folder that prints what happened as JSON, and returns it without the memory, which it checks. */
async function runScript(script: string, args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "bowline-faults-"));
  try {
    const imports = ["--import", "tsx", "--import", join(ROOT, "tests/campaign/use-build.mjs")];
    const path = join(ROOT, "tests/support", script);
    const { code, stdout, stderr } = await runCommand(
      process.execPath,
      ["--expose-gc", ...imports, path, ...args],
      { cwd: ROOT, env: { ...process.env, TMPDIR: folder } },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    console.log(`${script} ${args.join(" ")}: ${stdout.trim()}`);
    const { memoryMb, ...counts } = JSON.parse(stdout);
    expect(memoryMb[1] - memoryMb[0]).toBeLessThanOrEqual(MEMORY_MB);
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Plays episodes through a door. Nothing is counted twice, no reward is invented, and no process, folder or socket is
 * left behind. A third of the agents is right, and most of their episodes survive their faults, also on a busy machine.
 */
export async function expectNoHarm(door: DoorName, episodes: number): Promise<void> {
  const args = [door, String(episodes), FAULT_RATE];
  const {
    passed,
    failed,
    lost,
    restarts: _,
    ...others
  } = await runScript("foreign/fault-run.ts", args);
  expect(others).toEqual({
    ...{ played: episodes, wrong: 0, processesLeft: 0, foldersLeft: 0, socketsLeft: 0 },
  });
  expect(passed + failed + lost).toBe(episodes);
  expect(passed).toBeGreaterThan(episodes / 6);
}

/** Plays episodes of AppWorld's adapter. Two of seven faults are such that the episode is lost. */
export async function expectNoHarmInAppWorld(episodes: number): Promise<void> {
  const counts = await runScript("appworld-fault-run.ts", [String(episodes)]);
  const { passed, failed, lost, ...others } = counts;
  expect(others).toEqual({ played: episodes, wrong: [], processesLeft: 0 });
  expect(passed + failed + lost).toBe(episodes);
  expect(lost).toBeLessThan(episodes / 3);
}

/** Plays episodes of the presets. One of six has no fault, and few of these are lost to a gym that died or to time. */
export async function expectNoHarmInPresets(episodes: number): Promise<void> {
  const counts = await runScript("harnesses/preset-fault-run.ts", [String(episodes)]);
  const { finished, failed, lost, restarts, ...others } = counts;
  expect(others).toEqual({
    ...{ played: episodes, wrong: [], foldersLeft: 0, resultsLeft: 0, processesLeft: 0 },
  });
  expect(finished + failed + lost).toBe(episodes);
  expect(finished).toBeGreaterThan(episodes / 10);
  expect(restarts).toBeGreaterThan(0);
}
