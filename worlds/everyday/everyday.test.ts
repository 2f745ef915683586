import {
  appsOfGoal,
  type Clause,
  COMPOSED_SPLITS,
  type Collection,
  type ComposedSplit,
  goalDifficulty,
  makeDrawContext,
  NothingToDraw,
  signatureOfGoal,
  startAttempt,
} from "bowline/goals";
import { WorldUnderTest } from "bowline/testing";
import { NO_TIME, Rng } from "bowline/world";
import { describe, expect, test } from "vitest";
import { fullApps } from "./apps/full.ts";
import everyday, { CHALLENGE_APPS, schedule } from "./everyday.ts";
import { LANGUAGE } from "./language.ts";
import { allParts } from "./parts/index.ts";
import { peopleOf } from "./population.ts";
import { sweepSize } from "./tests/sweep.ts";

const world = new WorldUnderTest(everyday, 1);

test("there are fourteen apps with at least 320 APIs, and every API has an example", () => {
  const apis = fullApps.flatMap((app) => Object.values(app.apis));
  expect(fullApps).toHaveLength(14);
  expect(apis.length).toBeGreaterThanOrEqual(320);
  expect(apis.filter(({ example }) => !example)).toEqual([]);
});

describe("signatures", () => {
  test("every difficulty above 1 has more than 400 signatures, and all signatures are different", () => {
    const names = schedule.signatures.map(({ goal }) => signatureOfGoal(goal));
    expect(new Set(names).size).toBe(names.length);
    for (const level of [2, 3]) {
      const of = schedule.signatures.filter(({ goal }) => goalDifficulty(goal) === level);
      expect(of.length).toBeGreaterThan(400);
    }
  });

  test("only tasks of test-challenge use the challenge apps", () => {
    for (const { goal, split } of schedule.signatures) {
      const touches = appsOfGoal(goal).some((app) => CHALLENGE_APPS.includes(app));
      expect(touches).toBe(split === "test-challenge");
    }
  });
});

describe("tasks", () => {
  const all = COMPOSED_SPLITS.flatMap((split) => world.tasks(split));

  test("every split is at least as large as in comparable benchmarks", () => {
    const size = (split: ComposedSplit) => all.filter((task) => task.split === split).length;
    expect(size("train")).toBeGreaterThanOrEqual(90);
    expect(size("dev")).toBeGreaterThanOrEqual(57);
    expect(size("test-normal")).toBeGreaterThanOrEqual(168);
    expect(size("test-challenge")).toBeGreaterThanOrEqual(417);
  });

  test("no signature occurs in two splits", () => {
    const owners = new Map<string, string>();
    for (const { signature, split } of all) {
      expect(owners.get(signature) ?? split).toBe(split);
      owners.set(signature, split);
    }
  });

  test("two tasks with the same instruction have the same goal", () => {
    const goals = new Map<string, string>();
    for (const { id, instruction } of all) {
      const { state, task } = world.prepareTask(id);
      const wanted = state.clone();
      const outcome = wanted.transaction((db) => task.goal(db, NO_TIME)).value;
      const goal = JSON.stringify([outcome, wanted.changesSince(state)]);
      expect(goals.get(instruction) ?? goal).toBe(goal);
      goals.set(instruction, goal);
    }
  });

  test("every instruction is a sentence without formatting mistakes", () => {
    for (const { instruction } of all) {
      expect(instruction).toMatch(/^[A-Z].*[.?]$/s);
      expect(instruction).not.toMatch(/undefined|NaN|\[object| {2}/);
    }
  });
});

describe("wordings of clauses", () => {
  const collections = allParts.flatMap(({ collections = [] }) => collections);
  const words = (collection: Collection, clause: Clause<never>): readonly string[] => {
    for (let seed = 0; seed < 40; seed++) {
      const base = world.prepareTask("train/0/1").state;
      const attempt = startAttempt({
        rng: new Rng(seed),
        split: "train",
        language: LANGUAGE,
        people: peopleOf(base, "train"),
        scratch: () => world.makeScratch(),
        paraphrase: 0,
      });
      const rows = base.all(collection.table).filter((row) => collection.includes(row, base));
      try {
        const filter = clause.draw(makeDrawContext(attempt, "test"), rows as never);
        if (filter) return filter.words;
      } catch (error) {
        if (!(error instanceof NothingToDraw)) throw error;
      }
    }
    return [];
  };

  test.each(collections.map((collection) => [collection.name, collection] as const))(
    "each clause of %s has at least five wordings, and no two clauses share a wording",
    (_, collection) => {
      const seenForms = new Set<string>();
      for (const clause of collection.clauses as readonly Clause<never>[]) {
        const forms = words(collection, clause);
        if (forms.length > 0) expect(forms.length).toBeGreaterThanOrEqual(5);
        for (const form of forms) {
          expect(seenForms.has(form)).toBe(false);
          seenForms.add(form);
        }
      }
    },
  );
});

describe("a sample of tasks is sound", () => {
  test.each(COMPOSED_SPLITS)(
    "a sample of tasks of the split %s passes world check",
    async (split) => {
      for (const { id } of world.tasks(split, sweepSize(4, 8))) {
        const report = await world.check(id);
        expect(report).toMatchObject({
          solutionPass: true,
          noopFail: true,
          survivors: [],
          rejected: [],
        });
      }
    },
  );
});
