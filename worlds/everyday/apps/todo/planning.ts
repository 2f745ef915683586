/** Defines the APIs of planning: what is due when, how important it is, how long it takes, and tags. */

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
import { readDetails } from "./details.ts";
import { listFilter } from "./index.ts";
import { PRIORITIES } from "./tables.ts";
import { exampleTodo, listedItem, todoDetailsItem, todoWithDetails } from "./todo-items.ts";

const tagsOfTodo = (db: Reader, { id }: Todo) => readDetails(db, id).tags;
const hasTag = (db: Reader, row: Todo, tag: string) =>
  tagsOfTodo(db, row).some((own) => equalIgnoringCase(own, tag));
const estimatedMinutes = (db: Reader, { id }: Todo) => readDetails(db, id).minutes;
const OPEN = { done: false };
const priority = z.enum(PRIORITIES);

/** Returns the due day, or a day after all others for a todo without one, so that it comes last. */
const dueOrLast = (row: Todo) => row.due ?? "9999";
const untilFilter = [
  dayParam("only due on this day or before"),
  filterWhere((row: Todo, last: string) => dueOrLast(row) <= last),
] as const;

export const planningApis = {
  list: todoWithDetails.list(
    "List todos, done ones and those on lists of others too, oldest first unless sorted otherwise.",
    {
      item: listedItem,
      filters: {
        list: listFilter,
        done: booleanParam("only done ones, or only open ones"),
        priority: [
          priority.describe("only of this priority"),
          filterWhere(({ id }, wanted, { db }) => readDetails(db, id).priority === wanted),
        ],
        tag: [
          shortTextParam("only with this tag"),
          filterWhere((row, tag, { db }) => hasTag(db, row, tag)),
        ],
        person: personFilter<Todo>(
          "only assigned to this person",
          "person",
          ({ id }, person, db) => readDetails(db, id).assignee === person,
        ),
        assigned: [
          booleanParam("only assigned ones, or only others"),
          filterWhether(({ id }, { db }) => readDetails(db, id).assignee !== null),
        ],
        repeating: [
          booleanParam("only repeating ones, or only others"),
          filterWhether(({ id }, { db }) => readDetails(db, id).every !== null),
        ],
        since: [
          dayParam("only due on this day or later"),
          filterWhere(({ due }, first) => (due ?? "") >= first),
        ],
        until: untilFilter,
      },
      sorts: {
        oldest: "id",
        due: orderBy(dueOrLast),
        priority: orderBy(
          ({ id }, { db }) => PRIORITIES.indexOf(readDetails(db, id).priority),
          dueOrLast,
        ),
        longest: orderBy(descending((row, { db }) => estimatedMinutes(db, row) ?? 0)),
      },
      sortDescription: "those without a due day come last by due day",
      example: { done: false, priority: "high", size: 10 },
    },
  ),
  overdue: todoWithDetails.list("List open todos that were due before today, by due day.", {
    rows: (_, { db, now }) => db.where(todos, OPEN).filter((row) => dueOrLast(row) < dayOf(now)),
    order: orderBy(dueOrLast),
  }),
  details: todoWithDetails.show(
    "Show all about a todo: rhythm, what it waits for, steps, comments and minutes spent.",
    { item: todoDetailsItem, find: ({ id }, { db }) => requireRow(db, todos, id, "todo") },
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
      const rows = db.where(todos, { ...OPEN, ...match }).filter((row) => dueOrLast(row) <= until);
      const estimates = rows.map((row) => estimatedMinutes(db, row));
      return {
        minutes: estimates.reduce<number>((sum, minutes) => sum + (minutes ?? 0), 0),
        todos: rows.length,
        withoutEstimate: estimates.filter((minutes) => minutes === null).length,
      };
    },
  }),
  setPriority: todoWithDetails.change("Set the priority of a todo.", {
    params: { priority: priority.describe("the new priority") },
    example: { priority: "high" },
  }),
  estimate: todoWithDetails.change("Estimate how many minutes a todo takes.", {
    params: { minutes: z.int().min(1).max(6000).describe("the estimate, such as 45") },
    example: { minutes: 45 },
  }),
  tag: todoWithDetails.change("Give a todo a tag beside those that it has.", {
    params: { tag: shortTextParam("the tag, old or new") },
    set: (row, { tag }, { db }) => {
      refuseUnless(!hasTag(db, row, tag), 409, `tag: todo ${row.id} has the tag "${tag}" already`);
      return { tags: [...tagsOfTodo(db, row), tag].sort() };
    },
    isExample: (row, db) => tagsOfTodo(db, row).length === 0,
    example: { tag: "calls" },
  }),
  untag: todoWithDetails.change("Take a tag off a todo.", {
    params: { tag: shortTextParam("one of its tags") },
    set: (row, { tag }, { db }) => {
      const had = tagsOfTodo(db, row).join(", ") || "no tags";
      refuseUnless(hasTag(db, row, tag), 404, `tag: todo ${row.id} has ${had}, got "${tag}"`);
      return { tags: tagsOfTodo(db, row).filter((own) => !equalIgnoringCase(own, tag)) };
    },
    example: (db) => {
      const row = exampleTodo(db, (candidate) => tagsOfTodo(db, candidate).length > 0);
      return { id: row?.id ?? 1, tag: (row && tagsOfTodo(db, row)[0]) ?? "none" };
    },
  }),
  tags: listApi("List tags in alphabetical order with their number of open todos.", {
    item: defineObjectItem({ name: z.string(), size: z.int() }),
    rows: (_, { db }) => {
      const all = db.where(todos, OPEN).flatMap((row) => tagsOfTodo(db, row));
      return tally(all).map(([name, size]) => ({ name, size }));
    },
    order: "name",
  }),
  postpone: todoWithDetails.act("Move the due day of an open todo some days later.", {
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
