/** Planning: what is due when, how important, how long it takes, and tags. */

import {
  asIs,
  by,
  day,
  either,
  falling,
  line,
  listing,
  must,
  named,
  same,
  tally,
  when,
  where,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { defineApi, z } from "bowline/world";
import { dayOf, dayPlus, rowBy, withPerson } from "../shared.ts";
import { type Todo, todoLists, todos } from "../tables.ts";
import { detailsOf } from "./details.ts";
import { onList } from "./index.ts";
import { PRIORITIES } from "./tables.ts";
import { fullItem, fullTodos, todoRow } from "./views.ts";

const tagsOf = (db: Reader, { id }: Todo) => detailsOf(db, id).tags;
const tagged = (db: Reader, row: Todo, tag: string) =>
  tagsOf(db, row).some((own) => same(own, tag));
const minutesOf = (db: Reader, { id }: Todo) => detailsOf(db, id).minutes;
const open = { done: false };
const priority = z.enum(PRIORITIES);

/** Todos without a due day come last. */
const due = (row: Todo) => row.due ?? "9999";
const until = [
  day("only due on this day or before"),
  where((row: Todo, last: string) => due(row) <= last),
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
          where(({ id }, wanted, { db }) => detailsOf(db, id).priority === wanted),
        ],
        tag: [line("only with this tag"), where((row, tag, { db }) => tagged(db, row, tag))],
        assignee: withPerson<Todo>(
          "only assigned to this person",
          "assignee",
          ({ id }, person, db) => detailsOf(db, id).assignee === person,
        ),
        assigned: [
          either("only assigned ones, or only others"),
          when(({ id }, { db }) => detailsOf(db, id).assignee !== null),
        ],
        repeating: [
          either("only repeating ones, or only others"),
          when(({ id }, { db }) => detailsOf(db, id).every !== null),
        ],
        from: [
          day("only due on this day or later"),
          where(({ due }, first) => (due ?? "") >= first),
        ],
        until,
      },
      sorts: {
        due: by(due),
        priority: by(({ id }, { db }) => PRIORITIES.indexOf(detailsOf(db, id).priority), due),
        longest: by(falling((row, { db }) => minutesOf(db, row) ?? 0)),
        oldest: "id",
      },
      example: { priority: "high", size: 10 },
    },
  ),
  overdue: fullTodos.list("List open todos that were due before today, by due day.", {
    rows: (_, { db, now }) => db.where(todos, open).filter((row) => due(row) < dayOf(now)),
    order: by(due),
  }),
  upcoming: fullTodos.list(
    "List open todos that are due from today on within some days, by due day.",
    {
      params: {
        days: z.int().min(0).max(366).default(7).describe("how many days ahead; 0 is today alone"),
      },
      rows: ({ days }, { db, now }) => {
        const [today, last] = [dayOf(now), dayPlus(dayOf(now), days)];
        return db.where(todos, open).filter((row) => due(row) >= today && due(row) <= last);
      },
      order: by(due),
      example: { days: 14 },
    },
  ),
  details: fullTodos.show(
    "Show all about a todo: rhythm, what it waits for, steps, comments and minutes spent.",
    { item: fullItem, find: ({ id }, { db }) => rowBy(db, todos, id, "todo") },
  ),
  workload: defineApi({
    summary: "Add up the estimates of open todos, and count those without one.",
    params: z.strictObject({
      list: line("only on this list").optional(),
      until: day("only due on this day or before").optional(),
    }),
    returns: z.strictObject({ minutes: z.int(), todos: z.int(), withoutEstimate: z.int() }),
    example: () => ({ until: "2026-03-31" }),
    handler: ({ db }, { list, until = "9999" }) => {
      const match = list === undefined ? {} : { list: named(db, todoLists, list, "list").id };
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
    params: { tag: line("the tag, old or new") },
    set: (row, { tag }, { db }) => {
      must(!tagged(db, row, tag), 409, `tag: todo ${row.id} has the tag "${tag}" already`);
      return { tags: [...tagsOf(db, row), tag].sort() };
    },
    fits: (row, db) => tagsOf(db, row).length === 0,
    example: { tag: "calls" },
  }),
  untag: fullTodos.change("Take a tag off a todo.", {
    params: { tag: line("one of its tags") },
    set: (row, { tag }, { db }) => {
      const had = tagsOf(db, row).join(", ") || "no tags";
      must(tagged(db, row, tag), 404, `tag: todo ${row.id} has ${had}, got "${tag}"`);
      return { tags: tagsOf(db, row).filter((own) => !same(own, tag)) };
    },
    example: (db) => {
      const row = todoRow(db, (candidate) => tagsOf(db, candidate).length > 0);
      return { id: row?.id ?? 1, tag: (row && tagsOf(db, row)[0]) ?? "none" };
    },
  }),
  tags: listing("List tags in alphabetical order with their number of open todos.", {
    item: asIs({ name: z.string(), size: z.int() }),
    rows: (_, { db }) => {
      const all = db.where(todos, open).flatMap((row) => tagsOf(db, row));
      return tally(all).map(([name, size]) => ({ name, size }));
    },
    order: "name",
  }),
  postpone: fullTodos.act("Move the due day of an open todo some days later.", {
    params: { days: z.int().min(1).max(366).describe("by how many days") },
    run: ({ id, due, done }, { days }, { db }) => {
      must(due, 422, `id: expected a todo with a due day, ${id} has none; todo.setDue gives one`);
      must(!done, 409, `id: expected an open todo, ${id} is done`);
      return db.update(todos, id, { due: dayPlus(due, days) });
    },
    fits: ({ due }) => due !== null,
    example: { days: 7 },
  }),
};
