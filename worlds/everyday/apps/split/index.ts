/** Split: expenses that people share, who owes whom for them, and what was given back. */
import { defineApp } from "bowline/world";
import { addingApis } from "./adding.ts";
import { commentApis, expenseApis } from "./expenses.ts";
import { groupApis } from "./groups.ts";
import { settlingApis } from "./settling.ts";
import { splitTables } from "./tables.ts";

export * from "./tables.ts";

export const split = defineApp({
  name: "split",
  summary: "Expenses shared in groups, balances between members, and settling up.",
  tables: splitTables,
  login: true,
  apis: { ...groupApis, ...expenseApis, ...addingApis, ...settlingApis, ...commentApis },
});
