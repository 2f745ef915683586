/** Rows that the examples of the documentation take from the start state. Nothing here throws on an empty one. */
import type { Reader } from "bowline/world";
import { type Note, notes, shares } from "../tables.ts";

/** An own note that is not shared and fits. */
export function aNote(db: Reader, fits: (row: Note) => boolean = () => true): number {
  const own = db.all(notes).filter(({ id }) => db.where(shares, { note: id }).length === 0);
  return own.find(fits)?.id ?? 1;
}

export function aTag(db: Reader): string {
  return db.all(notes).find(({ tag }) => tag !== null)?.tag ?? "home";
}
