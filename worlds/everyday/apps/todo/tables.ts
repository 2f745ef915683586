/**
 * What full todos know beyond title, list, due day and done: the details of a todo, and rows for all it has several of.
 *
 * A list without a row in `foreign` is the owner's. A list share that was ended stays; comments are read by others and
 * are never removed.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("todo");

/** In falling order. */
export const PRIORITIES = ["high", "normal", "low"] as const;
export const RHYTHMS = ["daily", "weekly", "monthly"] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** At most one row a todo. */
export const details = app.table("details", {
  todo: ref("todo.todos").indexed,
  priority: oneOf(PRIORITIES).indexed,
  /** The estimate. */
  minutes: int.orNull,
  /** In alphabetical order. */
  tags: text.many,
  /** Null: done once and for all. A repeating todo has a due day. */
  every: oneOf(RHYTHMS).orNull,
  /** An editor of its shared list. */
  assignee: ref("contacts.people").orNull.indexed,
  /** Todos that must be done before, in ascending id. */
  waits: ref("todo.todos").many,
});
export type Details = RowOf<typeof details>;

/** In the order in which they were added. */
export const steps = app.table("steps", {
  todo: ref("todo.todos").indexed,
  title: text.loose,
  done: flag,
});
export type Step = RowOf<typeof steps>;

export const comments = app.table("comments", {
  todo: ref("todo.todos").indexed,
  /** Null: the owner. */
  person: ref("contacts.people").orNull,
  text: text.loose,
  at: text.derived,
});
export type Comment = RowOf<typeof comments>;

/** Time that the owner spent on a todo. */
export const timeEntries = app.table("time", {
  todo: ref("todo.todos").indexed,
  minutes: int,
  day: text,
});

/** A repeating todo was done once, when it was due on that day. */
export const rounds = app.table("rounds", {
  todo: ref("todo.todos").indexed,
  day: text,
});
export type Round = RowOf<typeof rounds>;

export const LIST_ROLES = ["viewer", "editor"] as const;

/** With whom the owner shares a list; one row a list and person. */
export const listShares = app.table("listShares", {
  list: ref("todo.lists").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(LIST_ROLES),
  status: oneOf(["active", "ended"]),
});
export type ListShare = RowOf<typeof listShares>;

/** A list of another, and what the owner may do with it. */
export const foreignLists = app.table("foreign", {
  list: ref("todo.lists").indexed,
  person: ref("contacts.people"),
  role: oneOf(LIST_ROLES),
});
export type ForeignList = RowOf<typeof foreignLists>;

export const moreTodoTables = app.tables;
