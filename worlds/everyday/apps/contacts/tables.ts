/**
 * Defines the tables of the full contacts app beyond name, city and phone. Each kind of fact has a table of its own,
 * keyed by the person.
 *
 * Facts about people are the owner's own notes and may be changed or removed at will. A removed person leaves a card,
 * from which they can be restored.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("contacts");

export const RELATIONSHIPS = [
  "family",
  "colleague",
  "neighbour",
  "friend",
  "acquaintance",
] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

/** The facts about a person, at most one row for each. A person without a row has none of these facts. */
export const details = app.table("details", {
  person: ref("contacts.people").indexed,
  /** What the person is to the owner, such as a colleague. */
  relationship: oneOf(RELATIONSHIPS).orNull.indexed,
  /** The day of birth, with its year. */
  birthday: text.orNull,
  /** The street and number. The city is a column of the person. */
  street: text.orNull,
  workplace: text.orNull.indexed,
  job: text.orNull,
  favourite: flag,
});
export type Details = RowOf<typeof details>;

/** The remarks: lines that the owner wrote down about someone, such as `is allergic to nuts`. */
export const remarks = app.table("remarks", {
  person: ref("contacts.people").indexed,
  text: text.loose,
});
export type Remark = RowOf<typeof remarks>;

/** The couples: two people who are together. `first` has the lower id, and each person is in at most one couple. */
export const couples = app.table("couples", {
  first: ref("contacts.people").indexed,
  second: ref("contacts.people").indexed,
});

/** The meetings: whom the owner met, one row for each person and occasion. */
export const meetings = app.table("meetings", {
  person: ref("contacts.people").indexed,
  day: text.indexed,
  occasion: text.indexed.loose,
});
export type Meeting = RowOf<typeof meetings>;

/** The ideas for gifts that the owner may give to somebody. */
export const gifts = app.table("gifts", {
  person: ref("contacts.people").indexed,
  idea: text.loose,
  /** What the gift costs, in cents. */
  cents: int,
  /** Given gifts are kept, so that nobody gets the same thing twice. */
  given: flag,
});
export type Gift = RowOf<typeof gifts>;

/** The cards of people who were removed or merged into somebody else. */
export const removedPeople = app.table("removed", {
  name: text.indexed,
  handle: text.indexed.derived,
  city: text,
  phone: text,
  blocked: flag,
  /** The names of the person's groups at the time of the removal. */
  groups: text.many,
});

export const moreContactTables = app.tables;
