/** Defines how payments are shown in answers, and the one function that takes money out of the wallet. */

import { refuseUnless, resource } from "bowline/resources";
import type { CallContext, Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  dollarsField,
  handleField,
  handleParam,
  personColumnFilter,
  toDollars,
} from "../shared.ts";
import { type Payment, payments, type Wallet, wallet } from "../tables.ts";

export const note = z.string().trim().max(100).default("").describe("what it is for");

/** The filters of lists of payments. */
export const paymentFilters = {
  with: personColumnFilter("only with this person", "with"),
  kind: [
    z.enum(["sent", "received"]).describe("only sent ones, or only received ones"),
    (kind: "sent" | "received") => ({ outgoing: kind === "sent" }),
  ],
} as const;

export const receiverParam = handleParam("the receiver");

export const paymentItem = payments.item({
  ...payments.fields("note", "id"),
  with: handleField,
  amount: dollarsField,
  kind: [z.enum(["sent", "received"]), ({ outgoing }) => (outgoing ? "sent" : "received")],
});

export const payment = resource({ table: payments, noun: "payment", item: paymentItem });

/** Returns the wallet's only row, which the population makes. Throws a 404 when there is none. */
export function requireWallet(db: Reader): Wallet {
  const [row] = db.all(wallet);
  refuseUnless(row, 404, "the owner has no wallet");
  return row;
}

/**
 * Takes the payment's cents out of the wallet and records the payment. Throws a 422 that names the parameter `param`
 * when the wallet holds less.
 */
export function sendPayment(
  { db, now }: CallContext,
  payment: Pick<Payment, "person" | "cents" | "note" | "request">,
  param: string,
): Payment {
  const row = requireWallet(db);
  const remaining = row.cents - payment.cents;
  refuseUnless(remaining >= 0, 422, () => {
    const [price, balance] = [payment.cents, row.cents].map(toDollars);
    return `${param}: expected at most the balance of ${balance}, it takes ${price}`;
  });
  db.update(wallet, row.id, { cents: remaining });
  return db.insert(payments, { ...payment, outgoing: true, at: now });
}
