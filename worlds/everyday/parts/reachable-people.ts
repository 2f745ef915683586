/** Looks up people whom a task may name, with all columns that the owner's contacts have. */
import type { DrawContext, Person } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Person as Contact, people } from "../apps/tables.ts";

/** Returns the person's row in the given state. */
export function findContact(db: Reader, { id }: Person): Contact {
  return db.get(people, id)!;
}

/**
 * Returns the ids of people whom the task may name and who are not blocked. The owner can send something to these
 * people.
 */
export function idsOfUnblockedPeople({ db, people: named }: DrawContext): number[] {
  return named.filter((person) => !findContact(db, person).blocked).map(({ id }) => id);
}

/** Returns true for a contact who exists and is not blocked. The owner can send nothing to other people. */
export function isReachable(db: Reader, person: number | null | undefined): person is number {
  return typeof person === "number" && db.get(people, person)?.blocked === false;
}
