/** Shared expenses: by payer, group, participant, amount, day and more; their payers, participants and groups. */

import { type Clause, collection, moneyWords, type Relation } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  type Expense,
  expenseComments,
  expenseShares,
  expenses,
  type Method,
  splitGroups,
} from "../../apps/split/tables.ts";
import { centsAtLeast, oneOfSome } from "../bounds.ts";
import { each, js, largeOnes, lateOnes, sideOf } from "../pay/phrases.ts";
import { shareOf } from "./debts.ts";
import { groupNamed } from "./lookups.ts";

const paidByMe: Clause<Expense> = {
  name: "paid-by-me",
  excludes: ["paid-by"],
  draw: () => ({
    words: [
      "that I paid",
      "paid by me",
      "of which I was the payer",
      "whose payer I am",
      "which I paid for everyone",
    ],
    holds: (row) => row.payer === null,
    code: { args: 'payer:"me"' },
  }),
};

const paidBy: Clause<Expense> = {
  name: "paid-by",
  draw: (draw, rows) => {
    const person = sideOf(
      draw,
      rows.map((row) => row.payer),
    );
    if (!person) return undefined;
    const p = person.words;
    return {
      words: [
        `that ${p} paid`,
        `paid by ${p}`,
        `of which ${p} was the payer`,
        `whose payer is ${p}`,
        `which ${p} paid for everyone`,
      ],
      holds: (row) => row.payer === person.value.id,
      code: { args: `payer:${person.code}` },
      uses: [person],
    };
  },
};

const addedByMe: Clause<Expense> = {
  name: "added-by-me",
  draw: () => ({
    words: [
      "that I added",
      "added by me",
      "which I wrote down myself",
      "that were added by me",
      "which I entered",
    ],
    holds: (row) => row.addedBy === null,
    code: { args: 'addedBy:"me"' },
  }),
};

const sharedBy: Clause<Expense> = {
  name: "shared-by",
  draw: (draw, rows) => {
    const ids = rows.flatMap(({ id }) => sidesOf(draw.db, id));
    const person = sideOf(draw, ids);
    if (!person) return undefined;
    const p = person.words;
    return {
      words: [
        `of which ${p} has a share`,
        `in which ${p} takes part with a share`,
        `that ${p} bears a share of`,
        `which ${p} has to bear a share of`,
        `with a share for ${p}`,
      ],
      holds: (row, db) => bears(db, row.id, person.value.id),
      code: { args: `with:${person.code}` },
      uses: [person],
    };
  },
};

const sidesOf = (db: Reader, expense: number) =>
  db.where(expenseShares, { expense }).map((share) => share.person);
const bears = (db: Reader, expense: number, person: number | null) =>
  db.where(expenseShares, { expense, person }).length > 0;

const inGroup: Clause<Expense> = {
  name: "group",
  draw: (draw, rows) => {
    const id = oneOfSome(
      draw.rng,
      rows.map((row) => row.group),
    );
    const group = id === undefined ? undefined : draw.db.get(splitGroups, id);
    if (!group) return undefined;
    const found = groupNamed(draw, group);
    const g = found.words;
    return {
      words: [
        `in the group ${g}`,
        `of the group ${g}`,
        `that belong to the group ${g}`,
        `which were added to the group ${g}`,
        `that are in the group ${g}`,
      ],
      holds: (row) => row.group === group.id,
      code: { args: `group:${found.code}` },
      uses: [found],
    };
  },
};

const inCategory: Clause<Expense> = {
  name: "category",
  draw: ({ rng }, rows) => {
    const category = oneOfSome(
      rng,
      rows.map((row) => row.category),
    );
    if (category === undefined) return undefined;
    const c = js(category);
    return {
      words: [
        `in the category ${c}`,
        `of the category ${c}`,
        `that are in the category ${c}`,
        `whose category is ${c}`,
        `which are filed under the category ${c}`,
      ],
      holds: (row) => row.category === category,
      code: { args: `category:${c}` },
    };
  },
};

const large: Clause<Expense> = {
  name: "large",
  draw: (draw, rows) => {
    const drawn = largeOnes(
      draw,
      rows.map((row) => row.cents),
    );
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => row.cents >= drawn.bound,
      code: { args: `least:${drawn.bound / 100}` },
    };
  },
};

const late: Clause<Expense> = {
  name: "late",
  draw: (draw, rows) => {
    const drawn = lateOnes(
      draw,
      rows.map((row) => row.day),
    );
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => row.day >= drawn.bound,
      code: { args: `since:${js(drawn.bound)}` },
    };
  },
};

const costly: Clause<Expense> = {
  name: "costly",
  draw: (draw, rows) => {
    const cents = centsAtLeast(
      draw.rng,
      rows.map((row) => shareOf(draw.db, row.id, null)),
    );
    if (cents === undefined || cents <= 0) return undefined;
    const m = moneyWords(cents);
    return {
      words: [
        `of which my share is at least ${m}`,
        `with a share of ${m} or more for me`,
        `that cost me a share of ${m} or more`,
        `in which my own share is ${m} or more`,
        `whose share for me is at least ${m}`,
      ],
      holds: (row, db) => shareOf(db, row.id, null) >= cents,
      code: { test: `x.myShare>=${cents / 100}` },
    };
  },
};

const METHODS: { readonly [M in Method]: string } = {
  equal: "equally",
  exact: "by exact amounts",
  percent: "by percentages",
};

const divided: Clause<Expense> = {
  name: "method",
  draw: ({ rng }, rows) => {
    const method = oneOfSome(
      rng,
      rows.map((row) => row.method),
    );
    if (method === undefined) return undefined;
    const how = METHODS[method];
    return {
      words: [
        `that are split ${how}`,
        `which were divided ${how}`,
        `split ${how}`,
        `whose shares were made ${how}`,
        `that were shared out ${how}`,
      ],
      holds: (row) => row.method === method,
      code: { test: `apis.split.expense({id:x.id}).method===${js(method)}` },
    };
  },
};

const discussed: Clause<Expense> = {
  name: "discussed",
  draw: () => ({
    words: [
      "that have at least one comment",
      "with at least one comment under them",
      "that somebody commented on",
      "which have been commented on",
      "under which there is a comment",
    ],
    holds: (row, db) => db.where(expenseComments, { expense: row.id, removed: false }).length > 0,
    code: { test: "apis.split.expense({id:x.id}).comments>0" },
  }),
};

export const expensesPart = collection<Expense>({
  name: "expenses",
  kind: "expenses",
  app: "split",
  table: expenses,
  base: (row) => !row.removed,
  nouns: [
    { one: "shared expense", many: "shared expenses" },
    { one: "shared expense in Split", many: "shared expenses in Split" },
    { one: "expense in the Split app", many: "expenses in the Split app" },
    { one: "expense of my Split groups", many: "expenses of my Split groups" },
    { one: "Split expense", many: "Split expenses" },
  ],
  list: { api: "split.expenses" },
  key: "id",
  whole: false,
  clauses: [
    paidByMe,
    paidBy,
    addedByMe,
    sharedBy,
    inGroup,
    inCategory,
    large,
    late,
    costly,
    divided,
    discussed,
  ],
  fields: [
    { name: "what", unit: "text", noun: "description", value: (row) => row.what, code: "x.what" },
    {
      name: "amount",
      unit: "money",
      noun: "amount",
      value: (row) => row.cents / 100,
      code: "x.amount",
      superlatives: {
        most: ["largest", "biggest", "highest", "greatest", "most expensive"],
        least: ["smallest", "lowest", "least", "littlest", "cheapest"],
      },
    },
    {
      name: "share",
      unit: "money",
      noun: "share that I bear",
      value: (row, db) => shareOf(db, row.id, null) / 100,
      code: "x.myShare",
    },
    {
      name: "participants",
      unit: "number",
      noun: "number of participants with a share",
      value: (row, db) => db.where(expenseShares, { expense: row.id }).length,
      code: "apis.split.expense({id:x.id}).shares.length",
    },
    {
      name: "day",
      unit: "day",
      noun: "date",
      value: (row) => row.day,
      code: "x.day",
      superlatives: {
        most: ["newest", "latest", "most recent", "last", "youngest"],
        least: ["oldest", "earliest", "least recent", "first", "most ancient"],
      },
    },
  ],
});

export const expenseRelations: readonly Relation[] = [
  {
    name: "payers",
    from: "expenses",
    to: "people",
    app: "split",
    words: [
      (noun) => `the people other than me who paid ${noun}`,
      (noun) => `everyone else who was the payer of one of ${noun}`,
      (noun) => `the payers of ${noun}, not counting me`,
      (noun) => `whoever besides me paid any of ${noun}`,
      (noun) => `those who paid ${noun}, leaving me aside`,
    ],
    map: (db, ids) => [...new Set(ids.flatMap((id) => db.get(expenses, id)!.payer ?? []))],
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.map(k=>apis.split.expense({id:k}).payer))].filter(k=>k!=="me");print(${to})`,
    ],
  },
  {
    name: "participants",
    from: "expenses",
    to: "people",
    app: "split",
    words: [
      (noun) => `the people other than me who have a share of ${noun}`,
      (noun) => `everyone else with a share of one of ${noun}`,
      (noun) => `the participants of ${noun}, not counting me`,
      (noun) => `whoever besides me bears a share of any of ${noun}`,
      (noun) => `those who share ${noun}, leaving me aside`,
    ],
    map: (db, ids) => [
      ...new Set(
        ids.flatMap((expense) =>
          db.where(expenseShares, { expense }).flatMap((share) => share.person ?? []),
        ),
      ),
    ],
    cells: (from, to) => [
      `var ${to}=[...new Set(${from}.flatMap(k=>apis.split.expense({id:k}).shares.map(s=>s.person)))].filter(k=>k!=="me");print(${to})`,
    ],
  },
  {
    name: "expense-groups",
    from: "expenses",
    to: "splitGroups",
    app: "split",
    words: [
      (noun) => `the Split groups of ${noun}`,
      (noun) => `every Split group that has one of ${noun}`,
      (noun) => `whichever Split groups have ${noun}`,
      (noun) => `the Split groups that hold ${noun}`,
      (noun) => `each Split group with any of ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(expenses, id)!.group))],
    cells: (from, to) => each("apis.split.expense({id:k}).group", from, to),
  },
];
