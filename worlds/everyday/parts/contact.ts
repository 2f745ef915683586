/** People whom a task may name, with all that the owner's contacts have of them. */
import type { DrawContext, Person } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Person as Contact, people } from "../apps/tables.ts";

/** In the state that is asked. */
export function contactOf(db: Reader, { id }: Person): Contact {
  return db.get(people, id)!;
}

/** Whom something can be sent to: ids of those who may be named and are not blocked. */
export function unblocked({ db, people: named }: DrawContext): number[] {
  return named.filter((person) => !contactOf(db, person).blocked).map(({ id }) => id);
}

/** Nothing can be sent to a blocked contact or one that is gone. */
export function reachable(db: Reader, person: number | null | undefined): person is number {
  return typeof person === "number" && db.get(people, person)?.blocked === false;
}
