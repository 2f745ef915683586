/**
 * Defines the APIs of savings goals, of budgets, and of sums of what was spent in a month.
 *
 * The money of a savings goal is set aside in a savings account, and is not available until it is taken out again.
 */

import {
  booleanParam,
  dayParam,
  defineItem,
  defineObjectItem,
  equalIgnoringCase,
  filterWhether,
  idParam,
  listApi,
  refuseUnless,
  resource,
  shortTextParam,
  upsertRow,
  type ViewContext,
  withoutUndefined,
} from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import { amount, requireTodayOrLater, toCents, toDollars } from "../shared.ts";
import {
  availableCents,
  exampleIdFrom,
  exampleOwnAccount,
  requireAccount,
  requireAvailableCents,
  requireOwnAccount,
} from "./ledger.ts";
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
  item: defineItem(goals, {
    ...goals.fields("name", "id"),
    saved: [z.number(), ({ saved }) => toDollars(saved)],
    target: [z.number(), ({ target }) => toDollars(target)],
    ...goals.fields("deadline", "account"),
  }),
  guard: ({ name, closed }) =>
    refuseUnless(!closed, 409, `id: expected an open goal, "${name}" is closed`),
  example: exampleIdFrom(goals, ({ closed }) => !closed),
});

/** Throws unless the account is the owner's own savings account and no open goal has the new name. */
function checkNewGoal(db: Reader, account: number, newName: string): void {
  const { kind, name } = requireOwnAccount(db, account);
  refuseUnless(
    kind === "savings",
    422,
    `account: expected a savings account, "${name}" is ${kind}`,
  );
  const existing = db
    .where(goals, { closed: false })
    .find((row) => equalIgnoringCase(row.name, newName));
  refuseUnless(!existing, 409, `name: there is a goal "${existing?.name}" already`);
}

export const goalApis = {
  goals: openGoals.list("List open savings goals, oldest first; closed ones are left out.", {
    rows: { closed: false },
    filters: {
      account: idParam("account"),
      reached: [
        booleanParam("only those that have, or have not, their target"),
        filterWhether(({ saved, target }) => saved >= target),
      ],
    },
    example: { reached: false },
  }),
  addGoal: openGoals.add("Add an empty savings goal to a savings account.", {
    params: {
      name: shortTextParam("what it is for"),
      account: idParam("savings account"),
      target: amount,
      deadline: dayParam("when it shall be reached").optional(),
    },
    checkArguments: ({ account, name }, { db }) => checkNewGoal(db, account, name),
    row: ({ name, account, target, deadline = null }, { now }) => {
      if (deadline !== null) requireTodayOrLater(deadline, now, "deadline");
      return { name, account, target: toCents(target), deadline };
    },
    defaults: { saved: 0, closed: false },
    example: (db) => {
      const [account] = db.where(accounts, { kind: "savings", holder: null, closed: false });
      return { name: "Canoe", account: account!.id, target: 900 };
    },
  }),
  fillGoal: openGoals.change("Set money of the goal's account aside for it.", {
    params: { amount },
    set: ({ account, saved }, { amount }, { db }) => {
      const cents = toCents(amount);
      requireAvailableCents(db, requireOwnAccount(db, account), cents);
      return { saved: saved + cents };
    },
    isExample: ({ account }, db) => availableCents(db, db.get(accounts, account)!) >= 1000,
    example: { amount: 10 },
  }),
  drainGoal: openGoals.change(
    "Take money out of a goal; it stays in the account and is available again.",
    {
      params: { amount },
      set: ({ name, saved }, { amount }) => {
        const cents = toCents(amount);
        const held = `at most the ${toDollars(saved)} that "${name}" holds`;
        refuseUnless(cents <= saved, 422, `amount: expected ${held}, got ${amount}`);
        return { saved: saved - cents };
      },
      isExample: ({ saved }) => saved >= 500,
      example: { amount: 5 },
    },
  ),
  changeGoal: openGoals.change("Change the name, target or deadline of a goal.", {
    params: {
      name: shortTextParam("the new name").optional(),
      target: amount.optional(),
      deadline: dayParam("the new deadline").optional(),
    },
    set: (_, { name, target, deadline }, { now }) => {
      if (deadline !== undefined) requireTodayOrLater(deadline, now, "deadline");
      const cents = target === undefined ? undefined : toCents(target);
      return withoutUndefined({ name, target: cents, deadline });
    },
    example: { target: 1500 },
  }),
  closeGoal: openGoals.set("Close a goal; what it holds is available again.", {
    saved: 0,
    closed: true,
  }),
};

const category = z.enum(CATEGORIES);
const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
  .describe('a month such as "2026-02"');

const monthOfTransaction = (row: Transaction) => row.at.slice(0, 7);
const totalCents = (rows: readonly Transaction[]) => rows.reduce((sum, row) => sum + row.cents, 0);

/** Returns the cents spent on a category in a month, over all accounts from which the owner may spend. */
function centsSpentOn(db: Reader, category: Category, month: string): number {
  const spendableIds = new Set(db.where(accounts, { role: "spend" }).map((account) => account.id));
  const rows = db.where(transactions, { category });
  return (
    -totalCents(
      rows.filter(
        (r) => r.cents < 0 && spendableIds.has(r.account) && monthOfTransaction(r) === month,
      ),
    ) || 0
  );
}

const centsSpentThisMonth = ({ category }: Budget, { db, now }: ViewContext) =>
  centsSpentOn(db, category, now.slice(0, 7));

const budgetResource = resource({
  noun: "budget",
  item: defineItem(budgets, {
    ...budgets.fields("category", "id"),
    limit: [z.number(), ({ cents }) => toDollars(cents)],
    spent: [z.number(), (row, context) => toDollars(centsSpentThisMonth(row, context))],
    left: [z.number(), (row, context) => toDollars(row.cents - centsSpentThisMonth(row, context))],
  }),
  keys: { category: category.describe("whose budget") },
  find: ({ category }, { db }) => {
    const [row] = db.where(budgets, { category });
    refuseUnless(row, 404, `category: there is no budget for "${category}"`);
    return row;
  },
  example: (db) => ({ category: db.all(budgets)[0]!.category }),
});

export const reportApis = {
  statement: defineApi({
    summary: "Show what an account had, got, paid and had left in a month.",
    params: z.strictObject({ account: idParam("account"), month }),
    returns: z.strictObject({
      opening: z.number(),
      in: z.number(),
      out: z.number(),
      closing: z.number(),
      transactions: z.int(),
    }),
    example: (db) => ({ account: exampleOwnAccount(db).id, month: "2026-02" }),
    handler: ({ db }, { account: id, month }) => {
      const account = requireAccount(db, id);
      const all = db.where(transactions, { account: id });
      const rows = all.filter((row) => monthOfTransaction(row) === month);
      const opening =
        account.opening + totalCents(all.filter((row) => monthOfTransaction(row) < month));
      return {
        opening: toDollars(opening),
        in: toDollars(totalCents(rows.filter((row) => row.cents > 0))),
        out: toDollars(-totalCents(rows.filter((row) => row.cents < 0)) || 0),
        closing: toDollars(opening + totalCents(rows)),
        transactions: rows.length,
      };
    },
  }),
  spending: listApi("List what went out in a month by category, the largest first.", {
    item: defineObjectItem({ category, spent: z.number() }),
    params: { month },
    rows: ({ month }, { db }) =>
      CATEGORIES.map((category) => ({
        category,
        spent: toDollars(centsSpentOn(db, category, month)),
      }))
        .filter(({ spent }) => spent > 0)
        .sort((a, b) => b.spent - a.spent),
    example: { month: "2026-02" },
  }),
  budgets: budgetResource.list(
    "List the monthly budgets with what this month has taken; left is negative when overspent.",
    {
      filters: { category: category.describe("only this category's") },
      example: { category: "groceries" },
    },
  ),
  setBudget: budgetResource.add("Set the monthly budget of a category.", {
    params: { category: category.describe("what it is for"), amount },
    row: ({ category, amount }, { db }) =>
      upsertRow(db, budgets, { category }, { cents: toCents(amount) }),
    example: { category: "gifts", amount: 120 },
  }),
  removeBudget: budgetResource.remove("Remove the budget of a category."),
};
