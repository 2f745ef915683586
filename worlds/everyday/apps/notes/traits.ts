/** A note's traits, and which notes are active: neither archived nor in the trash. */
import { factsAbout } from "bowline/resources";
import type { Reader, Writer } from "bowline/world";
import { type Note, notes, type Share, shares } from "../tables.ts";
import { noteVersions, type ShareRole, shareRoles, type Traits, traits } from "./tables.ts";

export const { get: traitsOf, set: setTraits } = factsAbout<Traits, "note">(traits, "note", {
  notebook: null,
  colour: "plain",
  state: "active",
  day: null,
  time: null,
  links: [],
});

export function isActive(db: Reader, note: number): boolean {
  return traitsOf(db, note).state === "active";
}

/** Oldest first. */
export function activeNotes(db: Reader, match: Partial<Note> = {}): Note[] {
  const hidden = new Set(
    [...db.where(traits, { state: "archived" }), ...db.where(traits, { state: "trashed" })].map(
      ({ note }) => note,
    ),
  );
  return db.where(notes, match).filter(({ id }) => !hidden.has(id));
}

/** Changes title or text and keeps what they were. The same again changes nothing. */
export function rewrite(db: Writer, note: Note, patch: Partial<Note>, now: string): Note {
  const { id, title, text } = note;
  if ((patch.title ?? title) === title && (patch.text ?? text) === text) return note;
  db.insert(noteVersions, { note: id, title, text, at: now });
  return db.update(notes, id, patch);
}

// --- shares ---

/** A share without a row of its own is a viewer's. */
export function roleOf(db: Reader, share: number): ShareRole["role"] {
  return db.where(shareRoles, { share })[0]?.role ?? "viewer";
}

export function setShareRole(db: Writer, share: number, role: ShareRole["role"]): void {
  const [row] = db.where(shareRoles, { share });
  if (row) db.update(shareRoles, row.id, { role });
  else db.insert(shareRoles, { share, role });
}

/** The shares that have not been taken back. */
export function activeShares(db: Reader, match: Partial<Share>): Share[] {
  return db.where(shares, match).filter(({ id }) => roleOf(db, id) !== "none");
}
