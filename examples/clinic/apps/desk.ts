/** The desk app: the prices of visits, unpaid bills, and letters. Amounts are cents in rows and dollars in calls. */
import {
  booleanParam,
  dayParam,
  defineItem,
  idParam,
  longTextParam,
  refuseUnless,
  resource,
  shortTextParam,
} from "bowline/resources";
import { defineApi, defineApp, defineTable, type Reader, z } from "bowline/world";
import { client } from "./records.ts";

export type Bill = {
  id: number;
  number: string;
  visit: number;
  cents: number;
  due: string;
  paid: boolean;
};
export const bills = defineTable<Bill>("desk.bills", { indexes: ["number", "visit"] });

export type Price = { id: number; item: string; cents: number };
export const prices = defineTable<Price>("desk.prices");

type Letter = { id: number; client: number; text: string };
export const letters = defineTable<Letter>("desk.letters");

/** Sums up what all clients still owe, in cents. */
export const sumOwedCents = (db: Reader): number =>
  db.where(bills, { paid: false }).reduce((sum, { cents }) => sum + cents, 0);

const bill = resource({
  table: bills,
  noun: "bill",
  item: defineItem(bills, {
    id: z.int(),
    number: z.string(),
    visit: z.int().describe("id of the visit"),
    amount: [z.number().describe("dollars"), ({ cents }) => cents / 100],
    due: z.string().describe("day"),
    paid: z.boolean(),
  }),
});
const price = resource({
  table: prices,
  noun: "price",
  item: defineItem(prices, {
    item: z.string(),
    price: [z.number().describe("dollars"), ({ cents }) => cents / 100],
  }),
});
const letter = resource({
  table: letters,
  noun: "letter",
  item: defineItem(letters, { id: z.int(), client: z.int(), text: z.string() }),
});

const requireUnpaid = (row: Bill) =>
  refuseUnless(!row.paid, 409, `id: bill ${row.number} is paid already`);

export const desk = defineApp({
  name: "desk",
  summary: "Bills, prices and letters of the clinic.",
  tables: [bills, prices, letters],
  apis: {
    bills: bill.list("List bills in the order of their ids.", {
      filters: {
        number: shortTextParam("such as B-104"),
        visit: idParam("visit"),
        paid: booleanParam("only paid bills, or only unpaid ones"),
      },
    }),
    bill: bill.show("Show a bill."),
    settle: bill.change("Note that a bill is paid.", {
      set: { paid: true },
      already: "is paid already",
    }),
    charge: bill.change("Add an amount to an unpaid bill.", {
      params: { amount: z.number().positive().describe("dollars") },
      checkRow: requireUnpaid,
      set: ({ cents }, { amount }) => ({ cents: cents + Math.round(100 * amount) }),
      isExample: ({ paid }) => !paid,
      example: { amount: 12.5 },
    }),
    extend: bill.change("Give an unpaid bill another due day.", {
      params: { due: dayParam("new due day") },
      checkRow: requireUnpaid,
      isExample: ({ paid }) => !paid,
      example: { due: "2026-08-03" },
    }),
    owed: defineApi({
      summary: "What all clients together still owe.",
      params: z.strictObject({}),
      returns: z.object({ amount: z.number().describe("dollars") }),
      handler: ({ db }) => ({ amount: sumOwedCents(db) / 100 }),
    }),
    prices: price.list("The price list.", { filters: { item: shortTextParam("exact name") } }),
    write: letter.add("Send a letter to a client.", {
      parent: [client, "client"],
      params: { text: longTextParam("what it says") },
      example: { text: "See you on Monday" },
    }),
  },
});
