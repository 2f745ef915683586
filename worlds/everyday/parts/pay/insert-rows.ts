/** Inserts the rows of payments and requests directly into tables. */
import type { Writer } from "bowline/world";
import { limits } from "../../apps/pay/tables.ts";
import { payments, requests } from "../../apps/tables.ts";

/** Checks ignore times, so this time is arbitrary. */
export const ANY_TIME = "2026-03-12T09:00:00Z";

export function insertPayment(db: Writer, person: number, cents: number, note: string): number {
  const row = { person, outgoing: true, cents, note, request: null, at: ANY_TIME };
  return db.insert(payments, row).id;
}

export function insertRequest(db: Writer, person: number, cents: number, note: string): void {
  const row = { person, outgoing: true, cents, note, status: "pending", at: ANY_TIME } as const;
  db.insert(requests, row);
}

/** Sets a monthly limit, for payments to one person or for all payments when `person` is null. */
export function setLimit(db: Writer, person: number | null, cents: number): void {
  const [old] = db.where(limits, { person });
  if (old) db.update(limits, old.id, { cents });
  else db.insert(limits, { person, cents });
}
