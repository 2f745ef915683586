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

function start(): TableState {
  const population = new TableState(FrozenTables.empty(catalog.tables));
  for (const name of ["jazz", "rock", "folk"]) {
    const { id } = population.insert(lists, { name, size: 1, read: false });
    population.insert(entries, { list: id, song: `${name} one` });
  }
  population.insert(mails, { to: "amara", body: "hello" });
  return new TableState(population.toFrozenTables());
}

type Goal = (db: Writer) => unknown;

/** What a goal returns beside an outcome, such as a row it made, means nothing. */
function outcomeOf(value: unknown): GoalOutcome | undefined {
  const outcome = value as (GoalOutcome & { id?: number }) | undefined;
  return outcome?.id === undefined ? outcome : undefined;
}

const all =
  (...goals: readonly Goal[]): Goal =>
  (db) => {
    for (const goal of goals) goal(db);
  };

/** Checks of `goal` after `actual` was done and the task finished with `answer`. */
function evaluate(
  goal: Goal,
  actual: Goal,
  finish: { answer?: Answer; status?: string } | null = {},
) {
  const state = start();
  const checks = new TaskChecks(catalog, state, (db) => outcomeOf(goal(db)));
  const end = state.clone();
  actual(end);
  if (finish) {
    const answer = finish.answer === undefined ? null : JSON.stringify(finish.answer);
    end.insert(finishes, { status: finish.status ?? "done", answer } as never);
  }
  return checks.evaluate(end);
}
const failed = (...args: Parameters<typeof evaluate>) =>
  evaluate(...args)
    .checks.filter((check) => !check.passed)
    .map((check) => check.name);

const newList =
  (name: string, songs: readonly string[]): Goal =>
  (db) => {
    const { id } = db.insert(lists, { name, size: songs.length, read: false });
    for (const song of songs) db.insert(entries, { list: id, song });
  };
const drop =
  (id: number): Goal =>
  (db) =>
    db.remove(entries, id);

describe("checks over data", () => {
  const send: Goal = (db) => db.insert(mails, { to: "bo", body: "See you at 8!" });

  test("what the goal does passes; doing nothing fails exactly the progress checks", () => {
    const done = evaluate(send, send);
    expect(done).toMatchObject({ passed: true, finished: true });
    const idle = evaluate(send, () => {}, null);
    expect(idle).toMatchObject({ passed: false, finished: false });
    for (const { label, passed } of idle.checks) expect(label).toBe(passed ? "guard" : "progress");
    expect(idle.checks.map(({ name, label }) => `${label} ${name}`)).toEqual([
      "progress mail.mails: added to",
      "progress mail.mails: added body",
      "progress mail.mails: all 1 added",
      "guard mail.mails: nothing extra",
      "guard nothing else changed",
      "guard no answer",
      "progress the agent finished",
    ]);
  });

  test("all done but not finished fails", () => {
    expect(failed(send, send, null)).toEqual(["the agent finished"]);
  });

  test("loose columns are compared by letters and digits", () => {
    expect(failed(send, (db) => db.insert(mails, { to: "bo", body: "see you at 8" }))).toEqual([]);
    expect(failed(send, (db) => db.insert(mails, { to: "bo", body: "see you at 9" }))).toEqual([
      "mail.mails: added body",
      "mail.mails: all 1 added",
      "mail.mails: nothing extra",
    ]);
    expect(failed(send, (db) => db.insert(mails, { to: "Bo", body: "See you at 8" }))).toContain(
      "mail.mails: added to",
    );
  });

  test("too much, too often and elsewhere are caught by guards", () => {
    const twice = all(send, send);
    expect(failed(send, twice)).toContain("mail.mails: nothing extra");
    const more = all(send, drop(1));
    expect(failed(send, more)).toEqual(["nothing else changed"]);
  });

  test("updates: the row, the column and the value count, restoring is no change", () => {
    const rename: Goal = (db) => db.update(lists, 1, { name: "blues" });
    expect(failed(rename, (db) => db.update(lists, 1, { name: "blue" }))).toEqual([
      "music.lists: changed name",
    ]);
    expect(failed(rename, (db) => db.update(lists, 2, { name: "blues" }))).toEqual([
      "music.lists: changed name",
      "music.lists: nothing extra",
    ]);
    const detour: Goal = (db) => {
      db.update(lists, 2, { name: "oops" });
      db.update(lists, 1, { name: "oops" });
      db.update(lists, 2, { name: "rock" });
      rename(db);
    };
    expect(failed(rename, detour)).toEqual([]);
  });

  test("removed rows are compared by id", () => {
    const clear = all(drop(1), drop(2));
    expect(failed(clear, clear)).toEqual([]);
    expect(failed(clear, drop(1))).toEqual(["music.entries: all 2 removed"]);
    expect(failed(clear, all(clear, drop(3)))).toEqual(["music.entries: nothing extra"]);
  });

  test("bookkeeping and derived columns are free, unless the goal is about bookkeeping", () => {
    const busy = all(send, (db) => db.update(lists, 1, { read: true, size: 9 }));
    expect(failed(send, busy)).toEqual([]);
    const markRead: Goal = (db) => db.update(lists, 1, { read: true });
    expect(failed(markRead, markRead)).toEqual([]);
    expect(failed(markRead, () => {})).toEqual(["music.lists: changed read"]);
    expect(
      failed(
        markRead,
        all(markRead, (db) => db.update(lists, 2, { read: true })),
      ),
    ).toEqual(["music.lists: nothing extra"]);
  });

  test("created rows are matched whatever their ids and order", () => {
    const goal = all(newList("new", ["a", "b"]), newList("old", ["c"]));
    expect(failed(goal, all(newList("old", ["c"]), newList("new", ["b", "a"])))).toEqual([]);
    expect(failed(goal, all(newList("old", ["a"]), newList("new", ["b", "c"])))).toContain(
      "music.entries: all 3 added",
    );
  });

  test("created rows of equal content are told apart by what refers to them", () => {
    const goal = all(newList("new", ["a", "b"]), newList("new", ["c"]));
    expect(failed(goal, all(newList("new", ["c"]), newList("new", ["b", "a"])))).toEqual([]);
    expect(failed(goal, all(newList("new", ["a"]), newList("new", ["b", "c"])))).toEqual([
      "created rows belong together",
    ]);
  });

  test("a changed reference to a created row is followed", () => {
    const goal: Goal = (db) => {
      newList("x", [])(db);
      const { id } = db.insert(lists, { name: "new", size: 0, read: false });
      db.update(entries, 1, { list: id });
    };
    const other: Goal = (db) => {
      const { id } = db.insert(lists, { name: "new", size: 0, read: false });
      newList("x", [])(db);
      db.update(entries, 1, { list: id });
    };
    expect(failed(goal, other)).toEqual([]);
    const wrong: Goal = (db) => {
      newList("new", [])(db);
      const { id } = db.insert(lists, { name: "x", size: 0, read: false });
      db.update(entries, 1, { list: id });
    };
    expect(failed(goal, wrong)).toContain("music.entries: changed list");
  });

  test("a goal that is impossible must be declared so and change nothing", () => {
    const impossible: Goal = () => ({ impossible: true });
    expect(failed(impossible, () => {}, { status: "impossible" })).toEqual([]);
    expect(failed(impossible, () => {})).toEqual(["declared impossible"]);
    expect(failed(impossible, send, { status: "impossible" })).toEqual(["nothing else changed"]);
    expect(failed(send, send, { status: "impossible" })).toEqual(["no answer"]);
    const contradiction: Goal = (db) => {
      send(db);
      return { impossible: true };
    };
    expect(() => evaluate(contradiction, send)).toThrow("must not change anything");
  });
});

describe("answers", () => {
  test("are checked when asked for, and unwelcome when not", () => {
    const ask: Goal = () => ({ answer: 12.5 });
    expect(failed(ask, () => {}, { answer: "12.50" })).toEqual([]);
    expect(failed(ask, () => {}, { answer: 12 })).toEqual(["answer"]);
    expect(failed(ask, () => {})).toEqual(["answer"]);
    expect(failed(ask, () => {}, { answer: 12.5, status: "impossible" })).toEqual(["answer"]);
    expect(
      failed(
        () => {},
        () => {},
        { answer: 1 },
      ),
    ).toEqual(["no answer"]);
  });

  test.each<[Answer, Answer]>([
    [12.5, 12.504],
    [1250, "$1,250.00"],
    [-3, "-3"],
    ["Amara Okafor", "amara okafor."],
    ["12.50", 12.5],
    ["C++", "c"],
    ["++", " ++ "],
    [true, "Yes"],
    [
      ["b", "a"],
      ["A", "B", "a"],
    ],
    [["only"], "Only"],
    ["only", ["only"]],
  ])("%j accepts %j", (expected, given) => {
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
    [["a", "b"], ["a"]],
    [["a"], ["a", "b"]],
    [["a", "b"], "a"],
    ["a", undefined],
  ])("%j refuses %j", (expected, given) => {
    expect(isSameAnswer(expected, given)).toBe(false);
  });
});
