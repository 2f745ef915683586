/** Groups of contacts. A group is named by its name; its members are listed by `contacts.list({ group })`. */

import { countOf, itemOf, type Look, line, must, named, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handle, personBy, withPerson } from "../shared.ts";
import { type Group, groups, members, type Person } from "../tables.ts";
import { inGroup, outsideGroup, someGroup } from "./examples.ts";

export const groupItem = itemOf(groups, { name: z.string(), size: countOf(members, "group") });

const person = handle("the contact");

export const group = resource({
  noun: "group",
  item: groupItem,
  keys: { group: line("name of the group") },
  named: true,
  example: (db) => ({ group: someGroup(db) }),
});

/** A filter of people: the members of the group of this name. */
export function memberOf(name: string, { db }: Look): (row: Person) => boolean {
  const group = named(db, groups, name, "group").id;
  const inside = new Set(db.where(members, { group }).map((member) => member.person));
  return ({ id }) => inside.has(id);
}

/** The person, and the row that joins both, if any. */
function membership(db: Reader, { id: group }: Group, came: string) {
  const person = personBy(db, came, "person");
  return { ...person, member: db.where(members, { group, person: person.id })[0] };
}

export const groupApis = {
  groups: group.list("List groups with their number of members.", {
    filters: {
      person: withPerson(
        "only groups with this contact",
        "person",
        ({ id }: Group, person, db) => db.where(members, { group: id, person }).length > 0,
      ),
    },
    example: { size: 10 },
  }),
  addGroup: group.add("Add an empty group.", {
    params: { name: line("name of the new group") },
    example: { name: "allotment friends" },
  }),
  renameGroup: group.change("Rename a group.", {
    params: { name: line("the new name") },
    example: { name: "allotment friends" },
  }),
  removeGroup: group.remove("Remove a group; its members stay contacts.", {
    parts: [[members, "group"]],
  }),
  addToGroup: group.act("Add a contact to a group.", {
    params: { person },
    run: (row, args, { db }) => {
      const { id, handle, member } = membership(db, row, args.person);
      must(!member, 409, `person: "${handle}" is already in "${row.name}"`);
      db.insert(members, { group: row.id, person: id });
      return row;
    },
    example: (db) => ({ group: someGroup(db), person: outsideGroup(db) }),
  }),
  removeFromGroup: group.act("Remove a contact from a group.", {
    params: { person },
    run: (row, args, { db }) => {
      const { handle, member } = membership(db, row, args.person);
      must(member, 404, `person: "${handle}" is not in "${row.name}"`);
      db.remove(members, member.id);
      return row;
    },
    example: (db) => ({ group: someGroup(db), person: inGroup(db) }),
  }),
};
