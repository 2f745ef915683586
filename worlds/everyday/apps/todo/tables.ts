/**
 * Defines the tables of the full todo app beyond title, list, due day and done: the details of a todo, its steps,
 * comments, time entries and rounds, and shared lists.
 *
 * A list without a row in `foreign` is the owner's. A share of a list that was ended keeps its row. Comments are read
 * by others and are never removed.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("todo");

/** The priorities, from highest to lowest. */
export const PRIORITIES = ["high", "normal", "low"] as const;
export const RHYTHMS = ["daily", "weekly", "monthly"] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** The details of todos, at most one row for each todo. */
export const details = app.table("details", {
  todo: ref("todo.todos").indexed,
  priority: oneOf(PRIORITIES).indexed,
  /** The estimated minutes, or null when there is no estimate. */
  minutes: int.orNull,
  /** The tags, in alphabetical order. */
  tags: text.many,
  /** The rhythm in which the todo repeats, or null when it does not. A repeating todo has a due day. */
  every: oneOf(RHYTHMS).orNull,
  /** The person who shall do it, an editor of its shared list, or null. */
  assignee: ref("contacts.people").orNull.indexed,
  /** The ids of the todos that must be done before this one, in ascending order. */
  waits: ref("todo.todos").many,
});
export type Details = RowOf<typeof details>;

/** The steps of todos, in the order in which they were added. */
export const steps = app.table("steps", {
  todo: ref("todo.todos").indexed,
  title: text.loose,
  done: flag,
});
export type Step = RowOf<typeof steps>;

export const comments = app.table("comments", {
  todo: ref("todo.todos").indexed,
  /** The author of the comment, or null when it is the owner. */
  person: ref("contacts.people").orNull,
  text: text.loose,
  at: text.derived,
});
export type Comment = RowOf<typeof comments>;

/** The time entries: time that the owner spent on a todo. */
export const timeEntries = app.table("time", {
  todo: ref("todo.todos").indexed,
  minutes: int,
  day: text,
});

/** The finished rounds of repeating todos. `day` is the day on which the todo was due. */
export const rounds = app.table("rounds", {
  todo: ref("todo.todos").indexed,
  day: text,
});
export type Round = RowOf<typeof rounds>;

export const LIST_ROLES = ["viewer", "editor"] as const;

/** The people with whom the owner shares a list, one row for each list and person. */
export const listShares = app.table("listShares", {
  list: ref("todo.lists").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(LIST_ROLES),
  status: oneOf(["active", "ended"]),
});
export type ListShare = RowOf<typeof listShares>;

/** The lists of other people, and what the owner may do with them. */
export const listsOfOthers = app.table("foreign", {
  list: ref("todo.lists").indexed,
  person: ref("contacts.people"),
  role: oneOf(LIST_ROLES),
});
export type ListOfOther = RowOf<typeof listsOfOthers>;

export const moreTodoTables = app.tables;
