/** What a month came to: statements by account, spending by category, and budgets for it. */
import { z } from "zod";
import {
  asIs,
  defineApi,
  itemOf,
  type Look,
  listOf,
  must,
  type Reader,
  resource,
} from "../../../../world/index.ts";
import { amount, centsOf, dollars, idOf } from "../shared.ts";
import { accountBy, firstOwn } from "./book.ts";
import {
  accounts,
  type Budget,
  budgets,
  CATEGORIES,
  type Category,
  type Transaction,
  transactions,
} from "./tables.ts";

const category = z.enum(CATEGORIES);
const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
  .describe('a month such as "2026-02"');

const monthOf = (row: Transaction) => row.at.slice(0, 7);
const total = (rows: readonly Transaction[]) => rows.reduce((sum, row) => sum + row.cents, 0);

/** Cents that went out of accounts from which the owner may spend. */
function spentOn(db: Reader, category: Category, month: string): number {
  const mine = new Set(db.where(accounts, { role: "spend" }).map((account) => account.id));
  const rows = db.where(transactions, { category });
  return (
    -total(rows.filter((r) => r.cents < 0 && mine.has(r.account) && monthOf(r) === month)) || 0
  );
}

const taken = ({ category }: Budget, { db, now }: Look) => spentOn(db, category, now.slice(0, 7));

const limits = resource({
  table: budgets,
  noun: "budget",
  item: itemOf(budgets, {
    category,
    id: z.int(),
    limit: [z.number(), ({ cents }) => dollars(cents)],
    spent: [z.number(), (row, look) => dollars(taken(row, look))],
    left: [z.number(), (row, look) => dollars(row.cents - taken(row, look))],
  }),
  keys: { category: category.describe("whose budget") },
  find: ({ category }, { db }) => {
    const [row] = db.where(budgets, { category });
    must(row, 404, `category: there is no budget for "${category}"`);
    return row;
  },
  example: (db) => ({ category: db.all(budgets)[0]!.category }),
});

export const reportApis = {
  statement: defineApi({
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
  }),
  spending: listOf(
    asIs({ category, spent: z.number() }),
    "List what went out in a month by category, the largest first.",
    {
      params: { month },
      rows: ({ month }, { db }) =>
        CATEGORIES.map((category) => ({ category, spent: dollars(spentOn(db, category, month)) }))
          .filter(({ spent }) => spent > 0)
          .sort((a, b) => b.spent - a.spent),
      example: { month: "2026-02" },
    },
  ),
  budgets: limits.list(
    "List the monthly budgets with what this month has taken; left is negative when overspent.",
    {
      filters: { category: category.describe("only this category's") },
      example: { category: "groceries" },
    },
  ),
  setBudget: limits.add("Set the monthly budget of a category.", {
    params: { category: category.describe("what it is for"), amount },
    row: ({ category, amount }, { db }) => {
      const cents = centsOf(amount);
      const [old] = db.where(budgets, { category });
      return old ? db.update(budgets, old.id, { cents }) : { category, cents };
    },
    example: { category: "gifts", amount: 120 },
  }),
  removeBudget: limits.remove("Remove the budget of a category."),
};
