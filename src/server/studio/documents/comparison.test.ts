import { expect, test } from "vitest";
import { fakeArm, fakeComparison, fakeRun } from "../../../../tests/support/fake-comparison.ts";
import { buildComparisonSections } from "./comparison.ts";

const columnsOf = (arms: Parameters<typeof fakeComparison>[0]) =>
  buildComparisonSections(fakeComparison(arms), false).at(-1)!.columns;

test("the curves have a column for each evaluation of the longest arm, and are left out without evaluations", () => {
  const run = fakeRun(1, 0.6);
  const none = fakeArm("starter", [], { runs: [{ ...run, dev: [] }] });
  const one = fakeArm("ei", [], { runs: [{ ...run, dev: run.dev.slice(0, 1) }] });
  const titles = buildComparisonSections(fakeComparison([none]), false).map(({ title }) => title);
  expect(titles).toEqual(["Scores"]);
  expect(columnsOf([none, one])).toEqual(["arm", "evaluation 1"]);
  expect(columnsOf([one, fakeArm("all", [0.6])])).toEqual([
    ...["arm", "evaluation 1", "evaluation 2", "evaluation 3"],
  ]);
});

test("a comparison that is one of several names its setting, world and budget in each title", () => {
  const comparison = fakeComparison([fakeArm("starter", [0.6]), fakeArm("ei", [0.7])], {
    leftOut: [{ recipe: "runs/old", why: "another world" }],
  } as Parameters<typeof fakeComparison>[1]);
  const titles = buildComparisonSections(comparison, true).map(({ title }) => title);
  const where = " (starter on fake, 480 rollouts)";
  expect(titles).toEqual([
    ...[
      `Scores${where}`,
      `TGC minus that of starter${where}`,
      `TGC on dev by rollouts spent${where}`,
    ],
  ]);
  const [scores] = buildComparisonSections(comparison, false);
  expect(scores!.title).toBe("Scores");
  expect(JSON.stringify(scores)).toContain("left out: runs/old: another world");
});
