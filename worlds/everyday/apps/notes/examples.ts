/**
 * Finds rows of the start state for the examples of API calls. These functions throw nothing when the state is empty.
 */
import type { Reader } from "bowline/world";
import { type Note, notes, shares } from "../tables.ts";

/** Returns the id of one of the owner's notes that is not shared and for which `fits` returns true. */
export function exampleNoteId(db: Reader, fits: (row: Note) => boolean = () => true): number {
  const own = db.all(notes).filter(({ id }) => db.where(shares, { note: id }).length === 0);
  return own.find(fits)?.id ?? 1;
}

export function exampleTag(db: Reader): string {
  return db.all(notes).find(({ tag }) => tag !== null)?.tag ?? "home";
}
