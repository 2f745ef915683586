/**
 * What full contacts know beyond name, city and phone: each new fact is a row of a table of its own, keyed by the person.
 *
 * Facts about people are the owner's own notes and may be changed or removed at will. Someone who is removed leaves a
 * card behind, from which they can be restored.
 */
import { defineTable } from "../../../../world/index.ts";

export const RELATIONSHIPS = [
  "family",
  "colleague",
  "neighbour",
  "friend",
  "acquaintance",
] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

/** At most one row a person; who has none has none of these facts. */
export type Details = {
  readonly id: number;
  readonly person: number;
  /** What they are to the owner. */
  readonly relationship: Relationship | null;
  /** The day of birth with its year. */
  readonly birthday: string | null;
  /** Street and number; the city is the person's. */
  readonly street: string | null;
  readonly workplace: string | null;
  readonly job: string | null;
  readonly favourite: boolean;
};
export const details = defineTable<Details>("contacts.details", {
  indexes: ["person", "relationship", "workplace"],
  references: { person: "contacts.people" },
});

/** A line that the owner wrote down about someone: `is allergic to nuts`. */
export type Remark = {
  readonly id: number;
  readonly person: number;
  readonly text: string;
};
export const remarks = defineTable<Remark>("contacts.remarks", {
  indexes: ["person"],
  references: { person: "contacts.people" },
  loose: ["text"],
});

/** Two people who are together; `first` has the lower id, and each is in one couple at most. */
export type Couple = {
  readonly id: number;
  readonly first: number;
  readonly second: number;
};
export const couples = defineTable<Couple>("contacts.couples", {
  indexes: ["first", "second"],
  references: { first: "contacts.people", second: "contacts.people" },
});

/** The owner met somebody: one row for each person and occasion. */
export type Meeting = {
  readonly id: number;
  readonly person: number;
  readonly day: string;
  readonly occasion: string;
};
export const meetings = defineTable<Meeting>("contacts.meetings", {
  indexes: ["person", "day", "occasion"],
  references: { person: "contacts.people" },
  loose: ["occasion"],
});

/** Something that the owner may give to somebody. */
export type Gift = {
  readonly id: number;
  readonly person: number;
  readonly idea: string;
  /** What it costs. */
  readonly cents: number;
  /** Given ones stay, so that nobody gets a thing twice. */
  readonly given: boolean;
};
export const gifts = defineTable<Gift>("contacts.gifts", {
  indexes: ["person"],
  references: { person: "contacts.people" },
  loose: ["idea"],
});

/** The card of someone who was removed, or merged into somebody else. */
export type RemovedPerson = {
  readonly id: number;
  readonly name: string;
  readonly handle: string;
  readonly city: string;
  readonly phone: string;
  readonly blocked: boolean;
  /** Names, at the time of the removal. */
  readonly groups: readonly string[];
};
export const removedPeople = defineTable<RemovedPerson>("contacts.removed", {
  indexes: ["handle", "name"],
  classes: { handle: "derived" },
});

export const moreContactTables = [
  details,
  remarks,
  couples,
  meetings,
  gifts,
  removedPeople,
] as const;
