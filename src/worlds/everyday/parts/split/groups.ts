/** Groups in use: by member, size, balance and sums; archived, joined, charged, settled. */

import {
  type Action,
  type Clause,
  collection,
  eachOf,
  moneyWords,
  type Relation,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { equalParts } from "../../apps/pay/remainder.ts";
import { type SplitGroup, splitGroups, splitMembers } from "../../apps/split/tables.ts";
import { atLeast, centsAtLeast } from "../bounds.ts";
import { gather, js, sideOf, TODAY } from "../pay/phrases.ts";
import { reachable, writeRequest } from "../pay/writes.ts";
import {
  balanceIn,
  expensesOf,
  isActive,
  owed,
  ownShareOf,
  payBack,
  peopleIn,
  totalOf,
  writeExpense,
} from "./debts.ts";

const withMember: Clause<SplitGroup> = {
  name: "member",
  draw: (draw, rows) => {
    const person = sideOf(
      draw,
      rows.flatMap((row) => peopleIn(draw.db, row.id)),
    );
    if (!person) return undefined;
    const p = person.words;
    return {
      words: [
        `with ${p} as a member`,
        `that ${p} is a member of`,
        `that have ${p} as a member`,
        `to which ${p} belongs`,
        `which ${p} is in`,
      ],
      holds: (row, db) => peopleIn(db, row.id).includes(person.value.id),
      code: { args: `member:${person.code}` },
      uses: [person],
    };
  },
};

const ahead: Clause<SplitGroup> = {
  name: "ahead",
  draw: (draw, rows) => {
    const cents = centsAtLeast(
      draw.rng,
      rows.map((row) => balanceIn(draw.db, row.id)),
    );
    if (cents === undefined || cents <= 0) return undefined;
    const m = moneyWords(cents);
    return {
      words: [
        `in which my balance is at least ${m}`,
        `with a balance of ${m} or more for me`,
        `that have a balance of ${m} or more in my favour`,
        `in which I am ahead by ${m} or more`,
        `whose balance for me is ${m} or more`,
      ],
      holds: (row, db) => balanceIn(db, row.id) >= cents,
      code: { test: `x.balance>=${cents / 100}` },
    };
  },
};

const behind: Clause<SplitGroup> = {
  name: "behind",
  excludes: ["ahead"],
  draw: () => ({
    words: [
      "in which my balance is negative",
      "with a negative balance for me",
      "that have a balance against me",
      "in which I owe more than I am owed",
      "whose balance for me is below zero",
    ],
    holds: (row, db) => balanceIn(db, row.id) < 0,
    code: { test: "x.balance<0" },
  }),
};

const big: Clause<SplitGroup> = {
  name: "big",
  draw: (draw, rows) => {
    const size = atLeast(
      draw.rng,
      rows.map((row) => peopleIn(draw.db, row.id).length + 1),
    );
    if (size === undefined) return undefined;
    return {
      words: [
        `with at least ${size} members, me included`,
        `that have ${size} or more members including me`,
        `of ${size} or more members, counting me`,
        `whose members, with me, are ${size} or more`,
        `that count ${size} or more members together with me`,
      ],
      holds: (row, db) => peopleIn(db, row.id).length + 1 >= size,
      code: { test: `x.size>=${size}` },
    };
  },
};

const expensive: Clause<SplitGroup> = {
  name: "expensive",
  draw: (draw, rows) => {
    const cents = centsAtLeast(
      draw.rng,
      rows.map((row) => totalOf(draw.db, row.id)),
    );
    if (cents === undefined) return undefined;
    const m = moneyWords(cents);
    return {
      words: [
        `with total expenses of at least ${m}`,
        `that spent ${m} or more in total`,
        `whose expenses come to at least ${m} in total`,
        `in which ${m} or more was spent in total`,
        `that have expenses of ${m} or more altogether`,
      ],
      holds: (row, db) => totalOf(db, row.id) >= cents,
      code: { test: `apis.split.totals({id:x.id}).total>=${cents / 100}` },
    };
  },
};

export const groupsPart = collection<SplitGroup>({
  name: "splitGroups",
  kind: "splitGroups",
  app: "split",
  table: splitGroups,
  base: (row) => !row.archived,
  nouns: [
    { one: "active Split group", many: "active Split groups" },
    { one: "active group in Split", many: "active groups in Split" },
    { one: "Split group in use", many: "Split groups in use" },
    { one: "group not archived in Split", many: "unarchived groups in Split" },
    { one: "active group of mine in Split", many: "active groups of mine in Split" },
  ],
  list: { api: "split.groups" },
  key: "id",
  whole: false,
  clauses: [withMember, ahead, behind, big, expensive],
  fields: [
    { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
    {
      name: "total",
      unit: "money",
      noun: "spending",
      value: (row, db) => totalOf(db, row.id) / 100,
      code: "apis.split.totals({id:x.id}).total",
      superlatives: {
        most: ["most expensive", "costliest", "most costly", "dearest", "highest-spending"],
        least: ["cheapest", "least expensive", "least costly", "thriftiest", "lowest-spending"],
      },
    },
    {
      name: "share",
      unit: "money",
      noun: "share that I bear",
      value: (row, db) => ownShareOf(db, row.id) / 100,
      code: "apis.split.totals({id:x.id}).myShare",
    },
    {
      name: "expenses",
      unit: "number",
      noun: "number of expenses",
      value: (row, db) => expensesOf(db, row.id).length,
      code: "apis.split.totals({id:x.id}).expenses",
    },
  ],
  title: {
    of: (row) => row.name,
    nouns: (name) => [
      `the Split group ${js(name)}`,
      `my Split group ${js(name)}`,
      `the group ${js(name)} in Split`,
      `the Split group called ${js(name)}`,
      `the group with the name ${js(name)} in Split`,
    ],
    cells: (name, out) => [
      `var ${out}=[],p=1,r;do{r=apis.split.groups({size:20,page:p++});${out}.push(...r.items.filter(x=>x.name===${js(name)}).map(x=>x.id))}while(r.more);print(${out})`,
    ],
    missing: ["Regatta", "Cheese tasting", "Winter hike", "Bowling night"],
  },
});

export const groupRelations: readonly Relation[] = [
  {
    name: "group-members",
    from: "splitGroups",
    to: "people",
    app: "split",
    words: [
      (noun) => `the other members of ${noun}`,
      (noun) => `everyone else in ${noun}`,
      (noun) => `whoever besides me is a member of ${noun}`,
      (noun) => `all members but me of ${noun}`,
      (noun) => `those who are members of ${noun}, leaving me aside`,
    ],
    each: eachOf("besides me is a member of"),
    map: (db, ids) => [...new Set(ids.flatMap((id) => peopleIn(db, id)))],
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.flatMap(k=>apis.split.group({id:k}).members.map(m=>m.person)))].filter(k=>k!=="me");print(${to})`,
    ],
  },
  {
    name: "group-expenses",
    from: "splitGroups",
    to: "expenses",
    app: "split",
    words: [
      (noun) => `the expenses of ${noun}`,
      (noun) => `every expense in ${noun}`,
      (noun) => `whatever expenses are in ${noun}`,
      (noun) => `the shared expenses that belong to ${noun}`,
      (noun) => `each expense that was added to ${noun}`,
    ],
    map: (db, ids) => ids.flatMap((id) => expensesOf(db, id).map((row) => row.id)),
    cells: (from, to) => gather("split.expenses", "group:k", "id", from, to),
  },
  {
    name: "groups-with",
    from: "people",
    to: "splitGroups",
    app: "split",
    words: [
      (noun) => `the active Split groups with ${noun} in them`,
      (noun) => `every active Split group that has as a member any of ${noun}`,
      (noun) => `whichever active Split groups have a member among ${noun}`,
      (noun) => `my Split groups in use that include ${noun}`,
      (noun) => `the unarchived Split groups with a member among ${noun}`,
    ],
    map: (db, ids) => [
      ...new Set(
        ids
          .flatMap((person) => db.where(splitMembers, { person, left: false }))
          .map((member) => member.group)
          .filter((group) => isActive(db, group)),
      ),
    ],
    cells: (from, to) => gather("split.groups", "member:k", "id", from, to),
  },
];

// --- actions ---

function action(
  name: string,
  difficulty: 1 | 2,
  draw: Action["draw"],
  takes?: Action["takes"],
): Action {
  const part = { name, kind: "splitGroups", app: "split", difficulty, draw } as const;
  return takes ? { ...part, takes } : part;
}

const archive = action("archive", 1, () => ({
  frames: [
    (noun) => `Archive ${noun}`,
    (noun) => `Put ${noun} into the archive`,
    (noun) => `Move ${noun} to the archive`,
    (noun) => `Let ${noun} be archived`,
    (noun) => `Have Split archive ${noun}`,
  ],
  permits: isActive,
  apply: (db, id) => void db.update(splitGroups, id, { archived: true }),
  call: (x) => `apis.split.archive({id:${x}})`,
}));

const addMember = action("add-member", 1, (draw) => {
  const person = draw.person();
  if (!person) return undefined;
  const p = person.words;
  return {
    frames: [
      (noun) => `Add ${p} to ${noun}`,
      (noun) => `Make ${p} a member of ${noun}`,
      (noun) => `Let ${p} join ${noun}`,
      (noun) => `Take ${p} into ${noun}`,
      (noun) => `Put ${p} as a new member into ${noun}`,
    ],
    permits: (db, group) =>
      isActive(db, group) &&
      db.where(splitMembers, { group, person: person.value.id }).length === 0,
    apply: (db, group) =>
      void db.insert(splitMembers, { group, person: person.value.id, left: false }),
    call: (x) => `apis.split.addMember({id:${x},person:${person.code}})`,
    uses: [person],
  };
});

const addExpense = action(
  "add-expense",
  1,
  (draw) => {
    const money = draw.value("money");
    const what = draw.rng.pick(["ferry", "museum", "sandwiches", "parking", "cleaning", "tent"]);
    const m = money.words;
    return {
      frames: [
        (noun) =>
          `Add an expense "${what}" of ${m}, paid by me today and split equally among everyone, to ${noun}`,
        (noun) =>
          `Put a new expense "${what}" of ${m} that I paid today, split equally among all members, into ${noun}`,
        (noun) =>
          `Write down that I paid ${m} for "${what}" today, to be split equally among all members, in ${noun}`,
        (noun) =>
          `Record an expense "${what}" of ${m}, which I paid today and all members share equally, in ${noun}`,
        (noun) =>
          `Enter today's expense "${what}" of ${m} with me as payer, split equally among all members, into ${noun}`,
      ],
      permits: isActive,
      apply: (db, group) => {
        const sides = [null, ...peopleIn(db, group)];
        const row = { group, what, payer: null, category: "other", method: "equal" } as const;
        writeExpense(db, row, TODAY, sides, equalParts(money.value, sides.length));
      },
      call: (x) => `apis.split.add({group:${x},what:"${what}",amount:${money.code}})`,
      uses: [money],
    };
  },
  "money",
);

/** Whom the owner owes in a group, and how much. */
const creditors = (db: Reader, group: number) =>
  peopleIn(db, group)
    .map((person) => ({ person, cents: -owed(db, person, group) }))
    .filter(({ cents }) => cents > 0);
const debtors = (db: Reader, group: number) =>
  peopleIn(db, group)
    .map((person) => ({ person, cents: owed(db, person, group) }))
    .filter(({ cents }) => cents > 0);

const payAll = action("pay-debts", 2, () => ({
  frames: [
    (noun) =>
      `Pay with Pay everyone to whom I owe something in the group exactly that, for ${noun}`,
    (noun) =>
      `For ${noun}, send by Pay to each member whom I owe there exactly what I owe them there`,
    (noun) =>
      `Use Pay to give back to each member what I owe them there, group by group, in ${noun}`,
    (noun) =>
      `With Pay, pay to every member what I owe them in the group, one payment a member, for ${noun}`,
    (noun) =>
      `Send each member what I owe them in the group by Pay, a payment for each group and member, for ${noun}`,
  ],
  permits: (db, group) => {
    const due = creditors(db, group);
    return due.length > 0 && due.every(({ person }) => reachable(db, person));
  },
  apply: (db, group) => {
    for (const { person, cents } of creditors(db, group)) payBack(db, person, cents);
  },
  call: (x) =>
    `for(const o of apis.split.balances({group:${x},way:"I owe",size:20}).items)apis.pay.send({to:o.person,amount:o.amount})`,
}));

const askAll = action("request-debts", 2, () => ({
  frames: [
    (noun) =>
      `Request with Pay from everyone who owes me something in the group exactly that, for ${noun}`,
    (noun) =>
      `For ${noun}, request by Pay from each member who owes me there exactly what they owe me there`,
    (noun) => `Use Pay to ask each member for what they owe me there, group by group, in ${noun}`,
    (noun) =>
      `With Pay, request from every member what they owe me in the group, one request a member, for ${noun}`,
    (noun) =>
      `Ask each member for what they owe me in the group by Pay, a request for each group and member, for ${noun}`,
  ],
  permits: (db, group) => {
    const due = debtors(db, group);
    return due.length > 0 && due.every(({ person }) => reachable(db, person));
  },
  apply: (db, group) => {
    for (const { person, cents } of debtors(db, group)) writeRequest(db, person, cents, "");
  },
  call: (x) =>
    `for(const o of apis.split.balances({group:${x},way:"owes me",size:20}).items)apis.pay.request({from:o.person,amount:o.amount})`,
}));

export const groupActions: readonly Action[] = [archive, addMember, addExpense, payAll, askAll];
