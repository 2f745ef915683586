/**
 * Defines the APIs that add, change and remove expenses. Only the person who added an expense may change or remove it.
 *
 * Equal shares are those of `splitEqually`: cents that cannot be divided equally go one by one to the first
 * participants. Percentages are whole numbers. Each share by percentage is rounded down, and the remaining cents also
 * go one by one to the first participants.
 */

import { dayParam, idParam, refuseUnless, resource, shortTextParam } from "bowline/resources";
import type { CallContext, Reader } from "bowline/world";
import { z } from "bowline/world";
import { splitEqually } from "../pay/equal-parts.ts";
import { amount, dayOf, toCents, toDollars } from "../shared.ts";
import type { Side } from "./debts.ts";
import { category, expense, expenseItem } from "./expenses.ts";
import {
  exampleGroup,
  presentPeople,
  requireActiveGroup,
  requireGroup,
  requireMemberSide,
  sideName,
  sideParam,
} from "./members.ts";
import { type Expense, expenseShares, expenses, type SplitGroup } from "./tables.ts";

const expenseParams = {
  group: idParam("group"),
  what: shortTextParam("what it was for"),
  amount,
  payer: sideParam("who paid").default("me"),
  category: category.default("other").describe("its category"),
  day: dayParam("when it was paid; today by default").optional(),
};

type ExpenseDetails = Pick<Expense, "what" | "category" | "method"> & {
  readonly payer: string;
  readonly day?: string | undefined;
};

const sumCents = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0);

/** Inserts an expense with its shares. `parts` are the participants' cents, in the order of `sides`. */
function insertExpense(
  { db, now }: CallContext,
  group: SplitGroup,
  { what, category, method, ...details }: ExpenseDetails,
  sides: readonly Side[],
  parts: readonly number[],
): Expense {
  refuseUnless(new Set(sides).size === sides.length, 422, () => {
    const names = sides.map((side) => sideName(db, side));
    return `shares: expected each person once, got ${names.join(", ")}`;
  });
  const row = db.insert(expenses, {
    group: group.id,
    what,
    cents: sumCents(parts),
    payer: requireMemberSide(db, group, details.payer, "payer"),
    addedBy: null,
    category,
    day: details.day ?? dayOf(now),
    method,
    removed: false,
  });
  for (const [i, person] of sides.entries()) {
    db.insert(expenseShares, { expense: row.id, person, cents: parts[i]! });
  }
  return row;
}

/**
 * Splits cents by percentages. Shares are rounded down, and the remaining cents are added one by one to the first
 * shares.
 */
export function splitByPercent(cents: number, percents: readonly number[]): number[] {
  const parts = percents.map((percent) => Math.floor((cents * percent) / 100));
  const remaining = cents - sumCents(parts);
  return parts.map((part, i) => part + (i < remaining ? 1 : 0));
}

const person = sideParam("a participant");
/** Returns the arguments of an example of an API call: an expense of the owner and other members. */
const exampleExpense = (db: Reader) => ({
  group: exampleGroup(db).id,
  what: "ferry tickets",
  amount: 36.5,
});
const exampleOtherMember = (db: Reader) => sideName(db, presentPeople(db, exampleGroup(db).id)[0]!);

const addApis = {
  add: expense.add(
    "Add an expense that is split equally. Cents that do not divide go one each to the first participants.",
    {
      params: {
        ...expenseParams,
        people: z
          .array(person)
          .min(1)
          .max(21)
          .optional()
          .describe('handles, and "me" for the owner; by default everyone: "me", then by joining'),
      },
      row: ({ group: id, people, amount, ...details }, context) => {
        const { db } = context;
        const group = requireActiveGroup(db, id);
        const namedSides = people?.map((member) => requireMemberSide(db, group, member, "people"));
        const sides = namedSides ?? [null, ...presentPeople(db, id)];
        const parts = splitEqually(toCents(amount), sides.length);
        return insertExpense(context, group, { ...details, method: "equal" }, sides, parts);
      },
      example: exampleExpense,
    },
  ),
  addExact: expense.add(
    "Add an expense with an amount for each participant; they must add up to the whole.",
    {
      params: {
        ...expenseParams,
        shares: z
          .array(z.strictObject({ person, amount }))
          .min(1)
          .max(21)
          .describe("what each bears"),
      },
      row: ({ group: id, amount, shares, ...details }, context) => {
        const group = requireActiveGroup(context.db, id);
        const sides = shares.map(({ person }) =>
          requireMemberSide(context.db, group, person, "shares"),
        );
        const parts = shares.map((share) => toCents(share.amount));
        const sum = sumCents(parts);
        refuseUnless(sum === toCents(amount), 422, () => {
          return `shares: expected amounts that add up to ${amount}, got ${toDollars(sum)}`;
        });
        return insertExpense(context, group, { ...details, method: "exact" }, sides, parts);
      },
      example: (db) => ({
        ...exampleExpense(db),
        shares: [
          { person: "me", amount: 20 },
          { person: exampleOtherMember(db), amount: 16.5 },
        ],
      }),
    },
  ),
  addPercent: expense.add(
    "Add an expense with a whole percentage for each participant. Shares are rounded down; cents that are left go one each to the first.",
    {
      params: {
        ...expenseParams,
        shares: z
          .array(
            z.strictObject({
              person,
              percent: z.int().min(1).max(100).describe("whole percent"),
            }),
          )
          .min(1)
          .max(21)
          .describe("what each bears; 100 in all"),
      },
      row: ({ group: id, amount, shares, ...details }, context) => {
        const group = requireActiveGroup(context.db, id);
        const sides = shares.map(({ person }) =>
          requireMemberSide(context.db, group, person, "shares"),
        );
        const percents = shares.map((share) => share.percent);
        const sum = sumCents(percents);
        refuseUnless(sum === 100, 422, `shares: expected 100 percent in all, got ${sum}`);
        const parts = splitByPercent(toCents(amount), percents);
        return insertExpense(context, group, { ...details, method: "percent" }, sides, parts);
      },
      example: (db) => ({
        ...exampleExpense(db),
        shares: [
          { person: "me", percent: 60 },
          { person: exampleOtherMember(db), percent: 40 },
        ],
      }),
    },
  ),
};

/** Expenses that the owner added, in active groups. */
const ownExpense = resource({
  noun: "expense",
  item: expenseItem,
  guard: ({ id, addedBy, group }, { db }) => {
    const by = sideName(db, addedBy);
    refuseUnless(
      addedBy === null,
      403,
      `id: expected an expense that the owner added, ${id} is by ${by}`,
    );
    requireActiveGroup(db, group, "id");
  },
  isExample: ({ addedBy, group }, db) => addedBy === null && !requireGroup(db, group).archived,
});

export const changingApis = {
  ...addApis,
  change: ownExpense.change("Change what an expense says; its amount and shares stay.", {
    params: {
      what: shortTextParam("what it was for").optional(),
      category: category.optional().describe("its category"),
      day: dayParam("when it was paid").optional(),
    },
    isExample: ({ removed }) => !removed,
    example: { category: "other" },
  }),
  correct: ownExpense.change(
    "Correct the amount of an expense that is split equally; the shares follow.",
    {
      params: { amount },
      set: ({ id, method }, { amount }, { db }) => {
        const isEqual = method === "equal";
        refuseUnless(
          isEqual,
          422,
          `id: expected an expense with equal shares, ${id} has ${method} ones`,
        );
        const cents = toCents(amount);
        const shares = db.where(expenseShares, { expense: id });
        const parts = splitEqually(cents, shares.length);
        for (const [i, share] of shares.entries()) {
          db.update(expenseShares, share.id, { cents: parts[i]! });
        }
        return { cents };
      },
      isExample: ({ removed, method }) => !removed && method === "equal",
      example: { amount: 48.2 },
    },
  ),
  remove: ownExpense.set(
    "Remove an expense that the owner added; nobody owes anything for it any more.",
    { removed: true },
    "is removed already",
  ),
  restore: ownExpense.set("Bring a removed expense back.", { removed: false }, "is not removed"),
};
