/**
 * The rows of split: what people spent together, who bears which part of it, and what they gave back.
 *
 * A person column that is null means the owner, who is in every group. Nothing is stored of who owes whom: `debts.ts`
 * derives it from shares and settlements, so it cannot disagree with them. Split moves no money itself.
 */
import { defineTable } from "../../../../world/index.ts";

export type SplitGroup = {
  readonly id: number;
  /** Unique among all groups, archived ones included. */
  readonly name: string;
  readonly archived: boolean;
};
export const splitGroups = defineTable<SplitGroup>("split.groups", { indexes: ["name"] });

/** People who left stay as rows, for their old shares. */
export type SplitMember = {
  readonly id: number;
  readonly group: number;
  readonly person: number;
  readonly left: boolean;
};
export const splitMembers = defineTable<SplitMember>("split.members", {
  indexes: ["group", "person"],
  references: { group: "split.groups", person: "contacts.people" },
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

export type Expense = {
  readonly id: number;
  readonly group: number;
  /** In lower case, without an article: `boat hire`. */
  readonly what: string;
  readonly cents: number;
  /** Who paid. */
  readonly payer: number | null;
  /** Who wrote it down, and alone may change it. */
  readonly addedBy: number | null;
  readonly category: ExpenseCategory;
  readonly day: string;
  readonly method: Method;
  /** Removed expenses stay and count for nothing. */
  readonly removed: boolean;
};
export const expenses = defineTable<Expense>("split.expenses", {
  indexes: ["group", "payer", "category"],
  references: {
    group: "split.groups",
    payer: "contacts.people",
    addedBy: "contacts.people",
  },
  loose: ["what"],
});

/** What one participant bears; the shares of an expense add up to its cents. */
export type ExpenseShare = {
  readonly id: number;
  readonly expense: number;
  readonly person: number | null;
  readonly cents: number;
};
export const expenseShares = defineTable<ExpenseShare>("split.shares", {
  indexes: ["expense", "person"],
  references: { expense: "split.expenses", person: "contacts.people" },
});

/** Money that one member gave another outside of split. */
export type Settlement = {
  readonly id: number;
  readonly group: number;
  /** The other side; the owner is always one of the two. */
  readonly person: number;
  /** True: the owner paid. */
  readonly outgoing: boolean;
  readonly cents: number;
  /** The payment of pay that did it, if that is known. */
  readonly payment: number | null;
  readonly undone: boolean;
  readonly at: string;
};
export const settlements = defineTable<Settlement>("split.settlements", {
  indexes: ["group", "person"],
  classes: { at: "derived" },
  references: { group: "split.groups", person: "contacts.people", payment: "pay.payments" },
});

export type ExpenseComment = {
  readonly id: number;
  readonly expense: number;
  readonly person: number | null;
  readonly text: string;
  /** Removed comments stay, since others have read them. */
  readonly removed: boolean;
  readonly at: string;
};
export const expenseComments = defineTable<ExpenseComment>("split.comments", {
  indexes: ["expense"],
  classes: { at: "derived" },
  references: { expense: "split.expenses", person: "contacts.people" },
  loose: ["text"],
});

/** The owner reminded somebody of what they owe. */
export type Nudge = {
  readonly id: number;
  readonly person: number;
  readonly text: string;
  readonly at: string;
};
export const nudges = defineTable<Nudge>("split.reminders", {
  indexes: ["person"],
  classes: { at: "derived" },
  references: { person: "contacts.people" },
  loose: ["text"],
});

export const splitTables = [
  splitGroups,
  splitMembers,
  expenses,
  expenseShares,
  settlements,
  expenseComments,
  nudges,
] as const;
