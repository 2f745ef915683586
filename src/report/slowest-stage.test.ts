import { expect, test } from "vitest";
import type { MetricLine } from "../spec/index.ts";
import { describeSlowestStage } from "./slowest-stage.ts";

const line = (busy: number, waits: number, lag = 12.3) =>
  ({
    "controller/lag_ms": lag,
    "controller/main_thread": busy,
    "controller/waits_for_model": waits,
  }) as unknown as MetricLine;

test.each<[readonly MetricLine[], string | undefined]>([
  [
    [line(0.3, 0.9), line(0.5, 0.8)],
    "the model holds the run back: rollouts waited for samples for 85% of their time",
  ],
  [
    [line(0.3, 0.2)],
    "the world holds the run back: rollouts waited for samples for 20% of their time, and the main thread was 30% busy; more threads (world.workers) may help",
  ],
  [
    [line(0.9, 0.9, 100), line(1, 0.8, 250.4)],
    "the controller holds the run back: its main thread was 95% busy and late by up to 250 ms; lower world.episodes, or use a faster core",
  ],
  [[{} as MetricLine], undefined],
  [[line(Number.NaN, 0.5)], undefined],
])("the slowest stage is named from timings (%#)", (timings, sentence) => {
  expect(describeSlowestStage(timings)).toBe(sentence);
});
