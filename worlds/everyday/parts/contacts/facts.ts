/** What contacts know of a person beyond the card: one row of facts, which may be missing. */
import type { Reader, Writer } from "bowline/world";
import { type Details, details } from "../../apps/contacts/tables.ts";

export type Facts = Omit<Details, "id" | "person">;

const NONE: Facts = {
  relationship: null,
  birthday: null,
  street: null,
  workplace: null,
  job: null,
  favourite: false,
};

export const factsOf = (db: Reader, person: number): Facts =>
  db.where(details, { person })[0] ?? NONE;

export function know(db: Writer, person: number, facts: Partial<Facts>): void {
  const [row] = db.where(details, { person });
  if (row) db.update(details, row.id, facts);
  else db.insert(details, { ...NONE, person, ...facts });
}

/** Where nothing else is asked: what is gone (removed by another part of the goal) permits nothing. */
export const there = (): boolean => true;
