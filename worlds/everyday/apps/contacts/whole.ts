/** Groups as a whole, and the address book in numbers. */

import { countsApi, itemOf, line, listing, must, named, same } from "bowline/resources";
import { defineApi, z } from "bowline/world";
import { theirHandle, theirName } from "../shared.ts";
import { groups, members, people } from "../tables.ts";
import { someGroup } from "./examples.ts";
import { group, groupItem } from "./groups.ts";
import { couples, details } from "./tables.ts";

const mergeGroups = defineApi({
  summary: "Move everyone of a group into another one, and remove the emptied group.",
  params: z.strictObject({ group: line("the group to empty"), into: line("the group that stays") }),
  returns: groupItem.schema,
  example: (db) => ({ group: someGroup(db), into: someGroup(db, 1) }),
  handler: (context, args) => {
    const { db } = context;
    const from = named(db, groups, args.group, "group");
    const into = db.all(groups).find(({ name }) => same(name, args.into));
    must(into, 404, `into: there is no group "${args.into}"`);
    must(from.id !== into.id, 422, "into: expected another group than group");
    for (const { id, person } of db.where(members, { group: from.id })) {
      const there = db.where(members, { group: into.id, person }).length > 0;
      db.remove(members, id);
      if (!there) db.insert(members, { group: into.id, person });
    }
    db.remove(groups, from.id);
    return groupItem.view(into, context);
  },
});

const overview = countsApi("Count contacts, favourites, blocked ones, groups and couples.", {
  contacts: (db) => db.all(people),
  favourites: (db) => db.where(details, { favourite: true }),
  blocked: (db) => db.where(people, { blocked: true }),
  groups: (db) => db.all(groups),
  couples: (db) => db.all(couples),
});

const memberItem = itemOf(members, { name: theirName, handle: theirHandle });

export const wholeApis = {
  groupMembers: listing("List the members of a group in the order in which they joined.", {
    item: memberItem,
    of: [group, "group"],
    example: (db) => ({ group: someGroup(db) }),
  }),
  mergeGroups,
  overview,
};
