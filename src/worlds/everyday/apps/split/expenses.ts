/** Shared expenses as they are listed, shown and searched. */
import { z } from "zod";
import { defineApi, type Reader } from "../../../../world/index.ts";
import {
  centsOf,
  contains,
  day,
  dollars,
  given,
  idOf,
  paged,
  pageOf,
  paging,
  personBy,
  query,
  rowBy,
} from "../shared.ts";
import { ownShare } from "./debts.ts";
import { groupBy, side, sideName } from "./sides.ts";
import {
  EXPENSE_CATEGORIES,
  type Expense,
  expenseComments,
  expenseShares,
  expenses,
  METHODS,
} from "./tables.ts";

export const category = z.enum(EXPENSE_CATEGORIES);

export const expenseItem = z.strictObject({
  what: z.string(),
  id: z.int(),
  amount: z.number(),
  payer: z.string(),
  myShare: z.number(),
  category,
  day: z.string(),
  group: z.int(),
});

export const expenseView =
  (db: Reader) =>
  ({ what, id, cents, payer, category, day, group }: Expense) => ({
    what,
    id,
    amount: dollars(cents),
    payer: sideName(db, payer),
    myShare: dollars(ownShare(db, id)),
    category,
    day,
    group,
  });

/** By day, the latest first. */
function latestFirst(rows: readonly Expense[]): Expense[] {
  return rows.toSorted((a, b) => (a.day === b.day ? b.id - a.id : a.day < b.day ? 1 : -1));
}

const list = defineApi({
  summary: "List shared expenses of all groups, the latest day first.",
  params: z.strictObject({
    group: idOf("group").optional(),
    payer: side("only what this one paid").optional(),
    with: side("only those that this one has a share of").optional(),
    addedBy: side("only what this one added").optional(),
    category: category.optional().describe("only in this category"),
    since: day("only of this day or later").optional(),
    until: day("only of this day or earlier").optional(),
    least: z.number().min(0).optional().describe("only of at least so many dollars"),
    removed: z.boolean().default(false).describe("true: the removed ones instead"),
    ...paging,
  }),
  returns: pageOf(expenseItem),
  example: () => ({ payer: "me", category: "food" as const }),
  handler: (
    { db },
    { payer, addedBy, with: sharer, since, until, least, page, size, ...match },
  ) => {
    if (match.group !== undefined) groupBy(db, match.group);
    const paidBy = payer === undefined ? {} : { payer: sideOf(db, payer, "payer") };
    const added = addedBy === undefined ? {} : { addedBy: sideOf(db, addedBy, "addedBy") };
    const person = sharer === undefined ? undefined : sideOf(db, sharer, "with");
    const low = least === undefined ? 0 : centsOf(least);
    const rows = db.where(expenses, { ...given(match), ...paidBy, ...added }).filter((row) => {
      if ((since && row.day < since) || (until && row.day > until) || row.cents < low) return false;
      return person === undefined || hasShare(db, row.id, person);
    });
    return paged(latestFirst(rows), { page, size }, expenseView(db));
  },
});

function sideOf(db: Reader, came: string, param: string): number | null {
  return came === "me" ? null : personBy(db, came, param).id;
}

function hasShare(db: Reader, expense: number, person: number | null): boolean {
  return db.where(expenseShares, { expense, person }).length > 0;
}

export const shareItem = z.strictObject({ person: z.string(), amount: z.number() });

const show = defineApi({
  summary: "Show an expense with everyone's share, in the order in which they were given.",
  params: z.strictObject({ id: idOf("expense") }),
  returns: z.strictObject({
    ...expenseItem.shape,
    method: z.enum(METHODS),
    addedBy: z.string(),
    removed: z.boolean(),
    comments: z.int(),
    shares: z.array(shareItem),
  }),
  example: (db) => ({ id: db.all(expenses)[0]!.id }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, expenses, id, "expense");
    return {
      ...expenseView(db)(row),
      method: row.method,
      addedBy: sideName(db, row.addedBy),
      removed: row.removed,
      comments: db.where(expenseComments, { expense: id, removed: false }).length,
      shares: db
        .where(expenseShares, { expense: id })
        .map(({ person, cents }) => ({ person: sideName(db, person), amount: dollars(cents) })),
    };
  },
});

const search = defineApi({
  summary: "Search expenses by what they were for, the latest day first.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(expenseItem),
  example: () => ({ query: "dinner" }),
  handler: ({ db }, { query, ...page }) => {
    const rows = db.where(expenses, { removed: false }).filter((row) => contains(row.what, query));
    return paged(latestFirst(rows), page, expenseView(db));
  },
});

export const expenseApis = { expenses: list, expense: show, search };
