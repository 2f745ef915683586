import { describe, expect, test } from "vitest";
import { todos } from "../apps/tables.ts";
import { activeListShares } from "../apps/todo/details.ts";
import { fullTodo as app } from "../apps/todo/full.ts";
import { details } from "../apps/todo/tables.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../tests/app-fixture.ts";
import { addTodos } from "./todo.ts";

const apps = [app];
const { base, life } = makeLifeBase(apps, addTodos);
const fixture = () => appFixture(apps, base);

describe("the owner's todos", () => {
  test("there are enough todos to page through, and each has its details", () => {
    const { db } = fixture();
    const rows = db.all(todos);
    expect(rows.length).toBeGreaterThan(120);
    expect(rows.length).toBeLessThan(320);
    const known = db.all(details).map(({ todo }) => todo);
    expect(known.toSorted((a, b) => a - b)).toEqual(rows.map(({ id }) => id));
  });

  test("only editors of a list are assigned its todos, and a repeating todo has a due day", () => {
    const { db } = fixture();
    for (const { todo, assignee, every } of db.all(details)) {
      const { list, due } = db.get(todos, todo)!;
      if (every !== null) expect(due).not.toBeNull();
      if (assignee === null) continue;
      expect(activeListShares(db, { list, person: assignee, role: "editor" })).toHaveLength(1);
    }
  });

  test("each todo to settle a cost names a cost that another person paid", () => {
    const { db } = fixture();
    for (const { title } of db.all(todos).filter((row) => row.title.startsWith("settle"))) {
      const cost = life.happenings
        .flatMap(({ costs, place }) => costs.map((one) => ({ ...one, place })))
        .find(({ what, place }) => title === `settle the ${what} of the ${place}`);
      expect(cost?.payer, title).toBeTruthy();
    }
  });

  test("every API of todo has an example that works at the start", () => {
    expect(findFailingExamples(app, apps, base)).toEqual([]);
  });
});
