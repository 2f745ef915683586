import { expect, test } from "vitest";
import { pairedDifferences } from "../table-cells.ts";
import { formatHaste, type HasteLine } from "./haste-tables.ts";
import { drawPool } from "./pool-chart.ts";
import { formatPoolRepeating, formatPoolScores, formatPoolTests, runsOf } from "./pool-tables.ts";
import type { PoolRunFile } from "./result-files.ts";

function makeRun(arm: string, seed: number, greedy: number, training = greedy): PoolRunFile {
  const score = (tgc: number) => ({ tasks: 180, tgc, sgc: tgc / 2, reward: tgc });
  return {
    ...{
      version: 1,
      cell: "primary",
      arm,
      seed,
      iterations: 40,
      fields: {},
      commit: "0",
      machine: "",
    },
    ...{ threads: 2, rollouts: 9600, updates: 100, seconds: 1, dev: [], training: {} },
    before: { "test-normal": score(0.2), "test-normal@T1": score(0.3) },
    after: {
      "test-normal": score(greedy),
      "test-normal@T1": score(greedy / 2),
      pool: score(training),
    },
  };
}
const seeds = [1, 2, 3, 4, 5];
const runs = [
  ...seeds.map((seed) => makeRun("loop", seed, 0.8 + seed / 100)),
  ...seeds.map((seed) => makeRun("ei-4", seed, 0.7 + (seed % 2) / 100, 1)),
  ...[1, 2].map((seed) => makeRun("ei-2", seed, 0.75)),
];

test("a comparison is tested with five pairs, and not with two", () => {
  const lines = formatPoolTests(runs).split("\n");
  expect(lines[2]).toMatch(
    /^\| LOOP − EI, 4 epochs \| 5 \| 12\.4 \[\+10\.\d, \+14\.\d\] \| 0\.000 \| 0\.000 \|$/,
  );
  expect(lines[3]).toMatch(
    /^\| LOOP − EI, 2 epochs \| 2 \| {2}\| {2}\| not tested before five pairs \|$/,
  );
});

test("differences pair runs of the same seed", () => {
  const read = ({ after }: PoolRunFile) => after["test-normal"]?.tgc;
  const [loop, ei] = [runsOf(runs, "primary", "loop"), runsOf(runs, "primary", "ei-2")];
  const differences = pairedDifferences(loop, ei, read);
  expect(differences.map((value) => value.toFixed(2))).toEqual(["0.06", "0.07"]);
});

test("the table of scores has a row for each arm with runs, and one for the warm starts", () => {
  const lines = formatPoolScores(runs, "primary").split("\n");
  expect(lines).toHaveLength(2 + 3 + 1);
  expect(lines[2]).toContain("| LOOP | 5 | 100 | 1 | 83.0 ± 1.6 [81, 85] |");
  expect(lines[5]).toContain("| warm start, before | 5 | 0 |  | 20.0 ± 0.0");
});

test("the figure has a dot for each run and for each arm of the legend", () => {
  expect(drawPool(runs).match(/<circle/g)).toHaveLength(2 * 12 + 3);
});

test("the table of repeated tasks compares the runs of an arm on the pool with those of equal seeds on fresh tasks", () => {
  const fresh = [makeRun("loop", 2, 0.9), makeRun("loop", 3, 0.9), makeRun("rloo", 1, 0.9)];
  const all = [...runs, ...fresh.map((run) => ({ ...run, cell: "fresh" }))];
  const lines = formatPoolRepeating(all).split("\n").slice(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\| LOOP \| 2 \| −7\.5 \[−13\.9, −1\.1\] \|/);
});

const haste = (arm: string, seed: number, allPages: number): HasteLine => ({
  ...{ cell: "primary", arm, seed },
  counts: [{ where: "unseen", lucky: false, rollouts: 40, allPages, passed: 0 }],
});

test("the table of haste has the share of rollouts that read every page, and leaves out what was not counted", () => {
  const other = { ...haste("loop", 3, 0), cell: "hasty-85" };
  const lines = [haste("warm", 1, 10), haste("loop", 1, 30), haste("loop", 2, 40), other];
  const table = formatHaste({ version: 1, temperature: 1, lines }, "primary");
  expect(table.split("\n").slice(2)).toEqual([
    "| warm start, before | 1 |  |  |  | 25 |",
    "| LOOP | 2 |  |  |  | 88 ± 18 |",
  ]);
});
