/**
 * Reads and writes the details of a todo, and decides which todos and lists the owner may change: some lists of other
 * people are only for viewing.
 */
import { factsAbout, refuseUnless, rowByName } from "bowline/resources";
import type { Reader } from "bowline/world";
import { handleOf, requireRow } from "../shared.ts";
import { type Todo, type TodoList, todoLists, todos } from "../tables.ts";
import * as tables from "./tables.ts";

export type TodoDetails = Omit<tables.Details, "id" | "todo">;

export const { get: readDetails, set: writeDetails } = factsAbout<tables.Details, "todo">(
  tables.details,
  "todo",
  {
    priority: "normal",
    minutes: null,
    tags: [],
    every: null,
    assignee: null,
    waits: [],
  },
);

/** Returns the todos for which this todo waits and that are not done. */
export function openPrerequisites(db: Reader, todo: number): Todo[] {
  return readDetails(db, todo).waits.flatMap((id) => {
    const row = db.get(todos, id);
    return row && !row.done ? [row] : [];
  });
}

export function findListOfOther(db: Reader, list: number): tables.ListOfOther | undefined {
  return db.where(tables.listsOfOthers, { list })[0];
}

/** Returns false for a list of another person that is for viewing only. */
export function canChangeList(db: Reader, list: number): boolean {
  return findListOfOther(db, list)?.role !== "viewer";
}

function refuseViewedList(db: Reader, list: number, param: string): void {
  refuseUnless(canChangeList(db, list), 403, () => {
    const [name, whose] = [db.get(todoLists, list)?.name, findListOfOther(db, list)!.person];
    return `${param}: expected a list that you may edit, "${name}" of "${handleOf(db, whose)}" is for viewing only`;
  });
}

/** Returns a todo that the owner may change. Throws a 404 or 403 otherwise. */
export function requireChangeableTodo(db: Reader, id: number): Todo {
  const row = requireRow(db, todos, id, "todo");
  refuseViewedList(db, row.list, "id");
  return row;
}

/** Returns a list on which the owner may put todos. Throws a 404 or 403 otherwise. */
export function requireChangeableList(db: Reader, name: string): TodoList {
  const row = rowByName(db, todoLists, name, "list");
  refuseViewedList(db, row.id, "list");
  return row;
}

/** Returns a list that belongs to the owner. Throws a 404 or 403 otherwise. */
export function requireOwnList(db: Reader, name: string): TodoList {
  const row = rowByName(db, todoLists, name, "list");
  const other = findListOfOther(db, row.id);
  refuseUnless(!other, 403, () => {
    const whose = handleOf(db, other?.person ?? 0);
    return `list: expected a list of your own, "${row.name}" belongs to "${whose}"`;
  });
  return row;
}

export function activeListShares(
  db: Reader,
  match: Partial<tables.ListShare>,
): readonly tables.ListShare[] {
  return db.where(tables.listShares, { ...match, status: "active" });
}
