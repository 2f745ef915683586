/** Groups as a whole, and the address book in numbers. */
import { z } from "zod";
import { ApiError, defineApi } from "../../../../world/index.ts";
import { line, named, paged, pageOf, paging, same } from "../shared.ts";
import { groups, members, people } from "../tables.ts";
import { someGroup } from "./examples.ts";
import { couples, details } from "./tables.ts";

const groupItem = z.strictObject({ name: z.string(), size: z.int() });

const groupMembers = defineApi({
  summary: "List the members of a group in the order in which they joined.",
  params: z.strictObject({ group: line("name of the group"), ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), handle: z.string() })),
  example: (db) => ({ group: someGroup(db) }),
  handler: ({ db }, { group, ...page }) => {
    const { id } = named(db, groups, group, "group");
    const joined = db.where(members, { group: id }).map(({ person }) => db.get(people, person)!);
    return paged(joined, page, ({ name, handle }) => ({ name, handle }));
  },
});

const mergeGroups = defineApi({
  summary: "Move everyone of a group into another one, and remove the emptied group.",
  params: z.strictObject({ group: line("the group to empty"), into: line("the group that stays") }),
  returns: groupItem,
  example: (db) => ({ group: someGroup(db), into: someGroup(db, 1) }),
  handler: ({ db }, args) => {
    const from = named(db, groups, args.group, "group");
    const into = db.all(groups).find(({ name }) => same(name, args.into));
    if (!into) throw new ApiError(404, `into: there is no group "${args.into}"`);
    if (from.id === into.id) throw new ApiError(422, "into: expected another group than group");
    for (const { id, person } of db.where(members, { group: from.id })) {
      const there = db.where(members, { group: into.id, person }).length > 0;
      db.remove(members, id);
      if (!there) db.insert(members, { group: into.id, person });
    }
    db.remove(groups, from.id);
    return { name: into.name, size: db.where(members, { group: into.id }).length };
  },
});

const overview = defineApi({
  summary: "Count contacts, favourites, blocked ones, groups and couples.",
  params: z.strictObject({}),
  returns: z.strictObject({
    contacts: z.int(),
    favourites: z.int(),
    blocked: z.int(),
    groups: z.int(),
    couples: z.int(),
  }),
  example: () => ({}),
  handler: ({ db }) => ({
    contacts: db.all(people).length,
    favourites: db.where(details, { favourite: true }).length,
    blocked: db.where(people, { blocked: true }).length,
    groups: db.all(groups).length,
    couples: db.all(couples).length,
  }),
});

export const wholeApis = { groupMembers, mergeGroups, overview };
