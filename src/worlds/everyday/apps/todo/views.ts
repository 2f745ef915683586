/** How full todos are shown, and rows for the examples of the documentation. */
import { z } from "zod";
import type { Reader } from "../../../../world/index.ts";
import { handleOf } from "../shared.ts";
import { people, type Todo, todoLists, todos } from "../tables.ts";
import { detailsOf, foreign, mayChange } from "./details.ts";
import { PRIORITIES, RHYTHMS } from "./tables.ts";

export const agendaItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  list: z.string(),
  due: z.string().nullable(),
  priority: z.enum(PRIORITIES),
  minutes: z.int().nullable(),
  tags: z.array(z.string()),
  assignee: z.string().nullable(),
});

export const agendaView = (db: Reader) => (row: Todo) => {
  const { priority, minutes, tags, assignee } = detailsOf(db, row.id);
  return {
    title: row.title,
    id: row.id,
    list: db.get(todoLists, row.list)?.name ?? "removed",
    due: row.due,
    priority,
    minutes,
    tags: [...tags],
    assignee: assignee === null ? null : handleOf(db, assignee),
  };
};

export const fullItem = z.strictObject({
  ...agendaItem.shape,
  done: z.boolean(),
  every: z.enum(RHYTHMS).nullable(),
  waits: z.array(z.int()),
  steps: z.int(),
  openSteps: z.int(),
  comments: z.int(),
  spent: z.int(),
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

export function someone(db: Reader): string {
  return db.where(people, { blocked: false })[0]?.handle ?? "amara.o";
}
