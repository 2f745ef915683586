/**
 * Provides what the parts of this benchmark share: measures with limits, large runs, and the memory and processor time
 * of a process in Linux.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { ROOT } from "../../tests/e2e/support/cli.ts";

export interface BenchContext {
  readonly browser: Browser;
  /** The folder in which the benchmark makes its runs. */
  readonly folder: string;
  readonly rounds: number;
}

export interface Measure {
  readonly what: string;
  readonly value: number;
  readonly unit: "ms" | "MB" | "%" | "";
  /** The largest value that the measure may have. */
  readonly limit?: number;
}

/** Writes a run of `rollouts` rollouts with `tokens` tokens each. */
export function makeRun(directory: string, rollouts: number, tokens: number): void {
  const script = join(ROOT, "bench", "studio", "make-run.ts");
  const amounts = ["--rollouts", String(rollouts), "--tokens", String(tokens)];
  execFileSync("npx", ["tsx", script, ...amounts, directory], { cwd: ROOT, stdio: "ignore" });
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

/** Returns the memory of a process in MB: the present memory for `VmRSS`, or its maximum so far for `VmHWM`. */
export function memoryMb(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1000;
}

/** Returns the processor time of a process and its threads in seconds, in user and system mode. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // In the file `stat`, the fields follow the name of the process, which ends at the last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const TICKS_A_SECOND = 100;
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}
