import { expect, test } from "vitest";
import { Rng } from "../core/index.ts";
import { minibatches, tasksOfIteration } from "./index.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test("minibatches hold every item once; only the last one is short", () => {
  const batches = minibatches(numbers(70), 32, new Rng(1));
  expect(batches.map((batch) => batch.length)).toEqual([32, 32, 6]);
  expect(batches.flat().sort((a, b) => a - b)).toEqual(numbers(70));
  expect(minibatches([], 32, new Rng(1))).toEqual([]);
});

test("the order is the seed's, and siblings are scattered", () => {
  expect(minibatches(numbers(70), 32, new Rng(1))).toEqual(
    minibatches(numbers(70), 32, new Rng(1)),
  );
  expect(minibatches(numbers(70), 32, new Rng(2))).not.toEqual(
    minibatches(numbers(70), 32, new Rng(1)),
  );
  expect(minibatches(numbers(70), 32, new Rng(1))[0]).not.toEqual(numbers(32));
});

test("tasks come once before any comes again", () => {
  const draws = numbers(4).flatMap((i) => tasksOfIteration(numbers(12), 3, i, new Rng(5)));
  expect(draws.sort((a, b) => a - b)).toEqual(numbers(12));
});

test("no iteration draws a task twice, passes stay complete and differ in order", () => {
  const draws = numbers(21).map((i) => tasksOfIteration(numbers(7), 5, i, new Rng(3)));
  for (const drawn of draws) expect(new Set(drawn).size).toBe(5);
  const counts = numbers(7).map((task) => draws.flat().filter((drawn) => drawn === task).length);
  expect(counts).toEqual([15, 15, 15, 15, 15, 15, 15]);
  expect(new Set(draws.map(String)).size).toBeGreaterThan(10);
});

test("an iteration's tasks do not depend on having asked for earlier ones", () => {
  const rng = new Rng(9);
  tasksOfIteration(numbers(7), 5, 0, rng);
  rng.uniform();
  expect(tasksOfIteration(numbers(7), 5, 6, rng)).toEqual(
    tasksOfIteration(numbers(7), 5, 6, new Rng(9)),
  );
});

test("more tasks than there are is a config error that names both counts", () => {
  expect(() => tasksOfIteration(numbers(7), 8, 0, new Rng(1))).toThrow(
    "cannot draw 8 tasks an iteration from 7 training tasks",
  );
});
