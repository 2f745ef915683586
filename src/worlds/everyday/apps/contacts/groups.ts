/** Groups of contacts. A group is named by its name; its members are listed by `contacts.list({ group })`. */
import { z } from "zod";
import { defineApi, itemOf, must, type Reader, resource } from "../../../../world/index.ts";
import { handle, line, named, personBy } from "../shared.ts";
import { groups, members } from "../tables.ts";
import { inGroup, outsideGroup, someGroup } from "./examples.ts";

export const group = resource({
  table: groups,
  noun: "group",
  item: itemOf(groups, {
    name: z.string(),
    size: [z.int(), ({ id }, { db }) => db.where(members, { group: id }).length],
  }),
  keys: { group: line("name of the group") },
  named: true,
  example: (db) => ({ group: someGroup(db) }),
});

const person = handle("the contact");

/** The person, and the row that joins them to the group, if any. */
function membership(db: Reader, group: number, came: string) {
  const { id, handle } = personBy(db, came, "person");
  return { person: id, handle, member: db.where(members, { group, person: id })[0] };
}

export const groupApis = {
  groups: group.list("List groups with their number of members.", {
    filters: {
      person: [
        handle("only groups with this contact"),
        (came, { db }) => {
          const person = personBy(db, came, "person").id;
          return (row) => db.where(members, { group: row.id, person }).length > 0;
        },
      ],
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
  removeGroup: defineApi({
    summary: "Remove a group; its members stay contacts.",
    params: z.strictObject(group.keys),
    returns: group.item.schema,
    example: (db) => ({ group: someGroup(db) }),
    handler: (context, args) => {
      const { db } = context;
      const row = named(db, groups, args.group, "group");
      const removed = group.item.view(row, context);
      for (const member of db.where(members, { group: row.id })) db.remove(members, member.id);
      db.remove(groups, row.id);
      return removed;
    },
  }),
  addToGroup: group.act("Add a contact to a group.", {
    params: { person },
    run: (row, args, { db }) => {
      const { person, handle, member } = membership(db, row.id, args.person);
      must(!member, 409, `person: "${handle}" is already in "${row.name}"`);
      db.insert(members, { group: row.id, person });
      return row;
    },
    example: (db) => ({ group: someGroup(db), person: outsideGroup(db) }),
  }),
  removeFromGroup: group.act("Remove a contact from a group.", {
    params: { person },
    run: (row, args, { db }) => {
      const { handle, member } = membership(db, row.id, args.person);
      must(member, 404, `person: "${handle}" is not in "${row.name}"`);
      db.remove(members, member.id);
      return row;
    },
    example: (db) => ({ group: someGroup(db), person: inGroup(db) }),
  }),
};
