import { expect, test } from "vitest";
import { Rng } from "../core/index.ts";
import { drawTasksOfIteration, shuffleIntoMinibatches } from "./index.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test("minibatches contain every item once, and only the last one may be smaller", () => {
  const batches = shuffleIntoMinibatches(numbers(70), 32, new Rng(1));
  expect(batches.map((batch) => batch.length)).toEqual([32, 32, 6]);
  expect(batches.flat().sort((a, b) => a - b)).toEqual(numbers(70));
  expect(shuffleIntoMinibatches([], 32, new Rng(1))).toEqual([]);
});

test("the order of minibatches depends on the seed, and rollouts of a task are scattered over them", () => {
  expect(shuffleIntoMinibatches(numbers(70), 32, new Rng(1))).toEqual(
    shuffleIntoMinibatches(numbers(70), 32, new Rng(1)),
  );
  expect(shuffleIntoMinibatches(numbers(70), 32, new Rng(2))).not.toEqual(
    shuffleIntoMinibatches(numbers(70), 32, new Rng(1)),
  );
  expect(shuffleIntoMinibatches(numbers(70), 32, new Rng(1))[0]).not.toEqual(numbers(32));
});

test("every task is drawn once before any task is drawn again", () => {
  const draws = numbers(4).flatMap((i) => drawTasksOfIteration(numbers(12), 3, i, new Rng(5)));
  expect(draws.sort((a, b) => a - b)).toEqual(numbers(12));
});

test("no iteration draws a task twice, and passes over the tasks are complete and differ in order", () => {
  const draws = numbers(21).map((i) => drawTasksOfIteration(numbers(7), 5, i, new Rng(3)));
  for (const drawn of draws) expect(new Set(drawn).size).toBe(5);
  const counts = numbers(7).map((task) => draws.flat().filter((drawn) => drawn === task).length);
  expect(counts).toEqual([15, 15, 15, 15, 15, 15, 15]);
  expect(new Set(draws.map(String)).size).toBeGreaterThan(10);
});

test("an iteration's tasks are the same whether or not earlier iterations were drawn", () => {
  const rng = new Rng(9);
  drawTasksOfIteration(numbers(7), 5, 0, rng);
  rng.uniform();
  expect(drawTasksOfIteration(numbers(7), 5, 6, rng)).toEqual(
    drawTasksOfIteration(numbers(7), 5, 6, new Rng(9)),
  );
});

test("drawing more tasks than there are causes a config error that names both numbers", () => {
  expect(() => drawTasksOfIteration(numbers(7), 8, 0, new Rng(1))).toThrow(
    "cannot draw 8 tasks an iteration from 7 training tasks",
  );
});
