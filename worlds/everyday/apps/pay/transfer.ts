/** How payments look in answers, and the one way in which money leaves the wallet. */

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

// --- what the wallet's items and parameters share ---

export const note = z.string().trim().max(100).default("").describe("what it is for");

/** Filters of payments. */
export const narrowed = {
  with: personColumnFilter("only with this person", "with"),
  kind: [
    z.enum(["sent", "received"]).describe("only sent ones, or only received ones"),
    (kind: "sent" | "received") => ({ outgoing: kind === "sent" }),
  ],
} as const;

export const receiverOf = handleParam("the receiver");

// --- payments ---

export const paymentItem = payments.item({
  ...payments.fields("note", "id"),
  with: handleField,
  amount: dollarsField,
  kind: [z.enum(["sent", "received"]), ({ outgoing }) => (outgoing ? "sent" : "received")],
});

export const payment = resource({ table: payments, noun: "payment", item: paymentItem });

/** The wallet's only row; the population makes it. */
export function walletOf(db: Reader): Wallet {
  const [row] = db.all(wallet);
  refuseUnless(row, 404, "the owner has no wallet");
  return row;
}

/** Debits the wallet and records the payment; a 422 that blames `param` when the wallet holds less. */
export function transfer(
  { db, now }: CallContext,
  payment: Pick<Payment, "person" | "cents" | "note" | "request">,
  param: string,
): Payment {
  const purse = walletOf(db);
  const left = purse.cents - payment.cents;
  refuseUnless(left >= 0, 422, () => {
    const [price, have] = [payment.cents, purse.cents].map(toDollars);
    return `${param}: expected at most the balance of ${have}, it takes ${price}`;
  });
  db.update(wallet, purse.id, { cents: left });
  return db.insert(payments, { ...payment, outgoing: true, at: now });
}
