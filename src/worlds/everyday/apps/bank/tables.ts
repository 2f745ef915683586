/**
 * The rows of the bank: accounts, what was booked on them, and what the owner arranged for later.
 *
 * Money is never made or lost here: an account's `cents` is its `opening` plus all of its transactions, and moving money
 * between own accounts books one transaction on each. Savings goals set money of an account aside without moving it.
 */
import { defineTable } from "../../../../world/index.ts";

export const ACCOUNT_KINDS = ["current", "savings", "joint"] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

export const ROLES = ["view", "spend"] as const;
/** `view` shows balance and transactions, `spend` also moves money. */
export type Role = (typeof ROLES)[number];

export type Account = {
  readonly id: number;
  /** Unique among all accounts, closed ones included. */
  readonly name: string;
  readonly kind: AccountKind;
  /** Null: the owner's own. Otherwise the person who shares it with the owner. */
  readonly holder: number | null;
  /** What the owner may do; `spend` on own accounts. */
  readonly role: Role;
  /** The balance before the first transaction. */
  readonly opening: number;
  readonly cents: number;
  /** Closed accounts stay, with their transactions. */
  readonly closed: boolean;
};
export const accounts = defineTable<Account>("bank.accounts", {
  indexes: ["name"],
  classes: { cents: "derived" },
  references: { holder: "contacts.people" },
});

/** Somebody to whom the owner gave access to an own account; taken back access stays as `ended`. */
export type Access = {
  readonly id: number;
  readonly account: number;
  readonly person: number;
  readonly role: Role;
  readonly ended: boolean;
};
export const accesses = defineTable<Access>("bank.accesses", {
  indexes: ["account", "person"],
  references: { account: "bank.accounts", person: "contacts.people" },
});

export const CATEGORIES = [
  "groceries",
  "eating out",
  "transport",
  "housing",
  "bills",
  "leisure",
  "travel",
  "health",
  "gifts",
  "income",
  "transfers",
] as const;
export type Category = (typeof CATEGORIES)[number];

export type Transaction = {
  readonly id: number;
  readonly account: number;
  /** Negative: money went out. */
  readonly cents: number;
  /** Who got or sent the money: a shop, a payee, another account, `Pay wallet`. */
  readonly payee: string;
  readonly category: Category;
  readonly note: string;
  /** The card that paid; null for transfers. */
  readonly card: number | null;
  readonly at: string;
};
export const transactions = defineTable<Transaction>("bank.transactions", {
  indexes: ["account", "category", "payee", "card"],
  classes: { at: "derived" },
  references: { account: "bank.accounts", card: "bank.cards" },
  loose: ["note"],
});

/** Where transfers and standing orders go. */
export type Payee = {
  readonly id: number;
  /** Unique among payees that are not removed. */
  readonly name: string;
  /** Eight digits. */
  readonly number: string;
  /** The contact whose account it is; null for a company. */
  readonly person: number | null;
  readonly removed: boolean;
};
export const payees = defineTable<Payee>("bank.payees", {
  indexes: ["name", "person"],
  references: { person: "contacts.people" },
});

export const ORDER_STATUSES = ["active", "paused", "ended"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
export const RHYTHMS = ["week", "month"] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** A transfer that repeats. The first one is on `next`. */
export type StandingOrder = {
  readonly id: number;
  readonly account: number;
  readonly payee: number;
  readonly cents: number;
  readonly every: Rhythm;
  readonly next: string;
  readonly note: string;
  readonly status: OrderStatus;
};
export const orders = defineTable<StandingOrder>("bank.orders", {
  indexes: ["account", "payee", "status"],
  references: { account: "bank.accounts", payee: "bank.payees" },
  loose: ["note"],
});

export type Card = {
  readonly id: number;
  readonly label: string;
  readonly account: number;
  /** The last four digits; the bank makes them. */
  readonly digits: string;
  /** Cents a month. */
  readonly limit: number;
  readonly frozen: boolean;
  /** For good. */
  readonly cancelled: boolean;
};
export const cards = defineTable<Card>("bank.cards", {
  indexes: ["account", "digits"],
  classes: { digits: "derived" },
  references: { account: "bank.accounts" },
});

/** Money of a savings account that is set aside for something. */
export type Goal = {
  readonly id: number;
  readonly name: string;
  readonly account: number;
  readonly target: number;
  readonly saved: number;
  readonly deadline: string | null;
  /** A closed goal holds nothing. */
  readonly closed: boolean;
};
export const goals = defineTable<Goal>("bank.goals", {
  indexes: ["account"],
  references: { account: "bank.accounts" },
});

/** How much may go out for a category in a month; one for each category. It warns and stops nothing. */
export type Budget = {
  readonly id: number;
  readonly category: Category;
  readonly cents: number;
};
export const budgets = defineTable<Budget>("bank.budgets", { indexes: ["category"] });

export const DISPUTE_STATUSES = ["open", "withdrawn", "refused", "refunded"] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** The owner's complaint about a card transaction. The bank decides later. */
export type Dispute = {
  readonly id: number;
  readonly transaction: number;
  readonly reason: string;
  readonly status: DisputeStatus;
};
export const disputes = defineTable<Dispute>("bank.disputes", {
  indexes: ["transaction", "status"],
  references: { transaction: "bank.transactions" },
  loose: ["reason"],
});

export const bankTables = [
  accounts,
  accesses,
  transactions,
  payees,
  orders,
  cards,
  goals,
  budgets,
  disputes,
] as const;
