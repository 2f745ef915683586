import { describe, expect, test } from "vitest";
import { ApiDispatcher } from "../api/index.ts";
import { type Answer, defineTable, type GoalOutcome, type Writer } from "../define.ts";
import { FrozenTables, TableCatalog, TableState } from "../state/index.ts";
import { isSameAnswer, TaskChecks } from "./index.ts";

type List = {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly read: boolean;
};
const lists = defineTable<List>("music.lists", {
  classes: { size: "derived", read: "bookkeeping" },
});
type Entry = { readonly id: number; readonly list: number; readonly song: string };
const entries = defineTable<Entry>("music.entries", {
  indexes: ["list"],
  references: { list: "music.lists" },
});
type Mail = { readonly id: number; readonly to: string; readonly body: string };
const mails = defineTable<Mail>("mail.mails", { loose: ["body"] });
const catalog = new TableCatalog([
  ...new ApiDispatcher([], "2026-01-01").catalog.tables,
  lists,
  entries,
  mails,
]);
const finishes = catalog.table("me.finishes");

function createStartState(): TableState {
  const population = new TableState(FrozenTables.empty(catalog.tables));
  for (const name of ["jazz", "rock", "folk"]) {
    const { id } = population.insert(lists, { name, size: 1, read: false });
    population.insert(entries, { list: id, song: `${name} one` });
  }
  population.insert(mails, { to: "amara", body: "hello" });
  return new TableState(population.toFrozenTables());
}

type Goal = (db: Writer) => unknown;

/** Returns the outcome of a goal. Anything else that the goal returns, such as an inserted row, is ignored. */
function readOutcome(value: unknown): GoalOutcome | undefined {
  const outcome = value as (GoalOutcome & { id?: number }) | undefined;
  return outcome?.id === undefined ? outcome : undefined;
}

const combineGoals =
  (...goals: readonly Goal[]): Goal =>
  (db) => {
    for (const goal of goals) goal(db);
  };

/** Evaluates the checks of `goal` in a state in which `actual` was done and the task was finished. */
function evaluate(
  goal: Goal,
  actual: Goal,
  finish: { answer?: Answer; status?: string } | null = {},
) {
  const state = createStartState();
  const checks = new TaskChecks(catalog, state, (db) => readOutcome(goal(db)));
  const end = state.clone();
  actual(end);
  if (finish) {
    const answer = finish.answer === undefined ? null : JSON.stringify(finish.answer);
    end.insert(finishes, { status: finish.status ?? "done", answer } as never);
  }
  return checks.evaluate(end);
}
const failedCheckNames = (...args: Parameters<typeof evaluate>) =>
  evaluate(...args)
    .checks.filter((check) => !check.passed)
    .map((check) => check.name);

const insertListGoal =
  (name: string, songs: readonly string[]): Goal =>
  (db) => {
    const { id } = db.insert(lists, { name, size: songs.length, read: false });
    for (const song of songs) db.insert(entries, { list: id, song });
  };
const removeEntryGoal =
  (id: number): Goal =>
  (db) =>
    db.remove(entries, id);

describe("checks about data", () => {
  const send: Goal = (db) => db.insert(mails, { to: "bo", body: "See you at 8!" });

  test("checks pass for what the goal does, and when nothing is done only the progress checks fail", () => {
    const done = evaluate(send, send);
    expect(done).toMatchObject({ passed: true, finished: true });
    const idle = evaluate(send, () => {}, null);
    expect(idle).toMatchObject({ passed: false, finished: false });
    const onlyFinished = evaluate(send, () => {});
    for (const { label, passed } of onlyFinished.checks) {
      expect(label).toBe(passed ? "guard" : "progress");
    }
    expect(idle.checks.map(({ name, label }) => `${label} ${name}`)).toEqual([
      "progress mail.mails: added to",
      "progress mail.mails: added body",
      "progress mail.mails: all 1 added",
      "guard mail.mails: nothing extra",
      "guard nothing else changed",
      "guard not declared impossible",
      "guard the agent finished",
    ]);
  });

  test("checks fail when everything is done but the task is not finished", () => {
    expect(failedCheckNames(send, send, null)).toEqual(["the agent finished"]);
  });

  test("checks of free text ignore its form and compare what it says", () => {
    const quote: Goal = (db) => db.insert(mails, { to: "bo", body: "$87.21" });
    const reply = (body: string) =>
      failedCheckNames(quote, (db) => db.insert(mails, { to: "bo", body }));
    expect(reply(" $87.21. ")).toEqual([]);
    for (const wrong of ["8721", "87.21", "$872.1", "-$87.21", "$87.2 1"]) {
      expect(reply(wrong)).toContain("mail.mails: added body");
    }
    expect(
      failedCheckNames(send, (db) => db.insert(mails, { to: "bo", body: "see you at 8" })),
    ).toEqual([]);
    expect(
      failedCheckNames(send, (db) => db.insert(mails, { to: "bo", body: "see you at 9" })),
    ).toEqual(["mail.mails: added body", "mail.mails: all 1 added", "mail.mails: nothing extra"]);
    expect(
      failedCheckNames(send, (db) => db.insert(mails, { to: "Bo", body: "See you at 8" })),
    ).toContain("mail.mails: added to");
  });

  test("checks contain guards, which fail for extra, repeated and misplaced changes", () => {
    const twice = combineGoals(send, send);
    expect(failedCheckNames(send, twice)).toContain("mail.mails: nothing extra");
    const more = combineGoals(send, removeEntryGoal(1));
    expect(failedCheckNames(send, more)).toEqual(["nothing else changed"]);
  });

  test("checks compare row, column and value of an update, and ignore a change that was undone", () => {
    const rename: Goal = (db) => db.update(lists, 1, { name: "blues" });
    expect(failedCheckNames(rename, (db) => db.update(lists, 1, { name: "blue" }))).toEqual([
      "music.lists: changed name",
    ]);
    expect(failedCheckNames(rename, (db) => db.update(lists, 2, { name: "blues" }))).toEqual([
      "music.lists: changed name",
      "music.lists: nothing extra",
    ]);
    const renameWithDetour: Goal = (db) => {
      db.update(lists, 2, { name: "oops" });
      db.update(lists, 1, { name: "oops" });
      db.update(lists, 2, { name: "rock" });
      rename(db);
    };
    expect(failedCheckNames(rename, renameWithDetour)).toEqual([]);
  });

  test("checks compare removed rows by id", () => {
    const clear = combineGoals(removeEntryGoal(1), removeEntryGoal(2));
    expect(failedCheckNames(clear, clear)).toEqual([]);
    expect(failedCheckNames(clear, removeEntryGoal(1))).toEqual(["music.entries: all 2 removed"]);
    expect(failedCheckNames(clear, combineGoals(clear, removeEntryGoal(3)))).toEqual([
      "music.entries: nothing extra",
    ]);
  });

  test("checks ignore bookkeeping columns and derived columns, unless the goal is about bookkeeping", () => {
    const busy = combineGoals(send, (db) => db.update(lists, 1, { read: true, size: 9 }));
    expect(failedCheckNames(send, busy)).toEqual([]);
    const markRead: Goal = (db) => db.update(lists, 1, { read: true });
    expect(failedCheckNames(markRead, markRead)).toEqual([]);
    expect(failedCheckNames(markRead, () => {})).toEqual(["music.lists: changed read"]);
    expect(
      failedCheckNames(
        markRead,
        combineGoals(markRead, (db) => db.update(lists, 2, { read: true })),
      ),
    ).toEqual(["music.lists: nothing extra"]);
  });

  test("checks match created rows whatever their ids and their order", () => {
    const goal = combineGoals(insertListGoal("new", ["a", "b"]), insertListGoal("old", ["c"]));
    expect(
      failedCheckNames(
        goal,
        combineGoals(insertListGoal("old", ["c"]), insertListGoal("new", ["b", "a"])),
      ),
    ).toEqual([]);
    expect(
      failedCheckNames(
        goal,
        combineGoals(insertListGoal("old", ["a"]), insertListGoal("new", ["b", "c"])),
      ),
    ).toContain("music.entries: all 3 added");
  });

  test("checks distinguish created rows of equal content by the rows that refer to them", () => {
    const goal = combineGoals(insertListGoal("new", ["a", "b"]), insertListGoal("new", ["c"]));
    expect(
      failedCheckNames(
        goal,
        combineGoals(insertListGoal("new", ["c"]), insertListGoal("new", ["b", "a"])),
      ),
    ).toEqual([]);
    expect(
      failedCheckNames(
        goal,
        combineGoals(insertListGoal("new", ["a"]), insertListGoal("new", ["b", "c"])),
      ),
    ).toEqual(["created rows belong together"]);
  });

  test("checks compare a reference to a created row although its id differs", () => {
    const goal: Goal = (db) => {
      insertListGoal("x", [])(db);
      const { id } = db.insert(lists, { name: "new", size: 0, read: false });
      db.update(entries, 1, { list: id });
    };
    const insertInOtherOrder: Goal = (db) => {
      const { id } = db.insert(lists, { name: "new", size: 0, read: false });
      insertListGoal("x", [])(db);
      db.update(entries, 1, { list: id });
    };
    expect(failedCheckNames(goal, insertInOtherOrder)).toEqual([]);
    const moveToWrongList: Goal = (db) => {
      insertListGoal("new", [])(db);
      const { id } = db.insert(lists, { name: "x", size: 0, read: false });
      db.update(entries, 1, { list: id });
    };
    expect(failedCheckNames(goal, moveToWrongList)).toContain("music.entries: changed list");
  });

  test("for an impossible task, checks require that the agent says so and changes nothing", () => {
    const impossible: Goal = () => ({ impossible: true });
    expect(failedCheckNames(impossible, () => {}, { status: "impossible" })).toEqual([]);
    expect(failedCheckNames(impossible, () => {})).toEqual(["declared impossible"]);
    expect(failedCheckNames(impossible, send, { status: "impossible" })).toEqual([
      "nothing else changed",
    ]);
    expect(failedCheckNames(send, send, { status: "impossible" })).toEqual([
      "not declared impossible",
    ]);
    const impossibleGoalThatSends: Goal = (db) => {
      send(db);
      return { impossible: true };
    };
    expect(() => evaluate(impossibleGoalThatSends, send)).toThrow("must not change anything");
  });
});

describe("checks about answers", () => {
  test("an answer that was not asked for passes with a note, and an empty one without", () => {
    const nothing: Goal = () => {};
    for (const answer of ["Done.", 0, false, ["a"]]) {
      const { passed, checks } = evaluate(nothing, nothing, { answer });
      expect(passed).toBe(true);
      expect(checks.find(({ detail }) => detail !== undefined)).toEqual({
        name: "not declared impossible",
        label: "guard",
        passed: true,
        detail: `no answer was asked for, so ${JSON.stringify(answer)} is not compared`,
      });
    }
    for (const answer of ["", "  \n", []]) {
      const { passed, checks } = evaluate(nothing, nothing, { answer });
      expect([passed, checks.flatMap(({ detail }) => detail ?? [])]).toEqual([true, []]);
    }
    expect(failedCheckNames(nothing, nothing, { answer: "no", status: "impossible" })).toEqual([
      "not declared impossible",
    ]);
  });

  test("an answer that was asked for is compared, and an empty one is none", () => {
    for (const expected of [12.5, "Amara", true, ["a"]]) {
      for (const answer of ["", " ", []]) {
        expect(
          failedCheckNames(
            () => ({ answer: expected }),
            () => {},
            { answer },
          ),
        ).toEqual(["answer"]);
      }
    }
    const answerGoal: Goal = () => ({ answer: 12.5 });
    expect(failedCheckNames(answerGoal, () => {}, { answer: "12.50" })).toEqual([]);
    expect(failedCheckNames(answerGoal, () => {}, { answer: 12 })).toEqual(["answer"]);
    expect(failedCheckNames(answerGoal, () => {})).toEqual(["answer"]);
    expect(failedCheckNames(answerGoal, () => {}, { answer: 12.5, status: "impossible" })).toEqual([
      "answer",
    ]);
  });

  test.each<[Answer, Answer]>([
    [12.5, 12.504],
    [1250, "$1,250.00"],
    [-3, "-3"],
    ["Amara Okafor", "amara okafor."],
    ["12.50", 12.5],
    ["C++", "c++."],
    ["++", " ++ "],
    ["9:30 AM", "9:30am"],
    [5, "€5"],
    ["$1,250.00", "1250"],
    [true, "Yes"],
    [
      ["b", "a"],
      ["A", "B", "a"],
    ],
    [["only"], "Only"],
    ["only", ["only"]],
  ])("for the expected answer %j, the answer %j is right", (expected, given) => {
    expect(isSameAnswer(expected, given)).toBe(true);
  });

  test.each<[Answer, Answer | undefined]>([
    [12.5, 12.51],
    [12.5, "twelve"],
    [125, "12.5"],
    ["12.5", "125"],
    [1, true],
    [0, ""],
    [true, 1],
    [true, "no"],
    ["Amara", "Amara Okafor"],
    ["++", "--"],
    ["C++", "c"],
    ["9:30", "930"],
    ["2.5 km", "25 km"],
    ["3-1", "31"],
    ["$5", "€5"],
    ["0042", 42],
    ["0042", "42"],
    [["a", "b"], ["a"]],
    [["a"], ["a", "b"]],
    [["a", "b"], "a"],
    ["a", undefined],
  ])("for the expected answer %j, the answer %j is wrong", (expected, given) => {
    expect(isSameAnswer(expected, given)).toBe(false);
  });
});
