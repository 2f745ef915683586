/** Refuses evaluations whose numbers cannot be learned from. */
import { expect, test } from "vitest";
import { fakeEpisode } from "../testing/index.ts";
import { evaluateEpisode } from "./evaluate-episode.ts";

const evaluation = { passed: true, finished: true, checks: [] };

test.each([
  [{ reward: 1.5 }, "reward: expected a number from 0 to 1, got 1.5"],
  [{ reward: -0.1 }, "reward: expected a number from 0 to 1, got -0.1"],
  [{ reward: Number.NaN }, "reward: expected a number from 0 to 1, got NaN"],
  [{ reward: Number.POSITIVE_INFINITY }, "reward: expected a number from 0 to 1, got Infinity"],
  [{ reward: "1" as never }, 'reward: expected a number from 0 to 1, got "1"'],
  [{ metrics: { speed: Number.NaN } }, "metrics.speed: expected a finite number, got NaN"],
  [{ metrics: 3 as never }, "metrics: expected numbers by name, got 3"],
] as const)(
  "an evaluation with %o is refused with the number, the task and what to do",
  async (numbers, why) => {
    const { task } = fakeEpisode();
    const episode = { task, evaluate: async () => ({ ...evaluation, ...numbers }) };
    await expect(evaluateEpisode(episode)).rejects.toThrow(
      `the evaluation of ${task.id}: ${why}; the world must convert it`,
    );
  },
);

test.each([{}, { reward: 0 }, { reward: 1, metrics: { steps: 3 } }])(
  "an evaluation with %o is returned as it is",
  async (numbers) => {
    const judged = { ...evaluation, ...numbers };
    const { task } = fakeEpisode();
    expect(await evaluateEpisode({ task, evaluate: async () => judged })).toBe(judged);
  },
);
