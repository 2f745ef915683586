/** Pay in the full world: the starter's wallet, and all that a person does around paying. */

import { defineApp } from "bowline/world";
import { bankTables } from "../bank/tables.ts";
import { fundApis } from "./funds.ts";
import { pay } from "./index.ts";
import { ledgerApis } from "./ledger.ts";
import { limitApis, planApis } from "./plans.ts";
import { remarkApis } from "./remarks.ts";
import { sharingApis } from "./sharing.ts";
import { moreTables } from "./tables.ts";

export * from "./tables.ts";

export const fullPay = defineApp({
  ...pay,
  // Filling the wallet books on the bank's tables.
  tables: [...pay.tables, ...moreTables, ...bankTables],
  login: true,
  apis: {
    ...pay.apis,
    ...ledgerApis,
    ...planApis,
    ...remarkApis,
    ...sharingApis,
    ...fundApis,
    ...limitApis,
  },
});
