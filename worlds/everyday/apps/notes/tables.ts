/**
 * What full notes know beyond title, text, tag and pin: each fact is a column of the note's traits, or a row here.
 *
 * A note without a row of traits is active, plain and in no notebook. Links and traits are set and taken back without a
 * trace; a share that was taken back stays, with the role `none`.
 */
import { declareTables, flag, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("notes");

export const notebooks = app.table("notebooks", {
  name: text.indexed,
});

export const COLOURS = ["plain", "yellow", "green", "blue", "red"] as const;
export type NoteState = "active" | "archived" | "trashed";

/** At most one row a note. */
export const traits = app.table("traits", {
  note: ref("notes.notes").indexed,
  notebook: ref("notes.notebooks").orNull.indexed,
  colour: oneOf(COLOURS).indexed,
  state: oneOf(["active", "archived", "trashed"]).indexed,
  /** Of the reminder: both or none. */
  day: text.orNull,
  time: text.orNull,
  /** Notes that this one points to, in ascending id. */
  links: ref("notes.notes").many,
});
export type Traits = RowOf<typeof traits>;

/** A line of a note's checklist; in the order in which they were added. */
export const items = app.table("items", {
  note: ref("notes.notes").indexed,
  text: text.loose,
  done: flag,
});
export type Item = RowOf<typeof items>;

/** What the note said before a change. Follows from the changes, so nothing in it is content. */
export const noteVersions = app.table("versions", {
  note: ref("notes.notes").indexed.derived,
  title: text.derived,
  text: text.derived,
  at: text.derived,
});

export const NOTE_ROLES = ["viewer", "editor"] as const;
export type NoteRole = (typeof NOTE_ROLES)[number];

/** What a person with whom a note is shared may do; `none` once it is unshared. One row a share. */
export const shareRoles = app.table("roles", {
  share: ref("notes.shares").indexed,
  role: oneOf([...NOTE_ROLES, "none"]),
});
export type ShareRole = RowOf<typeof shareRoles>;

/** A note of another that is shared with the owner. */
export const borrowed = app.table("borrowed", {
  person: ref("contacts.people").indexed,
  title: text.loose,
  text: text.loose,
  role: oneOf(NOTE_ROLES).indexed,
  /** The owner no longer sees it. */
  left: flag,
});
export type Borrowed = RowOf<typeof borrowed>;
