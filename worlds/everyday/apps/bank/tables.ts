/**
 * Defines the tables of the bank: accounts, their transactions, and what the owner arranged for later.
 *
 * Money is never made or lost: the `cents` of an account are its `opening` plus all of its transactions, and moving
 * money between two accounts books one transaction on each of them. Savings goals set money of an account aside without
 * moving it.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("bank");

export const ACCOUNT_KINDS = ["current", "savings", "joint"] as const;

export const ROLES = ["view", "spend"] as const;
/** The role `view` shows balance and transactions; `spend` also moves money. */
export type Role = (typeof ROLES)[number];

export const accounts = app.table("accounts", {
  /** The name is unique among all accounts, including closed ones. */
  name: text.indexed,
  kind: oneOf(ACCOUNT_KINDS),
  /** The person who shares the account with the owner, or null when it is the owner's own. */
  holder: ref("contacts.people").orNull,
  /** What the owner may do with the account. It is `spend` on own accounts. */
  role: oneOf(ROLES),
  /** The balance before the first transaction. */
  opening: int,
  cents: int.derived,
  /** Closed accounts are kept with their transactions. */
  closed: flag,
});
export type Account = RowOf<typeof accounts>;

/** The people to whom the owner gave access to an own account. Access that was taken back is kept, marked `ended`. */
export const accesses = app.table("accesses", {
  account: ref("bank.accounts").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
  ended: flag,
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

export const transactions = app.table("transactions", {
  account: ref("bank.accounts").indexed,
  /** The amount, which is negative when money went out. */
  cents: int,
  /** Who received or sent the money: a shop, a payee, another account, or `Pay wallet`. */
  payee: text.indexed,
  category: oneOf(CATEGORIES).indexed,
  note: text.loose,
  /** The card that paid, or null for a transfer. */
  card: ref("bank.cards").orNull.indexed,
  at: text.derived,
});
export type Transaction = RowOf<typeof transactions>;

/** The payees: where transfers and standing orders go. */
export const payees = app.table("payees", {
  /** The name is unique among payees that are not removed. */
  name: text.indexed,
  /** The account number, which has eight digits. */
  number: text,
  /** The contact whose account it is, or null for a company. */
  person: ref("contacts.people").orNull.indexed,
  removed: flag,
});
export type Payee = RowOf<typeof payees>;

export const ORDER_STATUSES = ["active", "paused", "ended"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
export const RHYTHMS = ["week", "month"] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** The standing orders: transfers that repeat. The first transfer is on the day `next`. */
export const orders = app.table("orders", {
  account: ref("bank.accounts").indexed,
  payee: ref("bank.payees").indexed,
  cents: int,
  every: oneOf(RHYTHMS),
  next: text,
  note: text.loose,
  status: oneOf(ORDER_STATUSES).indexed,
});
export type StandingOrder = RowOf<typeof orders>;

export const cards = app.table("cards", {
  label: text,
  account: ref("bank.accounts").indexed,
  /** The last four digits of the card number, which the bank chooses. */
  digits: text.indexed.derived,
  /** The most that the card may pay in a month, in cents. */
  limit: int,
  frozen: flag,
  /** A cancelled card stays cancelled for good. */
  cancelled: flag,
});
export type Card = RowOf<typeof cards>;

/** The savings goals: money of a savings account that is set aside for something. */
export const goals = app.table("goals", {
  name: text,
  account: ref("bank.accounts").indexed,
  target: int,
  saved: int,
  deadline: text.orNull,
  /** A closed goal holds no money. */
  closed: flag,
});
export type Goal = RowOf<typeof goals>;

/**
 * The budgets: how many cents may be spent on a category in a month. Each category has at most one. A budget only
 * warns, and no payment is refused because of it.
 */
export const budgets = app.table("budgets", { category: oneOf(CATEGORIES).indexed, cents: int });
export type Budget = RowOf<typeof budgets>;

export const DISPUTE_STATUSES = ["open", "withdrawn", "refused", "refunded"] as const;

/** The disputes: the owner's complaints about card transactions. The bank decides them later. */
export const disputes = app.table("disputes", {
  transaction: ref("bank.transactions").indexed,
  reason: text.loose,
  status: oneOf(DISPUTE_STATUSES).indexed,
});
export type Dispute = RowOf<typeof disputes>;

export const bankTables = app.tables;
