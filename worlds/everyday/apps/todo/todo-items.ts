/**
 * Defines how todos of the full app are shown, changed together with their details, and chosen for examples of API
 * calls.
 */

import { countReferencingRows, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handleOrNull } from "../shared.ts";
import { type Todo, todoLists, todos } from "../tables.ts";
import {
  canChangeList,
  findListOfOther,
  readDetails,
  requireChangeableTodo,
  type TodoDetails,
  writeDetails,
} from "./details.ts";
import { listName } from "./index.ts";
import { comments, PRIORITIES, RHYTHMS, steps, timeEntries } from "./tables.ts";

export const agendaItem = todos.item({
  ...todos.fields("title", "id"),
  list: listName,
  due: z.string().nullable(),
  priority: [z.enum(PRIORITIES), ({ id }, { db }) => readDetails(db, id).priority],
  minutes: [z.int().nullable(), ({ id }, { db }) => readDetails(db, id).minutes],
  tags: [z.array(z.string()), ({ id }, { db }) => [...readDetails(db, id).tags]],
  assignee: [
    z.string().nullable(),
    ({ id }, { db }) => handleOrNull(db, readDetails(db, id).assignee),
  ],
});

/** A todo in a list of open and done ones. */
export const listedItem = agendaItem.with({ done: z.boolean() });

export const todoDetailsItem = listedItem.with({
  every: [z.enum(RHYTHMS).nullable(), ({ id }, { db }) => readDetails(db, id).every],
  waits: [z.array(z.int()), ({ id }, { db }) => [...readDetails(db, id).waits]],
  steps: countReferencingRows(steps, "todo"),
  openSteps: countReferencingRows(steps, "todo", { done: false }),
  comments: countReferencingRows(comments, "todo"),
  spent: [
    z.int(),
    ({ id }, { db }) => db.where(timeEntries, { todo: id }).reduce((sum, e) => sum + e.minutes, 0),
  ],
});

/** A resource of todos whose changes write the todo's details. */
export const todoWithDetails = resource({
  noun: "todo",
  item: agendaItem,
  find: ({ id }, { db }) => requireChangeableTodo(db, id),
  save: (row, patch: Partial<TodoDetails>, db) => {
    writeDetails(db, row.id, patch);
    return row;
  },
  state: ({ id }, db) => readDetails(db, id),
  example: (db, fits) => ({ id: exampleTodoId(db, fits) }),
});

// The functions below find rows for the examples of API calls. They throw nothing when the state is empty.

/** Returns the id of an open todo, on a list that the owner may change, for which `fits` returns true. */
export function exampleTodoId(db: Reader, fits: (row: Todo) => boolean = () => true): number {
  return exampleTodo(db, fits)?.id ?? 1;
}

export function exampleTodo(db: Reader, fits: (row: Todo) => boolean): Todo | undefined {
  return db.where(todos, { done: false }).find((row) => canChangeList(db, row.list) && fits(row));
}

/** Returns the name of one of the owner's lists for whose id `fits` returns true. */
export function exampleOwnList(db: Reader, fits: (id: number) => boolean = () => true): string {
  return db.all(todoLists).find(({ id }) => !findListOfOther(db, id) && fits(id))?.name ?? "inbox";
}
