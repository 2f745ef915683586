/**
 * Rows of the start state for the examples of API calls of the starter's todo app. These functions throw nothing when
 * the state is empty.
 */
import type { Reader } from "bowline/world";
import { type Todo, todoLists, todos } from "../tables.ts";

export function exampleAnyTodoId(db: Reader, fits: (row: Todo) => boolean = () => true): number {
  return db.all(todos).find(fits)?.id ?? 1;
}

export function exampleOpenTodoId(db: Reader): number {
  return exampleAnyTodoId(db, ({ done }) => !done);
}

export function exampleOtherList(db: Reader): string {
  return db.all(todoLists)[1]?.name ?? "inbox";
}

/** Returns the name of a list without todos, or of the first list when all have some. */
export function exampleEmptyList(db: Reader): string {
  const rows = db.all(todoLists);
  return (
    (rows.find(({ id }) => db.where(todos, { list: id }).length === 0) ?? rows[0])?.name ?? "inbox"
  );
}
