/** The one way in which money moves at the bank, and who may move it. */

import { must, rowById } from "bowline/resources";
import type { CallContext, Reader, Table, TableRow, Writer } from "bowline/world";
import { dollars, handleOf } from "../shared.ts";
import {
  type Account,
  accounts,
  type Card,
  cards,
  goals,
  type Transaction,
  transactions,
} from "./tables.ts";

// --- accounts ---

/** An account that the owner may see. */
export function accountBy(db: Reader, id: number, param = "account"): Account {
  const row = db.get(accounts, id);
  must(row, 404, `${param}: there is no account with id ${id}; see bank.accounts`);
  return row;
}

/** An open account from which the owner may spend; otherwise a 404, 403 or 409. */
export function spendable(db: Reader, id: number, param = "account"): Account {
  const row = accountBy(db, id, param);
  must(row.role === "spend", 403, () => {
    const holder = row.holder === null ? "someone" : handleOf(db, row.holder);
    return `${param}: expected an account that the owner may spend from, "${row.name}" of ${holder} is only for viewing`;
  });
  return openAccount(row, param);
}

/** An open account that belongs to the owner; otherwise a 404, 403 or 409. */
export function ownAccount(db: Reader, id: number, param = "account"): Account {
  const row = accountBy(db, id, param);
  const { holder, name } = row;
  must(holder === null, 403, () => {
    const whose = handleOf(db, holder ?? 0);
    return `${param}: expected an account of the owner, "${name}" belongs to ${whose}`;
  });
  return openAccount(row, param);
}

function openAccount(row: Account, param: string): Account {
  must(!row.closed, 409, `${param}: expected an open account, "${row.name}" is closed`);
  return row;
}

/** Any open account of the owner: the first, for examples. */
export function firstOwn(db: Reader): Account {
  return db.all(accounts).find((row) => row.holder === null && !row.closed)!;
}

/** The first row that may be used and that fits, for examples: the start state has one. */
export function first<R extends TableRow>(
  table: Table<R>,
  usable: (row: R, db: Reader) => boolean = () => true,
) {
  return (db: Reader, fits: (row: R) => boolean = () => true) => ({
    id: db.all(table).find((row) => usable(row, db) && fits(row))!.id,
  });
}

// --- money ---

/** Cents that goals hold back. */
function setAside(db: Reader, account: number): number {
  return db.where(goals, { account }).reduce((sum, goal) => sum + goal.saved, 0);
}

/** Cents that may leave the account. */
export function available(db: Reader, { id, cents }: Account): number {
  return cents - setAside(db, id);
}

/** A 422 that blames `param` when the account has less to spend. */
export function requireCents(db: Reader, account: Account, cents: number, param = "amount"): void {
  const have = available(db, account);
  must(
    cents <= have,
    422,
    `${param}: expected at most ${dollars(have)}, which "${account.name}" has available, got ${dollars(cents)}`,
  );
}

type Entry = Omit<Transaction, "id" | "at">;

/** Books a transaction and changes the balance by it. */
export function book(db: Writer, now: string, entry: Entry): Transaction {
  const account = accountBy(db, entry.account);
  db.update(accounts, account.id, { cents: account.cents + entry.cents });
  return db.insert(transactions, { ...entry, at: now });
}

// --- cards ---

/** A card that may pay: neither frozen nor cancelled, with an account to spend from. */
export function workingCard(db: Reader, id: number, param = "card"): Card {
  const card = rowById(db, cards, id, { noun: "card" });
  const what = `${param}: expected a working card, "${card.label}" is`;
  must(!card.cancelled, 409, `${what} cancelled`);
  must(!card.frozen, 409, `${what} frozen; bank.unfreeze first`);
  return card;
}

/** Cents that the card paid in the month of `now`. */
export function paidByCard(db: Reader, card: number, now: string): number {
  const rows = db.where(transactions, { card });
  return rows
    .filter((row) => row.cents < 0 && row.at.slice(0, 7) === now.slice(0, 7))
    .reduce((sum, row) => sum - row.cents, 0);
}

/** Pays with a card, within its limit and what its account has. */
export function payByCard(
  { db, now }: CallContext,
  card: Card,
  entry: Omit<Entry, "account" | "card">,
): Transaction {
  const cents = -entry.cents;
  requireCents(db, spendable(db, card.account, "card"), cents);
  const left = card.limit - paidByCard(db, card.id, now);
  must(
    cents <= left,
    422,
    `amount: expected at most ${dollars(left)}, what is left of this month's limit of "${card.label}", got ${dollars(cents)}`,
  );
  return book(db, now, { ...entry, account: card.account, card: card.id });
}
