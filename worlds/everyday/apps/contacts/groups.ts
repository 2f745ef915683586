/**
 * Defines the APIs of groups of contacts. A call refers to a group by its name; `contacts.list({ group })` lists the
 * members.
 */

import {
  countReferencingRows,
  defineItem,
  refuseUnless,
  resource,
  rowByName,
  shortTextParam,
  type ViewContext,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handleParam, personFilter, requirePerson } from "../shared.ts";
import { type Group, groups, members, type Person } from "../tables.ts";
import { exampleGroup, exampleGroupMember, exampleNonMember } from "./examples.ts";

export const groupItem = defineItem(groups, {
  name: z.string(),
  size: countReferencingRows(members, "group"),
});

const person = handleParam("the contact");

export const group = resource({
  noun: "group",
  item: groupItem,
  keys: { group: shortTextParam("name of the group") },
  keyIsName: true,
  example: (db) => ({ group: exampleGroup(db) }),
});

/**
 * Makes a filter of people: it keeps the members of the group of this name. Throws a 404 when there is no such group.
 */
export function groupMemberFilter(name: string, { db }: ViewContext): (row: Person) => boolean {
  const group = rowByName(db, groups, name, "group").id;
  const memberIds = new Set(db.where(members, { group }).map((member) => member.person));
  return ({ id }) => memberIds.has(id);
}

/** Returns the person with this handle and, as `member`, the row that puts them in the group, if any. */
function requirePersonAndMembership(db: Reader, { id: group }: Group, handle: string) {
  const person = requirePerson(db, handle, "person");
  return { ...person, member: db.where(members, { group, person: person.id })[0] };
}

export const groupApis = {
  groups: group.list("List groups with their number of members.", {
    filters: {
      person: personFilter(
        "only groups with this contact",
        "person",
        ({ id }: Group, person, db) => db.where(members, { group: id, person }).length > 0,
      ),
    },
    example: { size: 10 },
  }),
  addGroup: group.add("Add an empty group.", {
    params: { name: shortTextParam("name of the new group") },
    example: { name: "allotment friends" },
  }),
  renameGroup: group.change("Rename a group.", {
    params: { name: shortTextParam("the new name") },
    example: { name: "allotment friends" },
  }),
  removeGroup: group.remove("Remove a group; its members stay contacts.", {
    parts: [[members, "group"]],
  }),
  addToGroup: group.act("Add a contact to a group.", {
    params: { person },
    run: (row, args, { db }) => {
      const { id, handle, member } = requirePersonAndMembership(db, row, args.person);
      refuseUnless(!member, 409, `person: "${handle}" is already in "${row.name}"`);
      db.insert(members, { group: row.id, person: id });
      return row;
    },
    example: (db) => ({ group: exampleGroup(db), person: exampleNonMember(db) }),
  }),
  removeFromGroup: group.act("Remove a contact from a group.", {
    params: { person },
    run: (row, args, { db }) => {
      const { handle, member } = requirePersonAndMembership(db, row, args.person);
      refuseUnless(member, 404, `person: "${handle}" is not in "${row.name}"`);
      db.remove(members, member.id);
      return row;
    },
    example: (db) => ({ group: exampleGroup(db), person: exampleGroupMember(db) }),
  }),
};
