/** Bank: the owner's accounts and cards, what was booked on them, and what is arranged for later. */
import { defineApp } from "../../../../world/index.ts";
import { accountApis } from "./accounts.ts";
import { cardApis } from "./cards.ts";
import { goalApis } from "./goals.ts";
import { orderApis, payeeApis } from "./payees.ts";
import { reportApis } from "./reports.ts";
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
