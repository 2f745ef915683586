/** Full todos as a resource: how they are shown, changed with their details, and chosen for examples. */

import { countReferencingRows, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handleOrNull } from "../shared.ts";
import { type Todo, todoLists, todos } from "../tables.ts";
import { detailsOf, type Facts, foreign, mayChange, setDetails, todoBy } from "./details.ts";
import { listName } from "./index.ts";
import { comments, PRIORITIES, RHYTHMS, steps, timeEntries } from "./tables.ts";

export const agendaItem = todos.item({
  ...todos.fields("title", "id"),
  list: listName,
  due: z.string().nullable(),
  priority: [z.enum(PRIORITIES), ({ id }, { db }) => detailsOf(db, id).priority],
  minutes: [z.int().nullable(), ({ id }, { db }) => detailsOf(db, id).minutes],
  tags: [z.array(z.string()), ({ id }, { db }) => [...detailsOf(db, id).tags]],
  assignee: [
    z.string().nullable(),
    ({ id }, { db }) => handleOrNull(db, detailsOf(db, id).assignee),
  ],
});

export const fullItem = agendaItem.with({
  done: z.boolean(),
  every: [z.enum(RHYTHMS).nullable(), ({ id }, { db }) => detailsOf(db, id).every],
  waits: [z.array(z.int()), ({ id }, { db }) => [...detailsOf(db, id).waits]],
  steps: countReferencingRows(steps, "todo"),
  openSteps: countReferencingRows(steps, "todo", { done: false }),
  comments: countReferencingRows(comments, "todo"),
  spent: [
    z.int(),
    ({ id }, { db }) => db.where(timeEntries, { todo: id }).reduce((sum, e) => sum + e.minutes, 0),
  ],
});

/** A change is one of details. */
export const fullTodos = resource({
  noun: "todo",
  item: agendaItem,
  find: ({ id }, { db }) => todoBy(db, id),
  save: (row, patch: Partial<Facts>, db) => {
    setDetails(db, row.id, patch);
    return row;
  },
  state: ({ id }, db) => detailsOf(db, id),
  example: (db, fits) => ({ id: aTodo(db, fits) }),
});

// --- examples; nothing here throws on an empty state ---

/** An open todo on a list that the owner may change. */
export function aTodo(db: Reader, fits: (row: Todo) => boolean = () => true): number {
  return todoRow(db, fits)?.id ?? 1;
}

export function todoRow(db: Reader, fits: (row: Todo) => boolean): Todo | undefined {
  return db.where(todos, { done: false }).find((row) => mayChange(db, row.list) && fits(row));
}

/** A list of the owner's own. */
export function aList(db: Reader, fits: (id: number) => boolean = () => true): string {
  return db.all(todoLists).find(({ id }) => !foreign(db, id) && fits(id))?.name ?? "inbox";
}
