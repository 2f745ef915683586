import { expect, test } from "vitest";
import toy from "../../worlds/toy/toy.ts";
import { WorldInstance } from "./instance.ts";

test("the functions of tasks are kept for 512 scenarios, and what is known of tasks for all", () => {
  const drawn: number[] = [];
  const scenario: typeof toy.scenario = (request) => {
    drawn.push(request.index);
    return toy.scenario(request);
  };
  const world = new WorldInstance({ ...toy, scenario }, 1);
  const tasks = world.tasks("train", 513);
  expect(drawn).toHaveLength(513);
  expect(world.findInfo("train/0/2")).toEqual(tasks[1]);
  expect(world.tasks("train", 513)).toEqual(tasks);
  expect(world.findTask("train/512/3").info).toEqual(tasks.at(-1));
  expect(drawn).toHaveLength(513);
  expect(world.findTask("train/0/2").info).toEqual(tasks[1]);
  expect(drawn.slice(513)).toEqual([0]);
});
