/**
 * What is planned and what came of it: savings goals, budgets, and months in numbers.
 *
 * A goal's money is set aside in a savings account, and so not available, until it is taken out again.
 */

import {
  asIs,
  day,
  either,
  given,
  idOf,
  itemOf,
  type Look,
  line,
  listing,
  must,
  put,
  resource,
  same,
  when,
} from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import { amount, centsOf, dollars, notPast } from "../shared.ts";
import { accountBy, available, first, firstOwn, ownAccount, requireCents } from "./book.ts";
import {
  accounts,
  type Budget,
  budgets,
  CATEGORIES,
  type Category,
  goals,
  type Transaction,
  transactions,
} from "./tables.ts";

const openGoals = resource({
  noun: "savings goal",
  item: itemOf(goals, {
    ...goals.fields("name", "id"),
    saved: [z.number(), ({ saved }) => dollars(saved)],
    target: [z.number(), ({ target }) => dollars(target)],
    ...goals.fields("deadline", "account"),
  }),
  guard: ({ name, closed }) => must(!closed, 409, `id: expected an open goal, "${name}" is closed`),
  example: first(goals, ({ closed }) => !closed),
});

/** Refuses other accounts than own ones for savings, and names of open goals. */
function refuseGoal(db: Reader, account: number, newName: string): void {
  const { kind, name } = ownAccount(db, account);
  must(kind === "savings", 422, `account: expected a savings account, "${name}" is ${kind}`);
  const taken = db.where(goals, { closed: false }).find((row) => same(row.name, newName));
  must(!taken, 409, `name: there is a goal "${taken?.name}" already`);
}

export const goalApis = {
  goals: openGoals.list("List open savings goals, oldest first.", {
    rows: { closed: false },
    filters: {
      account: idOf("account"),
      reached: [
        either("only those that have, or have not, their target"),
        when(({ saved, target }) => saved >= target),
      ],
    },
    example: { reached: false },
  }),
  addGoal: openGoals.add("Add an empty savings goal to a savings account.", {
    params: {
      name: line("what it is for"),
      account: idOf("savings account"),
      target: amount,
      deadline: day("when it shall be reached").optional(),
    },
    check: ({ account, name }, { db }) => refuseGoal(db, account, name),
    row: ({ name, account, target, deadline = null }, { now }) => {
      if (deadline !== null) notPast(deadline, now, "deadline");
      return { name, account, target: centsOf(target), deadline };
    },
    plain: { saved: 0, closed: false },
    example: (db) => {
      const [account] = db.where(accounts, { kind: "savings", holder: null, closed: false });
      return { name: "Canoe", account: account!.id, target: 900 };
    },
  }),
  fillGoal: openGoals.change("Set money of the goal's account aside for it.", {
    params: { amount },
    set: ({ account, saved }, { amount }, { db }) => {
      const cents = centsOf(amount);
      requireCents(db, ownAccount(db, account), cents);
      return { saved: saved + cents };
    },
    fits: ({ account }, db) => available(db, db.get(accounts, account)!) >= 1000,
    example: { amount: 10 },
  }),
  drainGoal: openGoals.change(
    "Take money out of a goal; it stays in the account and is available again.",
    {
      params: { amount },
      set: ({ name, saved }, { amount }) => {
        const cents = centsOf(amount);
        const held = `at most the ${dollars(saved)} that "${name}" holds`;
        must(cents <= saved, 422, `amount: expected ${held}, got ${amount}`);
        return { saved: saved - cents };
      },
      fits: ({ saved }) => saved >= 500,
      example: { amount: 5 },
    },
  ),
  changeGoal: openGoals.change("Change the name, target or deadline of a goal.", {
    params: {
      name: line("the new name").optional(),
      target: amount.optional(),
      deadline: day("the new deadline").optional(),
    },
    set: (_, { name, target, deadline }, { now }) => {
      if (deadline !== undefined) notPast(deadline, now, "deadline");
      const cents = target === undefined ? undefined : centsOf(target);
      return given({ name, target: cents, deadline });
    },
    example: { target: 1500 },
  }),
  closeGoal: openGoals.set("Close a goal; what it holds is available again.", {
    saved: 0,
    closed: true,
  }),
};

// --- months: statements by account, spending by category, budgets for it ---

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
  noun: "budget",
  item: itemOf(budgets, {
    ...budgets.fields("category", "id"),
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
  spending: listing("List what went out in a month by category, the largest first.", {
    item: asIs({ category, spent: z.number() }),
    params: { month },
    rows: ({ month }, { db }) =>
      CATEGORIES.map((category) => ({ category, spent: dollars(spentOn(db, category, month)) }))
        .filter(({ spent }) => spent > 0)
        .sort((a, b) => b.spent - a.spent),
    example: { month: "2026-02" },
  }),
  budgets: limits.list(
    "List the monthly budgets with what this month has taken; left is negative when overspent.",
    {
      filters: { category: category.describe("only this category's") },
      example: { category: "groceries" },
    },
  ),
  setBudget: limits.add("Set the monthly budget of a category.", {
    params: { category: category.describe("what it is for"), amount },
    row: ({ category, amount }, { db }) =>
      put(db, budgets, { category }, { cents: centsOf(amount) }),
    example: { category: "gifts", amount: 120 },
  }),
  removeBudget: limits.remove("Remove the budget of a category."),
};
