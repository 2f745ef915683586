import { expect, test } from "vitest";
import { fakeArm, fakeComparison } from "../../../tests/support/fake-comparison.ts";
import { formatTrainedSteps, formatTraining, type ScoreLine } from "./horizon-tables.ts";

const createLine = (
  method: string,
  seed: number,
  tgc: number,
  more: Partial<ScoreLine> = {},
): ScoreLine => ({
  ...{ k: 1, method, seed, mode: "greedy", tasks: 180, tgc, reward: 1, turns: 4 },
  ...more,
});
const tableRows = (text: string) => text.split("\n").slice(2);

test("the table of scores has a row for each decoding and method, with differences over runs of equal seeds", () => {
  const lines = [
    ...[createLine("ei", 1, 0.6), createLine("ei", 2, 0.7), createLine("ei", 3, 0.9)],
    ...[createLine("warm", 1, 0.1), createLine("loop", 1, 0.5), createLine("loop", 2, 0.5)],
    createLine("ei", 1, 0.25, { k: 4, mode: "T1" }),
    createLine("loop", 1, 0.5, { k: 4, mode: "T1" }),
  ];
  const text = formatTrainedSteps({ version: 1, freshSeed: 1, lines });
  expect(text.split("\n")[0]).toBe("| TGC | k = 1 | to LOOP [95%] | k = 4 | to LOOP [95%] |");
  expect(tableRows(text)).toEqual([
    "| LOOP, greedy | 50.0 ± 0.0 |  |  |  |",
    "| `ei`, greedy | 73.3 ± 15.3 | +15.0 [−48.5, +78.5] |  |  |",
    "| warm start, before, greedy | 10.0 | −40.0 |  |  |",
    "| LOOP, T = 1 |  |  | 50.0 |  |",
    "| `ei`, T = 1 |  |  | 25.0 | −25.0 |",
    "| warm start, before, T = 1 |  |  |  |  |",
  ]);
});

test("the table of training has pass rates at the start, middle and end, and mean metrics of the last quarter", () => {
  const createArm = (method: string, series: (number | null)[], runs: number, name = method) => {
    const more = { name, recipe: method, method };
    const made = fakeArm(name, Array<number>(runs).fill(0.5), more);
    const training = {
      "reward/pass_rate": series,
      "group/all_wrong": series.map((value) => value && 1 - value),
      "group/mixed": series,
      "reward/mean": series.map((value) => value && value / 2),
      "entropy/sampled": series,
    };
    return { ...made, runs: made.runs.map((run) => ({ ...run, training })) };
  };
  const rates = [0.1, 0, 0.2, 0.4, 0, 0, 0.6, null];
  const text = formatTraining([
    fakeComparison(
      [
        createArm("loop", rates, 2),
        createArm("rft", [0.1], 1),
        createArm("ei", [0.2], 1, "ei at 3e-5"),
      ],
      { world: { name: "everyday/errands-2", seed: 1 } },
    ),
  ]);
  expect(tableRows(text)).toEqual([
    "| `everyday/errands-2` | LOOP | 2 | 30 | 10.0 ± 0.0 | 30.0 ± 0.0 | 60.0 ± 0.0 | 10.0 ± 0.0 | 60.0 ± 0.0 | 5.0 ± 0.0 | 30.0 ± 0.0 | 60.0 ± 0.0 | 0.600 ± 0.000 |  |",
    "| `everyday/errands-2` | `rft` | 1 | 30 | 10.0 |  |  | 10.0 |  | 5.0 |  |  |  |  |",
    "| `everyday/errands-2` | `ei at 3e-5` | 1 | 30 | 20.0 |  |  | 20.0 |  | 10.0 |  |  |  |  |",
  ]);
});
