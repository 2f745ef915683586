/** Reading and writing a todo's details, and who may change what: lists of others may be for viewing only. */
import { ApiError, type Reader, type Writer } from "../../../../world/index.ts";
import { handleOf, named, rowBy } from "../shared.ts";
import { type Todo, type TodoList, todoLists, todos } from "../tables.ts";
import {
  type Details,
  details,
  type ForeignList,
  foreignLists,
  type ListShare,
  listShares,
} from "./tables.ts";

type Facts = Omit<Details, "id" | "todo">;

const PLAIN: Facts = {
  priority: "normal",
  minutes: null,
  tags: [],
  every: null,
  assignee: null,
  waits: [],
};

export function detailsOf(db: Reader, todo: number): Facts {
  return db.where(details, { todo })[0] ?? PLAIN;
}

export function setDetails(db: Writer, todo: number, patch: Partial<Facts>): void {
  const [row] = db.where(details, { todo });
  if (row) db.update(details, row.id, patch);
  else db.insert(details, { ...PLAIN, todo, ...patch });
}

/** The todos that it waits for and that are not done. */
export function openBefore(db: Reader, todo: number): Todo[] {
  return detailsOf(db, todo).waits.flatMap((id) => {
    const row = db.get(todos, id);
    return row && !row.done ? [row] : [];
  });
}

// --- who may ---

export function foreign(db: Reader, list: number): ForeignList | undefined {
  return db.where(foreignLists, { list })[0];
}

/** False on a list of another that is for viewing only. */
export function mayChange(db: Reader, list: number): boolean {
  return foreign(db, list)?.role !== "viewer";
}

function refuseViewer(db: Reader, list: number, param: string): void {
  if (mayChange(db, list)) return;
  const [name, whose] = [db.get(todoLists, list)?.name, foreign(db, list)!.person];
  throw new ApiError(
    403,
    `${param}: expected a list that you may edit, "${name}" of "${handleOf(db, whose)}" is for viewing only`,
  );
}

/** A todo that the owner may change. */
export function todoBy(db: Reader, id: number): Todo {
  const row = rowBy(db, todos, id, "todo");
  refuseViewer(db, row.list, "id");
  return row;
}

/** A list on which the owner may put todos. */
export function listBy(db: Reader, name: string): TodoList {
  const row = named(db, todoLists, name, "list");
  refuseViewer(db, row.id, "list");
  return row;
}

/** A list of the owner's own. */
export function ownList(db: Reader, name: string): TodoList {
  const row = named(db, todoLists, name, "list");
  const other = foreign(db, row.id);
  if (!other) return row;
  const whose = handleOf(db, other.person);
  throw new ApiError(403, `list: expected a list of your own, "${row.name}" belongs to "${whose}"`);
}

export function activeListShares(db: Reader, match: Partial<ListShare>): readonly ListShare[] {
  return db.where(listShares, { ...match, status: "active" });
}
