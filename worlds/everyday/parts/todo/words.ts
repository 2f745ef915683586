/** Todos by title, and which of them may be changed. */
import type { Reader, Writer } from "bowline/world";
import { type Todo, todoLists, todos } from "../../apps/tables.ts";
import { canChangeList } from "../../apps/todo/details.ts";
import { papers } from "../papers.ts";

export const todosByTitle = papers<Todo>({
  app: "todo",
  table: todos,
  noun: "todo",
  key: "title",
  nameOf: ({ title }) => title,
});

/** Rows that the owner may change and that fit. */
export const mine =
  (fits: (row: Todo, db: Reader) => boolean = () => true) =>
  (row: Todo, db: Reader): boolean =>
    canChangeList(db, row.list) && fits(row, db);

/** A todo for the inbox list. */
export const inInbox = (db: Reader, title: string, due: string | null = null) => ({
  title,
  list: db.where(todoLists, { name: "inbox" })[0]!.id,
  due,
  done: false,
});

export function addTodo(db: Writer, title: string, due: string | null): void {
  db.insert(todos, inInbox(db, title, due));
}
