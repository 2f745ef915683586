/** What a todo has several of: steps, comments, time spent, and other todos for which it waits. */

import {
  booleanParam,
  dayParam,
  defineObjectItem,
  idParam,
  listApi,
  longTextParam,
  newestFirst,
  refuseUnless,
  resource,
  rowById,
  shortTextParam,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { dayField, dayOf, nullableHandleField } from "../shared.ts";
import { todos } from "../tables.ts";
import { detailsOf, mayChange, openBefore, todoBy } from "./details.ts";
import { allTodos } from "./index.ts";
import { comments, steps, timeEntries } from "./tables.ts";
import { aTodo, fullTodos, todoRow } from "./views.ts";

const stepRows = resource({
  noun: "step",
  item: steps.item("title", "id", "done"),
  keys: { step: idParam("step of a todo") },
  hint: "todo.steps lists them",
  guard: ({ todo }, { db }) => todoBy(db, todo),
  isExample: ({ todo }, db) => mayChange(db, db.get(todos, todo)?.list ?? 0),
});

const commentRows = resource({
  noun: "comment",
  item: comments.item({
    ...comments.fields("text", "id"),
    by: nullableHandleField,
    day: dayField,
  }),
});

const timeRows = resource({
  noun: "entry",
  item: timeEntries.item("minutes", "id", "day"),
  keys: { entry: idParam("entry") },
  hint: "todo.timeLog lists them",
});

// --- waiting ---

const other = idParam("todo that must be done before");
const waitsOf = (db: Reader, id: number) => detailsOf(db, id).waits;

/** A todo and all that it waits for, also through others. */
function chain(db: Reader, todo: number): ReadonlySet<number> {
  const found = new Set([todo]);
  for (const id of found) for (const next of waitsOf(db, id)) found.add(next);
  return found;
}

const waiting = (db: Reader) =>
  db.where(todos, { done: false }).flatMap(({ id, title }) => {
    const waitsFor = openBefore(db, id).map((row) => row.id);
    return waitsFor.length > 0 ? [{ title, id, waitsFor }] : [];
  });

export const insideApis = {
  steps: stepRows.list("List the steps of a todo, in their order.", {
    parent: [allTodos, "todo"],
    filters: { done: booleanParam("only done ones, or only open ones") },
  }),
  addStep: stepRows.add("Add an open step at the end of a todo.", {
    parent: [fullTodos, "todo"],
    params: { title: shortTextParam("what to do") },
    defaults: { done: false },
    example: { title: "make a plan" },
  }),
  checkStep: stepRows.set("Mark an open step as done.", { done: true }, "is already done"),
  uncheckStep: stepRows.set("Mark a done step as open again.", { done: false }, "is already open"),
  removeStep: stepRows.remove("Remove a step of a todo.", { isExample: ({ done }) => !done }),
  comment: commentRows.add(
    "Comment on a todo, also on a list that you may only view; comments stay.",
    {
      parent: [allTodos, "todo"],
      params: { text: longTextParam("the comment") },
      row: ({ text }, { now }) => ({ person: null, text, at: now }),
      example: (db) => ({ id: aTodo(db), text: "I can do this on Monday." }),
    },
  ),
  comments: commentRows.list(
    "List the comments on a todo, newest first; by is null for your own.",
    {
      parent: [allTodos, "todo"],
      order: newestFirst,
    },
  ),
  logTime: timeRows.add("Note time that you spent on a todo.", {
    parent: [fullTodos, "todo"],
    params: {
      minutes: z.int().min(1).max(1440).describe("how many minutes"),
      day: dayParam("when; today when left out").optional(),
    },
    checkArguments: ({ day }, { now }) => {
      const today = dayOf(now);
      const past = day === undefined || day <= today;
      refuseUnless(past, 422, `day: expected today (${today}) or earlier, got ${day}`);
    },
    row: ({ minutes, day }, { now }) => ({ minutes, day: day ?? dayOf(now) }),
    example: { minutes: 25 },
  }),
  timeLog: timeRows.list("List the time spent on a todo, by day.", {
    parent: [allTodos, "todo"],
    order: "day",
  }),
  dropTime: timeRows.remove("Remove an entry of time spent.", {
    checkRow: ({ todo }, _, { db }) => todoBy(db, todo),
  }),
  waitFor: fullTodos.change("Let a todo wait until another is done.", {
    params: { other },
    set: (row, { other }, { db }) => {
      const before = rowById(db, todos, other, { noun: "todo", param: "other" }).id;
      const waits = waitsOf(db, row.id);
      refuseUnless(
        !waits.includes(before),
        409,
        `other: todo ${row.id} waits for ${before} already`,
      );
      refuseUnless(
        !chain(db, before).has(row.id),
        422,
        `other: expected a todo that does not itself wait for ${row.id}, got ${before}`,
      );
      return { waits: [...waits, before].sort((a, b) => a - b) };
    },
    example: (db) => {
      const free = ({ id }: { id: number }) => waitsOf(db, id).length === 0;
      const id = aTodo(db, free);
      return { id, other: aTodo(db, (row) => row.id !== id && free(row)) };
    },
  }),
  stopWaiting: fullTodos.change("Let a todo wait no longer for another.", {
    params: { other },
    set: ({ id }, { other }, { db }) => {
      const waits = waitsOf(db, id);
      const known = waits.join(", ") || "none";
      refuseUnless(
        waits.includes(other),
        404,
        `other: todo ${id} waits for ${known}, got ${other}`,
      );
      return { waits: waits.filter((id) => id !== other) };
    },
    example: (db) => {
      const row = todoRow(db, ({ id }) => waitsOf(db, id).length > 0);
      return { id: row?.id ?? 1, other: (row && waitsOf(db, row.id)[0]) ?? 2 };
    },
  }),
  blocked: listApi("List open todos that wait for others that are not done, oldest first.", {
    item: defineObjectItem({ title: z.string(), id: z.int(), waitsFor: z.array(z.int()) }),
    rows: (_, { db }) => waiting(db),
  }),
};
