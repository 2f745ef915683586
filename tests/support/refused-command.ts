/**
 * Runs a command line that must be refused, and checks what holds for every refusal: it ends in time, it prints one
 * line that blames the user's input and nothing of Bowline's own, and it leaves no file behind and changes none.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runBowlineInProcess } from "./terminal.ts";

/** The time in which a wrong command has to end, in milliseconds. */
export const TIME_LIMIT_MS = 10_000;

/** Runs the command in the working directory, and returns its exit code and what it printed. */
export async function runRefusedCommand(
  args: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const before = listFiles(".");
  const { result, elapsedMs } = await runMeasured(args);
  const { stderr } = result;
  // Where values cure the error, a second line has the command with these values.
  expect(stderr).toMatch(/^error: [^\n]+(\n {2}[^\n]* (train|compare|eval) [^\n]+)?$/);
  expect(stderr).not.toMatch(/\bbug:|invariant violated|load-module/);
  expect(listFiles(".")).toEqual(before);
  if (elapsedMs >= TIME_LIMIT_MS) await requireTimeOfSecondRun(args);
  return result;
}

async function runMeasured(args: readonly string[]) {
  const start = performance.now();
  const result = await runBowlineInProcess(args);
  return { result, elapsedMs: performance.now() - start };
}

/**
 * Runs a slow command again. The first run also loaded the modules of the command. Other programs may use the machine
 * as well, so the time is divided by how much slower than alone this process runs.
 */
async function requireTimeOfSecondRun(args: readonly string[]): Promise<void> {
  const slowdown = measureSlowdown();
  const { elapsedMs } = await runMeasured(args);
  expect(elapsedMs / Math.max(slowdown, measureSlowdown())).toBeLessThan(TIME_LIMIT_MS);
}

/** Returns the time of a computation divided by the processor time that it got; 1 on a machine that is not busy. */
function measureSlowdown(): number {
  const start = performance.now();
  const before = process.cpuUsage();
  let usedMs = 0;
  while (usedMs < 100) {
    const { user, system } = process.cpuUsage(before);
    usedMs = (user + system) / 1000;
  }
  return Math.max(1, (performance.now() - start) / usedMs);
}

/** Lists all files and folders below a folder, with the sizes of files. */
function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => {
      const { size, isDirectory } = describeEntry(join(folder, name));
      return isDirectory ? `${name}/` : `${name} ${size}`;
    })
    .sort();
}

function describeEntry(path: string) {
  const found = statSync(path, { throwIfNoEntry: false });
  return { size: found?.size ?? 0, isDirectory: found?.isDirectory() === true };
}
