/**
 * Defines the APIs of transactions and the owner's notes on them, of transfers made now, and of disputes about card
 * transactions.
 */

import {
  dayParam,
  defineItem,
  descending,
  filterWhere,
  idParam,
  longTextParam,
  newestFirst,
  orderBy,
  refuseUnless,
  resource,
  rowById,
  textOfReferencedRow,
  type ViewContext,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { amount, dayOf, toCents, toDollars } from "../shared.ts";
import {
  bookTransaction,
  exampleIdFrom,
  exampleOwnAccount,
  requireAccount,
  requireAvailableCents,
  requireOwnAccount,
  requireSpendableAccount,
} from "./ledger.ts";
import { examplePayee, note, requirePayablePayee } from "./payees.ts";
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
const direction = z.enum(["in", "out"]);
const absoluteCents = ({ cents }: Transaction) => Math.abs(cents);
const directionOf = ({ cents }: Transaction) => (cents < 0 ? "out" : "in");

const transactionResource = resource({
  noun: "transaction",
  /** In an item, the amount is positive, and `way` says whether the money came in or went out. */
  item: defineItem(transactions, {
    ...transactions.fields("payee", "id"),
    amount: [z.number(), (row) => toDollars(absoluteCents(row))],
    way: [direction, directionOf],
    category,
    day: [z.string(), ({ at }) => dayOf(at)],
    account: z.int(),
  }),
});

const dollarLimit = (description: string) => z.number().min(0).max(1_000_000).describe(description);

const hasAmountBetween = (least: number, most: number) => (row: Transaction) =>
  least <= absoluteCents(row) && absoluteCents(row) <= most;

/** Returns true when the owner may do more with the transaction's account than view it. */
const canEdit = ({ account }: Transaction, db: Reader) =>
  requireAccount(db, account).role === "spend";

const onlyEditable = {
  checkRow: ({ id, account }: Transaction, _: unknown, { db }: ViewContext) => {
    const { name, role } = requireAccount(db, account, "id");
    const where = `transaction ${id} is in "${name}"`;
    refuseUnless(role === "spend", 403, `id: ${where}, which is only for viewing`);
  },
  isExample: canEdit,
};

export const transactionApis = {
  transactions: transactionResource.list("List transactions of all accounts, newest first.", {
    filters: {
      account: [idParam("account"), (id, { db }) => ({ account: requireAccount(db, id).id })],
      category: category.describe("only in this category"),
      payee: z.string().min(1).max(100).describe("only with exactly this payee"),
      card: idParam("card"),
      way: [
        direction.describe("only money that came in, or that went out"),
        filterWhere((row, wanted) => directionOf(row) === wanted),
      ],
      since: [
        dayParam("only on or after this day"),
        filterWhere(({ at }, first) => dayOf(at) >= first),
      ],
      until: [
        dayParam("only on or before this day"),
        filterWhere(({ at }, last) => dayOf(at) <= last),
      ],
      least: [
        dollarLimit("only of at least so many dollars"),
        (dollars) => hasAmountBetween(toCents(dollars), Number.POSITIVE_INFINITY),
      ],
      most: [
        dollarLimit("only of at most so many dollars"),
        (dollars) => hasAmountBetween(0, toCents(dollars)),
      ],
    },
    sorts: {
      newest: newestFirst,
      oldest: (rows) => newestFirst(rows).toReversed(),
      largest: (rows, look) => orderBy(descending(absoluteCents))(newestFirst(rows), look),
    },
    sortDescription: "which come first",
    example: { category: "groceries", way: "out", since: "2026-03-01" },
  }),
  transaction: transactionResource.show(
    "Show a transaction with its note and, if a card paid, the card's last digits.",
    {
      item: transactionResource.item.with({
        note: z.string(),
        card: textOfReferencedRow(cards, "card", "digits"),
      }),
    },
  ),
  search: transactionResource.list("Search the payees and notes of transactions, newest first.", {
    searchIn: ["payee", "note"],
    order: newestFirst,
    example: (db) => ({ query: db.all(transactions)[0]!.payee }),
  }),
  categorise: transactionResource.change("Put a transaction into another category.", {
    ...onlyEditable,
    params: { category: category.describe("the new one") },
    example: { category: "leisure" },
  }),
  annotate: transactionResource.change(
    "Replace the note of a transaction; an empty one clears it.",
    {
      ...onlyEditable,
      params: { note: z.string().trim().max(200).describe("the new note") },
      example: { note: "keep for the tax papers" },
    },
  ),
};

export const transferApis = {
  move: transactionResource.add("Move money between two accounts; both get a transaction.", {
    params: {
      from: idParam("account that it leaves"),
      to: idParam("account that gets it"),
      amount,
      note,
    },
    row: ({ from, to, amount, note }, { db, now }) => {
      refuseUnless(from !== to, 422, `to: expected another account than "from", got ${to}`);
      const source = requireSpendableAccount(db, from, "from");
      const target = requireSpendableAccount(db, to, "to");
      const cents = toCents(amount);
      requireAvailableCents(db, source, cents);
      const sharedColumns = { category: "transfers", note, card: null } as const;
      bookTransaction(db, now, { ...sharedColumns, account: to, cents, payee: source.name });
      return bookTransaction(db, now, {
        ...sharedColumns,
        account: from,
        cents: -cents,
        payee: target.name,
      });
    },
    example: (db) => {
      const from = exampleOwnAccount(db).id;
      const to = db.all(accounts).find((row) => row.role === "spend" && row.id !== from)!.id;
      return { from, to, amount: 25, note: "for later" };
    },
  }),
  transfer: transactionResource.add("Transfer money to a payee.", {
    params: {
      from: idParam("account that it leaves"),
      payee: idParam("payee"),
      amount,
      note,
      category: category.default("transfers").describe("the category of the transaction"),
    },
    row: ({ from, amount, note, category, ...args }, { db, now }) => {
      const account = requireSpendableAccount(db, from, "from");
      const payee = requirePayablePayee(db, args.payee).name;
      const cents = toCents(amount);
      requireAvailableCents(db, account, cents);
      return bookTransaction(db, now, {
        account: from,
        cents: -cents,
        payee,
        category,
        note,
        card: null,
      });
    },
    example: (db) => ({ from: exampleOwnAccount(db).id, payee: examplePayee(db).id, amount: 12.5 }),
  }),
};

const status = z.enum(DISPUTE_STATUSES);

const disputeResource = resource({
  noun: "dispute",
  item: defineItem(disputes, {
    payee: textOfReferencedRow(transactions, "transaction", "payee", "removed"),
    id: z.int(),
    amount: [
      z.number(),
      ({ transaction }, { db }) =>
        toDollars(Math.abs(db.get(transactions, transaction)?.cents ?? 0)),
    ],
    ...disputes.fields("reason", "status", "transaction"),
  }),
  example: exampleIdFrom(disputes, ({ status }) => status === "open"),
});

const isCardPayment = ({ card, cents }: Transaction) => card !== null && cents < 0;

const isDisputed = (db: Reader, transaction: number) =>
  db.where(disputes, { transaction, status: "open" }).length > 0;

export const disputeApis = {
  disputes: disputeResource.list("List disputes, the latest first.", {
    filters: { status: status.describe("only in this state") },
    order: (rows) => rows.toReversed(),
    example: { status: "open" },
  }),
  dispute: disputeResource.add("Dispute a card transaction of an own account.", {
    params: { ...transactionResource.keys, reason: longTextParam("why") },
    row: ({ id, reason }, { db }) => {
      const row = rowById(db, transactions, id, { noun: "transaction" });
      requireOwnAccount(db, row.account, "id");
      refuseUnless(
        isCardPayment(row),
        422,
        `id: expected a payment by card, transaction ${id} is none`,
      );
      refuseUnless(!isDisputed(db, id), 409, `id: transaction ${id} is disputed already`);
      return { transaction: id, reason, status: "open" };
    },
    example: (db) => {
      const canBeDisputed = (row: Transaction) =>
        db.get(accounts, row.account)?.holder === null &&
        isCardPayment(row) &&
        !isDisputed(db, row.id);
      return {
        id: db.all(transactions).find(canBeDisputed)!.id,
        reason: "I was not there that day.",
      };
    },
  }),
  withdrawDispute: disputeResource.change("Withdraw an open dispute.", {
    checkRow: ({ id, status }) =>
      refuseUnless(status === "open", 409, `id: expected an open dispute, ${id} is ${status}`),
    set: { status: "withdrawn" },
  }),
};
