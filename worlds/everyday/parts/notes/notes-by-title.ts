/** Finds notes by title and shares them. */
import type { DrawContext, Value } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import type { NoteRole } from "../../apps/notes/tables.ts";
import { activeShares, isActive, setShareRole } from "../../apps/notes/traits.ts";
import { type Note, notes, shares } from "../../apps/tables.ts";
import { makeNameKit } from "../files-notes-todos.ts";

export const notesByTitle = makeNameKit<Note>({
  app: "notes",
  table: notes,
  noun: "note",
  key: "title",
  nameOf: ({ title }) => title,
});

/** Draws an active note for which `fits` returns true and whose title no other note has. */
export const drawNamedNote = (
  draw: DrawContext,
  fits: (row: Note) => boolean = () => true,
): Value<Note> | undefined =>
  notesByTitle.drawNamed(draw, (row, db) => isActive(db, row.id) && fits(row));

export function shareNote(db: Writer, note: number, person: number, role: NoteRole): void {
  const [old] = db.where(shares, { note, person });
  setShareRole(db, (old ?? db.insert(shares, { note, person })).id, role);
}

export const isSharedWith = (db: Reader, note: number, person: number): boolean =>
  activeShares(db, { note, person }).length > 0;
