import { expect, test } from "vitest";
import { createSyntheticSummary } from "../../../tests/e2e/support/synthetic-run.ts";
import { recordLines } from "../../../tests/support/terminal.ts";
import { createPlainProgress } from "./progress.ts";
import { renderScoreTables } from "./score-table.ts";

test("a pipe gets a line when a phase starts and ends, every ten seconds in between, and for each score", () => {
  const { lines, channel } = recordLines();
  let now = 0;
  const view = createPlainProgress(channel, () => now);
  view.show({ type: "phase-start", phase: "warm", detail: "6000 demonstrations", steps: 12 });
  for (let step = 1; step <= 12; step++) {
    now = step;
    view.show({
      type: "progress",
      phase: "warm",
      step,
      steps: 12,
      tokensPerSecond: 31_000,
      secondsLeft: 12 - step,
      metrics: { "warm/loss": 1 / step },
    });
  }
  const score = createSyntheticSummary().before["dev"]!;
  view.show({ type: "score", when: "before", split: "dev", mode: "greedy", score });
  expect(lines).toEqual([
    "[warm start] 6000 demonstrations",
    "[warm start] 10/12  loss 0.1 · 31.0k tokens/s · 2 s left",
    "[warm start] 12/12  loss 0.0833 · 31.0k tokens/s · 0 s left",
    "[score] before: dev (greedy) TGC 43.3%  SGC 20.0%  180 tasks",
  ]);
});

test("progress lines of the LOOP phase show the latest TGC on dev", () => {
  const { lines, channel } = recordLines();
  const view = createPlainProgress(channel, () => 0, 0);
  const score = createSyntheticSummary().after["dev"]!;
  view.show({ type: "score", when: "iteration 10", split: "dev", mode: "greedy", score });
  view.show({
    type: "score",
    when: "iteration 10",
    split: "dev",
    mode: "T1",
    score: { ...score, tgc: 0 },
  });
  view.show({ type: "phase-start", phase: "loop", detail: "40 iterations", steps: 40 });
  view.show({
    type: "progress",
    phase: "loop",
    step: 11,
    steps: 40,
    rolloutsPerSecond: 38.2,
    metrics: { "reward/mean": 0.712 },
  });
  expect(lines.at(-1)).toBe(
    "[LOOP] 11/40  reward 0.71 · 38.2 rollouts/s · TGC dev 86.1% (iteration 10)",
  );
});

test("the score tables show both splits, both decoding modes, intervals, changes and difficulties", () => {
  const text = renderScoreTables(createSyntheticSummary(), {
    paint: (_, value) => value,
    columns: 100,
  });
  expect(text).toMatch(
    /dev +greedy +43\.3 \[36, 49\] +86\.1 \[79, 92\] +\+42\.8 +20\.0 +73\.3 +\+53\.3/,
  );
  expect(text).toMatch(/test-normal +T = 1 +36\.3/);
  expect(text).toMatch(/test-normal +2 +44\.0% +34\.2 +77\.0/);
  expect(text).toContain("Tasks: 180 in dev, 180 in test-normal.");
});
