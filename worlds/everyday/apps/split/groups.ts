/** Defines the APIs of groups of people who share expenses. The owner is a member of every group. */

import {
  countReferencingRows,
  defineObjectItem,
  listApi,
  refuseUnless,
  resource,
  shortTextParam,
  withoutUndefined,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { handleParam, personFilter, requirePerson, toDollars } from "../shared.ts";
import { people } from "../tables.ts";
import { balances, netOfMembers, ownShare } from "./debts.ts";
import * as sides from "./members.ts";
import { type Expense, expenses, type SplitGroup, splitGroups, splitMembers } from "./tables.ts";

/** A group in a list. `size` counts the owner, and `balance` is what the others owe the owner in all. */
const groupItem = splitGroups.item({
  ...splitGroups.fields("name", "id"),
  size: [z.int(), ({ id }, { db }) => sides.presentPeople(db, id).length + 1],
  balance: [
    z.number(),
    ({ id }, { db }) =>
      toDollars([...balances(db, id).values()].reduce((sum, one) => sum + one, 0)),
  ],
  archived: z.boolean(),
});

const isMember = ({ id }: SplitGroup, person: number, db: Reader) =>
  sides.presentPeople(db, id).includes(person);

const groupOptions = {
  table: splitGroups,
  noun: "group",
  item: groupItem,
  unique: true,
  example: (db: Reader) => ({ id: sides.exampleGroup(db).id }),
};
/** All groups, archived or not, for APIs that only show them. */
const group = resource({ ...groupOptions, hint: "see split.groups" });
/** Groups that are not archived. Only these can be changed. */
const activeGroupResource = resource({
  ...groupOptions,
  find: ({ id }, { db }) => sides.requireActiveGroup(db, id, "id"),
});

function exampleEvenMember(db: Reader) {
  for (const { id } of db.where(splitGroups, { archived: false })) {
    const net = netOfMembers(db, id);
    const person = sides.presentPeople(db, id).find((one) => net.get(one) === 0);
    if (person !== undefined) return { id, person: sides.sideName(db, person) };
  }
  throw new Error("invariant violated: no group has an even member");
}

const sumExpenses = (db: Reader, group: number, centsOf: (row: Expense) => number) =>
  toDollars(
    db.where(expenses, { group, removed: false }).reduce((sum, row) => sum + centsOf(row), 0),
  );

const totalsItem = splitGroups.item({
  total: [z.number(), ({ id }, { db }) => sumExpenses(db, id, (row) => row.cents)],
  paidByMe: [
    z.number(),
    ({ id }, { db }) => sumExpenses(db, id, (row) => (row.payer === null ? row.cents : 0)),
  ],
  myShare: [z.number(), ({ id }, { db }) => sumExpenses(db, id, (row) => ownShare(db, row.id))],
  expenses: countReferencingRows(expenses, "group", { removed: false }),
});

export const groupApis = {
  groups: group.list(
    "List groups, oldest first; archived ones are left out unless asked for. Balance is what the others owe the owner there, less what the owner owes them.",
    {
      filters: {
        person: personFilter<SplitGroup>("only groups with this person", "person", isMember),
        archived: z.boolean().default(false).describe("true: the archived ones instead"),
      },
      example: { size: 10 },
    },
  ),
  group: group.show(
    "Show a group with its members, the owner (`me`) first; balance is what others owe each in all.",
    {
      item: groupItem.with({
        members: [
          z.array(z.strictObject({ person: z.string(), balance: z.number() })),
          ({ id }, { db }) => {
            const net = netOfMembers(db, id);
            return [null, ...sides.presentPeople(db, id)].map((side) => ({
              person: sides.sideName(db, side),
              balance: toDollars(net.get(side) ?? 0),
            }));
          },
        ],
      }),
    },
  ),
  addGroup: group.add("Start a group with the owner and others.", {
    params: {
      name: shortTextParam("name of the new group"),
      people: z.array(handleParam("a member")).min(1).max(20).describe("handles of the others"),
    },
    row: ({ name, people: handles }, { db }) => {
      const persons = new Set(handles.map((one) => requirePerson(db, one, "people").id));
      const created = db.insert(splitGroups, { name, archived: false });
      for (const person of persons) {
        db.insert(splitMembers, { group: created.id, person, left: false });
      }
      return created;
    },
    example: (db) => ({ name: "Lighthouse tour", people: [db.all(people)[0]!.handle] }),
  }),
  archive: activeGroupResource.set(
    "Archive a group: nothing can be added to it until it is unarchived. Debts remain.",
    { archived: true },
  ),
  unarchive: group.change("Bring an archived group back.", {
    set: { archived: false },
    already: ({ name }) => `id: expected an archived group, "${name}" is active`,
    example: (db) => ({ id: db.where(splitGroups, { archived: true })[0]!.id }),
  }),
  addMember: activeGroupResource.act("Add someone to a group; earlier expenses stay as they are.", {
    params: { person: handleParam("the new member") },
    run: ({ id, name }, { person: handle }, { db }) => {
      const person = requirePerson(db, handle, "person").id;
      const [existing] = db.where(splitMembers, { group: id, person });
      refuseUnless(!existing || existing.left, 409, `person: "${handle}" is in "${name}" already`);
      if (existing) db.update(splitMembers, existing.id, { left: false });
      else db.insert(splitMembers, { group: id, person, left: false });
    },
    example: (db) => {
      const { id } = sides.exampleGroup(db);
      const memberIds = sides.presentPeople(db, id);
      return {
        id,
        person: db.all(people).find((person) => !memberIds.includes(person.id))!.handle,
      };
    },
  }),
  removeMember: activeGroupResource.act(
    "Take someone out of a group in which they owe nothing and are owed nothing.",
    {
      params: { person: handleParam("the member") },
      run: (row, { person: handle }, { db }) => {
        const person = sides.requireMember(db, row, handle, "person");
        const cents = netOfMembers(db, row.id).get(person) ?? 0;
        refuseUnless(cents === 0, 409, () => {
          const debt = `${cents > 0 ? "is owed" : "owes"} ${toDollars(Math.abs(cents))}`;
          return `person: expected an even member, "${handle}" ${debt}`;
        });
        const [member] = db.where(splitMembers, { group: row.id, person });
        db.update(splitMembers, member!.id, { left: true });
      },
      example: exampleEvenMember,
    },
  ),
  totals: group.show(
    "Show what a group spent, what of it the owner paid, and what of it is the owner's share.",
    { item: totalsItem },
  ),
  categories: listApi(
    "List what was spent by category, in all groups or in one, the largest first; removed expenses are left out.",
    {
      item: defineObjectItem({ category: z.string(), total: z.number(), myShare: z.number() }),
      params: { group: sides.optionalGroupParam },
      rows: ({ group }, { db }) => {
        sides.requireGroupIfGiven(db, group);
        const sums = new Map<string, { total: number; mine: number }>();
        for (const row of db.where(expenses, withoutUndefined({ group, removed: false }))) {
          const old = sums.get(row.category) ?? { total: 0, mine: 0 };
          const mine = old.mine + ownShare(db, row.id);
          sums.set(row.category, { total: old.total + row.cents, mine });
        }
        return [...sums]
          .sort(([a, x], [b, y]) => y.total - x.total || (a < b ? -1 : 1))
          .map(([category, { total, mine }]) => ({
            category,
            total: toDollars(total),
            myShare: toDollars(mine),
          }));
      },
    },
  ),
};
