/**
 * The rows of split: what people spent together, who bears which part of it, and what they gave back.
 *
 * A person column that is null means the owner, who is in every group. Nothing is stored of who owes whom: `debts.ts`
 * derives it from shares and settlements, so it cannot disagree with them. Split moves no money itself.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("split");

export const splitGroups = app.table("groups", {
  /** Unique among all groups, archived ones included. */
  name: text.indexed,
  archived: flag,
});
export type SplitGroup = RowOf<typeof splitGroups>;

/** People who left stay as rows, for their old shares. */
export const splitMembers = app.table("members", {
  group: ref("split.groups").indexed,
  person: ref("contacts.people").indexed,
  left: flag,
});

export const EXPENSE_CATEGORIES = [
  "food",
  "drinks",
  "transport",
  "lodging",
  "tickets",
  "gifts",
  "household",
  "other",
] as const;
export type ExpenseCategory = (typeof EXPENSE_CATEGORIES)[number];
export const METHODS = ["equal", "exact", "percent"] as const;
export type Method = (typeof METHODS)[number];

export const expenses = app.table("expenses", {
  group: ref("split.groups").indexed,
  /** In lower case, without an article: `boat hire`. */
  what: text.loose,
  cents: int,
  /** Who paid. */
  payer: ref("contacts.people").orNull.indexed,
  /** Who wrote it down, and alone may change it. */
  addedBy: ref("contacts.people").orNull,
  category: oneOf(EXPENSE_CATEGORIES).indexed,
  day: text,
  method: oneOf(METHODS),
  /** Removed expenses stay and count for nothing. */
  removed: flag,
});
export type Expense = RowOf<typeof expenses>;

/** What one participant bears; the shares of an expense add up to its cents. */
export const expenseShares = app.table("shares", {
  expense: ref("split.expenses").indexed,
  person: ref("contacts.people").orNull.indexed,
  cents: int,
});

/** Money that one member gave another outside of split. */
export const settlements = app.table("settlements", {
  group: ref("split.groups").indexed,
  /** The other side; the owner is always one of the two. */
  person: ref("contacts.people").indexed,
  /** True: the owner paid. */
  outgoing: flag,
  cents: int,
  /** The payment of pay that did it, if that is known. */
  payment: ref("pay.payments").orNull,
  undone: flag,
  at: text.derived,
});
export type Settlement = RowOf<typeof settlements>;

export const expenseComments = app.table("comments", {
  expense: ref("split.expenses").indexed,
  person: ref("contacts.people").orNull,
  text: text.loose,
  /** Removed comments stay, since others have read them. */
  removed: flag,
  at: text.derived,
});

/** The owner reminded somebody of what they owe. */
export const nudges = app.table("reminders", {
  person: ref("contacts.people").indexed,
  text: text.loose,
  at: text.derived,
});
export type Nudge = RowOf<typeof nudges>;

export const splitTables = app.tables;
