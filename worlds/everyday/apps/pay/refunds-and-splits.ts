/** Defines the APIs of refunds, and of a bill that is split into requests. */

import { idParam, refuseUnless } from "bowline/resources";
import { defineApi, type Reader, z } from "bowline/world";
import { amount, handleOf, handleParam, requireReceiver, toCents, toDollars } from "../shared.ts";
import { type Payment, payments, people, REQUEST_STATUSES, requests } from "../tables.ts";
import { splitEqually } from "./equal-parts.ts";
import { note, payment, sendPayment } from "./payments.ts";
import { refunds } from "./tables.ts";

const isRefundable = (db: Reader, { id, outgoing }: Payment) =>
  !outgoing && db.where(refunds, { payment: id }).length === 0;

export const refundAndSplitApis = {
  refund: payment.add(
    'Send a received payment back in full, once, with the note "refund: " and the old note.',
    {
      params: { id: idParam("received payment") },
      row: ({ id }, context) => {
        const { db } = context;
        const row = payment.find({ id }, context);
        refuseUnless(!row.outgoing, 422, `id: expected a received payment, ${id} was sent`);
        refuseUnless(isRefundable(db, row), 409, `id: payment ${id} is refunded already`);
        const person = requireReceiver(db, handleOf(db, row.person), "id").id;
        const refundPayment = {
          person,
          cents: row.cents,
          note: `refund: ${row.note}`,
          request: null,
        };
        const sent = sendPayment(context, refundPayment, "id");
        db.insert(refunds, { payment: id, refund: sent.id });
        return sent;
      },
      example: (db) => ({ id: db.all(payments).find((row) => isRefundable(db, row))!.id }),
    },
  ),
  splitRequest: defineApi({
    summary:
      "Split an amount equally and ask each person for their part. Cents that do not divide go one each to the first: the owner if included, then people as given.",
    params: z.strictObject({
      from: z.array(handleParam("who shall pay")).min(1).max(20).describe("handles, each once"),
      amount,
      includeMe: z.boolean().default(true).describe("whether the owner bears a part too"),
      note,
    }),
    returns: z.array(
      z.strictObject({
        note: z.string(),
        id: z.int(),
        to: z.string(),
        amount: z.number(),
        status: z.enum(REQUEST_STATUSES),
      }),
    ),
    example: (db) => {
      const contacts = db.all(people).filter((person) => !person.blocked);
      return {
        from: contacts.slice(0, 2).map((person) => person.handle),
        amount: 50,
        note: "dinner",
      };
    },
    handler: ({ db, now }, { from, amount, includeMe, note }) => {
      const persons = from.map((handle) => requireReceiver(db, handle, "from"));
      const isUnique = new Set(persons).size === persons.length;
      refuseUnless(isUnique, 422, `from: expected each person once, got ${from.join(", ")}`);
      const parts = splitEqually(toCents(amount), persons.length + (includeMe ? 1 : 0));
      const othersParts = includeMe ? parts.slice(1) : parts;
      const isEnough = !othersParts.includes(0);
      refuseUnless(isEnough, 422, `amount: expected a cent or more for each, got ${amount}`);
      return persons.map(({ id: person, handle }, i) => {
        const cents = othersParts[i]!;
        const row = { person, outgoing: true, cents, note, status: "pending" } as const;
        const { id, status } = db.insert(requests, { ...row, at: now });
        return { note, id, to: handle, amount: toDollars(cents), status };
      });
    },
  }),
};
