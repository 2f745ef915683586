/**
 * What full contacts know beyond name, city and phone: each new fact is a row of a table of its own, keyed by the person.
 *
 * Facts about people are the owner's own notes and may be changed or removed at will. Someone who is removed leaves a
 * card behind, from which they can be restored.
 */
import { flag, int, oneOf, type RowOf, ref, tablesOf, text } from "bowline/resources";

const app = tablesOf("contacts");

export const RELATIONSHIPS = [
  "family",
  "colleague",
  "neighbour",
  "friend",
  "acquaintance",
] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

/** At most one row a person; who has none has none of these facts. */
export const details = app.table("details", {
  person: ref("contacts.people").indexed,
  /** What they are to the owner. */
  relationship: oneOf(RELATIONSHIPS).orNull.indexed,
  /** The day of birth with its year. */
  birthday: text.orNull,
  /** Street and number; the city is the person's. */
  street: text.orNull,
  workplace: text.orNull.indexed,
  job: text.orNull,
  favourite: flag,
});
export type Details = RowOf<typeof details>;

/** A line that the owner wrote down about someone: `is allergic to nuts`. */
export const remarks = app.table("remarks", {
  person: ref("contacts.people").indexed,
  text: text.loose,
});
export type Remark = RowOf<typeof remarks>;

/** Two people who are together; `first` has the lower id, and each is in one couple at most. */
export const couples = app.table("couples", {
  first: ref("contacts.people").indexed,
  second: ref("contacts.people").indexed,
});

/** The owner met somebody: one row for each person and occasion. */
export const meetings = app.table("meetings", {
  person: ref("contacts.people").indexed,
  day: text.indexed,
  occasion: text.indexed.loose,
});
export type Meeting = RowOf<typeof meetings>;

/** Something that the owner may give to somebody. */
export const gifts = app.table("gifts", {
  person: ref("contacts.people").indexed,
  idea: text.loose,
  /** What it costs. */
  cents: int,
  /** Given ones stay, so that nobody gets a thing twice. */
  given: flag,
});
export type Gift = RowOf<typeof gifts>;

/** The card of someone who was removed, or merged into somebody else. */
export const removedPeople = app.table("removed", {
  name: text.indexed,
  handle: text.indexed.derived,
  city: text,
  phone: text,
  blocked: flag,
  /** Names, at the time of the removal. */
  groups: text.many,
});

export const moreContactTables = app.tables;
