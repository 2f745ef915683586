/**
 * Defines the full pay app. It has the APIs of the starter's wallet, and more APIs: for planned payments, limits,
 * refunds, linked cards and others.
 */

import { defineApp } from "bowline/world";
import { bankTables } from "../bank/tables.ts";
import { pay } from "./index.ts";
import { likeAndFavouriteApis } from "./likes-and-favourites.ts";
import { paymentOverviewApis } from "./payment-overview.ts";
import { limitApis, planApis } from "./planned-payments.ts";
import { refundAndSplitApis } from "./refunds-and-splits.ts";
import { makeOwnRequestApis } from "./requests.ts";
import { moreTables } from "./tables.ts";
import { fundApis } from "./wallet-and-cards.ts";

export * from "./tables.ts";

export const fullPay = defineApp({
  ...pay,
  // The bank's tables are included because filling the wallet writes to them.
  tables: [...pay.tables, ...moreTables, ...bankTables],
  login: true,
  apis: {
    ...pay.apis,
    ...makeOwnRequestApis("from"),
    ...paymentOverviewApis,
    ...planApis,
    ...likeAndFavouriteApis,
    ...refundAndSplitApis,
    ...fundApis,
    ...limitApis,
  },
});
