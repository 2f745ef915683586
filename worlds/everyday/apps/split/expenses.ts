/** Defines the APIs that list, show and search shared expenses, and those of comments under them. */

import {
  countReferencingRows,
  dayParam,
  newestFirst,
  refuseUnless,
  resource,
  withoutUndefined,
} from "bowline/resources";
import { z } from "bowline/world";
import { dollarsField, toCents, toDollars } from "../shared.ts";
import { ownShare } from "./debts.ts";
import {
  optionalGroupParam,
  requireGroupIfGiven,
  requireSide,
  sideField,
  sideName,
  sideParam,
} from "./members.ts";
import * as tables from "./tables.ts";

export const category = z.enum(tables.EXPENSE_CATEGORIES);

export const expenseItem = tables.expenses.item({
  ...tables.expenses.fields("what", "id"),
  amount: dollarsField,
  payer: sideField("payer"),
  myShare: [z.number(), ({ id }, { db }) => toDollars(ownShare(db, id))],
  ...tables.expenses.fields("category", "day", "group"),
});

const expenseDetailsItem = expenseItem.with({
  method: z.enum(tables.METHODS),
  addedBy: sideField("addedBy"),
  removed: z.boolean(),
  comments: countReferencingRows(tables.expenseComments, "expense", { removed: false }),
  shares: [
    z.array(z.strictObject({ person: z.string(), amount: z.number() })),
    ({ id }, { db }) =>
      db
        .where(tables.expenseShares, { expense: id })
        .map(({ person, cents }) => ({ person: sideName(db, person), amount: toDollars(cents) })),
  ],
});

/** Expenses that any member added, for APIs that only show expenses. */
export const expense = resource({ table: tables.expenses, noun: "expense", item: expenseItem });

/** The order of lists of expenses: the latest day first. */
const LATEST_FIRST = ["-day", "-id"] as const;

export const expenseApis = {
  expenses: expense.list(
    "List shared expenses of all groups, the latest day first; removed ones are left out unless asked for.",
    {
      params: {
        group: optionalGroupParam,
        payer: sideParam("only what this one paid").optional(),
        person: sideParam("only those that this one has a share of").optional(),
        addedBy: sideParam("only what this one added").optional(),
        category: category.optional().describe("only in this category"),
        since: dayParam("only of this day or later").optional(),
        until: dayParam("only of this day or earlier").optional(),
        least: z.number().min(0).optional().describe("only of at least so many dollars"),
      },
      rows: ({ group, category, since, until, least = 0, ...sides }, { db }) => {
        requireGroupIfGiven(db, group);
        const optionalSide = (param: keyof typeof sides) =>
          sides[param] === undefined ? undefined : requireSide(db, sides[param], param);
        const [payer, addedBy, person] = [
          optionalSide("payer"),
          optionalSide("addedBy"),
          optionalSide("person"),
        ];
        const leastCents = toCents(least);
        return db
          .where(tables.expenses, withoutUndefined({ group, category, payer, addedBy }))
          .filter((row) => {
            const { id: expense, day, cents } = row;
            if ((since && day < since) || (until && day > until) || cents < leastCents)
              return false;
            return (
              person === undefined || db.where(tables.expenseShares, { expense, person }).length > 0
            );
          });
      },
      filters: { removed: z.boolean().default(false).describe("true: the removed ones instead") },
      order: LATEST_FIRST,
      example: { payer: "me", category: "food" },
    },
  ),
  expense: expense.show(
    "Show an expense with everyone's share, in the order in which they were given.",
    { item: expenseDetailsItem },
  ),
  search: expense.list(
    "Search expenses by what they were for, the latest day first; removed ones are left out.",
    {
      searchIn: ["what"],
      rows: { removed: false },
      order: LATEST_FIRST,
      example: { query: "dinner" },
    },
  ),
};

/** Comments. Only the owner's own comments can be removed. */
const ownComment = resource({
  noun: "comment",
  item: tables.expenseComments.item({
    ...tables.expenseComments.fields("text", "id"),
    by: sideField("person"),
  }),
  guard: ({ id, person }, { db }) => {
    const by = sideName(db, person);
    refuseUnless(person === null, 403, `id: expected a comment of the owner, ${id} is by ${by}`);
  },
  isExample: ({ person }) => person === null,
});

/** Expenses that are not removed, which can be commented on. */
const countedExpense = resource({
  noun: "expense",
  item: expenseItem,
  guard: ({ id, removed }) =>
    refuseUnless(!removed, 409, `id: expected an expense that counts, ${id} is removed`),
  isExample: ({ removed }) => !removed,
});

export const commentApis = {
  comments: ownComment.list(
    "List the comments under an expense, newest first; removed ones are left out. `by` is a handle or `me`.",
    {
      parent: [expense, "expense"],
      rows: { removed: false },
      order: newestFirst,
      example: (db) => ({ id: db.where(tables.expenseComments, { removed: false })[0]!.expense }),
    },
  ),
  comment: ownComment.add("Write a comment under an expense; all members see it.", {
    parent: [countedExpense, "expense"],
    params: { text: z.string().trim().min(1).max(300).describe("what to write") },
    row: ({ text }, { now }) => ({ person: null, text, removed: false, at: now }),
    example: { text: "Receipt follows." },
  }),
  removeComment: ownComment.set(
    "Remove a comment of the owner.",
    { removed: true },
    "is removed already",
  ),
};
