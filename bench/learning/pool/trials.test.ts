import { expect, test } from "vitest";
import { ARMS, CELLS, JOBS } from "./arms.ts";
import { configOf } from "./train-arm.ts";
import { type FinishedTrial, fieldsOfValues, nextTrial, type TrialValues } from "./trials.ts";

/** Returns all trials of an arm. `scoreOf` computes the score of each planned trial. */
function simulateTrials(arm: string, scoreOf: (tried: TrialValues) => number): FinishedTrial[] {
  const done: FinishedTrial[] = [];
  for (;;) {
    const tried = nextTrial(ARMS[arm]!, done);
    if (tried === undefined) return done;
    const score = scoreOf(tried);
    done.push({ ...tried, scores: [{ greedy: score, sampled: score }] });
  }
}

test("an arm whose best values lie within gets five trials", () => {
  const trials = simulateTrials(
    "loop",
    ({ rate, knob }) => Number(rate === 1e-4) + Number(knob === 0.2),
  );
  expect(trials.map(({ rate, knob }) => [rate, knob])).toEqual([
    [3e-5, 0.2],
    [1e-4, 0.2],
    [3e-4, 0.2],
    [1e-4, 0.1],
    [1e-4, 0.4],
  ]);
});

test("a choice at the edge gets one more trial, for the rate and for the knob", () => {
  const trials = simulateTrials("ei-4", ({ rate, knob }) => rate * 1000 + knob);
  expect(trials.map(({ rate, knob }) => [rate, knob])).toEqual([
    [3e-5, 32],
    [1e-4, 32],
    [3e-4, 32],
    [1e-3, 32],
    [1e-3, 16],
    [1e-3, 64],
    [1e-3, 128],
  ]);
});

test("every arm of a job resolves in every cell, and draws from the pool of its cell", () => {
  for (const job of JOBS) {
    if (!("run" in job)) continue;
    const { arm, cell, seed } = job.run;
    const values = fieldsOfValues(arm, { rate: 1e-4, knob: ARMS[arm]!.knob.values[1] });
    const evaluation = { scores: ["dev"], every: 5 };
    const config = configOf({ arm, cell: CELLS[cell]!, seed, iterations: 40, values, evaluation });
    expect(config).toMatchObject({ tasks: { pool: CELLS[cell]!.pool } });
    const { iterations, tasksPerIteration, groupSize } = config.algo as unknown as {
      iterations: number;
      tasksPerIteration: number;
      groupSize: number;
    };
    expect(iterations * tasksPerIteration * groupSize).toBeLessThanOrEqual(9600);
  }
});
