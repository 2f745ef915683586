/** Reads and writes the row of facts about a person. A person may have no such row. */
import type { Reader, Writer } from "bowline/world";
import { type Details, details } from "../../apps/contacts/tables.ts";

export type Facts = Omit<Details, "id" | "person">;

const NO_FACTS: Facts = {
  relationship: null,
  birthday: null,
  street: null,
  workplace: null,
  job: null,
  favourite: false,
};

export const readFacts = (db: Reader, person: number): Facts =>
  db.where(details, { person })[0] ?? NO_FACTS;

export function writeFacts(db: Writer, person: number, facts: Partial<Facts>): void {
  const [row] = db.where(details, { person });
  if (row) db.update(details, row.id, facts);
  else db.insert(details, { ...NO_FACTS, person, ...facts });
}

/** A condition that accepts every row. The kit never passes a row that another part of the goal has removed. */
export const anyExistingRow = (): boolean => true;
