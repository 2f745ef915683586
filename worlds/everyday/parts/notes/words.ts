/** Notes by title, and their shares. */
import type { DrawContext, Value } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import type { NoteRole } from "../../apps/notes/tables.ts";
import { activeShares, isActive, setShareRole } from "../../apps/notes/traits.ts";
import { type Note, notes, shares } from "../../apps/tables.ts";
import { papers } from "../papers.ts";

export const notesByTitle = papers<Note>({
  app: "notes",
  table: notes,
  noun: "note",
  key: "title",
  nameOf: ({ title }) => title,
});

/** An active note by its title, which no other note has. */
export const namedNote = (
  draw: DrawContext,
  fits: (row: Note) => boolean = () => true,
): Value<Note> | undefined =>
  notesByTitle.named(draw, (row, db) => isActive(db, row.id) && fits(row));

export function shareNote(db: Writer, note: number, person: number, role: NoteRole): void {
  const [old] = db.where(shares, { note, person });
  setShareRole(db, (old ?? db.insert(shares, { note, person })).id, role);
}

export const isShared = (db: Reader, note: number, person: number): boolean =>
  activeShares(db, { note, person }).length > 0;
