import { expect, test } from "vitest";
import toy from "../../worlds/toy/toy.ts";
import type { Task, WorldDefinition } from "../define.ts";
import { WorldInstance } from "./instance.ts";

/** Returns the toy world with changed fields, which may be wrong in ways that the compiler would not accept. */
const toyWorldWith = (changes: { readonly [F in keyof WorldDefinition]?: unknown }) =>
  new WorldInstance({ ...toy, ...changes } as WorldDefinition, 1);

test.each<[unknown, string]>([
  [
    { dev: -3 },
    'world "toy": scenarios.dev: expected a whole number from 1 to 100000, got -3; leave out a split without tasks',
  ],
  [{ dev: 0 }, "scenarios.dev: expected a whole number from 1 to 100000, got 0"],
  [{ dev: 1.5 }, "got 1.5"],
  [{ dev: Number.POSITIVE_INFINITY }, "got Infinity"],
  [{ dev: "12" }, 'got "12"'],
  [{ devv: 3 }, 'got "devv" (did you mean dev?)'],
  [{}, "scenarios: expected a number for some of train, dev, "],
])("a world with scenarios %j is refused with the name of the split", (scenarios, message) => {
  expect(() => toyWorldWith({ scenarios })).toThrow(message);
});

test("a world's version must be a text", () => {
  expect(() => toyWorldWith({ version: 2 })).toThrow(
    'world "toy": version: expected a text such as "2", got 2',
  );
  expect(toyWorldWith({ version: "2" }).definition.version).toBe("2");
});

test("a world whose populate returns no profile is refused with the missing field", () => {
  expect(() => toyWorldWith({ populate: () => undefined })).toThrow("but name is nothing");
  expect(() => toyWorldWith({ populate: () => ({ name: "Ida", email: 3 }) })).toThrow(
    "but email is 3",
  );
});

const [task] = new WorldInstance(toy, 1).tasks("dev", 1);
const right: Task = {
  signature: task!.signature,
  difficulty: 1,
  instruction: "put a cup in red",
  goal: () => undefined,
};

test.each<[unknown, string]>([
  [undefined, "expected a list of three tasks, got nothing"],
  [[right, right], "expected a list of three tasks, got 2"],
  [[right, right, { ...right, difficulty: 4 }], "task 3: difficulty: expected 1, 2 or 3, got 4"],
  [[right, { ...right, instruction: " " }, right], 'task 2: instruction: expected a text, got " "'],
  [[{ ...right, goal: undefined }, right, right], "task 1: goal: expected a function, got nothing"],
])("a scenario that returns %j is refused with the wrong field", (tasks, message) => {
  expect(() => toyWorldWith({ scenario: () => tasks }).tasks("dev", 1)).toThrow(
    `the drawing of scenario dev/0 failed: ${message}`,
  );
});
