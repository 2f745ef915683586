/** Planning: what is due when, how important, how long it takes, and tags. */

import {
  booleanParam,
  dayParam,
  defineObjectItem,
  descending,
  equalIgnoringCase,
  filterWhere,
  filterWhether,
  listApi,
  orderBy,
  refuseUnless,
  rowByName,
  shortTextParam,
  tally,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { defineApi, z } from "bowline/world";
import { addDays, dayOf, personFilter, requireRow } from "../shared.ts";
import { type Todo, todoLists, todos } from "../tables.ts";
import { detailsOf } from "./details.ts";
import { onList } from "./index.ts";
import { PRIORITIES } from "./tables.ts";
import { fullItem, fullTodos, todoRow } from "./views.ts";

const tagsOf = (db: Reader, { id }: Todo) => detailsOf(db, id).tags;
const tagged = (db: Reader, row: Todo, tag: string) =>
  tagsOf(db, row).some((own) => equalIgnoringCase(own, tag));
const minutesOf = (db: Reader, { id }: Todo) => detailsOf(db, id).minutes;
const open = { done: false };
const priority = z.enum(PRIORITIES);

/** Todos without a due day come last. */
const due = (row: Todo) => row.due ?? "9999";
const until = [
  dayParam("only due on this day or before"),
  filterWhere((row: Todo, last: string) => due(row) <= last),
] as const;

export const planningApis = {
  agenda: fullTodos.list(
    "List open todos with priority, estimate, tags and assignee, by due day unless sorted otherwise.",
    {
      rows: open,
      filters: {
        list: onList,
        priority: [
          priority.describe("only of this priority"),
          filterWhere(({ id }, wanted, { db }) => detailsOf(db, id).priority === wanted),
        ],
        tag: [
          shortTextParam("only with this tag"),
          filterWhere((row, tag, { db }) => tagged(db, row, tag)),
        ],
        assignee: personFilter<Todo>(
          "only assigned to this person",
          "assignee",
          ({ id }, person, db) => detailsOf(db, id).assignee === person,
        ),
        assigned: [
          booleanParam("only assigned ones, or only others"),
          filterWhether(({ id }, { db }) => detailsOf(db, id).assignee !== null),
        ],
        repeating: [
          booleanParam("only repeating ones, or only others"),
          filterWhether(({ id }, { db }) => detailsOf(db, id).every !== null),
        ],
        from: [
          dayParam("only due on this day or later"),
          filterWhere(({ due }, first) => (due ?? "") >= first),
        ],
        until,
      },
      sorts: {
        due: orderBy(due),
        priority: orderBy(({ id }, { db }) => PRIORITIES.indexOf(detailsOf(db, id).priority), due),
        longest: orderBy(descending((row, { db }) => minutesOf(db, row) ?? 0)),
        oldest: "id",
      },
      example: { priority: "high", size: 10 },
    },
  ),
  overdue: fullTodos.list("List open todos that were due before today, by due day.", {
    rows: (_, { db, now }) => db.where(todos, open).filter((row) => due(row) < dayOf(now)),
    order: orderBy(due),
  }),
  upcoming: fullTodos.list(
    "List open todos that are due from today on within some days, by due day.",
    {
      params: {
        days: z.int().min(0).max(366).default(7).describe("how many days ahead; 0 is today alone"),
      },
      rows: ({ days }, { db, now }) => {
        const [today, last] = [dayOf(now), addDays(dayOf(now), days)];
        return db.where(todos, open).filter((row) => due(row) >= today && due(row) <= last);
      },
      order: orderBy(due),
      example: { days: 14 },
    },
  ),
  details: fullTodos.show(
    "Show all about a todo: rhythm, what it waits for, steps, comments and minutes spent.",
    { item: fullItem, find: ({ id }, { db }) => requireRow(db, todos, id, "todo") },
  ),
  workload: defineApi({
    summary: "Add up the estimates of open todos, and count those without one.",
    params: z.strictObject({
      list: shortTextParam("only on this list").optional(),
      until: dayParam("only due on this day or before").optional(),
    }),
    returns: z.strictObject({ minutes: z.int(), todos: z.int(), withoutEstimate: z.int() }),
    example: () => ({ until: "2026-03-31" }),
    handler: ({ db }, { list, until = "9999" }) => {
      const match = list === undefined ? {} : { list: rowByName(db, todoLists, list, "list").id };
      const rows = db.where(todos, { ...open, ...match }).filter((row) => due(row) <= until);
      const estimates = rows.map((row) => minutesOf(db, row));
      return {
        minutes: estimates.reduce<number>((sum, minutes) => sum + (minutes ?? 0), 0),
        todos: rows.length,
        withoutEstimate: estimates.filter((minutes) => minutes === null).length,
      };
    },
  }),
  setPriority: fullTodos.change("Set the priority of a todo.", {
    params: { priority: priority.describe("the new priority") },
    example: { priority: "high" },
  }),
  estimate: fullTodos.change("Estimate how many minutes a todo takes.", {
    params: { minutes: z.int().min(1).max(6000).describe("the estimate, such as 45") },
    example: { minutes: 45 },
  }),
  clearEstimate: fullTodos.set("Take the estimate off a todo.", { minutes: null }),
  tag: fullTodos.change("Give a todo a tag beside those that it has.", {
    params: { tag: shortTextParam("the tag, old or new") },
    set: (row, { tag }, { db }) => {
      refuseUnless(!tagged(db, row, tag), 409, `tag: todo ${row.id} has the tag "${tag}" already`);
      return { tags: [...tagsOf(db, row), tag].sort() };
    },
    isExample: (row, db) => tagsOf(db, row).length === 0,
    example: { tag: "calls" },
  }),
  untag: fullTodos.change("Take a tag off a todo.", {
    params: { tag: shortTextParam("one of its tags") },
    set: (row, { tag }, { db }) => {
      const had = tagsOf(db, row).join(", ") || "no tags";
      refuseUnless(tagged(db, row, tag), 404, `tag: todo ${row.id} has ${had}, got "${tag}"`);
      return { tags: tagsOf(db, row).filter((own) => !equalIgnoringCase(own, tag)) };
    },
    example: (db) => {
      const row = todoRow(db, (candidate) => tagsOf(db, candidate).length > 0);
      return { id: row?.id ?? 1, tag: (row && tagsOf(db, row)[0]) ?? "none" };
    },
  }),
  tags: listApi("List tags in alphabetical order with their number of open todos.", {
    item: defineObjectItem({ name: z.string(), size: z.int() }),
    rows: (_, { db }) => {
      const all = db.where(todos, open).flatMap((row) => tagsOf(db, row));
      return tally(all).map(([name, size]) => ({ name, size }));
    },
    order: "name",
  }),
  postpone: fullTodos.act("Move the due day of an open todo some days later.", {
    params: { days: z.int().min(1).max(366).describe("by how many days") },
    run: ({ id, due, done }, { days }, { db }) => {
      refuseUnless(
        due,
        422,
        `id: expected a todo with a due day, ${id} has none; todo.setDue gives one`,
      );
      refuseUnless(!done, 409, `id: expected an open todo, ${id} is done`);
      return db.update(todos, id, { due: addDays(due, days) });
    },
    isExample: ({ due }) => due !== null,
    example: { days: 7 },
  }),
};
