/** Decides which accounts and cards may be used, and holds the one function that books a transaction. */

import { refuseUnless, rowById } from "bowline/resources";
import type { CallContext, Reader, Table, TableRow, Writer } from "bowline/world";
import { handleOf, toDollars } from "../shared.ts";
import {
  type Account,
  accounts,
  type Card,
  cards,
  goals,
  type Transaction,
  transactions,
} from "./tables.ts";

/** Returns an account that the owner may see, or throws a 404. */
export function requireAccount(db: Reader, id: number, param = "account"): Account {
  const row = db.get(accounts, id);
  refuseUnless(row, 404, `${param}: there is no account with id ${id}; see bank.accounts`);
  return row;
}

/** Returns an open account from which the owner may spend. Throws a 404, 403 or 409 otherwise. */
export function requireSpendableAccount(db: Reader, id: number, param = "account"): Account {
  const row = requireAccount(db, id, param);
  refuseUnless(row.role === "spend", 403, () => {
    const holder = row.holder === null ? "someone" : handleOf(db, row.holder);
    return `${param}: expected an account that the owner may spend from, "${row.name}" of ${holder} is only for viewing`;
  });
  return requireOpenAccount(row, param);
}

/** Returns an open account that belongs to the owner. Throws a 404, 403 or 409 otherwise. */
export function requireOwnAccount(db: Reader, id: number, param = "account"): Account {
  const row = requireAccount(db, id, param);
  const { holder, name } = row;
  refuseUnless(holder === null, 403, () => {
    const holderHandle = handleOf(db, holder ?? 0);
    return `${param}: expected an account of the owner, "${name}" belongs to ${holderHandle}`;
  });
  return requireOpenAccount(row, param);
}

function requireOpenAccount(row: Account, param: string): Account {
  refuseUnless(!row.closed, 409, `${param}: expected an open account, "${row.name}" is closed`);
  return row;
}

/** Returns the owner's first open account. Examples of API calls use it. */
export function exampleOwnAccount(db: Reader): Account {
  return db.all(accounts).find((row) => row.holder === null && !row.closed)!;
}

/**
 * Makes the arguments of an example of an API call: the id of the first row for which `isUsable` and `fits` return
 * true. The start state must contain such a row.
 */
export function exampleIdFrom<R extends TableRow>(
  table: Table<R>,
  isUsable: (row: R, db: Reader) => boolean = () => true,
) {
  return (db: Reader, fits: (row: R) => boolean = () => true) => ({
    id: db.all(table).find((row) => isUsable(row, db) && fits(row))!.id,
  });
}

/** Returns the cents of the account that savings goals hold. */
function centsSetAside(db: Reader, account: number): number {
  return db.where(goals, { account }).reduce((sum, goal) => sum + goal.saved, 0);
}

/** Returns the cents that may leave the account: its balance less the money that is set aside for savings goals. */
export function availableCents(db: Reader, { id, cents }: Account): number {
  return cents - centsSetAside(db, id);
}

/** Throws a 422 that names the parameter `param` when the account has less than `cents` available. */
export function requireAvailableCents(
  db: Reader,
  account: Account,
  cents: number,
  param = "amount",
): void {
  const availableInAccount = availableCents(db, account);
  refuseUnless(
    cents <= availableInAccount,
    422,
    `${param}: expected at most ${toDollars(availableInAccount)}, which "${account.name}" has available, got ${toDollars(cents)}`,
  );
}

type NewTransaction = Omit<Transaction, "id" | "at">;

/** Books a transaction and changes the account's balance by its cents. */
export function bookTransaction(db: Writer, now: string, entry: NewTransaction): Transaction {
  const account = requireAccount(db, entry.account);
  db.update(accounts, account.id, { cents: account.cents + entry.cents });
  return db.insert(transactions, { ...entry, at: now });
}

/** Returns a card that is neither cancelled nor frozen, or throws a 404 or 409. */
export function requireWorkingCard(db: Reader, id: number, param = "card"): Card {
  const card = rowById(db, cards, id, { noun: "card" });
  const what = `${param}: expected a working card, "${card.label}" is`;
  refuseUnless(!card.cancelled, 409, `${what} cancelled`);
  refuseUnless(!card.frozen, 409, `${what} frozen; bank.unfreeze first`);
  return card;
}

/** Returns the cents that the card paid in the month of `now`. */
export function centsPaidByCard(db: Reader, card: number, now: string): number {
  const rows = db.where(transactions, { card });
  return rows
    .filter((row) => row.cents < 0 && row.at.slice(0, 7) === now.slice(0, 7))
    .reduce((sum, row) => sum - row.cents, 0);
}

/**
 * Pays with a card. Throws a 422 when the payment exceeds the card's monthly limit or what its account has available.
 */
export function payByCard(
  { db, now }: CallContext,
  card: Card,
  entry: Omit<NewTransaction, "account" | "card">,
): Transaction {
  const cents = -entry.cents;
  requireAvailableCents(db, requireSpendableAccount(db, card.account, "card"), cents);
  const remaining = card.limit - centsPaidByCard(db, card.id, now);
  refuseUnless(
    cents <= remaining,
    422,
    `amount: expected at most ${toDollars(remaining)}, what is left of this month's limit of "${card.label}", got ${toDollars(cents)}`,
  );
  return bookTransaction(db, now, { ...entry, account: card.account, card: card.id });
}
