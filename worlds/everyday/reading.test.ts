/**
 * Tests that instructions say what the checks require. A thing that belongs to any of several things (the union) is
 * never described as belonging to all of them, and "each of them" (the intersection) is a separate set. Also tests that
 * names keep their capital letters.
 */

import {
  COMPOSED_SPLITS,
  composeScenario,
  everyoneWhoDoesToEach,
  type GoalShape,
  lowerFirstLetter,
  makeDrawContext,
  relationToShared,
  type SetShape,
  saysOneIsEnough,
  signatureOfGoal,
  startAttempt,
} from "bowline/goals";
import { WorldUnderTest } from "bowline/testing";
import type { TableRow, Task } from "bowline/world";
import { Rng } from "bowline/world";
import { describe, expect, test } from "vitest";
import { fullApps } from "./apps/full.ts";
import { groups, members, people, todos } from "./apps/tables.ts";
import everyday, { schedule } from "./everyday.ts";
import { LANGUAGE } from "./language.ts";
import { contactRelations } from "./parts/contacts/relations.ts";
import { allParts } from "./parts/index.ts";
import { PARTS, POOLS, peopleOf } from "./population.ts";
import { sweepSize } from "./tests/sweep.ts";

const worlds = [1, 90210, 2].map((seed) => new WorldUnderTest(everyday, seed));
const worldsToRead = worlds.slice(0, sweepSize(2, worlds.length));
const tasks = worldsToRead.flatMap((world) =>
  COMPOSED_SPLITS.flatMap((split) => world.tasks(split, 60)),
);

type Related = Extract<SetShape, { type: "related" }>;

/** Returns the sets that a relation leads to from a set of several things, such as the guests of several events. */
function findRelatedSets(set: SetShape): Related[] {
  if (set.type === "combined") return [...findRelatedSets(set.left), ...findRelatedSets(set.right)];
  return set.type === "related" && set.of.type !== "titled" ? [set] : [];
}
const relatedSetsOfGoal = (goal: GoalShape) =>
  goal.type === "act" ? findRelatedSets(goal.set) : [];
const goals = new Map(schedule.signatures.map(({ goal }) => [signatureOfGoal(goal), goal]));

/** Returns a pattern of the words that would say that something belongs to all things of the set. */
function patternForAll({ of }: Related): RegExp {
  if (of.type === "related" || of.type === "combined") throw new Error("a set of a set");
  const nouns = of.collection.nouns.map(({ many }) => many).join("|");
  return new RegExp(
    `\\b(all|all the|each of the|all of the|every single one of the) (${nouns})\\b`,
  );
}

describe("what belongs to any of several things", () => {
  const unions = tasks.flatMap(({ id, signature, instruction }) =>
    relatedSetsOfGoal(goals.get(signature) ?? { type: "deed", deed: {} as never }).map((set) => ({
      id,
      set,
      instruction,
    })),
  );

  test("is never described as belonging to all of them", () => {
    expect(unions.length).toBeGreaterThan(60);
    const misread = unions.filter(({ set, instruction }) => patternForAll(set).test(instruction));
    expect(misread.map(({ id, instruction }) => `${id}: ${instruction}`)).toEqual([]);
  });

  test("wordings such as any of and one or more of are recognised as the union", () => {
    expect(saysOneIsEnough((noun) => `everyone who made one or more of these: ${noun}`)).toBe(true);
    expect(saysOneIsEnough((noun) => `each playlist whose owner is among ${noun}`)).toBe(true);
    expect(saysOneIsEnough((noun) => `everyone who sent me one of ${noun}`)).toBe(true);
    expect(saysOneIsEnough((noun) => `the other members of ${noun}`)).toBe(false);
  });
});

describe("names", () => {
  const names = PARTS.flatMap((part) => [...POOLS[part].first, ...POOLS[part].cities]);

  test("are never written in lower case", () => {
    const small = new RegExp(`(?<![\\w.@/"-])(${names.join("|").toLowerCase()})(?![\\w@/])`);
    const wrong = tasks.filter(({ instruction }) => small.test(instruction));
    expect(wrong.map(({ id, instruction }) => `${id}: ${instruction}`)).toEqual([]);
  });

  test("keep their capital letter after other words", () => {
    expect(lowerFirstLetter("Elif Dimitrov and Giulia Holm are together now", LANGUAGE)).toMatch(
      /^Elif/,
    );
    expect(lowerFirstLetter("Archive it", LANGUAGE)).toBe("archive it");
    expect(lowerFirstLetter("I need it", LANGUAGE)).toBe("I need it");
  });
});

describe("what belongs to each of several things", () => {
  const world = worlds[0]!;
  const base = world.copyPopulation();
  const eligible = schedule.signatures.filter(
    ({ goal }) => relatedSetsOfGoal(goal)[0]?.relation.wordsForEach && goal.type === "act",
  );
  /** In a whole sweep, all signatures that are possible in this population, and otherwise half of them. */
  const chosen = eligible.filter((_, i) => i % sweepSize(2, 1) === 0);
  const scenarios = chosen.flatMap(({ goal, split }, i): (readonly [Task, Task, Task])[] => {
    const found = composeScenario(
      {
        rng: new Rng(i),
        split,
        language: LANGUAGE,
        people: peopleOf(base, split),
        scratch: () => world.makeScratch(),
        paraphrase: 0,
        logins: new Set(fullApps.filter(({ login }) => login).map(({ name }) => name)),
        shortSessions: false,
      },
      goal,
    );
    return found?.[0].signature.includes("-of-each(") ? [found] : [];
  });
  const forEachWorld = new WorldUnderTest(
    {
      ...everyday,
      scenarios: { dev: scenarios.length },
      scenario: ({ index }) => scenarios[index]!,
    },
    1,
  );

  test("is asked for only when the intersection differs from the union, and its tasks are sound", async () => {
    expect(scenarios.length).toBeGreaterThan(8);
    const one = (_: unknown, i: number) => i % sweepSize(3, 1) === 0;
    for (const { id } of forEachWorld.tasks("dev").filter(one)) {
      const report = await forEachWorld.check(id);
      expect(report, id).toMatchObject({
        solutionPass: true,
        noopFail: true,
        survivors: [],
        rejected: [],
      });
    }
  });

  test("equals the people who are counted in both groups", () => {
    const relation = contactRelations.find(({ name }) => name === "members")!;
    const [a, b] = findGroupsWithCommonMember(base.all(groups).map(({ id }) => id));
    const counts = new Map<number, number>();
    for (const group of [a, b]) {
      for (const { person } of base.where(members, { group })) {
        counts.set(person, (counts.get(person) ?? 0) + 1);
      }
    }
    const inBoth = [...counts].filter(([, count]) => count === 2).map(([person]) => person);
    expect([...relationToShared(relation).map(base, [a, b])].sort()).toEqual(inBoth.sort());
    expect([...relation.map(base, [a, b])].sort()).toEqual([...counts.keys()].sort());
    expect(counts.size).toBeGreaterThan(inBoth.length);
  });

  /** Returns two groups that have a common member. */
  function findGroupsWithCommonMember(ids: readonly number[]): [number, number] {
    const inside = (group: number) => base.where(members, { group }).map(({ person }) => person);
    for (const a of ids) {
      const b = ids.find((id) => id > a && inside(id).some((person) => inside(a).includes(person)));
      if (b !== undefined) return [a, b];
    }
    throw new Error("no two groups share a member");
  }

  test("every wording of the intersection says each or every single", () => {
    for (const form of everyoneWhoDoesToEach("is on"))
      expect(form("the lists")).toMatch(/\b(each|every single)\b/);
  });
});

describe("a removed row", () => {
  const world = worlds[2]!;
  const actions = allParts.flatMap((part) => part.actions ?? []);

  test.each([
    ["todo", "comment", todos],
    ["split", "record-received", people],
  ] as const)("is not offered to %s.%s", (app, name, table) => {
    const base = world.copyPopulation();
    const attempt = startAttempt({
      rng: new Rng(1),
      split: "train",
      language: LANGUAGE,
      people: peopleOf(base, "train"),
      scratch: () => world.makeScratch(),
      paraphrase: 0,
    });
    const permits = actions
      .find((action) => action.app === app && action.name === name)!
      .draw(makeDrawContext(attempt, name))!.permits!;
    const allowed = base.all<TableRow>(table).find(({ id }) => permits(attempt.db, id))!.id;
    attempt.db.remove<TableRow>(table, allowed);
    expect(permits(attempt.db, allowed)).toBe(false);
  });
});
