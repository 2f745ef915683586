import { describe, expect, test } from "vitest";
import { appFixture, makeLifeBase } from "../../tests/app-fixture.ts";
import { todoLists, todos } from "../tables.ts";
import { fullTodo as app } from "./full.ts";
import { nextDay } from "./repeating.ts";
import { listsOfOthers } from "./tables.ts";

const apps = [app];

/**
 * List 1 is the inbox and list 2 is "errands". Lists 3 and 4 belong to another person: the owner may only view list 3,
 * and may edit list 4. Todos 1 and 2 are on lists of the owner, todo 3 is on list 3, and todo 4 is on list 4.
 */
const { base } = makeLifeBase(apps, (db) => {
  for (const name of ["inbox", "errands", "bake sale", "quiz night"])
    db.insert(todoLists, { name });
  db.insert(listsOfOthers, { list: 3, person: 1, role: "viewer" });
  db.insert(listsOfOthers, { list: 4, person: 1, role: "editor" });
  db.insert(todos, { title: "buy stamps", list: 2, due: "2026-01-31", done: false });
  db.insert(todos, { title: "call the bank", list: 1, due: null, done: false });
  db.insert(todos, { title: "bring a cake", list: 3, due: null, done: false });
  db.insert(todos, { title: "print signs", list: 4, due: null, done: false });
});
const fixture = () => appFixture(apps, base);
const handleByIndex = (nth = 0) => String(fixture().all("contacts.list")[nth]!["handle"]);

describe("full todo", () => {
  test("finishing a round moves a repeating todo to its next day, and undoing it moves it back", () => {
    const open = fixture();
    open.call("todo.repeat", { id: 1, every: "monthly" });
    expect(open.refusal("todo.complete", { id: 1 }).message).toContain("todo.completeRound");
    expect(open.refusal("todo.clearDue", { id: 1 }).message).toContain("todo.endRepeat");
    expect(open.item("todo.completeRound", { id: 1 })["due"]).toBe("2026-02-28");
    expect(open.item("todo.undoRound", { id: 1 })["due"]).toBe("2026-01-31");
    expect(open.refusal("todo.undoRound", { id: 1 }).status).toBe(409);
    expect(open.refusal("todo.repeat", { id: 2, every: "daily" }).message).toMatch(/^id: /);
    open.call("todo.endRepeat", { id: 1 });
    open.call("todo.complete", { id: 1 });
  });

  test("a monthly todo is next due on the same date, or on the last day of a shorter month", () => {
    expect(nextDay("2026-01-30", "monthly")).toBe("2026-02-28");
    expect(nextDay("2026-12-15", "monthly")).toBe("2027-01-15");
    expect(nextDay("2026-02-28", "weekly")).toBe("2026-03-07");
  });

  test("a todo can wait for another todo, but two todos cannot wait for each other", () => {
    const open = fixture();
    open.call("todo.waitFor", { id: 1, other: 2 });
    open.call("todo.waitFor", { id: 2, other: 4 });
    expect(open.refusal("todo.waitFor", { id: 4, other: 1 }).message).toMatch(/^other: /);
    expect(open.refusal("todo.complete", { id: 1 }).message).toContain("waits for todo 2");
    expect(open.all("todo.blocked")).toMatchObject([{ waitsFor: [2] }, { waitsFor: [4] }]);
    open.call("todo.complete", { id: 4 });
    open.call("todo.complete", { id: 2 });
    open.call("todo.complete", { id: 1 });
  });

  test("the owner cannot change another person's list that is only for viewing, but can comment on its todos", () => {
    const open = fixture();
    const refused: [string, object][] = [
      ["todo.complete", { id: 3 }],
      ["todo.rename", { id: 3, title: "x" }],
      ["todo.move", { id: 3, list: "inbox" }],
      ["todo.move", { id: 1, list: "bake sale" }],
      ["todo.add", { title: "x", list: "Bake Sale" }],
      ["todo.setPriority", { id: 3, priority: "high" }],
      ["todo.addStep", { id: 3, title: "x" }],
      ["todo.removeList", { list: "quiz night" }],
      ["todo.shareList", { list: "quiz night", person: handleByIndex() }],
    ];
    for (const [path, args] of refused) {
      expect(open.refusal(path, args), path).toMatchObject({ status: 403 });
    }
    open.call("todo.comment", { id: 3, text: "With nuts?" });
    open.call("todo.complete", { id: 4 });
  });

  test("only editors of a shared list can be assigned its todos, and an assigned editor cannot be removed from the list", () => {
    const open = fixture();
    const share = { list: "errands", person: handleByIndex() };
    expect(open.refusal("todo.assign", { id: 1, person: handleByIndex() }).message).toMatch(
      /^person: .*nobody/,
    );
    open.call("todo.shareList", share);
    expect(open.refusal("todo.assign", { id: 1, person: handleByIndex() }).status).toBe(422);
    open.call("todo.setListRole", { ...share, role: "editor" });
    expect(open.item("todo.assign", { id: 1, person: handleByIndex() })["assignee"]).toBe(
      handleByIndex(),
    );
    expect(open.refusal("todo.unshareList", share).message).toContain("todo.unassign");
    expect(open.refusal("todo.removeList", { list: "errands" }).message).toContain(
      "todo.unshareList",
    );
    open.call("todo.unassign", { id: 1 });
    open.call("todo.unshareList", share);
    expect(open.all("todo.listMembers")).toEqual([]);
  });

  test("the list can be sorted by due day, and the workload is the sum of the todos' estimates", () => {
    const open = fixture();
    open.call("todo.setDue", { id: 2, due: "2026-03-20" });
    open.call("todo.estimate", { id: 2, minutes: 45 });
    open.call("todo.setPriority", { id: 4, priority: "high" });
    const ids = (args: object) => open.all("todo.list", args).map(({ id }) => id);
    expect(ids({ done: false, sort: "due" })).toEqual([1, 2, 3, 4]);
    expect(ids({ done: false, sort: "priority" })).toEqual([4, 1, 2, 3]);
    expect(ids({ since: "2026-03-01" })).toEqual([2]);
    expect(open.all("todo.overdue").map(({ id }) => id)).toEqual([1]);
    expect(open.item("todo.workload", { until: "2026-03-31" })).toEqual({
      minutes: 45,
      todos: 2,
      withoutEstimate: 1,
    });
    open.call("todo.postpone", { id: 1, days: 60 });
    expect(open.all("todo.overdue")).toEqual([]);
    expect(open.refusal("todo.postpone", { id: 3, days: 1 }).status).toBe(403);
  });
});
