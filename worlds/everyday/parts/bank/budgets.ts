/** Goals about monthly budgets: their collection and actions. */
import {
  actions,
  actionWithValue,
  atLeast,
  defineCollection,
  nouns,
  superlatives,
  taskValue,
} from "bowline/goals";
import { type Budget, budgets } from "../../apps/bank/tables.ts";
import { titleOfListItems } from "../pay/money-app-code.ts";
import { positiveAmountColumn } from "../pay/money-app-columns.ts";
import { centsSpentThisMonth } from "./lookups.ts";

const listOptions = { kind: "budgets", app: "bank", table: budgets };

export const budgetsPart = defineCollection<Budget>({
  ...listOptions,
  nouns: nouns`monthly budget(s) | monthly budget(s) at my bank | monthly budget(s) of mine
    | budget(s) for a month in the Bank app | bank budget(s) for a month`,
  list: "budgets",
  allowsWhole: true,
  columns: ({ text, money }) => ({
    category: text("category", { noun: "category" }),
    tight: positiveAmountColumn<Budget>(
      (row, db) => row.cents - centsSpentThisMonth(db, row.category),
      "x.left",
    )`with at least $ left this month | that have $ or more left this month
      | of which $ or more are left this month | whose rest this month is at least $
      | that still leave $ or more this month`,
    limit: money(
      "cents",
      { item: "limit", noun: "limit" },
      superlatives`largest / smallest | biggest / smallest | highest / lowest
          | largest / smallest | biggest / smallest`,
      atLeast("large")`with a limit of at least $ | that have a limit of $ or more
        | whose limit is at least $ | with $ or more as their limit
        | that are limited to $ or more`,
    ),
    spent: money((row, db) => centsSpentThisMonth(db, row.category), {
      item: "spent",
      noun: "spending so far this month",
    }),
  }),
  title: titleOfListItems<Budget>(
    "bank.budgets",
    "category",
    (row) => row.category,
    "housing | gifts",
  )`my monthly budget for $ | the monthly budget for $ | the budget for $ of a month
    | the monthly budget for the category $ | my bank's monthly budget for $`,
});

/**
 * Writes a call that changes the budget with the key `x`. APIs find a budget by its category, so the code first stores
 * the budget in `o`.
 */
const changeBudgetCode = (api: string, args = "") =>
  `const o=apis.bank.budgets({size:20}).items.find(b=>b.id===x);apis.bank.${api}({category:o.category${args}})`;

export const budgetActions = actions(
  { ...listOptions, when: {} },
  ({ setsToDrawn, sets, removesRow, difficulty2 }) => ({
    "set-budget": setsToDrawn("cents", taskValue("money"), {
      call: (code) => changeBudgetCode("setBudget", `,amount:${code}`),
    })`Set the limit to $ for # | Set # to $ | Change the limit of # to $ | Make $ the limit of #
    | Let the limit be $ for #`,
    "raise-budget": difficulty2(
      actionWithValue("money", ({ value, code }) =>
        sets(({ cents }) => ({ cents: cents + value }), {
          call: changeBudgetCode("setBudget", `,amount:Math.round((o.limit+${code})*100)/100`),
        }),
      )`Raise the limit by $ for # | Increase # by $ | Add $ to the limit of #
      | Let the limit go up by $ for # | Make the limit of # higher by $`,
    ),
    "remove-budget": removesRow({
      call: changeBudgetCode("removeBudget"),
    })`Remove # | Delete # | Do away with # | Drop # | Get rid of #`,
  }),
);
