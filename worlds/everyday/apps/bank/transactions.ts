/** What was booked, and the owner's own words about it; money that the owner sends now; disputes of card transactions. */

import {
  by,
  day,
  falling,
  idOf,
  itemOf,
  type Look,
  must,
  newestFirst,
  prose,
  resource,
  rowById,
  through,
  where,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { amount, centsOf, dayOf, dollars } from "../shared.ts";
import { accountBy, book, first, firstOwn, requireCents, spendable } from "./book.ts";
import { firstPayee, note, payable } from "./payees.ts";
import {
  accounts,
  CATEGORIES,
  cards,
  DISPUTE_STATUSES,
  disputes,
  type Transaction,
  transactions,
} from "./tables.ts";

const category = z.enum(CATEGORIES);
const way = z.enum(["in", "out"]);
const size = ({ cents }: Transaction) => Math.abs(cents);
const wayOf = ({ cents }: Transaction) => (cents < 0 ? "out" : "in");

const booked = resource({
  noun: "transaction",
  /** The amount is positive; `way` says whether it came in or went out. */
  item: itemOf(transactions, {
    ...transactions.fields("payee", "id"),
    amount: [z.number(), (row) => dollars(size(row))],
    way: [way, wayOf],
    category,
    day: [z.string(), ({ at }) => dayOf(at)],
    account: z.int(),
  }),
});

const limit = (what: string) => z.number().min(0).max(1_000_000).describe(what);

const within = (least: number, most: number) => (row: Transaction) =>
  least <= size(row) && size(row) <= most;

/** The owner may do more with its account than look at it. */
const mayEdit = ({ account }: Transaction, db: Reader) => accountBy(db, account).role === "spend";

const editing = {
  unless: ({ id, account }: Transaction, _: unknown, { db }: Look) => {
    const { name, role } = accountBy(db, account, "id");
    const where = `transaction ${id} is in "${name}"`;
    must(role === "spend", 403, `id: ${where}, which is only for viewing`);
  },
  fits: mayEdit,
};

export const transactionApis = {
  transactions: booked.list("List transactions of all accounts, newest first.", {
    filters: {
      account: [idOf("account"), (id, { db }) => ({ account: accountBy(db, id).id })],
      category: category.describe("only in this category"),
      payee: z.string().min(1).max(100).describe("only with exactly this payee"),
      card: idOf("card"),
      way: [
        way.describe("only money that came in, or that went out"),
        where((row, wanted) => wayOf(row) === wanted),
      ],
      since: [day("only on or after this day"), where(({ at }, first) => dayOf(at) >= first)],
      until: [day("only on or before this day"), where(({ at }, last) => dayOf(at) <= last)],
      least: [
        limit("only of at least so many dollars"),
        (dollars) => within(centsOf(dollars), Number.POSITIVE_INFINITY),
      ],
      most: [limit("only of at most so many dollars"), (dollars) => within(0, centsOf(dollars))],
    },
    sorts: {
      newest: newestFirst,
      oldest: (rows) => newestFirst(rows).toReversed(),
      largest: (rows, look) => by(falling(size))(newestFirst(rows), look),
    },
    sort: "which come first",
    example: { category: "groceries", way: "out", since: "2026-03-01" },
  }),
  transaction: booked.show(
    "Show a transaction with its note and, if a card paid, the card's last digits.",
    {
      item: booked.item.with({ note: z.string(), card: through(cards, "card", "digits") }),
    },
  ),
  search: booked.list("Search the payees and notes of transactions, newest first.", {
    words: ["payee", "note"],
    order: newestFirst,
    example: (db) => ({ query: db.all(transactions)[0]!.payee }),
  }),
  categorise: booked.change("Put a transaction into another category.", {
    ...editing,
    params: { category: category.describe("the new one") },
    example: { category: "leisure" },
  }),
  annotate: booked.change("Replace the note of a transaction; an empty one clears it.", {
    ...editing,
    params: { note: z.string().trim().max(200).describe("the new note") },
    example: { note: "keep for the tax papers" },
  }),
};

export const transferApis = {
  move: booked.add("Move money between two accounts; both get a transaction.", {
    params: {
      from: idOf("account that it leaves"),
      to: idOf("account that gets it"),
      amount,
      note,
    },
    row: ({ from, to, amount, note }, { db, now }) => {
      must(from !== to, 422, `to: expected another account than "from", got ${to}`);
      const source = spendable(db, from, "from");
      const target = spendable(db, to, "to");
      const cents = centsOf(amount);
      requireCents(db, source, cents);
      const common = { category: "transfers", note, card: null } as const;
      book(db, now, { ...common, account: to, cents, payee: source.name });
      return book(db, now, { ...common, account: from, cents: -cents, payee: target.name });
    },
    example: (db) => {
      const from = firstOwn(db).id;
      const to = db.all(accounts).find((row) => row.role === "spend" && row.id !== from)!.id;
      return { from, to, amount: 25, note: "for later" };
    },
  }),
  transfer: booked.add("Transfer money to a payee.", {
    params: {
      from: idOf("account that it leaves"),
      payee: idOf("payee"),
      amount,
      note,
      category: category.default("transfers").describe("the category of the transaction"),
    },
    row: ({ from, amount, note, category, ...args }, { db, now }) => {
      const account = spendable(db, from, "from");
      const payee = payable(db, args.payee).name;
      const cents = centsOf(amount);
      requireCents(db, account, cents);
      return book(db, now, { account: from, cents: -cents, payee, category, note, card: null });
    },
    example: (db) => ({ from: firstOwn(db).id, payee: firstPayee(db).id, amount: 12.5 }),
  }),
};

// --- disputes: the bank decides another day ---

const status = z.enum(DISPUTE_STATUSES);

const claims = resource({
  noun: "dispute",
  item: itemOf(disputes, {
    payee: through(transactions, "transaction", "payee", "removed"),
    id: z.int(),
    amount: [
      z.number(),
      ({ transaction }, { db }) => dollars(Math.abs(db.get(transactions, transaction)?.cents ?? 0)),
    ],
    ...disputes.fields("reason", "status", "transaction"),
  }),
  example: first(disputes, ({ status }) => status === "open"),
});

const isPayment = ({ card, cents }: Transaction) => card !== null && cents < 0;

const isOpen = (db: Reader, transaction: number) =>
  db.where(disputes, { transaction, status: "open" }).length > 0;

export const disputeApis = {
  disputes: claims.list("List disputes, the latest first.", {
    filters: { status: status.describe("only in this state") },
    order: (rows) => rows.toReversed(),
    example: { status: "open" },
  }),
  dispute: claims.add("Dispute a card transaction.", {
    params: { ...booked.keys, reason: prose("why") },
    row: ({ id, reason }, { db }) => {
      const row = rowById(db, transactions, id, { noun: "transaction" });
      spendable(db, row.account, "id");
      must(isPayment(row), 422, `id: expected a payment by card, transaction ${id} is none`);
      must(!isOpen(db, id), 409, `id: transaction ${id} is disputed already`);
      return { transaction: id, reason, status: "open" };
    },
    example: (db) => {
      const may = (row: Transaction) => mayEdit(row, db) && isPayment(row) && !isOpen(db, row.id);
      return { id: db.all(transactions).find(may)!.id, reason: "I was not there that day." };
    },
  }),
  withdrawDispute: claims.change("Withdraw an open dispute.", {
    unless: ({ id, status }) =>
      must(status === "open", 409, `id: expected an open dispute, ${id} is ${status}`),
    set: { status: "withdrawn" },
  }),
};
