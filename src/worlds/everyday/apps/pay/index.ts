/** Pay: the owner's wallet and payments. Amounts are dollars outside and integer cents inside. */
import { z } from "zod";
import { defineApi, defineApp } from "../../../../world/index.ts";
import { amount, centsOf, contains, dollars, newestFirst, query, receiver } from "../shared.ts";
import { payments, reminders, requests, wallet } from "../tables.ts";
import { requestApis } from "./requests.ts";
import { narrowed, note, payment, receiverOf, transfer, unblocked, walletOf } from "./transfer.ts";

export const pay = defineApp({
  name: "pay",
  summary: "Payments to and from contacts, and requests for them.",
  tables: [payments, requests, reminders, wallet],
  apis: {
    balance: defineApi({
      summary: "Show how many dollars the owner has.",
      params: z.strictObject({}),
      returns: z.strictObject({ balance: z.number() }),
      example: () => ({}),
      handler: ({ db }) => ({ balance: dollars(walletOf(db).cents) }),
    }),
    history: payment.list("List payments, newest first.", {
      filters: narrowed,
      order: newestFirst,
      example: { kind: "sent", size: 10 },
    }),
    search: payment.list("Search the notes of payments, newest first.", {
      params: { query },
      rows: ({ query }, { db }) => db.all(payments).filter(({ note }) => contains(note, query)),
      order: newestFirst,
      example: { query: "dinner" },
    }),
    send: payment.add("Pay someone.", {
      params: { to: receiverOf, amount, note },
      row: ({ to, amount, note }, context) => {
        const person = receiver(context.db, to, "to").id;
        return transfer(context, { person, cents: centsOf(amount), note, request: null }, "amount");
      },
      example: (db) => ({ to: unblocked(db), amount: 12.5, note: "taxi home" }),
    }),
    ...requestApis,
  },
});
