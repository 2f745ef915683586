/** Todos by title, which of them may be changed, and actions that need no value. */

import type { Action, Draw, Effect, Forms, Value } from "../../../../goals/index.ts";
import type { Reader, Writer } from "../../../../world/index.ts";
import { type Todo, todoLists, todos } from "../../apps/tables.ts";
import { mayChange } from "../../apps/todo/details.ts";
import { js } from "../papers.ts";

export type Frames = Forms<(noun: string) => string>;

/** Rows that the owner may change and that fit. */
export const permits =
  (fits: (row: Todo, db: Reader) => boolean = () => true): NonNullable<Effect["permits"]> =>
  (db, id) => {
    const row = db.get(todos, id);
    return row !== undefined && mayChange(db, row.list) && fits(row, db);
  };

/** An action that needs no value. */
export function simple(
  name: string,
  kind: string,
  frames: Frames,
  effect: Pick<Effect, "permits" | "apply" | "call">,
): Action {
  return { name, kind, app: "todo", difficulty: 1, draw: () => ({ frames, ...effect }) };
}

export const inbox = (db: Reader) => db.where(todoLists, { name: "inbox" })[0]!.id;

/** A todo by its title, which no other todo has. */
export function namedTodo(
  draw: Draw,
  fits: (row: Todo, db: Reader) => boolean,
): Value<Todo> | undefined {
  const titles = draw.db.all(todos).map(({ title }) => title);
  const rows = draw.db
    .all(todos)
    .filter((row) => fits(row, draw.db))
    .filter(({ title }) => titles.indexOf(title) === titles.lastIndexOf(title));
  if (rows.length === 0) return undefined;
  const value = draw.rng.pick(rows);
  const code = draw.variable("t");
  return {
    value,
    words: `my todo ${js(value.title)}`,
    code,
    cells: [findTodo(value.title, code)],
    apps: ["todo"],
  };
}

/** A cell that leaves the id of the todo of this title in `out`. */
export function findTodo(title: string, out: string): string {
  return `var ${out}=apis.todo.search({query:${js(title)},size:20}).items.filter(x=>x.title===${js(title)})[0].id;print(${out})`;
}

export function addTodo(db: Writer, title: string, due: string | null): void {
  db.insert(todos, { title, list: inbox(db), due, done: false });
}
