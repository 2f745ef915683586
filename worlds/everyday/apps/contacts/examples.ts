/** Rows that the examples of the documentation take from the start state. Nothing here throws on an empty one. */
import type { Reader } from "bowline/world";
import { groups, members, type Person, people } from "../tables.ts";
import { factsOf, partnerOf } from "./facts.ts";

const missing = { id: 0, name: "Amara Okafor", handle: "amara.o", city: "Lisbon" };

/** Someone who fits, or anyone. */
export function someone(db: Reader, fits: (person: Person) => boolean = () => true) {
  const everyone = db.where(people, { blocked: false });
  return everyone.find(fits) ?? everyone[0] ?? missing;
}

/** A group with members, by name. */
export function someGroup(db: Reader, nth = 0): string {
  return db.all(groups)[nth]?.name ?? "choir";
}

/** A contact of the first group, and one who is not in it. */
export function inGroup(db: Reader): string {
  const [group] = db.all(groups);
  const [member] = group ? db.where(members, { group: group.id }) : [];
  return someone(db, ({ id }) => id === member?.person).handle;
}

export function outsideGroup(db: Reader): string {
  const [group] = db.all(groups);
  const inside = new Set(
    group ? db.where(members, { group: group.id }).map(({ person }) => person) : [],
  );
  return someone(db, ({ id }) => !inside.has(id)).handle;
}

export function favourite(db: Reader, wanted: boolean): string {
  return someone(db, ({ id }) => factsOf(db, id).favourite === wanted).handle;
}

/** Someone with a partner, or the nth one without. */
export function paired(db: Reader): string {
  return someone(db, ({ id }) => partnerOf(db, id) !== undefined).handle;
}

export function single(db: Reader, nth = 0): string {
  const alone = db
    .where(people, { blocked: false })
    .filter(({ id }) => partnerOf(db, id) === undefined);
  return alone[nth]?.handle ?? missing.handle;
}
