import { expect, test } from "vitest";
import type { RolloutFacts } from "../../spec/index.ts";
import { fakeRollout } from "../../testing/fake-rollout.ts";
import { PAPER_REWARD } from "../rewards.ts";
import { changeOfShare, compareUse } from "./compare-use.ts";
import { collectFacts, placeFacts } from "./rollout-facts.ts";

const play = (file: string, apis: readonly string[]): RolloutFacts => ({
  ...placeFacts(collectFacts(fakeRollout(), PAPER_REWARD), { run: "a", file }),
  apis: [...apis],
});

test("the interval of a change is Newcombe's of his own examples", () => {
  // Table II of the paper: 56/70 - 48/80, 9/10 - 3/10 and 10/10 - 0/20, by method 10.
  for (const [a, ofA, b, ofB, low, high] of [
    [48, 80, 56, 70, 0.0524, 0.3339],
    [3, 10, 9, 10, 0.1705, 0.809],
    [0, 20, 10, 10, 0.6791, 1],
  ] as const) {
    const { change, interval } = changeOfShare(a, ofA, b, ofB);
    expect(change).toBeCloseTo(b / ofB - a / ofA, 12);
    expect(interval[0]).toBeCloseTo(low, 4);
    expect(interval[1]).toBeCloseTo(high, 4);
  }
});

test("evaluations before and after training are compared, or else the first and the last iteration", () => {
  const training = [
    play("train-0001", ["docs.search"]),
    play("train-0001", ["docs.search", "pay.send"]),
    play("train-0002", []),
    play("train-0003", ["pay.send"]),
  ];
  const use = compareUse(training)!;
  expect(use.early).toEqual({ name: "iteration 1", rollouts: 2 });
  expect(use.late).toEqual({ name: "iteration 3", rollouts: 1 });
  const [first] = use.changes;
  expect(first).toMatchObject({
    field: "api",
    value: "docs.search",
    early: 2,
    late: 0,
    change: -1,
  });
  expect(use.changes.at(-1)).toMatchObject({ value: "pay.send", early: 1, late: 1, change: 0.5 });
  const evaluations = [play("eval-before-dev-greedy", []), play("eval-after-dev-greedy", ["a.b"])];
  expect(compareUse([...training, ...evaluations])!.early.name).toBe("before training");
  expect(compareUse(training.slice(0, 2))).toBeUndefined();
  expect(compareUse([])).toBeUndefined();
});
