import { expect, test } from "vitest";
import { formatImitation, type ImitationLine } from "./imitation-table.ts";

const createLine = (demonstrations: number, hastyShare: number, seed: number): ImitationLine => ({
  ...{ seed, demonstrations, hastyShare, machine: "2 cores", seconds: 60 },
  scores: {
    "test-normal": { tgc: 0.7 + seed / 10, sgc: 0.5 },
    "test-normal@T1": { tgc: 0.5, sgc: 0.25 },
  },
});

test("the table of imitation has a row for each choice of demonstrations, with means over its runs", () => {
  const lines = [createLine(800, 0, 1), createLine(800, 0, 2), createLine(2000, 0.6, 1)];
  const rows = formatImitation({ version: 1, lines }).split("\n");
  expect(rows[0]).toBe("| careful demonstrations | runs | TGC test-normal, greedy | T = 1 |");
  const cells = rows.slice(2).map((row) => row.split(" | "));
  expect(cells.map(([name, runs]) => [name, runs])).toEqual([
    ["| 800", "2"],
    ["| 800 and 1,200 hasty ones", "1"],
  ]);
  expect(cells[0]![2]).toMatch(/^85\.0 ± 7\.1 \[/);
  expect(cells[1]!.slice(2)).toEqual(["80.0", "50.0 |"]);
});
