/**
 * Defines the tables of the full notes app beyond title, text, tag and pin. Each fact is a column of the note's traits,
 * or a row of another table.
 *
 * A note without a row of traits is active, plain and in no notebook. Setting a link or trait and removing it again
 * leaves the tables as before. A share that was taken back keeps its row, with the role `none`.
 */
import { declareTables, flag, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("notes");

export const notebooks = app.table("notebooks", {
  name: text.indexed,
});

export const COLOURS = ["plain", "yellow", "green", "blue", "red"] as const;
export type NoteState = "active" | "archived" | "trashed";

/** The traits of notes, at most one row for each note. */
export const traits = app.table("traits", {
  note: ref("notes.notes").indexed,
  notebook: ref("notes.notebooks").orNull.indexed,
  colour: oneOf(COLOURS).indexed,
  state: oneOf(["active", "archived", "trashed"]).indexed,
  /** The day of the reminder. Day and time are both set or both null. */
  day: text.orNull,
  time: text.orNull,
  /** The ids of the notes that this one points to, in ascending order. */
  links: ref("notes.notes").many,
});
export type Traits = RowOf<typeof traits>;

/** The items of checklists, each a line, in the order in which they were added. */
export const items = app.table("items", {
  note: ref("notes.notes").indexed,
  text: text.loose,
  done: flag,
});
export type Item = RowOf<typeof items>;

/** The earlier titles and texts of notes. Checks ignore this table, because its rows follow from changes of notes. */
export const noteVersions = app.table("versions", {
  note: ref("notes.notes").indexed.derived,
  title: text.derived,
  text: text.derived,
  at: text.derived,
});

export const NOTE_ROLES = ["viewer", "editor"] as const;
export type NoteRole = (typeof NOTE_ROLES)[number];

/**
 * The roles of people with whom notes are shared. The role is `none` after a note was unshared. Each share of a note
 * with a person has at most one row.
 */
export const shareRoles = app.table("roles", {
  share: ref("notes.shares").indexed,
  role: oneOf([...NOTE_ROLES, "none"]),
});
export type ShareRole = RowOf<typeof shareRoles>;

/** The notes of other people that are shared with the owner. */
export const notesOfOthers = app.table("borrowed", {
  person: ref("contacts.people").indexed,
  title: text.loose,
  text: text.loose,
  role: oneOf(NOTE_ROLES).indexed,
  /** The owner has left the note and no longer sees it. */
  left: flag,
});
export type NoteOfOther = RowOf<typeof notesOfOthers>;
