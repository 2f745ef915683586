/** Pay: the owner's wallet and payments. Amounts are dollars outside and integer cents inside. */
import { z } from "zod";
import { defineApi, defineApp } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  contains,
  dollars,
  given,
  handle,
  newestFirst,
  paged,
  pageOf,
  paging,
  personId,
  query,
  receiver,
} from "../shared.ts";
import { payments, reminders, requests, wallet } from "../tables.ts";
import { requestApis } from "./requests.ts";
import { paymentItem, paymentView, transfer, unblocked, walletOf } from "./transfer.ts";

const balance = defineApi({
  summary: "Show how many dollars the owner has.",
  params: z.strictObject({}),
  returns: z.strictObject({ balance: z.number() }),
  example: () => ({}),
  handler: ({ db }) => ({ balance: dollars(walletOf(db).cents) }),
});

const history = defineApi({
  summary: "List payments, newest first.",
  params: z.strictObject({
    with: handle("only with this person").optional(),
    kind: z.enum(["sent", "received"]).optional().describe("only sent ones, or only received ones"),
    ...paging,
  }),
  returns: pageOf(paymentItem),
  example: () => ({ kind: "sent" as const, size: 10 }),
  handler: ({ db }, args) => {
    const outgoing = args.kind === undefined ? undefined : args.kind === "sent";
    const rows = db.where(payments, given({ person: personId(db, args.with, "with"), outgoing }));
    return paged(newestFirst(rows), args, paymentView(db));
  },
});

const search = defineApi({
  summary: "Search the notes of payments, newest first.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(paymentItem),
  example: () => ({ query: "dinner" }),
  handler: ({ db }, { query, ...page }) => {
    const rows = db.all(payments).filter((row) => contains(row.note, query));
    return paged(newestFirst(rows), page, paymentView(db));
  },
});

const send = defineApi({
  summary: "Pay someone.",
  params: z.strictObject({
    to: handle("the receiver"),
    amount,
    note: z.string().trim().max(100).default("").describe("what it is for"),
  }),
  returns: paymentItem,
  example: (db) => ({ to: unblocked(db), amount: 12.5, note: "taxi home" }),
  handler: (context, { to, amount, note }) => {
    const person = receiver(context.db, to, "to").id;
    return transfer(context, { person, cents: centsOf(amount), note, request: null }, "amount");
  },
});

export const pay = defineApp({
  name: "pay",
  summary: "Payments to and from contacts, and requests for them.",
  tables: [payments, requests, reminders, wallet],
  apis: { balance, history, search, send, ...requestApis },
});
