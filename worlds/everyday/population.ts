/**
 * The people and the past of the Everyday world, made from a seed: what every task finds and is set apart from.
 *
 * People, cities and groups are split into parts (`population/names.ts`), so a task takes those of its own split. Rows
 * that a task may select without naming a person (unread, labelled, pending, open) come from the owner's circle, who
 * belong to no split; so the background never brings a test person into training's sets.
 */
import type { Profile, Reader, Rng, Split, Writer } from "bowline/world";
import { type Group, groups, members, type Person, people } from "./apps/index.ts";
import { addEvents, addMoney, addNotes, addTodos } from "./population/belongings.ts";
import { addMail, addMessages } from "./population/correspondence.ts";
import { partOf } from "./population/names.ts";
import { addGroups, addPeople } from "./population/people.ts";

export { PARTS, type Part, POOLS, type Pool, partOf } from "./population/names.ts";
export { NOW } from "./population/time.ts";

export function populate(db: Writer, rng: Rng): Profile {
  const everyone = addPeople(db, rng.child("people"));
  addGroups(db, rng.child("groups"), everyone);
  addMessages(db, rng.child("messages"), everyone);
  addMail(db, rng.child("mail"), everyone);
  addMoney(db, rng.child("money"), everyone);
  addNotes(db, rng.child("notes"), everyone);
  addTodos(db, rng.child("todos"));
  addEvents(db, rng.child("events"), everyone);
  return { name: "Robin Vale", email: "robin.vale@example.com", phone: "555-0100" };
}

/** The people of a split, in ascending id. No first name, last name, city or group is shared between splits. */
export function peopleOf(base: Reader, split: Split): readonly Person[] {
  return base.all(people).filter((person) => partOf(person.name) === split);
}

/** The groups all of whose members are of the split; there is at least one member. */
export function groupsOf(base: Reader, split: Split): readonly Group[] {
  const own = new Set(peopleOf(base, split).map((person) => person.id));
  return base.all(groups).filter((group) => {
    const inside = base.where(members, { group: group.id });
    return inside.length > 0 && inside.every((member) => own.has(member.person));
  });
}
