/** What a month came to: statements by account, spending by category, and budgets for it. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { amount, centsOf, dollars, given, idOf, paged, pageOf, paging } from "../shared.ts";
import { firstOwn } from "./accounts.ts";
import { accountBy } from "./book.ts";
import {
  accounts,
  type Budget,
  budgets,
  CATEGORIES,
  type Category,
  type Transaction,
  transactions,
} from "./tables.ts";
import { category } from "./transactions.ts";

const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
  .describe('a month such as "2026-02"');

const monthOf = (row: Transaction) => row.at.slice(0, 7);
const total = (rows: readonly Transaction[]) => rows.reduce((sum, row) => sum + row.cents, 0);

const statement = defineApi({
  summary: "Show what an account had, got, paid and had left in a month.",
  params: z.strictObject({ account: idOf("account"), month }),
  returns: z.strictObject({
    opening: z.number(),
    in: z.number(),
    out: z.number(),
    closing: z.number(),
    transactions: z.int(),
  }),
  example: (db) => ({ account: firstOwn(db).id, month: "2026-02" }),
  handler: ({ db }, { account: id, month }) => {
    const account = accountBy(db, id);
    const all = db.where(transactions, { account: id });
    const rows = all.filter((row) => monthOf(row) === month);
    const opening = account.opening + total(all.filter((row) => monthOf(row) < month));
    return {
      opening: dollars(opening),
      in: dollars(total(rows.filter((row) => row.cents > 0))),
      out: dollars(-total(rows.filter((row) => row.cents < 0)) || 0),
      closing: dollars(opening + total(rows)),
      transactions: rows.length,
    };
  },
});

/** Cents that went out of accounts from which the owner may spend. */
export function spentOn(db: Reader, category: Category, month: string): number {
  const mine = new Set(db.where(accounts, { role: "spend" }).map((account) => account.id));
  return db
    .where(transactions, { category })
    .filter((row) => row.cents < 0 && mine.has(row.account) && monthOf(row) === month)
    .reduce((sum, row) => sum - row.cents, 0);
}

const spending = defineApi({
  summary: "List what went out in a month by category, the largest first.",
  params: z.strictObject({ month, ...paging }),
  returns: pageOf(z.strictObject({ category, spent: z.number() })),
  example: () => ({ month: "2026-02" }),
  handler: ({ db }, { month, ...page }) => {
    const rows = CATEGORIES.map((category) => ({ category, cents: spentOn(db, category, month) }))
      .filter(({ cents }) => cents > 0)
      .sort((a, b) => b.cents - a.cents);
    return paged(rows, page, ({ category, cents }) => ({ category, spent: dollars(cents) }));
  },
});

// --- budgets ---

const budgetItem = z.strictObject({
  category,
  id: z.int(),
  limit: z.number(),
  spent: z.number(),
  left: z.number(),
});

const view =
  (db: Reader, now: string) =>
  ({ category, id, cents }: Budget) => {
    const spent = spentOn(db, category, now.slice(0, 7));
    return {
      category,
      id,
      limit: dollars(cents),
      spent: dollars(spent),
      left: dollars(cents - spent),
    };
  };

const list = defineApi({
  summary:
    "List the monthly budgets with what this month has taken; left is negative when overspent.",
  params: z.strictObject({
    category: category.optional().describe("only this category's"),
    ...paging,
  }),
  returns: pageOf(budgetItem),
  example: () => ({ category: "groceries" as const }),
  handler: ({ db, now }, { category, ...page }) =>
    paged(db.where(budgets, given({ category })), page, view(db, now)),
});

const set = defineApi({
  summary: "Set the monthly budget of a category.",
  params: z.strictObject({ category: category.describe("what it is for"), amount }),
  returns: budgetItem,
  example: () => ({ category: "gifts" as const, amount: 120 }),
  handler: ({ db, now }, { category, amount }) => {
    const cents = centsOf(amount);
    const [old] = db.where(budgets, { category });
    const row = old
      ? db.update(budgets, old.id, { cents })
      : db.insert(budgets, { category, cents });
    return view(db, now)(row);
  },
});

const remove = defineApi({
  summary: "Remove the budget of a category.",
  params: z.strictObject({ category: category.describe("whose budget") }),
  returns: budgetItem,
  example: (db) => ({ category: db.all(budgets)[0]!.category }),
  handler: ({ db, now }, { category }) => {
    const [row] = db.where(budgets, { category });
    if (!row) throw new ApiError(404, `category: there is no budget for "${category}"`);
    const shown = view(db, now)(row);
    db.remove(budgets, row.id);
    return shown;
  },
});

export const reportApis = {
  statement,
  spending,
  budgets: list,
  setBudget: set,
  removeBudget: remove,
};
