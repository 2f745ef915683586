import { expect, test } from "vitest";
import type { Score, Summary } from "../spec/index.ts";
import { scoreChangeTable } from "./run-tables.ts";

const score = {
  ...{ tgc: 0.5, sgc: 0.25, tgcInterval: [0.4, 0.6], tasks: 6, scenarios: 2 },
  ...{ byDifficulty: {}, reward: 0.5, behaviour: {} },
} as Score;

test("scores of greedy sampling come before those at temperature 1, each sorted by split", () => {
  const keys = ["test-normal@T1", "test-normal", "dev@T1", "dev"];
  const scores = Object.fromEntries(keys.map((key) => [key, score]));
  const { rows } = scoreChangeTable({ before: scores, after: scores } as unknown as Summary);
  expect(rows.map(([split, mode]) => `${split} ${mode}`)).toEqual([
    "dev greedy",
    "test-normal greedy",
    "dev T = 1",
    "test-normal T = 1",
  ]);
  expect(rows[0]!.slice(2)).toEqual([
    "50.0 [40, 60]",
    "50.0 [40, 60]",
    "±0.0",
    "25.0",
    "25.0",
    "±0.0",
  ]);
});
