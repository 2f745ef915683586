/** Groups of contacts. A group is named by its name; its members are listed by `contacts.list({ group })`. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  freeName,
  handle,
  line,
  named,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
} from "../shared.ts";
import { type Group, groups, members } from "../tables.ts";
import { inGroup, outsideGroup, someGroup } from "./examples.ts";

const groupItem = z.strictObject({ name: z.string(), size: z.int() });

const item = (db: Reader) => (row: Group) => ({
  name: row.name,
  size: db.where(members, { group: row.id }).length,
});

const group = line("name of the group");
const person = handle("the contact");

const list = defineApi({
  summary: "List groups with their number of members.",
  params: z.strictObject({ person: handle("only groups with this contact").optional(), ...paging }),
  returns: pageOf(groupItem),
  example: () => ({ size: 10 }),
  handler: ({ db }, args) => {
    const member = personId(db, args.person, "person");
    const within = (row: Group) => db.where(members, { group: row.id, person: member! }).length > 0;
    const rows = member === undefined ? db.all(groups) : db.all(groups).filter(within);
    return paged(rows, args, item(db));
  },
});

const addGroup = defineApi({
  summary: "Add an empty group.",
  params: z.strictObject({ name: line("name of the new group") }),
  returns: groupItem,
  example: () => ({ name: "allotment friends" }),
  handler: ({ db }, { name }) => {
    freeName(db, groups, name);
    return item(db)(db.insert(groups, { name }));
  },
});

const renameGroup = defineApi({
  summary: "Rename a group.",
  params: z.strictObject({ group, name: line("the new name") }),
  returns: groupItem,
  example: (db) => ({ group: someGroup(db), name: "allotment friends" }),
  handler: ({ db }, { group, name }) => {
    const { id } = named(db, groups, group, "group");
    freeName(db, groups, name, id);
    return item(db)(db.update(groups, id, { name }));
  },
});

const removeGroup = defineApi({
  summary: "Remove a group; its members stay contacts.",
  params: z.strictObject({ group }),
  returns: groupItem,
  example: (db) => ({ group: someGroup(db) }),
  handler: ({ db }, args) => {
    const row = named(db, groups, args.group, "group");
    const removed = item(db)(row);
    for (const member of db.where(members, { group: row.id })) db.remove(members, member.id);
    db.remove(groups, row.id);
    return removed;
  },
});

/** The group, the person, and the row that joins them, if any. */
function membership(db: Reader, args: { group: string; person: string }) {
  const group = named(db, groups, args.group, "group");
  const person = personBy(db, args.person, "person");
  const [member] = db.where(members, { group: group.id, person: person.id });
  return { group, person, member };
}

const addToGroup = defineApi({
  summary: "Add a contact to a group.",
  params: z.strictObject({ group, person }),
  returns: groupItem,
  example: (db) => ({ group: someGroup(db), person: outsideGroup(db) }),
  handler: ({ db }, args) => {
    const { group, person, member } = membership(db, args);
    if (member) {
      throw new ApiError(409, `person: "${person.handle}" is already in "${group.name}"`);
    }
    db.insert(members, { group: group.id, person: person.id });
    return item(db)(group);
  },
});

const removeFromGroup = defineApi({
  summary: "Remove a contact from a group.",
  params: z.strictObject({ group, person }),
  returns: groupItem,
  example: (db) => ({ group: someGroup(db), person: inGroup(db) }),
  handler: ({ db }, args) => {
    const { group, person, member } = membership(db, args);
    if (!member) {
      throw new ApiError(404, `person: "${person.handle}" is not in "${group.name}"`);
    }
    db.remove(members, member.id);
    return item(db)(group);
  },
});

export const groupApis = {
  groups: list,
  addGroup,
  renameGroup,
  removeGroup,
  addToGroup,
  removeFromGroup,
};
