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

test("what a scenario function reports reaches it in an equal world, and when it draws again", () => {
  const known: (readonly number[] | undefined)[] = [];
  const scenario: typeof toy.scenario = (request) => {
    known.push(request.knownAttempts);
    request.reportAttempts?.([request.index, 7]);
    return toy.scenario(request);
  };
  const first = new WorldInstance({ ...toy, scenario }, 1);
  const second = new WorldInstance({ ...toy, scenario }, 1);
  second.rememberAttempts("train/4/2", first.findAttempts("train/4/1")!);
  second.findTask("train/4/3");
  expect(known).toEqual([undefined, [4, 7]]);
  expect(new WorldInstance(toy, 1).findAttempts("train/4/1")).toBeUndefined();
});
