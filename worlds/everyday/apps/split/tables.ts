/**
 * Defines the tables of split: the expenses of groups of people, the share of each person, and settlements.
 *
 * A null in a column of people means the owner, who is in every group. Who owes whom is not stored: `debts.ts` computes
 * it from shares and settlements, so that the debts always agree with these rows. Split itself moves no money.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("split");

export const splitGroups = app.table("groups", {
  /** The name, which is unique among all groups, including archived ones. */
  name: text.indexed,
  archived: flag,
});
export type SplitGroup = RowOf<typeof splitGroups>;

/** The members of groups. People who left keep a row, because of their old shares. */
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
  /** What the money was for, in lower case and without an article, such as `boat hire`. */
  what: text.loose,
  cents: int,
  /** The member who paid. */
  payer: ref("contacts.people").orNull.indexed,
  /** The member who added the expense. Only this member may change it. */
  addedBy: ref("contacts.people").orNull,
  category: oneOf(EXPENSE_CATEGORIES).indexed,
  day: text,
  method: oneOf(METHODS),
  /** Removed expenses are kept and count for nothing. */
  removed: flag,
});
export type Expense = RowOf<typeof expenses>;

/** The shares: what each participant bears. The shares of an expense add up to its cents. */
export const expenseShares = app.table("shares", {
  expense: ref("split.expenses").indexed,
  person: ref("contacts.people").orNull.indexed,
  cents: int,
});

/** The settlements: money that one member gave another outside of split. */
export const settlements = app.table("settlements", {
  group: ref("split.groups").indexed,
  /** The other side. The owner is always one of the two. */
  person: ref("contacts.people").indexed,
  /** True when the owner paid, false when the other side did. */
  outgoing: flag,
  cents: int,
  /** The payment in the pay app that moved the money, if it is known. */
  payment: ref("pay.payments").orNull,
  undone: flag,
  at: text.derived,
});
export type Settlement = RowOf<typeof settlements>;

export const expenseComments = app.table("comments", {
  expense: ref("split.expenses").indexed,
  person: ref("contacts.people").orNull,
  text: text.loose,
  /** Removed comments are kept, because others have read them. */
  removed: flag,
  at: text.derived,
});

/** The reminders that the owner sent to people about what they owe. */
export const nudges = app.table("reminders", {
  person: ref("contacts.people").indexed,
  text: text.loose,
  at: text.derived,
});
export type Nudge = RowOf<typeof nudges>;

export const splitTables = app.tables;
