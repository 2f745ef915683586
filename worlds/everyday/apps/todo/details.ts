/** A todo's details, and who may change what: lists of others may be for viewing only. */
import { factsAbout, refuseUnless, rowByName } from "bowline/resources";
import type { Reader } from "bowline/world";
import { handleOf, requireRow } from "../shared.ts";
import { type Todo, type TodoList, todoLists, todos } from "../tables.ts";
import * as tables from "./tables.ts";

export type Facts = Omit<tables.Details, "id" | "todo">;

export const { get: detailsOf, set: setDetails } = factsAbout<tables.Details, "todo">(
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

/** The todos that it waits for and that are not done. */
export function openBefore(db: Reader, todo: number): Todo[] {
  return detailsOf(db, todo).waits.flatMap((id) => {
    const row = db.get(todos, id);
    return row && !row.done ? [row] : [];
  });
}

// --- who may ---

export function foreign(db: Reader, list: number): tables.ForeignList | undefined {
  return db.where(tables.foreignLists, { list })[0];
}

/** False on a list of another that is for viewing only. */
export function mayChange(db: Reader, list: number): boolean {
  return foreign(db, list)?.role !== "viewer";
}

function refuseViewer(db: Reader, list: number, param: string): void {
  refuseUnless(mayChange(db, list), 403, () => {
    const [name, whose] = [db.get(todoLists, list)?.name, foreign(db, list)!.person];
    return `${param}: expected a list that you may edit, "${name}" of "${handleOf(db, whose)}" is for viewing only`;
  });
}

/** A todo that the owner may change. */
export function todoBy(db: Reader, id: number): Todo {
  const row = requireRow(db, todos, id, "todo");
  refuseViewer(db, row.list, "id");
  return row;
}

/** A list on which the owner may put todos. */
export function listBy(db: Reader, name: string): TodoList {
  const row = rowByName(db, todoLists, name, "list");
  refuseViewer(db, row.id, "list");
  return row;
}

/** A list of the owner's own. */
export function ownList(db: Reader, name: string): TodoList {
  const row = rowByName(db, todoLists, name, "list");
  const other = foreign(db, row.id);
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
