import type { Rollout } from "bowline";
import { WorldUnderTest } from "bowline/testing";
import { describe, expect, test } from "vitest";
import maze, { FREE_CELLS, splitOfStart } from "./maze.ts";
import stepRewards from "./step-rewards.ts";
import { hasTrait, THINGS, TRAITS } from "./things.ts";
import twentyQuestions, { bestTrait } from "./twenty-questions.ts";
import wordle, { colourGuess, isFoundByFitting } from "./wordle.ts";
import { WORDS } from "./words.ts";

const GAMES = { maze, wordle, twentyQuestions };

test.each(Object.entries(GAMES))(
  "%s: solutions pass, doing nothing and mutants fail, equivalents pass",
  async (_, definition) => {
    const world = new WorldUnderTest(definition, 1);
    for (const id of ["train/0/1", "dev/1/2", "test-normal/2/3"]) {
      const report = await world.check(id);
      expect(report).toMatchObject({ solutionPass: true, noopFail: true });
      expect(report).toMatchObject({ survivors: [], rejected: [], exceptions: [] });
      expect(report.mutants).toBeGreaterThan(1);
    }
  },
);

test.each(Object.entries(GAMES))("%s: no start belongs to two splits", (_, definition) => {
  const world = new WorldUnderTest(definition, 1);
  const owners = new Map<string, string>();
  for (const split of ["train", "dev", "test-normal", "test-challenge"] as const) {
    for (const { id } of world.tasks(split, 20)) {
      const { state } = world.prepareTask(id);
      const table = definition.apps[0]!.tables[0]!;
      const start = JSON.stringify(state.all(table));
      expect(owners.get(start) ?? split).toBe(split);
      owners.set(start, split);
    }
  }
  expect([...owners.values()].filter((split) => split === "test-normal").length).toBeGreaterThan(
    20,
  );
});

describe("wordle", () => {
  test("a letter of the secret colours one letter of the guess, first those in their places", () => {
    expect(colourGuess("eerie", "where")).toBe("y-y-g");
    expect(colourGuess("where", "where")).toBe("ggggg");
    expect(colourGuess("speed", "erase")).toBe("y-yy-");
  });

  test("there are 400 words of five letters, and fitting words find most of them in six guesses", () => {
    expect(new Set(WORDS).size).toBe(400);
    expect(WORDS.every((word) => /^[a-z]{5}$/.test(word))).toBe(true);
    expect(WORDS.filter(isFoundByFitting).length).toBeGreaterThan(350);
  });
});

describe("twenty questions", () => {
  test("there are 158 things, and no two have the same traits", () => {
    expect(THINGS).toHaveLength(158);
    const known = new Set<string>(TRAITS);
    expect(THINGS.flatMap(({ traits }) => [...traits]).filter((one) => !known.has(one))).toEqual(
      [],
    );
    expect(new Set(THINGS.map(({ traits }) => [...traits].sort().join())).size).toBe(158);
  });

  test("the best question divides the things, and there is none for one thing", () => {
    expect(bestTrait(THINGS.slice(0, 1))).toBeUndefined();
    expect(bestTrait(THINGS)).toBe("outdoors");
    expect(hasTrait("oak", "wooden")).toBe(true);
  });
});

test("maze: starts are divided among the splits", () => {
  const splits = FREE_CELLS.map(splitOfStart);
  expect(FREE_CELLS).toHaveLength(61);
  expect(splits.filter((split) => split === "train").length).toBeGreaterThan(20);
  expect(splits.filter((split) => split === "test-normal").length).toBeGreaterThan(20);
});

test("a step costs its share, the step that ends a won game costs nothing, and refused calls are free", () => {
  const call = (api: string, status = 200) => ({ app: "wordle", api, args: {}, status });
  const turns = [
    { calls: [call("fits"), call("guess")] },
    { calls: [call("guess", 422)] },
    { calls: [call("guess"), call("guess")] },
    { calls: [] },
  ];
  const pay = (passed: boolean) =>
    stepRewards({ turns, evaluation: { passed } } as never as Rollout);
  expect(pay(true)).toEqual([-1 / 6, 0, -1 / 6, 0]);
  expect(pay(false)).toEqual([-1 / 6, 0, -2 / 6, 0]);
});
