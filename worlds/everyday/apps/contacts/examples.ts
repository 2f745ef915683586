/**
 * Finds rows of the start state for the examples of API calls. These functions throw nothing when the state is empty.
 */
import type { Reader } from "bowline/world";
import { groups, members, type Person, people } from "../tables.ts";
import { partnerId, readFacts } from "./facts.ts";

const FALLBACK_CONTACT = { id: 0, name: "Amara Okafor", handle: "amara.o", city: "Lisbon" };

/** Returns the first contact who is not blocked and for whom `fits` returns true, or any contact when there is none. */
export function exampleContact(db: Reader, fits: (person: Person) => boolean = () => true) {
  const everyone = db.where(people, { blocked: false });
  return everyone.find(fits) ?? everyone[0] ?? FALLBACK_CONTACT;
}

/** Returns the name of the nth group, counted from 0. */
export function exampleGroup(db: Reader, nth = 0): string {
  return db.all(groups)[nth]?.name ?? "choir";
}

/** Returns the handle of a member of the first group. `exampleNonMember` returns a contact who is not in it. */
export function exampleGroupMember(db: Reader): string {
  const [group] = db.all(groups);
  const [member] = group ? db.where(members, { group: group.id }) : [];
  return exampleContact(db, ({ id }) => id === member?.person).handle;
}

export function exampleNonMember(db: Reader): string {
  const [group] = db.all(groups);
  const memberIds = new Set(
    group ? db.where(members, { group: group.id }).map(({ person }) => person) : [],
  );
  return exampleContact(db, ({ id }) => !memberIds.has(id)).handle;
}

export function exampleFavourite(db: Reader, wanted: boolean): string {
  return exampleContact(db, ({ id }) => readFacts(db, id).favourite === wanted).handle;
}

/** Returns the handle of a contact with a partner. `exampleSingleContact` returns the nth contact without one. */
export function examplePairedContact(db: Reader): string {
  return exampleContact(db, ({ id }) => partnerId(db, id) !== undefined).handle;
}

export function exampleSingleContact(db: Reader, nth = 0): string {
  const alone = db
    .where(people, { blocked: false })
    .filter(({ id }) => partnerId(db, id) === undefined);
  return alone[nth]?.handle ?? FALLBACK_CONTACT.handle;
}
