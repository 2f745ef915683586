/**
 * What full notes know beyond title, text, tag and pin: each fact is a column of the note's traits, or a row here.
 *
 * A note without a row of traits is active, plain and in no notebook. Links and traits are set and taken back without a
 * trace; a share that was taken back stays, with the role `none`.
 */
import { defineTable } from "../../../../world/index.ts";

export type Notebook = { readonly id: number; readonly name: string };
export const notebooks = defineTable<Notebook>("notes.notebooks", { indexes: ["name"] });

export const COLOURS = ["plain", "yellow", "green", "blue", "red"] as const;
export type Colour = (typeof COLOURS)[number];
export type NoteState = "active" | "archived" | "trashed";

/** At most one row a note. */
export type Traits = {
  readonly id: number;
  readonly note: number;
  readonly notebook: number | null;
  readonly colour: Colour;
  readonly state: NoteState;
  /** Of the reminder: both or none. */
  readonly day: string | null;
  readonly time: string | null;
  /** Notes that this one points to, in ascending id. */
  readonly links: readonly number[];
};
export const traits = defineTable<Traits>("notes.traits", {
  indexes: ["note", "notebook", "state", "colour"],
  references: { note: "notes.notes", notebook: "notes.notebooks", links: "notes.notes" },
});

/** A line of a note's checklist; in the order in which they were added. */
export type Item = {
  readonly id: number;
  readonly note: number;
  readonly text: string;
  readonly done: boolean;
};
export const items = defineTable<Item>("notes.items", {
  indexes: ["note"],
  references: { note: "notes.notes" },
  loose: ["text"],
});

/** What the note said before a change. Follows from the changes, so nothing in it is content. */
export type NoteVersion = {
  readonly id: number;
  readonly note: number;
  readonly title: string;
  readonly text: string;
  readonly at: string;
};
export const noteVersions = defineTable<NoteVersion>("notes.versions", {
  indexes: ["note"],
  classes: { note: "derived", title: "derived", text: "derived", at: "derived" },
  references: { note: "notes.notes" },
});

export const NOTE_ROLES = ["viewer", "editor"] as const;
export type NoteRole = (typeof NOTE_ROLES)[number];

/** What a person with whom a note is shared may do; `none` once it is unshared. One row a share. */
export type ShareRole = {
  readonly id: number;
  readonly share: number;
  readonly role: NoteRole | "none";
};
export const shareRoles = defineTable<ShareRole>("notes.roles", {
  indexes: ["share"],
  references: { share: "notes.shares" },
});

/** A note of another that is shared with the owner. */
export type Borrowed = {
  readonly id: number;
  readonly person: number;
  readonly title: string;
  readonly text: string;
  readonly role: NoteRole;
  /** The owner no longer sees it. */
  readonly left: boolean;
};
export const borrowed = defineTable<Borrowed>("notes.borrowed", {
  indexes: ["person", "role"],
  references: { person: "contacts.people" },
  loose: ["title", "text"],
});
