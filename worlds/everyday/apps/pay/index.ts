/**
 * Defines the pay app of the starter: the owner's wallet and payments. Amounts are dollars in calls and integer cents
 * in the tables.
 */

import { apiWithoutParameters, newestFirst } from "bowline/resources";
import { defineApp, z } from "bowline/world";
import { amount, exampleHandleWhere, requireReceiver, toCents, toDollars } from "../shared.ts";
import { payments, reminders, requests, wallet } from "../tables.ts";
import {
  note,
  payment,
  paymentFilters,
  receiverParam,
  requireWallet,
  sendPayment,
} from "./payments.ts";
import { requestApis } from "./requests.ts";

export const pay = defineApp({
  name: "pay",
  summary: "Payments to and from contacts, and requests for them.",
  tables: [payments, requests, reminders, wallet],
  apis: {
    balance: apiWithoutParameters(
      "Show how many dollars the owner has.",
      { balance: z.number() },
      ({ db }) => ({ balance: toDollars(requireWallet(db).cents) }),
    ),
    history: payment.list("List payments, newest first.", {
      filters: paymentFilters,
      order: newestFirst,
      example: { kind: "sent", size: 10 },
    }),
    search: payment.list("Search the notes of payments, newest first.", {
      searchIn: ["note"],
      order: newestFirst,
      example: { query: "dinner" },
    }),
    send: payment.add("Pay someone.", {
      params: { to: receiverParam, amount, note },
      row: ({ to, amount, note }, context) => {
        const person = requireReceiver(context.db, to, "to").id;
        return sendPayment(
          context,
          { person, cents: toCents(amount), note, request: null },
          "amount",
        );
      },
      example: (db) => ({ to: exampleHandleWhere(db), amount: 12.5, note: "taxi home" }),
    }),
    ...requestApis,
  },
});
