/** Says in one sentence what holds a run back while it collects rollouts: the model, the world or the controller. */
import type { MetricLine } from "../spec/index.ts";
import { findSlowestStage } from "../train/index.ts";

const LAG = "controller/lag_ms";
const BUSY = "controller/main_thread";
const WAITS = "controller/waits_for_model";

/** Returns the sentence from the lines of `timings.jsonl`, or undefined if no iteration was measured. */
export function describeSlowestStage(timings: readonly MetricLine[]): string | undefined {
  const measured = timings.filter((line) => [BUSY, WAITS].every((name) => isShare(line[name])));
  if (measured.length === 0) return undefined;
  const meanOf = (name: string) =>
    measured.reduce((sum, line) => sum + Number(line[name]), 0) / measured.length;
  const [busy, waits] = [meanOf(BUSY), meanOf(WAITS)];
  const stage = findSlowestStage({ [BUSY]: busy, [WAITS]: waits });
  const waited = `rollouts waited for samples for ${percent(waits)}% of their time`;
  if (stage === "model") return `the model holds the run back: ${waited}`;
  if (stage === "world") {
    return `the world holds the run back: ${waited}, and the main thread was ${percent(busy)}% busy; more threads (world.workers) may help`;
  }
  const lag = Math.max(...measured.map((line) => Number(line[LAG] ?? 0)));
  return `the controller holds the run back: its main thread was ${percent(busy)}% busy and late by up to ${Math.round(lag)} ms; lower world.episodes, or use a faster core`;
}

const isShare = (value: unknown) => typeof value === "number" && value >= 0 && value <= 1;
const percent = (share: number) => Math.round(100 * share);
