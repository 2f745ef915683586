/** Groups of people who share expenses. The owner is in every one of them. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  dollars,
  freeName,
  given,
  handle,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personBy,
  personId,
} from "../shared.ts";
import { people } from "../tables.ts";
import { balances, netOf, ownShare } from "./debts.ts";
import { activeGroup, firstGroup, groupBy, memberBy, peopleIn, sideName } from "./sides.ts";
import { type Expense, expenses, type SplitGroup, splitGroups, splitMembers } from "./tables.ts";

const groupItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  size: z.int(),
  balance: z.number(),
  archived: z.boolean(),
});

/** The size counts the owner; the balance is what the others owe the owner in all. */
const view =
  (db: Reader) =>
  ({ name, id, archived }: SplitGroup) => ({
    name,
    id,
    size: peopleIn(db, id).length + 1,
    balance: dollars([...balances(db, id).values()].reduce((sum, cents) => sum + cents, 0)),
    archived,
  });

const id = idOf("group");

const list = defineApi({
  summary:
    "List groups, oldest first; balance is what the others owe the owner there, less what the owner owes them.",
  params: z.strictObject({
    member: handle("only groups with this person").optional(),
    archived: z.boolean().default(false).describe("true: the archived ones instead"),
    ...paging,
  }),
  returns: pageOf(groupItem),
  example: () => ({ size: 10 }),
  handler: ({ db }, { member, archived, ...page }) => {
    const person = personId(db, member, "member");
    const rows = db
      .where(splitGroups, { archived })
      .filter((row) => person === undefined || peopleIn(db, row.id).includes(person));
    return paged(rows, page, view(db));
  },
});

const show = defineApi({
  summary:
    "Show a group with its members, the owner (`me`) first; balance is what others owe each in all.",
  params: z.strictObject({ id }),
  returns: z.strictObject({
    ...groupItem.shape,
    members: z.array(z.strictObject({ person: z.string(), balance: z.number() })),
  }),
  example: (db) => ({ id: firstGroup(db).id }),
  handler: ({ db }, { id }) => {
    const group = groupBy(db, id, "id");
    const net = netOf(db, id);
    const members = [null, ...peopleIn(db, id)].map((side) => ({
      person: sideName(db, side),
      balance: dollars(net.get(side) ?? 0),
    }));
    return { ...view(db)(group), members };
  },
});

const add = defineApi({
  summary: "Start a group with the owner and others.",
  params: z.strictObject({
    name: line("name of the new group"),
    people: z.array(handle("a member")).min(1).max(20).describe("handles of the others"),
  }),
  returns: groupItem,
  example: (db) => ({ name: "Lighthouse tour", people: [db.all(people)[0]!.handle] }),
  handler: ({ db }, { name, people: came }) => {
    freeName(db, splitGroups, name);
    const persons = new Set(came.map((one) => personBy(db, one, "people").id));
    const group = db.insert(splitGroups, { name, archived: false });
    for (const person of persons) {
      db.insert(splitMembers, { group: group.id, person, left: false });
    }
    return view(db)(group);
  },
});

const rename = defineApi({
  summary: "Rename a group.",
  params: z.strictObject({ id, name: line("the new name") }),
  returns: groupItem,
  example: (db) => ({ id: firstGroup(db).id, name: "The old gang" }),
  handler: ({ db }, { id, name }) => {
    activeGroup(db, id, "id");
    freeName(db, splitGroups, name, id);
    return view(db)(db.update(splitGroups, id, { name }));
  },
});

const archive = defineApi({
  summary: "Archive a group: nothing can be added to it until it is unarchived. Debts remain.",
  params: z.strictObject({ id }),
  returns: groupItem,
  example: (db) => ({ id: firstGroup(db).id }),
  handler: ({ db }, { id }) => {
    activeGroup(db, id, "id");
    return view(db)(db.update(splitGroups, id, { archived: true }));
  },
});

const unarchive = defineApi({
  summary: "Bring an archived group back.",
  params: z.strictObject({ id }),
  returns: groupItem,
  example: (db) => ({ id: db.where(splitGroups, { archived: true })[0]!.id }),
  handler: ({ db }, { id }) => {
    const { archived, name } = groupBy(db, id, "id");
    if (!archived) throw new ApiError(409, `id: expected an archived group, "${name}" is active`);
    return view(db)(db.update(splitGroups, id, { archived: false }));
  },
});

const addMember = defineApi({
  summary: "Add someone to a group; earlier expenses stay as they are.",
  params: z.strictObject({ id, person: handle("the new member") }),
  returns: groupItem,
  example: (db) => {
    const { id } = firstGroup(db);
    const inside = peopleIn(db, id);
    return { id, person: db.all(people).find((person) => !inside.includes(person.id))!.handle };
  },
  handler: ({ db }, { id, person: came }) => {
    const group = activeGroup(db, id, "id");
    const person = personBy(db, came, "person").id;
    const [old] = db.where(splitMembers, { group: id, person });
    if (old && !old.left) {
      throw new ApiError(409, `person: "${came}" is in "${group.name}" already`);
    }
    if (old) db.update(splitMembers, old.id, { left: false });
    else db.insert(splitMembers, { group: id, person, left: false });
    return view(db)(group);
  },
});

const removeMember = defineApi({
  summary: "Take someone out of a group in which they owe nothing and are owed nothing.",
  params: z.strictObject({ id, person: handle("the member") }),
  returns: groupItem,
  example: (db) => evenMember(db),
  handler: ({ db }, { id, person: came }) => {
    const group = activeGroup(db, id, "id");
    const person = memberBy(db, group, came, "person");
    const cents = netOf(db, id).get(person) ?? 0;
    if (cents !== 0) {
      const debt = `${cents > 0 ? "is owed" : "owes"} ${dollars(Math.abs(cents))}`;
      throw new ApiError(409, `person: expected an even member, "${came}" ${debt}`);
    }
    const [row] = db.where(splitMembers, { group: id, person });
    db.update(splitMembers, row!.id, { left: true });
    return view(db)(group);
  },
});

function evenMember(db: Reader) {
  for (const { id } of db.where(splitGroups, { archived: false })) {
    const net = netOf(db, id);
    const person = peopleIn(db, id).find((one) => net.get(one) === 0);
    if (person !== undefined) return { id, person: sideName(db, person) };
  }
  throw new Error("invariant violated: no group has an even member");
}

// --- sums of a group ---

const totals = defineApi({
  summary:
    "Show what a group spent, what of it the owner paid, and what of it is the owner's share.",
  params: z.strictObject({ id }),
  returns: z.strictObject({
    total: z.number(),
    paidByMe: z.number(),
    myShare: z.number(),
    expenses: z.int(),
  }),
  example: (db) => ({ id: firstGroup(db).id }),
  handler: ({ db }, { id }) => {
    groupBy(db, id, "id");
    const rows = db.where(expenses, { group: id, removed: false });
    const sum = (cents: (row: Expense) => number) =>
      dollars(rows.reduce((all, row) => all + cents(row), 0));
    return {
      total: sum((row) => row.cents),
      paidByMe: sum((row) => (row.payer === null ? row.cents : 0)),
      myShare: sum((row) => ownShare(db, row.id)),
      expenses: rows.length,
    };
  },
});

const categories = defineApi({
  summary: "List what was spent by category, in all groups or in one, the largest first.",
  params: z.strictObject({ group: idOf("group").optional(), ...paging }),
  returns: pageOf(z.strictObject({ category: z.string(), total: z.number(), myShare: z.number() })),
  example: () => ({}),
  handler: ({ db }, { group, ...page }) => {
    if (group !== undefined) groupBy(db, group);
    const sums = new Map<string, { total: number; mine: number }>();
    for (const row of db.where(expenses, given({ group, removed: false }))) {
      const old = sums.get(row.category) ?? { total: 0, mine: 0 };
      const mine = old.mine + ownShare(db, row.id);
      sums.set(row.category, { total: old.total + row.cents, mine });
    }
    const rows = [...sums].sort(([a, x], [b, y]) => y.total - x.total || (a < b ? -1 : 1));
    return paged(rows, page, ([category, { total, mine }]) => ({
      category,
      total: dollars(total),
      myShare: dollars(mine),
    }));
  },
});

export const groupApis = {
  groups: list,
  group: show,
  addGroup: add,
  renameGroup: rename,
  archive,
  unarchive,
  addMember,
  removeMember,
  totals,
  categories,
};
