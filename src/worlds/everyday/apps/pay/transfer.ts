/** The one way in which money leaves the wallet, and how payments look in answers. */
import { z } from "zod";
import { ApiError, type CallContext, type Reader } from "../../../../world/index.ts";
import { dollars, handleOf } from "../shared.ts";
import { type Payment, payments, people, type Wallet, wallet } from "../tables.ts";

export const paymentItem = z.strictObject({
  note: z.string(),
  id: z.int(),
  with: z.string(),
  amount: z.number(),
  kind: z.enum(["sent", "received"]),
});

export const paymentView =
  (db: Reader) =>
  ({ note, id, person, cents, outgoing }: Payment) => ({
    note,
    id,
    with: handleOf(db, person),
    amount: dollars(cents),
    kind: outgoing ? ("sent" as const) : ("received" as const),
  });

/** The handle of the first contact who is not blocked, for examples. */
export function unblocked(db: Reader): string {
  return db.all(people).find((person) => !person.blocked)!.handle;
}

/** The wallet's only row; the population makes it. */
export function walletOf(db: Reader): Wallet {
  const [row] = db.all(wallet);
  if (!row) throw new ApiError(404, "the owner has no wallet");
  return row;
}

/** Debits the wallet and records the payment; a 422 that blames `param` when the wallet holds less. */
export function transfer(
  { db, now }: CallContext,
  payment: Pick<Payment, "person" | "cents" | "note" | "request">,
  param: string,
) {
  const purse = walletOf(db);
  const left = purse.cents - payment.cents;
  if (left < 0) {
    const [price, have] = [payment.cents, purse.cents].map(dollars);
    throw new ApiError(422, `${param}: expected at most the balance of ${have}, it takes ${price}`);
  }
  db.update(wallet, purse.id, { cents: left });
  return paymentView(db)(db.insert(payments, { ...payment, outgoing: true, at: now }));
}
