/** Defines the APIs of a todo's steps, comments and time entries, and of other todos for which it waits. */

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
import { canChangeList, openPrerequisites, readDetails, requireChangeableTodo } from "./details.ts";
import { anyTodo } from "./index.ts";
import { comments, steps, timeEntries } from "./tables.ts";
import { exampleTodo, exampleTodoId, todoWithDetails } from "./todo-items.ts";

const stepResource = resource({
  noun: "step",
  item: steps.item("title", "id", "done"),
  keys: { step: idParam("step of a todo") },
  hint: "todo.steps lists them",
  guard: ({ todo }, { db }) => requireChangeableTodo(db, todo),
  isExample: ({ todo }, db) => canChangeList(db, db.get(todos, todo)?.list ?? 0),
});

const commentResource = resource({
  noun: "comment",
  item: comments.item({
    ...comments.fields("text", "id"),
    by: nullableHandleField,
    day: dayField,
  }),
});

const timeResource = resource({
  noun: "entry",
  item: timeEntries.item("minutes", "id", "day"),
  keys: { entry: idParam("entry") },
  hint: "todo.timeLog lists them",
});

const prerequisiteParam = idParam("todo that must be done before");
const prerequisiteIds = (db: Reader, id: number) => readDetails(db, id).waits;

/** Returns the ids of a todo and of all todos for which it waits, directly or through others. */
function allPrerequisites(db: Reader, todo: number): ReadonlySet<number> {
  const found = new Set([todo]);
  for (const id of found) for (const next of prerequisiteIds(db, id)) found.add(next);
  return found;
}

const listWaitingTodos = (db: Reader) =>
  db.where(todos, { done: false }).flatMap(({ id, title }) => {
    const waitsFor = openPrerequisites(db, id).map((row) => row.id);
    return waitsFor.length > 0 ? [{ title, id, waitsFor }] : [];
  });

export const stepAndWaitingApis = {
  steps: stepResource.list("List the steps of a todo, in their order.", {
    parent: [anyTodo, "todo"],
    filters: { done: booleanParam("only done ones, or only open ones") },
  }),
  addStep: stepResource.add("Add an open step at the end of a todo.", {
    parent: [todoWithDetails, "todo"],
    params: { title: shortTextParam("what to do") },
    defaults: { done: false },
    example: { title: "make a plan" },
  }),
  checkStep: stepResource.set("Mark an open step as done.", { done: true }, "is already done"),
  uncheckStep: stepResource.set(
    "Mark a done step as open again.",
    { done: false },
    "is already open",
  ),
  removeStep: stepResource.remove("Remove a step of a todo.", { isExample: ({ done }) => !done }),
  comment: commentResource.add(
    "Comment on a todo, also on a list that you may only view; comments stay.",
    {
      parent: [anyTodo, "todo"],
      params: { text: longTextParam("the comment") },
      row: ({ text }, { now }) => ({ person: null, text, at: now }),
      example: (db) => ({ id: exampleTodoId(db), text: "I can do this on Monday." }),
    },
  ),
  comments: commentResource.list(
    "List the comments on a todo, newest first; by is null for your own.",
    {
      parent: [anyTodo, "todo"],
      order: newestFirst,
    },
  ),
  logTime: timeResource.add("Note time that you spent on a todo.", {
    parent: [todoWithDetails, "todo"],
    params: {
      minutes: z.int().min(1).max(1440).describe("how many minutes"),
      day: dayParam("when; today when left out").optional(),
    },
    checkArguments: ({ day }, { now }) => {
      const today = dayOf(now);
      const isPast = day === undefined || day <= today;
      refuseUnless(isPast, 422, `day: expected today (${today}) or earlier, got ${day}`);
    },
    row: ({ minutes, day }, { now }) => ({ minutes, day: day ?? dayOf(now) }),
    example: { minutes: 25 },
  }),
  timeLog: timeResource.list("List the time spent on a todo, by day.", {
    parent: [anyTodo, "todo"],
    order: "day",
  }),
  waitFor: todoWithDetails.change("Let a todo wait until another is done.", {
    params: { other: prerequisiteParam },
    set: (row, { other }, { db }) => {
      const before = rowById(db, todos, other, { noun: "todo", param: "other" }).id;
      const waits = prerequisiteIds(db, row.id);
      refuseUnless(
        !waits.includes(before),
        409,
        `other: todo ${row.id} waits for ${before} already`,
      );
      refuseUnless(
        !allPrerequisites(db, before).has(row.id),
        422,
        `other: expected a todo that does not itself wait for ${row.id}, got ${before}`,
      );
      return { waits: [...waits, before].sort((a, b) => a - b) };
    },
    example: (db) => {
      const hasNoPrerequisite = ({ id }: { id: number }) => prerequisiteIds(db, id).length === 0;
      const id = exampleTodoId(db, hasNoPrerequisite);
      return { id, other: exampleTodoId(db, (row) => row.id !== id && hasNoPrerequisite(row)) };
    },
  }),
  stopWaiting: todoWithDetails.change("Let a todo wait no longer for another.", {
    params: { other: prerequisiteParam },
    set: ({ id }, { other }, { db }) => {
      const waits = prerequisiteIds(db, id);
      const known = waits.join(", ") || "none";
      refuseUnless(
        waits.includes(other),
        404,
        `other: todo ${id} waits for ${known}, got ${other}`,
      );
      return { waits: waits.filter((id) => id !== other) };
    },
    example: (db) => {
      const row = exampleTodo(db, ({ id }) => prerequisiteIds(db, id).length > 0);
      return { id: row?.id ?? 1, other: (row && prerequisiteIds(db, row.id)[0]) ?? 2 };
    },
  }),
  blocked: listApi("List open todos that wait for others that are not done, oldest first.", {
    item: defineObjectItem({ title: z.string(), id: z.int(), waitsFor: z.array(z.int()) }),
    rows: (_, { db }) => listWaitingTodos(db),
  }),
};
