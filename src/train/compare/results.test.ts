import { expect, test } from "vitest";
import { fakeArm, fakeComparison } from "../../../tests/support/fake-comparison.ts";
import type { Results } from "./comparison.ts";
import { joinResults } from "./results.ts";

test("comparisons in a file are sorted by world and budget, whichever was made first", () => {
  const comparisonOn = (name: string, rollouts: number) =>
    fakeComparison([fakeArm("errands", [0.5])], { world: { name, seed: 1 }, rollouts });
  const made = [
    comparisonOn("errands-10", 8),
    comparisonOn("errands-4", 16),
    comparisonOn("errands-3", 8),
    comparisonOn("errands-4", 8),
  ];
  const none: Results = { version: 2, comparisons: [] };
  const { comparisons } = made.reduce((results, one) => joinResults(results, one, "file"), none);
  expect(comparisons.map(({ world, rollouts }) => [world.name, rollouts])).toEqual([
    ["errands-3", 8],
    ["errands-4", 8],
    ["errands-4", 16],
    ["errands-10", 8],
  ]);
});
