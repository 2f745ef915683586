/** Defines the APIs that list the members of a group, merge groups, and count contacts. */

import {
  countsApi,
  defineItem,
  equalIgnoringCase,
  listApi,
  refuseUnless,
  rowByName,
  shortTextParam,
} from "bowline/resources";
import { defineApi, z } from "bowline/world";
import { handleField, nameField } from "../shared.ts";
import { groups, members, people } from "../tables.ts";
import { exampleGroup } from "./examples.ts";
import { group, groupItem } from "./groups.ts";
import { couples, details } from "./tables.ts";

const mergeGroups = defineApi({
  summary: "Move everyone of a group into another one, and remove the emptied group.",
  params: z.strictObject({
    group: shortTextParam("the group to empty"),
    into: shortTextParam("the group that stays"),
  }),
  returns: groupItem.schema,
  example: (db) => ({ group: exampleGroup(db), into: exampleGroup(db, 1) }),
  handler: (context, args) => {
    const { db } = context;
    const from = rowByName(db, groups, args.group, "group");
    const into = db.all(groups).find(({ name }) => equalIgnoringCase(name, args.into));
    refuseUnless(into, 404, `into: there is no group "${args.into}"`);
    refuseUnless(from.id !== into.id, 422, "into: expected another group than group");
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

const memberItem = defineItem(members, { name: nameField, handle: handleField });

export const groupMergingApis = {
  groupMembers: listApi("List the members of a group in the order in which they joined.", {
    item: memberItem,
    parent: [group, "group"],
    example: (db) => ({ group: exampleGroup(db) }),
  }),
  mergeGroups,
  overview,
};
