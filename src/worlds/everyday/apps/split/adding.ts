/**
 * Writing expenses down and mending them. Only who added an expense may change or remove it.
 *
 * Equal shares follow `equalParts`: the cents that do not divide go one each to the first participants. Percentages
 * are whole; each share is rounded down, and the cents that are left again go one each to the first.
 */
import { z } from "zod";
import { ApiError, defineApi, type Reader, type Writer } from "../../../../world/index.ts";
import { equalParts } from "../pay/remainder.ts";
import { amount, centsOf, day, dayOf, dollars, given, idOf, line, rowBy } from "../shared.ts";
import type { Side } from "./debts.ts";
import { category, expenseItem, expenseView } from "./expenses.ts";
import { activeGroup, firstGroup, groupBy, peopleIn, side, sideBy, sideName } from "./sides.ts";
import { type Expense, expenseShares, expenses, type Method, type SplitGroup } from "./tables.ts";

const common = {
  group: idOf("group"),
  what: line("what it was for"),
  amount,
  payer: side("who paid").default("me"),
  category: category.default("other").describe("its category"),
  day: day("when it was paid; today by default").optional(),
};

/** `parts` are the participants' cents, in the order of `sides`. */
function record(
  db: Writer,
  now: string,
  args: {
    readonly group: SplitGroup;
    readonly what: string;
    readonly payer: string;
    readonly category: Expense["category"];
    readonly day: string | undefined;
  },
  method: Method,
  sides: readonly Side[],
  parts: readonly number[],
) {
  if (new Set(sides).size < sides.length) {
    const names = sides.map((one) => sideName(db, one));
    throw new ApiError(422, `shares: expected each person once, got ${names.join(", ")}`);
  }
  const { group, what, category } = args;
  const row = db.insert(expenses, {
    group: group.id,
    what,
    cents: parts.reduce((sum, cents) => sum + cents, 0),
    payer: sideBy(db, group, args.payer, "payer"),
    addedBy: null,
    category,
    day: args.day ?? dayOf(now),
    method,
    removed: false,
  });
  for (const [i, person] of sides.entries()) {
    db.insert(expenseShares, { expense: row.id, person, cents: parts[i]! });
  }
  return expenseView(db)(row);
}

const add = defineApi({
  summary:
    "Add an expense that is split equally. Cents that do not divide go one each to the first participants.",
  params: z.strictObject({
    ...common,
    among: z
      .array(side("a participant"))
      .min(1)
      .max(21)
      .optional()
      .describe('handles, and "me" for the owner; by default everyone: "me", then by joining'),
  }),
  returns: expenseItem,
  example: (db) => ({ group: firstGroup(db).id, what: "ferry tickets", amount: 36.5 }),
  handler: ({ db, now }, { group: id, among, amount, ...rest }) => {
    const group = activeGroup(db, id);
    const sides = among?.map((one) => sideBy(db, group, one, "among")) ?? [
      null,
      ...peopleIn(db, id),
    ];
    const parts = equalParts(centsOf(amount), sides.length);
    return record(db, now, { ...rest, day: rest.day, group }, "equal", sides, parts);
  },
});

const addExact = defineApi({
  summary: "Add an expense with an amount for each participant; they must add up to the whole.",
  params: z.strictObject({
    ...common,
    shares: z
      .array(z.strictObject({ person: side("a participant"), amount }))
      .min(1)
      .max(21)
      .describe("what each bears"),
  }),
  returns: expenseItem,
  example: (db) => ({
    group: firstGroup(db).id,
    what: "ferry tickets",
    amount: 36.5,
    shares: [
      { person: "me", amount: 20 },
      { person: firstOther(db), amount: 16.5 },
    ],
  }),
  handler: ({ db, now }, { group: id, amount, shares, ...rest }) => {
    const group = activeGroup(db, id);
    const sides = shares.map((share) => sideBy(db, group, share.person, "shares"));
    const parts = shares.map((share) => centsOf(share.amount));
    const sum = parts.reduce((all, cents) => all + cents, 0);
    if (sum !== centsOf(amount)) {
      throw new ApiError(
        422,
        `shares: expected amounts that add up to ${amount}, got ${dollars(sum)}`,
      );
    }
    return record(db, now, { ...rest, day: rest.day, group }, "exact", sides, parts);
  },
});

const addPercent = defineApi({
  summary:
    "Add an expense with a whole percentage for each participant. Shares are rounded down; cents that are left go one each to the first.",
  params: z.strictObject({
    ...common,
    shares: z
      .array(
        z.strictObject({
          person: side("a participant"),
          percent: z.int().min(1).max(100).describe("whole percent"),
        }),
      )
      .min(1)
      .max(21)
      .describe("what each bears; 100 in all"),
  }),
  returns: expenseItem,
  example: (db) => ({
    group: firstGroup(db).id,
    what: "ferry tickets",
    amount: 36.5,
    shares: [
      { person: "me", percent: 60 },
      { person: firstOther(db), percent: 40 },
    ],
  }),
  handler: ({ db, now }, { group: id, amount, shares, ...rest }) => {
    const group = activeGroup(db, id);
    const sides = shares.map((share) => sideBy(db, group, share.person, "shares"));
    const percents = shares.map((share) => share.percent);
    const sum = percents.reduce((all, percent) => all + percent, 0);
    if (sum !== 100) throw new ApiError(422, `shares: expected 100 percent in all, got ${sum}`);
    const parts = percentParts(centsOf(amount), percents);
    return record(db, now, { ...rest, day: rest.day, group }, "percent", sides, parts);
  },
});

/** Rounded down; the cents that are left go one each to the first. */
export function percentParts(cents: number, percents: readonly number[]): number[] {
  const parts = percents.map((percent) => Math.floor((cents * percent) / 100));
  const left = cents - parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part, i) => part + (i < left ? 1 : 0));
}

const firstOther = (db: Reader) => sideName(db, peopleIn(db, firstGroup(db).id)[0]!);

// --- changes ---

/** An expense that the owner added, in an active group; otherwise a 404, 403 or 409. */
function ownExpense(db: Reader, id: number): Expense {
  const row = rowBy(db, expenses, id, "expense");
  if (row.addedBy !== null) {
    const by = sideName(db, row.addedBy);
    throw new ApiError(403, `id: expected an expense that the owner added, ${id} is by ${by}`);
  }
  activeGroup(db, row.group, "id");
  return row;
}

/** For examples. */
function firstOwn(db: Reader, match: Partial<Expense>) {
  const rows = db.where(expenses, { ...match, addedBy: null });
  return { id: rows.find((row) => !groupBy(db, row.group).archived)!.id };
}

const change = defineApi({
  summary: "Change what an expense says; its amount and shares stay.",
  params: z.strictObject({
    id: idOf("expense"),
    what: line("what it was for").optional(),
    category: category.optional().describe("its category"),
    day: day("when it was paid").optional(),
  }),
  returns: expenseItem,
  example: (db) => ({ ...firstOwn(db, { removed: false }), category: "other" as const }),
  handler: ({ db }, { id, ...patch }) => {
    ownExpense(db, id);
    return expenseView(db)(db.update(expenses, id, given(patch)));
  },
});

const correct = defineApi({
  summary: "Correct the amount of an expense that is split equally; the shares follow.",
  params: z.strictObject({ id: idOf("expense"), amount }),
  returns: expenseItem,
  example: (db) => ({ ...firstOwn(db, { removed: false, method: "equal" }), amount: 48.2 }),
  handler: ({ db }, { id, amount }) => {
    const { method } = ownExpense(db, id);
    if (method !== "equal") {
      throw new ApiError(
        422,
        `id: expected an expense with equal shares, ${id} has ${method} ones`,
      );
    }
    const cents = centsOf(amount);
    const shares = db.where(expenseShares, { expense: id });
    const parts = equalParts(cents, shares.length);
    for (const [i, share] of shares.entries()) {
      db.update(expenseShares, share.id, { cents: parts[i]! });
    }
    return expenseView(db)(db.update(expenses, id, { cents }));
  },
});

function removedBy(removed: boolean) {
  return defineApi({
    summary: removed
      ? "Remove an expense that the owner added; nobody owes anything for it any more."
      : "Bring a removed expense back.",
    params: z.strictObject({ id: idOf("expense") }),
    returns: expenseItem,
    example: (db) => firstOwn(db, { removed: !removed }),
    handler: ({ db }, { id }) => {
      if (ownExpense(db, id).removed === removed) {
        throw new ApiError(
          409,
          `id: expense ${id} is ${removed ? "removed already" : "not removed"}`,
        );
      }
      return expenseView(db)(db.update(expenses, id, { removed }));
    },
  });
}

export const addingApis = {
  add,
  addExact,
  addPercent,
  change,
  correct,
  remove: removedBy(true),
  restore: removedBy(false),
};
