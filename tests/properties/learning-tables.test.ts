/**
 * Checks that the tables and figures about learning match the files of results. Also checks what each kind of table
 * contains.
 */
import { describe, expect, it, test } from "vitest";
import {
  generateFiles,
  listOutdated,
  makeTable,
  parseMarker,
  rewriteTables,
} from "../../bench/learning/tables.ts";
import { testPrimaryComparisons } from "../../src/train/compare/primary-comparisons.ts";
import type { Comparison, Results } from "../../src/train/index.ts";
import { fakeArm, fakeComparison } from "../support/fake-comparison.ts";

test("every table and figure matches the files of results", () => {
  const command = "run npx tsx bench/learning/tables.ts";
  expect(listOutdated(generateFiles()), command).toEqual([]);
});

const shares = (mean: number, count = 8) =>
  Array.from({ length: count }, (_, i) => mean + ((i * 3) % 5) * 0.02);
const untestedComparison = fakeComparison(
  [
    fakeArm("starter", shares(0.5)),
    fakeArm("ei", shares(0.6).toReversed()),
    fakeArm("rft", shares(0.55, 3)),
    fakeArm("once", [0.4], { recipe: "starter", method: "loop" }),
  ],
  { world: { name: "everyday/starter", seed: 1 }, rollouts: 1920 },
);
const COMPARISON: Comparison = {
  ...untestedComparison,
  primary: testPrimaryComparisons(untestedComparison),
};
const RESULTS: Results = { version: 2, comparisons: [COMPARISON] };
const make = (words: string, results = RESULTS) =>
  makeTable(results, parseMarker(`${words} from x.json`));

describe("tables", () => {
  it("a table of kind methods ranks arms and the warm start, greedy and at T = 1, with intervals over runs", () => {
    const lines = make("methods").split("\n");
    expect(lines[0]).toBe(
      "| method | runs | updates | test-normal TGC | T = 1 | SGC | dev TGC | T = 1 |",
    );
    expect(lines.slice(2).map((line) => line.split(" | ")[0])).toEqual([
      "| `ei`",
      "| `rft`",
      "| LOOP (`starter`)",
      "| once",
      "| warm start, before",
    ]);
    expect(lines[2]).toMatch(/^\| `ei` \| 8 \| 30 \| 63\.5 ± 3\.3 \[61, 66\] \| 53\.5 ± 3\.3 /);
    // The interval of a single run is over its scenarios, which a star marks.
    expect(lines[5]).toMatch(/\| 40\.0 \[\d\d, \d\d\]\* \|/);
  });

  it("a table of kind measured has the arms that its marker comment names, their differences to LOOP, and their curves", () => {
    const lines = make("measured of starter, rft at 1920").split("\n").slice(2);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^\| LOOP \(`starter`\) \| 8 \| 30 \| .* \| 10 33 54 \|$/);
    const [, runs, , , greedy, , sampled] = lines[1]!.split(" | ");
    expect(runs).toBe("3");
    // The three pairs differ equally, so nothing is known of their spread.
    expect(greedy).toBe("+5.0 [no interval]");
    expect(sampled).toBe("+5.0 [no interval]");
  });

  it("a table of kind primary has p values, and says so where seeds are too few for a test", () => {
    const lines = make("primary").split("\n").slice(2);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^\| starter − ei \| test-normal, greedy \| 8 \| −10\.0 \[.*\] \| /);
    const few = fakeComparison([fakeArm("starter", [0.5, 0.6]), fakeArm("ei", [0.6, 0.6])]);
    const primary = [{ a: "starter", b: "ei", on: "test-normal", seeds: [1, 2] }];
    const results: Results = { version: 2, comparisons: [{ ...few, primary }] };
    expect(make("primary", results)).toContain("| 2 |  | too few seeds for a test |  |");
  });

  it("a table of kind before-after compares the runs of an arm with their own warm starts", () => {
    const text = make("before-after of starter");
    expect(text).toMatch(
      /\| TGC test-normal, T = 1 \| 10\.0 ± 0\.0 \| 43\.5 ± 3\.3 \[41, 46\] \| \+33\.5 \[/,
    );
    expect(text).toMatch(/\| SGC dev, greedy \|/);
    expect(text).toContain("difficulty 2 (100.0% of tasks)");
    expect(make("headline of starter").split("\n")).toHaveLength(5);
  });

  it("a table of kind by-world has a column for each world; one of kind ladder compares each row with the row before", () => {
    const worlds = [1, 2].map((k) => ({
      ...COMPARISON,
      world: { name: `everyday/errands-${k}`, seed: 1 },
    }));
    const text = make("by-world of starter, ei", { version: 2, comparisons: worlds });
    expect(text.split("\n")[0]).toBe(
      "| TGC test-normal | `everyday/errands-1` | `everyday/errands-2` |",
    );
    expect(text.split("\n")).toHaveLength(2 + 4 + 2);
    const rungs = make("ladder of ei, starter").split("\n").slice(2);
    expect(rungs[0]).toMatch(/ \| {2}\| .* \| {2}\|$/);
    expect(rungs[1]).toMatch(/\| −10\.0 \[/);
  });

  it("a table of kind ladder has the entropy in the second half of training, if the runs recorded it", () => {
    const surprising = untestedComparison.arms.map((arm) => ({
      ...arm,
      runs: arm.runs.map((run) => ({
        ...run,
        training: { "entropy/sampled": [9, 9, 0.02, 0.04] },
      })),
    }));
    const cells = (comparison: Comparison, arm: string) =>
      make(`ladder of ${arm}`, { version: 2, comparisons: [comparison] })
        .split("\n")[2]!
        .split(" | ");
    const surprised = { ...COMPARISON, arms: surprising };
    expect(cells(surprised, "ei")[3]).toBe("0.030 ± 0.000");
    expect(cells(surprised, "once")[3]).toBe("0.030");
    expect(cells(COMPARISON, "ei")[3]).toBe("");
  });
});

describe("markers of tables", () => {
  const page = "a\n<!-- table: methods from x.json -->\nold\n<!-- end -->\nb\n";

  it("rewriting a page puts the table below its marker comment, and rewriting it again changes nothing", () => {
    expect(rewriteTables(page, () => "| new |")).toBe(
      "a\n<!-- table: methods from x.json -->\n\n| new |\n\n<!-- end -->\nb\n",
    );
    const twice = rewriteTables(page, () => "| new |");
    expect(rewriteTables(twice, () => "| new |")).toBe(twice);
  });

  it("a marker comment names the kind, arms, budget, world and file of a table", () => {
    expect(
      parseMarker("measured of rloo, 6e-4, ei at 480 on everyday/errands-2 from x.json"),
    ).toEqual({
      kind: "measured",
      arms: ["rloo", "6e-4", "ei"],
      rollouts: 480,
      world: "everyday/errands-2",
      file: "x.json",
    });
  });

  it("a marker comment that names no existing table is refused", () => {
    expect(() => rewriteTables(page.replace("<!-- end -->", ""), () => "")).toThrow(
      /1 tables begin/,
    );
    expect(() => parseMarker("methods")).toThrow(/expected KIND .* got the marker "methods"/);
    expect(() => make("method")).toThrow(/unknown kind of table method: expected methods, /);
    expect(() => make("measured of eii")).toThrow(/x\.json has no arm eii/);
    expect(() => make("methods at 480")).toThrow(/no comparison of this budget/);
    const two: Results = { version: 2, comparisons: [COMPARISON, { ...COMPARISON, rollouts: 1 }] };
    expect(() => make("methods", two)).toThrow(/2 comparisons .* name the budget/);
  });
});
