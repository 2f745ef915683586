/** Payments: what goals insert, and what other people do with money. */
import type { GoalTime, Writer } from "bowline/world";
import { type Payment, type Person, payments, wallet } from "../../apps/tables.ts";
import { type Deed, deed } from "../reactions.ts";

/** Inserts a payment of the owner, as `pay.send` and `pay.approve` do. */
export function payInGoal(
  db: Writer,
  time: GoalTime,
  person: Pick<Person, "id">,
  columns: Pick<Payment, "cents" | "note"> & Partial<Payment>,
): Payment {
  const usual = { outgoing: true, request: null, at: time.now() };
  return db.insert(payments, { person: person.id, ...usual, ...columns });
}

/**
 * Returns the deeds of somebody who sends the owner money. `balance` is what the wallet holds afterwards, so the owner
 * must not have paid anything before.
 */
export function sendsMoney(
  db: Writer,
  { id: person, name }: Person,
  columns: Pick<Payment, "cents" | "note">,
  balance: number,
): readonly Deed[] {
  const row = { person, outgoing: false, ...columns, request: null, at: "$now" };
  const dollars = (columns.cents / 100).toFixed(2);
  return [
    deed.add(payments, row),
    deed.change(wallet, db.all(wallet)[0]!.id, { cents: balance }),
    { kind: "notify", app: "pay", text: `${name} has sent you $${dollars}.` },
  ];
}
