/** Tables and figures of learning are what the files of results say, and each kind of table is what it should be. */
import { describe, expect, it, test } from "vitest";
import { askedBy, everything, outdated, rewritten, tableOf } from "../../bench/learning/tables.ts";
import { testPrimaryComparisons } from "../../src/train/compare/primary-comparisons.ts";
import type { Comparison, Results } from "../../src/train/index.ts";
import { fakeArm, fakeComparison } from "../support/fake-comparison.ts";

test("every table and figure is what the files of results say", () => {
  const again = "npx tsx bench/learning/tables.ts";
  expect(outdated(everything()), again).toEqual([]);
});

const shares = (mean: number, count = 8) =>
  Array.from({ length: count }, (_, i) => mean + ((i * 3) % 5) * 0.02);
const made = fakeComparison(
  [
    fakeArm("starter", shares(0.5)),
    fakeArm("ei", shares(0.6).toReversed()),
    fakeArm("rft", shares(0.55, 3)),
    fakeArm("once", [0.4], { recipe: "starter", method: "loop" }),
  ],
  { world: { name: "everyday/starter", seed: 1 }, rollouts: 1920 },
);
const COMPARISON: Comparison = { ...made, primary: testPrimaryComparisons(made) };
const RESULTS: Results = { version: 2, comparisons: [COMPARISON] };
const make = (words: string, results = RESULTS) =>
  tableOf(results, askedBy(`${words} from x.json`));

describe("a table", () => {
  it("of methods is ranked, with intervals over runs, T = 1 beside greedy and the warm start", () => {
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
    // One run: over its scenarios.
    expect(lines[5]).toMatch(/\| 40\.0 \[\d\d, \d\d\]\* \|/);
  });

  it("of chosen arms has them in the order of the marker, against LOOP over common seeds, and their curve", () => {
    const lines = make("measured of starter, rft at 1920").split("\n").slice(2);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^\| LOOP \(`starter`\) \| 8 \| 30 \| .* \| 10 33 54 \|$/);
    const [, runs, , , greedy, , sampled] = lines[1]!.split(" | ");
    expect(runs).toBe("3");
    expect(greedy).toBe("+5.0 [+5.0, +5.0]");
    expect(sampled).toBe("+5.0 [+5.0, +5.0]");
  });

  it("of what was fixed beforehand has the tests, and none where seeds are too few", () => {
    const lines = make("primary").split("\n").slice(2);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^\| starter − ei \| test-normal, greedy \| 8 \| −10\.0 \[.*\] \| /);
    const few = fakeComparison([fakeArm("starter", [0.5, 0.6]), fakeArm("ei", [0.6, 0.6])]);
    const primary = [{ a: "starter", b: "ei", on: "test-normal", seeds: [1, 2] }];
    const results: Results = { version: 2, comparisons: [{ ...few, primary }] };
    expect(make("primary", results)).toContain("| 2 |  | too few seeds for a test |  |");
  });

  it("of one arm sets its runs against their own warm starts", () => {
    const text = make("before-after of starter");
    expect(text).toMatch(
      /\| TGC test-normal, T = 1 \| 10\.0 ± 0\.0 \| 43\.5 ± 3\.3 \[41, 46\] \| \+33\.5 \[/,
    );
    expect(text).toMatch(/\| SGC dev, greedy \|/);
    expect(text).toContain("difficulty 2 (100.0% of tasks)");
    expect(make("headline of starter").split("\n")).toHaveLength(5);
  });

  it("by world has a column a world, by rung the step from the one before", () => {
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

  it("by rung has the surprise of the second half of training, where runs have one", () => {
    const surprising = made.arms.map((arm) => ({
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

describe("a marker", () => {
  const page = "a\n<!-- table: methods from x.json -->\nold\n<!-- end -->\nb\n";

  it("has its table put in its place", () => {
    expect(rewritten(page, () => "| new |")).toBe(
      "a\n<!-- table: methods from x.json -->\n\n| new |\n\n<!-- end -->\nb\n",
    );
    const twice = rewritten(page, () => "| new |");
    expect(rewritten(twice, () => "| new |")).toBe(twice);
  });

  it("says kind, arms, budget, world and file", () => {
    expect(askedBy("measured of rloo, 6e-4, ei at 480 on everyday/errands-2 from x.json")).toEqual({
      kind: "measured",
      arms: ["rloo", "6e-4", "ei"],
      rollouts: 480,
      world: "everyday/errands-2",
      file: "x.json",
    });
  });

  it("that cannot be followed is refused", () => {
    expect(() => rewritten(page.replace("<!-- end -->", ""), () => "")).toThrow(/1 tables begin/);
    expect(() => askedBy("methods")).toThrow(/cannot read the table "methods"/);
    expect(() => make("method")).toThrow(/no table method: expected methods, /);
    expect(() => make("measured of eii")).toThrow(/x\.json has no arm eii/);
    expect(() => make("methods at 480")).toThrow(/no such comparison/);
    const two: Results = { version: 2, comparisons: [COMPARISON, { ...COMPARISON, rollouts: 1 }] };
    expect(() => make("methods", two)).toThrow(/2 comparisons .* say which/);
  });
});
