/** What was booked: lists, search, and the owner's own words about it. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  centsOf,
  contains,
  day,
  dayOf,
  dollars,
  given,
  idOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  query,
  rowBy,
} from "../shared.ts";
import { accountBy } from "./book.ts";
import { CATEGORIES, cards, type Transaction, transactions } from "./tables.ts";

export const category = z.enum(CATEGORIES);

export const transactionItem = z.strictObject({
  payee: z.string(),
  id: z.int(),
  amount: z.number(),
  way: z.enum(["in", "out"]),
  category,
  day: z.string(),
  account: z.int(),
});

/** The amount is positive; `way` says whether it came in or went out. */
export const transactionView = ({ payee, id, cents, category, at, account }: Transaction) => ({
  payee,
  id,
  amount: dollars(Math.abs(cents)),
  way: cents < 0 ? ("out" as const) : ("in" as const),
  category,
  day: dayOf(at),
  account,
});

const dollarLimit = (what: string) => z.number().min(0).max(1_000_000).optional().describe(what);

const list = defineApi({
  summary: "List transactions of all accounts, newest first.",
  params: z.strictObject({
    account: idOf("account").optional(),
    category: category.optional().describe("only in this category"),
    payee: z.string().min(1).max(100).optional().describe("only with exactly this payee"),
    card: idOf("card").optional(),
    way: z.enum(["in", "out"]).optional().describe("only money that came in, or that went out"),
    since: day("only on or after this day").optional(),
    until: day("only on or before this day").optional(),
    least: dollarLimit("only of at least so many dollars"),
    most: dollarLimit("only of at most so many dollars"),
    sort: z.enum(["newest", "oldest", "largest"]).default("newest").describe("which come first"),
    ...paging,
  }),
  returns: pageOf(transactionItem),
  example: () => ({ category: "groceries" as const, way: "out" as const, since: "2026-03-01" }),
  handler: ({ db }, { way, since, until, least, most, sort, page, size, ...match }) => {
    if (match.account !== undefined) accountBy(db, match.account);
    const low = least === undefined ? 0 : centsOf(least);
    const high = most === undefined ? Number.POSITIVE_INFINITY : centsOf(most);
    const rows = db.where(transactions, given(match)).filter(({ cents, at }) => {
      const amount = Math.abs(cents);
      if (way !== undefined && (way === "out") !== cents < 0) return false;
      if ((since && dayOf(at) < since) || (until && dayOf(at) > until)) return false;
      return low <= amount && amount <= high;
    });
    return paged(sorted(rows, sort), { page, size }, transactionView);
  },
});

function sorted(rows: readonly Transaction[], by: "newest" | "oldest" | "largest"): Transaction[] {
  const newest = [...newestFirst(rows)];
  if (by === "newest") return newest;
  if (by === "oldest") return newest.reverse();
  return newest.sort((a, b) => Math.abs(b.cents) - Math.abs(a.cents));
}

const show = defineApi({
  summary: "Show a transaction with its note and, if a card paid, the card's last digits.",
  params: z.strictObject({ id: idOf("transaction") }),
  returns: z.strictObject({
    ...transactionItem.shape,
    note: z.string(),
    card: z.string().nullable(),
  }),
  example: (db) => ({ id: db.all(transactions)[0]!.id }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, transactions, id, "transaction");
    const card = row.card === null ? null : (db.get(cards, row.card)?.digits ?? null);
    return { ...transactionView(row), note: row.note, card };
  },
});

const search = defineApi({
  summary: "Search the payees and notes of transactions, newest first.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(transactionItem),
  example: (db) => ({ query: db.all(transactions)[0]!.payee }),
  handler: ({ db }, { query, ...page }) => {
    const rows = db
      .all(transactions)
      .filter((row) => contains(row.payee, query) || contains(row.note, query));
    return paged(newestFirst(rows), page, transactionView);
  },
});

/** A transaction of an account that the owner may do more with than look at it. */
function editable(db: Reader, id: number): Transaction {
  const row = rowBy(db, transactions, id, "transaction");
  const account = accountBy(db, row.account, "id");
  if (account.role === "spend") return row;
  throw new ApiError(
    403,
    `id: transaction ${id} is in "${account.name}", which is only for viewing`,
  );
}

export function firstEditable(db: Reader, ok = (_: Transaction) => true): Transaction {
  const may = (row: Transaction) => accountBy(db, row.account).role === "spend";
  return db.all(transactions).find((row) => may(row) && ok(row))!;
}

const categorise = defineApi({
  summary: "Put a transaction into another category.",
  params: z.strictObject({ id: idOf("transaction"), category: category.describe("the new one") }),
  returns: transactionItem,
  example: (db) => ({ id: firstEditable(db).id, category: "leisure" as const }),
  handler: ({ db }, { id, category }) => {
    editable(db, id);
    return transactionView(db.update(transactions, id, { category }));
  },
});

const annotate = defineApi({
  summary: "Replace the note of a transaction; an empty one clears it.",
  params: z.strictObject({
    id: idOf("transaction"),
    note: z.string().trim().max(200).describe("the new note"),
  }),
  returns: transactionItem,
  example: (db) => ({ id: firstEditable(db).id, note: "keep for the tax papers" }),
  handler: ({ db }, { id, note }) => {
    editable(db, id);
    return transactionView(db.update(transactions, id, { note }));
  },
});

export const transactionApis = {
  transactions: list,
  transaction: show,
  search,
  categorise,
  annotate,
};
