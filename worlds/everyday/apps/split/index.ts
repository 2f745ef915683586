/**
 * Defines the split app: expenses that people share, the debts that follow from them, and settlements that pay debts
 * back.
 */
import { defineApp } from "bowline/world";
import { settlingApis } from "./balances-and-settlements.ts";
import { changingApis } from "./changing-expenses.ts";
import { commentApis, expenseApis } from "./expenses.ts";
import { groupApis } from "./groups.ts";
import { splitTables } from "./tables.ts";

export * from "./tables.ts";

export const split = defineApp({
  name: "split",
  summary: "Expenses shared in groups, balances between members, and settling up.",
  tables: splitTables,
  login: true,
  apis: { ...groupApis, ...expenseApis, ...changingApis, ...settlingApis, ...commentApis },
});
