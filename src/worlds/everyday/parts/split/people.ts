/** People with whom the owner is not even, what can be done about it, and what was settled. */

import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Forms,
  moneyWords,
  type Noun,
  type Relation,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  nudges,
  type Settlement,
  settlements,
  splitGroups,
  splitMembers,
} from "../../apps/split/tables.ts";
import { type Person, people } from "../../apps/tables.ts";
import { centsAtLeast } from "../bounds.ts";
import { AT, js, largeOnes, lateOnes, sideOf } from "../pay/phrases.ts";
import { reachable, writeRequest } from "../pay/writes.ts";
import { isActive, owed, payBack } from "./debts.ts";
import { household } from "./lookups.ts";

// --- debtors and creditors ---

interface Way {
  readonly name: "debtors" | "creditors";
  /** 1: they owe the owner. */
  readonly sign: 1 | -1;
  readonly way: "owes me" | "I owe";
  readonly nouns: Forms<Noun>;
  readonly much: (money: string) => Forms;
  readonly several: Forms;
}

const groupsBetween = (db: Reader, person: number) =>
  [...new Set(db.where(splitMembers, { person }).map((member) => member.group))].filter(
    (group) => owed(db, person, group) !== 0,
  );

function unevenPeople(way: Way): Collection {
  const amount = (db: Reader, { id }: Person) => way.sign * owed(db, id);
  const much: Clause<Person> = {
    name: "much",
    draw: (draw, rows) => {
      const cents = centsAtLeast(
        draw.rng,
        rows.map((row) => amount(draw.db, row)),
      );
      if (cents === undefined || cents <= 0) return undefined;
      return {
        words: way.much(moneyWords(cents)),
        holds: (row, db) => amount(db, row) >= cents,
        code: { test: `x.amount>=${cents / 100}` },
      };
    },
  };
  const several: Clause<Person> = {
    name: "several",
    draw: () => ({
      words: way.several,
      holds: (row, db) => groupsBetween(db, row.id).length > 1,
      code: { test: "apis.split.balance({person:x.person}).groups.length>1" },
    }),
  };
  const reminded: Clause<Person> = {
    name: "reminded",
    draw: () => ({
      words: [
        "whom I already reminded in Split",
        "who got a Split reminder from me before",
        "to whom I sent a Split reminder earlier",
        "who have been reminded by me in Split",
        "whom Split already reminded for me",
      ],
      holds: ({ id }, db) => db.where(nudges, { person: id }).length > 0,
      code: { test: "apis.split.reminders({to:x.person}).items.length>0" },
    }),
  };
  const initial: Clause<Person> = {
    name: "initial",
    draw: ({ rng }, rows) => {
      const letter = rng.pick(rows).name[0]!;
      return {
        words: [
          `whose names start with "${letter}"`,
          `with names that begin with "${letter}"`,
          `who have names starting with "${letter}"`,
          `with "${letter}" as the first letter of their names`,
          `whose names have "${letter}" as their first letter`,
        ],
        holds: (row) => row.name.startsWith(letter),
        code: { test: `x.name.startsWith("${letter}")` },
      };
    },
  };
  return collection<Person>({
    name: way.name,
    kind: "people",
    app: "split",
    table: people,
    base: (row, db) => amount(db, row) > 0,
    nouns: way.nouns,
    list: { api: "split.balances", args: `way:${js(way.way)}` },
    key: "person",
    whole: false,
    clauses: [much, several, initial, ...(way.sign === 1 ? [reminded] : [])],
    fields: [
      { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
      {
        name: "debt",
        unit: "money",
        noun: way.sign === 1 ? "debt to me" : "claim on me",
        value: (row, db) => amount(db, row) / 100,
        code: "x.amount",
      },
    ],
  });
}

const debtors = unevenPeople({
  name: "debtors",
  sign: 1,
  way: "owes me",
  nouns: [
    { one: "person who owes me by Split", many: "people in debt to me by Split" },
    { one: "person in debt to me in Split", many: "people in debt to me in Split" },
    { one: "contact with a debt to me in Split", many: "contacts with a debt to me in Split" },
    { one: "debtor of mine in Split", many: "debtors of mine in Split" },
    { one: "Split debtor of mine", many: "Split debtors of mine" },
  ],
  much: (m) => [
    `who owe me at least ${m} in all`,
    `with a debt of ${m} or more in all`,
    `whose debt is at least ${m} in all`,
    `who are behind by ${m} or more in all`,
    `whose whole debt comes to ${m} or more`,
  ],
  several: [
    "with whom I am not even in more than one group",
    "with open balances in at least two groups",
    "between whom and me two or more groups are not even",
    "who are not even with me in two groups or more",
    "with whom several groups are not even",
  ],
});

const creditors = unevenPeople({
  name: "creditors",
  sign: -1,
  way: "I owe",
  nouns: [
    { one: "person whom I owe by Split", many: "people with a claim on me by Split" },
    { one: "person with a claim on me in Split", many: "people with a claim on me in Split" },
    { one: "contact with a claim on me in Split", many: "contacts with a claim on me in Split" },
    { one: "creditor of mine in Split", many: "creditors of mine in Split" },
    { one: "Split creditor of mine", many: "Split creditors of mine" },
  ],
  much: (m) => [
    `whom I owe at least ${m} in all`,
    `to whom I owe ${m} or more in all`,
    `with a claim of at least ${m} in all`,
    `who are ahead by ${m} or more in all`,
    `whose whole claim comes to ${m} or more`,
  ],
  several: [
    "with whom I am not even in more than one group",
    "with open balances in at least two groups",
    "between whom and me two or more groups are not even",
    "who are not even with me in two groups or more",
    "with whom several groups are not even",
  ],
});

// --- settlements ---

const dayOf = ({ at }: Settlement) => at.slice(0, 10);

const settlementClauses: readonly Clause<Settlement>[] = [
  {
    name: "with",
    draw: (draw, rows) => {
      const person = sideOf(
        draw,
        rows.map((row) => row.person),
      );
      if (!person) return undefined;
      const p = person.words;
      return {
        words: [
          `between ${p} and me`,
          `to or from ${p}`,
          `with ${p} on the other side`,
          `that went between me and ${p}`,
          `that have ${p} on the other side`,
        ],
        holds: (row) => row.person === person.value.id,
        code: { args: `with:${person.code}` },
        uses: [person],
      };
    },
  },
  {
    name: "paid",
    draw: () => ({
      words: [
        "that I paid",
        "in which I was the one to pay",
        "by which I paid others back",
        "which went from me to others",
        "that were paid by me",
      ],
      holds: (row) => row.outgoing,
      code: { args: 'kind:"paid"' },
    }),
  },
  {
    name: "cash",
    draw: () => ({
      words: [
        "without a payment in Pay",
        "that no Pay payment belongs to",
        "which are not linked to a payment in Pay",
        "that have no payment of the Pay app",
        "for which there is no linked Pay payment",
      ],
      holds: (row) => row.payment === null,
      code: { test: "x.payment===null" },
    }),
  },
  {
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
        code: { test: `x.amount>=${drawn.bound / 100}` },
      };
    },
  },
  {
    name: "late",
    draw: (draw, rows) => {
      const drawn = lateOnes(draw, rows.map(dayOf));
      if (!drawn) return undefined;
      return {
        words: drawn.words,
        holds: (row) => dayOf(row) >= drawn.bound,
        code: { test: `x.day>=${js(drawn.bound)}` },
      };
    },
  },
];

const settlementsPart = collection<Settlement>({
  name: "settlements",
  kind: "settlements",
  app: "split",
  table: settlements,
  base: (row) => !row.undone,
  nouns: [
    { one: "settlement in Split", many: "settlements in Split" },
    { one: "Split settlement", many: "Split settlements" },
    { one: "recorded settlement in Split", many: "recorded settlements in Split" },
    { one: "settlement in the Split app", many: "settlements in the Split app" },
    { one: "settlement recorded by Split", many: "settlements recorded by Split" },
  ],
  list: { api: "split.settlements" },
  key: "id",
  whole: false,
  clauses: settlementClauses,
  fields: [
    {
      name: "group",
      unit: "text",
      noun: "name of the group",
      value: (row, db) => db.get(splitGroups, row.group)!.name,
      code: "apis.split.group({id:x.group}).name",
    },
    {
      name: "amount",
      unit: "money",
      noun: "amount",
      value: (row) => row.cents / 100,
      code: "x.amount",
      superlatives: {
        most: ["largest", "biggest", "highest", "greatest", "most sizeable"],
        least: ["smallest", "lowest", "least", "littlest", "tiniest"],
      },
    },
  ],
});

export const peopleCollections: readonly Collection[] = [debtors, creditors, settlementsPart];

export const peopleRelations: readonly Relation[] = [
  {
    name: "settlement-sides",
    from: "settlements",
    to: "people",
    app: "split",
    words: [
      (noun) => `the people on the other side of ${noun}`,
      (noun) => `everyone who is the other side of ${noun}`,
      (noun) => `whoever was on the other side of ${noun}`,
      (noun) => `the persons at the other end of ${noun}`,
      (noun) => `those with whom I had ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(settlements, id)!.person))],
    cells: (from, to) => [
      `var ${to}=[],p=1,r;do{r=apis.split.settlements({size:20,page:p++});${to}.push(...r.items.filter(x=>${from}.includes(x.id)).map(x=>x.with))}while(r.more);${to}=[...new Set(${to})];print(${to})`,
    ],
  },
];

// --- actions ---

function action(
  name: string,
  difficulty: 1 | 2,
  draw: Action["draw"],
  takes?: Action["takes"],
  kind = "people",
): Action {
  const part = { name, kind, app: "split", difficulty, draw } as const;
  return takes ? { ...part, takes } : part;
}

const payDebt = action("pay-debt", 2, () => ({
  frames: [
    (noun) => `Pay back with Pay exactly what I owe in Split in all to ${noun}`,
    (noun) => `Use Pay to give back the exact amount that I owe by Split in all to ${noun}`,
    (noun) => `With Pay, send exactly what Split says I owe in all, one payment each, to ${noun}`,
    (noun) => `Send the exact amount of my whole Split debt by Pay, one payment each, to ${noun}`,
    (noun) => `By one Pay payment each, pay exactly my whole debt in Split to ${noun}`,
  ],
  permits: (db, id) => reachable(db, id) && owed(db, id) < 0,
  apply: (db, person) => payBack(db, person, -owed(db, person)),
  call: (x) => `apis.pay.send({to:${x},amount:apis.split.balance({person:${x}}).iOwe})`,
}));

const askDebt = action("request-debt", 2, () => ({
  frames: [
    (noun) => `Request with Pay exactly what they owe me in Split in all from ${noun}`,
    (noun) => `Use Pay to ask for the exact amount that is owed to me by Split in all from ${noun}`,
    (noun) =>
      `With Pay, request exactly what Split says they owe me in all, one request each, from ${noun}`,
    (noun) =>
      `Request the exact amount of the whole Split debt to me by Pay, one request each, from ${noun}`,
    (noun) => `By one Pay request each, ask for exactly the whole debt to me in Split from ${noun}`,
  ],
  permits: (db, id) => reachable(db, id) && owed(db, id) > 0,
  apply: (db, person) => writeRequest(db, person, owed(db, person), ""),
  call: (x) => `apis.pay.request({from:${x},amount:apis.split.balance({person:${x}}).owesMe})`,
}));

/** In each group on its own, since a balance of all groups may hide debts both ways. */
const receiveAll = action("record-received", 2, () => ({
  frames: [
    (noun) =>
      `Record in Split, in each group where they owe me, that I received the full debt from ${noun}`,
    (noun) =>
      `In every Split group with a debt to me, record the full debt as received from ${noun}`,
    (noun) => `Note in Split as received, group by group, all that is owed to me there, by ${noun}`,
    (noun) =>
      `Let Split record for every group with a debt to me that the whole of it came in from ${noun}`,
    (noun) =>
      `For each Split group in which they are in debt to me, record that debt as fully received from ${noun}`,
  ],
  permits: (db, id) =>
    db.get(people, id) !== undefined &&
    debtsTo(db, id).length > 0 &&
    debtsTo(db, id).every(
      ({ group }) => db.where(splitMembers, { group, person: id, left: false }).length > 0,
    ),
  apply: (db, person) => {
    for (const { group, cents } of debtsTo(db, person)) {
      const row = { group, person, outgoing: false, cents, payment: null, undone: false };
      db.insert(settlements, { ...row, at: AT });
    }
  },
  call: (x) =>
    `for(const g of apis.split.balance({person:${x}}).groups)if(g.owesMe>0)apis.split.recordReceived({group:g.group,from:${x},amount:g.owesMe})`,
}));

const debtsTo = (db: Reader, person: number) =>
  groupsBetween(db, person)
    .map((group) => ({ group, cents: owed(db, person, group) }))
    .filter(({ cents }) => cents > 0);

const remind = action(
  "remind",
  1,
  (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Send a Split reminder of their debt, saying ${text.words}, to ${noun}`,
        (noun) => `Use Split to remind ${noun} of what they owe me, with the words ${text.words}`,
        (noun) => `Let Split send a reminder of the debt that says ${text.words} to ${noun}`,
        (noun) =>
          `In Split, send a reminder with the text ${text.words} about their debt to ${noun}`,
        (noun) => `With Split, give a reminder of their debt, worded ${text.words}, to ${noun}`,
      ],
      permits: (db, id) => reachable(db, id) && owed(db, id) > 0,
      apply: (db, person) => void db.insert(nudges, { person, text: text.value, at: AT }),
      call: (x) => `apis.split.remind({person:${x},text:${text.code}})`,
      uses: [text],
    };
  },
  "text",
);

const join = action("add-to-group", 1, (draw) => {
  const group = household(draw);
  if (!group) return undefined;
  const g = group.words;
  return {
    frames: [
      (noun) => `Make ${noun} members of the Split group ${g}`,
      (noun) => `Add ${noun} to the Split group ${g}`,
      (noun) => `Let ${noun} join the Split group ${g}`,
      (noun) => `Put ${noun} into the Split group ${g}`,
      (noun) => `Include ${noun} in the Split group ${g}`,
    ],
    permits: (db, person) =>
      isActive(db, group.value.id) &&
      db.where(splitMembers, { group: group.value.id, person }).length === 0,
    apply: (db, person) =>
      void db.insert(splitMembers, { group: group.value.id, person, left: false }),
    call: (x) => `apis.split.addMember({id:${group.code},person:${x}})`,
    uses: [group],
  };
});

const undo = action(
  "undo",
  1,
  () => ({
    frames: [
      (noun) => `Undo ${noun}`,
      (noun) => `Make ${noun} undone`,
      (noun) => `Take back ${noun} by undoing`,
      (noun) => `Have Split undo ${noun}`,
      (noun) => `Let ${noun} be undone`,
    ],
    permits: (db, id) => {
      const { undone, group } = db.get(settlements, id)!;
      return !undone && isActive(db, group);
    },
    apply: (db, id) => void db.update(settlements, id, { undone: true }),
    call: (x) => `apis.split.undoSettlement({id:${x}})`,
  }),
  undefined,
  "settlements",
);

export const peopleActions: readonly Action[] = [payDebt, askDebt, receiveAll, remind, join, undo];
