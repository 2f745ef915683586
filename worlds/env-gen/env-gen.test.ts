import type { TaskInfo } from "bowline";
import { WorldUnderTest } from "bowline/testing";
import { Rng } from "bowline/world";
import { expect, test } from "vitest";
import generator, { listParts, successByPart, weightOfTask } from "./generator.ts";
import pantry from "./pantry.ts";

const task = (id: string, signature: string) => ({ id, signature }) as TaskInfo;

test("solutions pass, doing nothing and mutants fail, equivalents pass", async () => {
  const world = new WorldUnderTest(pantry, 1);
  for (const id of ["train/0/1", "train/1/2", "test-normal/2/3"]) {
    const report = await world.check(id);
    expect(report).toMatchObject({ solutionPass: true, noopFail: true });
    expect(report).toMatchObject({ survivors: [], rejected: [], exceptions: [] });
  }
});

test("unseen tasks have signatures that no training task has", () => {
  const world = new WorldUnderTest(pantry, 1);
  const signatures = (split: "train" | "test-normal") =>
    new Set(world.tasks(split, 60).map(({ signature }) => signature));
  const trained = signatures("train");
  expect([...signatures("test-normal")].filter((name) => trained.has(name))).toEqual([]);
});

test("success by part is the mean pass rate of the tried tasks that have the part", () => {
  const tasks = [task("a", "jars[shelf] > open"), task("b", "jars[open] > move"), task("c", "x")];
  expect(listParts(tasks[0]!)).toEqual(["jars", "shelf", "open"]);
  const success = successByPart(tasks, { a: 1, b: 0.5 });
  expect(Object.fromEntries(success)).toEqual({ jars: 0.75, shelf: 1, open: 0.75, move: 0.5 });
  // jars 0.1875, open 0.1875, move 0.25; a part that was never tried counts as an even chance.
  expect(weightOfTask(tasks[1]!, success)).toBeCloseTo((0.1875 + 0.1875 + 0.25) / 3, 12);
  expect(weightOfTask(tasks[2]!, success)).toBe(0.25);
});

test("half of the tasks are drawn uniformly, and the others prefer parts of middling success", () => {
  const tasks = Array.from({ length: 400 }, (_, i) => task(`${i}`, i % 2 ? "easy" : "middling"));
  const passRate = Object.fromEntries(tasks.map(({ id }, i) => [id, i % 2 ? 1 : 0.5]));
  const draw = (seed: number) =>
    generator({ tasks, count: 40, iteration: 1, rng: new Rng(seed), passRate });
  const drawn = draw(1);
  expect(new Set(drawn).size).toBe(40);
  expect(draw(1)).toEqual(drawn);
  const middling = drawn.filter(({ signature }) => signature === "middling").length;
  expect(middling).toBeGreaterThanOrEqual(25);
  expect(middling).toBeLessThan(38);
});
