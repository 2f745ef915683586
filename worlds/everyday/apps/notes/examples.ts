/**
 * Finds rows of the start state for the examples of API calls. These functions throw nothing when the state is empty.
 */
import type { Reader } from "bowline/world";
import { type Note, notes, shares } from "../tables.ts";

/** Returns the id of an own note that is not shared and fits. */
export function exampleNoteId(db: Reader, fits: (row: Note) => boolean = () => true): number {
  const own = db.all(notes).filter(({ id }) => db.where(shares, { note: id }).length === 0);
  return own.find(fits)?.id ?? 1;
}

export function exampleTag(db: Reader): string {
  return db.all(notes).find(({ tag }) => tag !== null)?.tag ?? "home";
}
