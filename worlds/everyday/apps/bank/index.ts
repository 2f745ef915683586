/**
 * Defines the bank app: the owner's accounts and cards, their transactions, and what the owner arranged for later, such
 * as standing orders.
 */
import { defineApp } from "bowline/world";
import { accountApis, cardApis } from "./accounts.ts";
import { orderApis, payeeApis } from "./payees.ts";
import { goalApis, reportApis } from "./plans.ts";
import { bankTables } from "./tables.ts";
import { disputeApis, transactionApis, transferApis } from "./transactions.ts";

export * from "./tables.ts";

export const bank = defineApp({
  name: "bank",
  summary: "Accounts, transactions, transfers, standing orders, cards, savings goals and budgets.",
  tables: bankTables,
  login: true,
  apis: {
    ...accountApis,
    ...transactionApis,
    ...transferApis,
    ...payeeApis,
    ...orderApis,
    ...cardApis,
    ...goalApis,
    ...reportApis,
    ...disputeApis,
  },
});
