/** Rows that the examples of the small app take from the start state. Nothing here throws on an empty one. */
import type { Reader } from "bowline/world";
import { type Todo, todoLists, todos } from "../tables.ts";

export function firstTodo(db: Reader, fits: (row: Todo) => boolean = () => true): number {
  return db.all(todos).find(fits)?.id ?? 1;
}

export function openTodo(db: Reader): number {
  return firstTodo(db, ({ done }) => !done);
}

export function otherList(db: Reader): string {
  return db.all(todoLists)[1]?.name ?? "inbox";
}

/** A list without todos, where there is one. */
export function emptyList(db: Reader): string {
  const rows = db.all(todoLists);
  return (
    (rows.find(({ id }) => db.where(todos, { list: id }).length === 0) ?? rows[0])?.name ?? "inbox"
  );
}
