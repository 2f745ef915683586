/** Finds todos by title, and checks which todos may be changed. */
import type { Reader, Writer } from "bowline/world";
import { type Todo, todoLists, todos } from "../../apps/tables.ts";
import { canChangeList } from "../../apps/todo/details.ts";
import { makeNameKit } from "../files-notes-todos.ts";

export const todosByTitle = makeNameKit<Todo>({
  app: "todo",
  table: todos,
  noun: "todo",
  key: "title",
  nameOf: ({ title }) => title,
});

/** Makes a condition for rows that the owner may change and for which `fits` returns true. */
export const whenChangeable =
  (fits: (row: Todo, db: Reader) => boolean = () => true) =>
  (row: Todo, db: Reader): boolean =>
    canChangeList(db, row.list) && fits(row, db);

/** Makes the row of a todo on the inbox list. */
export const makeInboxTodo = (db: Reader, title: string, due: string | null = null) => ({
  title,
  list: db.where(todoLists, { name: "inbox" })[0]!.id,
  due,
  done: false,
});

export function insertInboxTodo(db: Writer, title: string, due: string | null): void {
  db.insert(todos, makeInboxTodo(db, title, due));
}
