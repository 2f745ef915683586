/**
 * The rows of the bank: accounts, what was booked on them, and what the owner arranged for later.
 *
 * Money is never made or lost here: an account's `cents` is its `opening` plus all of its transactions, and moving money
 * between own accounts books one transaction on each. Savings goals set money of an account aside without moving it.
 */
import { flag, int, oneOf, type RowOf, ref, tablesOf, text } from "bowline/resources";

const app = tablesOf("bank");

export const ACCOUNT_KINDS = ["current", "savings", "joint"] as const;

export const ROLES = ["view", "spend"] as const;
/** `view` shows balance and transactions, `spend` also moves money. */
export type Role = (typeof ROLES)[number];

export const accounts = app.table("accounts", {
  /** Unique among all accounts, closed ones included. */
  name: text.indexed,
  kind: oneOf(ACCOUNT_KINDS),
  /** Null: the owner's own. Otherwise the person who shares it with the owner. */
  holder: ref("contacts.people").orNull,
  /** What the owner may do; `spend` on own accounts. */
  role: oneOf(ROLES),
  /** The balance before the first transaction. */
  opening: int,
  cents: int.derived,
  /** Closed accounts stay, with their transactions. */
  closed: flag,
});
export type Account = RowOf<typeof accounts>;

/** Somebody to whom the owner gave access to an own account; taken back access stays as `ended`. */
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
  /** Negative: money went out. */
  cents: int,
  /** Who got or sent the money: a shop, a payee, another account, `Pay wallet`. */
  payee: text.indexed,
  category: oneOf(CATEGORIES).indexed,
  note: text.loose,
  /** The card that paid; null for transfers. */
  card: ref("bank.cards").orNull.indexed,
  at: text.derived,
});
export type Transaction = RowOf<typeof transactions>;

/** Where transfers and standing orders go. */
export const payees = app.table("payees", {
  /** Unique among payees that are not removed. */
  name: text.indexed,
  /** Eight digits. */
  number: text,
  /** The contact whose account it is; null for a company. */
  person: ref("contacts.people").orNull.indexed,
  removed: flag,
});
export type Payee = RowOf<typeof payees>;

export const ORDER_STATUSES = ["active", "paused", "ended"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
export const RHYTHMS = ["week", "month"] as const;
export type Rhythm = (typeof RHYTHMS)[number];

/** A transfer that repeats. The first one is on `next`. */
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
  /** The last four digits; the bank makes them. */
  digits: text.indexed.derived,
  /** Cents a month. */
  limit: int,
  frozen: flag,
  /** For good. */
  cancelled: flag,
});
export type Card = RowOf<typeof cards>;

/** Money of a savings account that is set aside for something. */
export const goals = app.table("goals", {
  name: text,
  account: ref("bank.accounts").indexed,
  target: int,
  saved: int,
  deadline: text.orNull,
  /** A closed goal holds nothing. */
  closed: flag,
});
export type Goal = RowOf<typeof goals>;

/** How much may go out for a category in a month; one for each category. It warns and stops nothing. */
export const budgets = app.table("budgets", { category: oneOf(CATEGORIES).indexed, cents: int });
export type Budget = RowOf<typeof budgets>;

export const DISPUTE_STATUSES = ["open", "withdrawn", "refused", "refunded"] as const;

/** The owner's complaint about a card transaction. The bank decides later. */
export const disputes = app.table("disputes", {
  transaction: ref("bank.transactions").indexed,
  reason: text.loose,
  status: oneOf(DISPUTE_STATUSES).indexed,
});
export type Dispute = RowOf<typeof disputes>;

export const bankTables = app.tables;
