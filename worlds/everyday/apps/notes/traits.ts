/** Reads and writes a note's traits, and tells which notes are active, that is, neither archived nor in the trash. */
import { factsAbout } from "bowline/resources";
import type { Reader, Writer } from "bowline/world";
import { type Note, notes, type Share, shares } from "../tables.ts";
import { noteVersions, type ShareRole, shareRoles, type Traits, traits } from "./tables.ts";

export const { get: readTraits, set: setTraits } = factsAbout<Traits, "note">(traits, "note", {
  notebook: null,
  colour: "plain",
  state: "active",
  day: null,
  time: null,
  links: [],
});

export function isActive(db: Reader, note: number): boolean {
  return readTraits(db, note).state === "active";
}

/** Returns the active notes that match, oldest first. */
export function activeNotes(db: Reader, match: Partial<Note> = {}): Note[] {
  const hidden = new Set(
    [...db.where(traits, { state: "archived" }), ...db.where(traits, { state: "trashed" })].map(
      ({ note }) => note,
    ),
  );
  return db.where(notes, match).filter(({ id }) => !hidden.has(id));
}

/** Changes a note's title or text and keeps the old ones as a version. Does nothing when both stay the same. */
export function changeNote(db: Writer, note: Note, patch: Partial<Note>, now: string): Note {
  const { id, title, text } = note;
  if ((patch.title ?? title) === title && (patch.text ?? text) === text) return note;
  db.insert(noteVersions, { note: id, title, text, at: now });
  return db.update(notes, id, patch);
}

/** Returns the role of a share. A share without a row of its own has the role `viewer`. */
export function roleOfShare(db: Reader, share: number): ShareRole["role"] {
  return db.where(shareRoles, { share })[0]?.role ?? "viewer";
}

export function setShareRole(db: Writer, share: number, role: ShareRole["role"]): void {
  const [row] = db.where(shareRoles, { share });
  if (row) db.update(shareRoles, row.id, { role });
  else db.insert(shareRoles, { share, role });
}

/** Returns the shares that match and have not been taken back. */
export function activeShares(db: Reader, match: Partial<Share>): Share[] {
  return db.where(shares, match).filter(({ id }) => roleOfShare(db, id) !== "none");
}
