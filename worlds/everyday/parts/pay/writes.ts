/** What payments and requests leave behind, written directly on tables, and whether pay would allow it. */
import type { Writer } from "bowline/world";
import { limits } from "../../apps/pay/tables.ts";
import { payments, requests } from "../../apps/tables.ts";

/** Instants are not content; any will do. */
export const AT = "2026-03-12T09:00:00Z";

export function writePayment(db: Writer, person: number, cents: number, note: string): number {
  const row = { person, outgoing: true, cents, note, request: null, at: AT };
  return db.insert(payments, row).id;
}

export function writeRequest(db: Writer, person: number, cents: number, note: string): void {
  const row = { person, outgoing: true, cents, note, status: "pending", at: AT } as const;
  db.insert(requests, row);
}

/** A limit of a month, for payments to a person or for all of them. */
export function setLimit(db: Writer, person: number | null, cents: number): void {
  const [old] = db.where(limits, { person });
  if (old) db.update(limits, old.id, { cents });
  else db.insert(limits, { person, cents });
}
