/**
 * What full todos know beyond title, list, due day and done: the details of a todo, and rows for all it has several of.
 *
 * A list without a row in `foreign` is the owner's. A list share that was ended stays; comments are read by others and
 * are never removed.
 */
import { defineTable } from "../../../../world/index.ts";

/** In falling order. */
export const PRIORITIES = ["high", "normal", "low"] as const;
export type Priority = (typeof PRIORITIES)[number];
export const RHYTHMS = ["daily", "weekly", "monthly"] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** At most one row a todo. */
export type Details = {
  readonly id: number;
  readonly todo: number;
  readonly priority: Priority;
  /** The estimate. */
  readonly minutes: number | null;
  /** In alphabetical order. */
  readonly tags: readonly string[];
  /** Null: done once and for all. A repeating todo has a due day. */
  readonly every: Rhythm | null;
  /** An editor of its shared list. */
  readonly assignee: number | null;
  /** Todos that must be done before, in ascending id. */
  readonly waits: readonly number[];
};
export const details = defineTable<Details>("todo.details", {
  indexes: ["todo", "priority", "assignee"],
  references: { todo: "todo.todos", assignee: "contacts.people", waits: "todo.todos" },
});

/** In the order in which they were added. */
export type Step = {
  readonly id: number;
  readonly todo: number;
  readonly title: string;
  readonly done: boolean;
};
export const steps = defineTable<Step>("todo.steps", {
  indexes: ["todo"],
  references: { todo: "todo.todos" },
  loose: ["title"],
});

export type Comment = {
  readonly id: number;
  readonly todo: number;
  /** Null: the owner. */
  readonly person: number | null;
  readonly text: string;
  readonly at: string;
};
export const comments = defineTable<Comment>("todo.comments", {
  indexes: ["todo"],
  classes: { at: "derived" },
  references: { todo: "todo.todos", person: "contacts.people" },
  loose: ["text"],
});

/** Time that the owner spent on a todo. */
export type TimeEntry = {
  readonly id: number;
  readonly todo: number;
  readonly minutes: number;
  readonly day: string;
};
export const timeEntries = defineTable<TimeEntry>("todo.time", {
  indexes: ["todo"],
  references: { todo: "todo.todos" },
});

/** A repeating todo was done once, when it was due on that day. */
export type Round = { readonly id: number; readonly todo: number; readonly day: string };
export const rounds = defineTable<Round>("todo.rounds", {
  indexes: ["todo"],
  references: { todo: "todo.todos" },
});

export const LIST_ROLES = ["viewer", "editor"] as const;
export type ListRole = (typeof LIST_ROLES)[number];

/** With whom the owner shares a list; one row a list and person. */
export type ListShare = {
  readonly id: number;
  readonly list: number;
  readonly person: number;
  readonly role: ListRole;
  readonly status: "active" | "ended";
};
export const listShares = defineTable<ListShare>("todo.listShares", {
  indexes: ["list", "person"],
  references: { list: "todo.lists", person: "contacts.people" },
});

/** A list of another, and what the owner may do with it. */
export type ForeignList = {
  readonly id: number;
  readonly list: number;
  readonly person: number;
  readonly role: ListRole;
};
export const foreignLists = defineTable<ForeignList>("todo.foreign", {
  indexes: ["list"],
  references: { list: "todo.lists", person: "contacts.people" },
});
