/**
 * Writing expenses down and mending them. Only who added an expense may change or remove it.
 *
 * Equal shares follow `equalParts`: the cents that do not divide go one each to the first participants. Percentages
 * are whole; each share is rounded down, and the cents that are left again go one each to the first.
 */

import { dayParam, idParam, refuseUnless, resource, shortTextParam } from "bowline/resources";
import type { CallContext, Reader } from "bowline/world";
import { z } from "bowline/world";
import { splitEqually } from "../pay/equal-parts.ts";
import { amount, dayOf, toCents, toDollars } from "../shared.ts";
import type { Side } from "./debts.ts";
import { category, expense, expenseItem } from "./expenses.ts";
import { activeGroup, firstGroup, groupBy, peopleIn, side, sideBy, sideName } from "./sides.ts";
import { type Expense, expenseShares, expenses, type SplitGroup } from "./tables.ts";

const common = {
  group: idParam("group"),
  what: shortTextParam("what it was for"),
  amount,
  payer: side("who paid").default("me"),
  category: category.default("other").describe("its category"),
  day: dayParam("when it was paid; today by default").optional(),
};

type Told = Pick<Expense, "what" | "category" | "method"> & {
  readonly payer: string;
  readonly day?: string | undefined;
};

const sumOf = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0);

/** `parts` are the participants' cents, in the order of `sides`. */
function record(
  { db, now }: CallContext,
  group: SplitGroup,
  { what, category, method, ...told }: Told,
  sides: readonly Side[],
  parts: readonly number[],
): Expense {
  refuseUnless(new Set(sides).size === sides.length, 422, () => {
    const names = sides.map((one) => sideName(db, one));
    return `shares: expected each person once, got ${names.join(", ")}`;
  });
  const row = db.insert(expenses, {
    group: group.id,
    what,
    cents: sumOf(parts),
    payer: sideBy(db, group, told.payer, "payer"),
    addedBy: null,
    category,
    day: told.day ?? dayOf(now),
    method,
    removed: false,
  });
  for (const [i, person] of sides.entries()) {
    db.insert(expenseShares, { expense: row.id, person, cents: parts[i]! });
  }
  return row;
}

/** Rounded down; the cents that are left go one each to the first. */
export function percentParts(cents: number, percents: readonly number[]): number[] {
  const parts = percents.map((percent) => Math.floor((cents * percent) / 100));
  const left = cents - sumOf(parts);
  return parts.map((part, i) => part + (i < left ? 1 : 0));
}

const person = side("a participant");
/** For examples: of an expense for the owner and another. */
const ferry = (db: Reader) => ({ group: firstGroup(db).id, what: "ferry tickets", amount: 36.5 });
const firstOther = (db: Reader) => sideName(db, peopleIn(db, firstGroup(db).id)[0]!);

const addApis = {
  add: expense.add(
    "Add an expense that is split equally. Cents that do not divide go one each to the first participants.",
    {
      params: {
        ...common,
        among: z
          .array(person)
          .min(1)
          .max(21)
          .optional()
          .describe('handles, and "me" for the owner; by default everyone: "me", then by joining'),
      },
      row: ({ group: id, among, amount, ...told }, context) => {
        const { db } = context;
        const group = activeGroup(db, id);
        const named = among?.map((one) => sideBy(db, group, one, "among"));
        const sides = named ?? [null, ...peopleIn(db, id)];
        const parts = splitEqually(toCents(amount), sides.length);
        return record(context, group, { ...told, method: "equal" }, sides, parts);
      },
      example: ferry,
    },
  ),
  addExact: expense.add(
    "Add an expense with an amount for each participant; they must add up to the whole.",
    {
      params: {
        ...common,
        shares: z
          .array(z.strictObject({ person, amount }))
          .min(1)
          .max(21)
          .describe("what each bears"),
      },
      row: ({ group: id, amount, shares, ...told }, context) => {
        const group = activeGroup(context.db, id);
        const sides = shares.map(({ person }) => sideBy(context.db, group, person, "shares"));
        const parts = shares.map((share) => toCents(share.amount));
        const sum = sumOf(parts);
        refuseUnless(sum === toCents(amount), 422, () => {
          return `shares: expected amounts that add up to ${amount}, got ${toDollars(sum)}`;
        });
        return record(context, group, { ...told, method: "exact" }, sides, parts);
      },
      example: (db) => ({
        ...ferry(db),
        shares: [
          { person: "me", amount: 20 },
          { person: firstOther(db), amount: 16.5 },
        ],
      }),
    },
  ),
  addPercent: expense.add(
    "Add an expense with a whole percentage for each participant. Shares are rounded down; cents that are left go one each to the first.",
    {
      params: {
        ...common,
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
      row: ({ group: id, amount, shares, ...told }, context) => {
        const group = activeGroup(context.db, id);
        const sides = shares.map(({ person }) => sideBy(context.db, group, person, "shares"));
        const percents = shares.map((share) => share.percent);
        const sum = sumOf(percents);
        refuseUnless(sum === 100, 422, `shares: expected 100 percent in all, got ${sum}`);
        const parts = percentParts(toCents(amount), percents);
        return record(context, group, { ...told, method: "percent" }, sides, parts);
      },
      example: (db) => ({
        ...ferry(db),
        shares: [
          { person: "me", percent: 60 },
          { person: firstOther(db), percent: 40 },
        ],
      }),
    },
  ),
};

// --- changes ---

/** Those that the owner added, in active groups. */
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
    activeGroup(db, group, "id");
  },
  isExample: ({ addedBy, group }, db) => addedBy === null && !groupBy(db, group).archived,
});

export const addingApis = {
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
        const equal = method === "equal";
        refuseUnless(
          equal,
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
