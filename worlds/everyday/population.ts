/**
 * Makes the people and the past of the starter world from a seed. Every task starts from a copy of this population, and
 * no task changes it.
 *
 * People, cities and groups belong to parts (`population/name-pools.ts`), so that a task uses those of its own split.
 * Rows that a task may select without naming a person (unread, labelled, pending, open) come from the owner's circle,
 * which belongs to no split. So background rows never bring a person of a test split into a set that a training task
 * selects.
 */
import type { Profile, Reader, Rng, Split, Writer } from "bowline/world";
import { type Group, groups, members, type Person, people } from "./apps/index.ts";
import { addMail, addMessages } from "./population/messages-and-mail.ts";
import { addEvents, addMoney, addNotes, addTodos } from "./population/money-notes-todos-events.ts";
import { partOfName } from "./population/name-pools.ts";
import { addGroups, addPeople } from "./population/people.ts";

export { PARTS, type Part, POOLS, type Pool, partOfName } from "./population/name-pools.ts";
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

/**
 * Returns the people of a split, in ascending order of id. No first name, last name, city or group is shared between
 * splits.
 */
export function peopleOf(base: Reader, split: Split): readonly Person[] {
  return base.all(people).filter((person) => partOfName(person.name) === split);
}

/** Returns the groups that have members, all of whom are of the split. */
export function groupsOf(base: Reader, split: Split): readonly Group[] {
  const own = new Set(peopleOf(base, split).map((person) => person.id));
  return base.all(groups).filter((group) => {
    const groupMembers = base.where(members, { group: group.id });
    return groupMembers.length > 0 && groupMembers.every((member) => own.has(member.person));
  });
}
