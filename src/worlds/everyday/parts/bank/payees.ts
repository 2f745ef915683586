/** Saved payees, and the contacts behind them. */
import {
  type Action,
  type Clause,
  collection,
  dayWords,
  moneyWords,
  type Relation,
} from "../../../../goals/index.ts";
import { orders, type Payee, payees, transactions } from "../../apps/bank/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { oneOfSome } from "../bounds.ts";
import { gather, js } from "../pay/phrases.ts";
import { accountCalled, free, mayPay, writeLine } from "./lookups.ts";

const companies: Clause<Payee> = {
  name: "companies",
  draw: () => ({
    words: [
      "that are companies",
      "which are no contacts of mine",
      "that do not belong to a contact",
      "which are not linked to any contact",
      "that have no contact",
    ],
    holds: (row) => row.person === null,
    code: { test: "x.person===null" },
  }),
};

const ordered: Clause<Payee> = {
  name: "ordered",
  excludes: ["unused"],
  draw: () => ({
    words: [
      "that get money by an active standing order",
      "to which an active standing order goes",
      "for which there is an active standing order",
      "that an active standing order pays",
      "which have an active standing order",
    ],
    holds: (row, db) => db.where(orders, { payee: row.id, status: "active" }).length > 0,
    code: { test: 'apis.bank.orders({payee:x.id,status:"active"}).items.length>0' },
  }),
};

const unused: Clause<Payee> = {
  name: "unused",
  draw: () => ({
    words: [
      "that no standing order ever paid",
      "that never had a standing order",
      "for which there never was a standing order",
      "that have no standing order in any state",
      "which never were in a standing order",
    ],
    holds: (row, db) => db.where(orders, { payee: row.id }).length === 0,
    code: { test: "apis.bank.orders({payee:x.id}).items.length===0" },
  }),
};

const paid: Clause<Payee> = {
  name: "paid",
  draw: () => ({
    words: [
      "that occur as the payee of a bank transaction",
      "with at least one bank transaction",
      "for which the bank lists a transaction",
      "that have at least one transaction at the bank",
      "which are the payee in some bank transaction",
    ],
    holds: (row, db) => db.where(transactions, { payee: row.name }).length > 0,
    code: { test: "apis.bank.transactions({payee:x.name}).items.length>0" },
  }),
};

const initial: Clause<Payee> = {
  name: "initial",
  draw: ({ rng }, rows) => {
    const letter = oneOfSome(
      rng,
      rows.map((row) => row.name[0]!),
    );
    if (letter === undefined) return undefined;
    return {
      words: [
        `whose names start with "${letter}"`,
        `with names that begin with "${letter}"`,
        `that have names starting with "${letter}"`,
        `with "${letter}" as the first letter of their names`,
        `whose names have "${letter}" as their first letter`,
      ],
      holds: (row) => row.name.startsWith(letter),
      code: { test: `x.name.startsWith("${letter}")` },
    };
  },
};

export const payeesPart = collection<Payee>({
  name: "payees",
  kind: "payees",
  app: "bank",
  table: payees,
  base: (row) => !row.removed,
  nouns: [
    { one: "saved payee", many: "saved payees" },
    { one: "payee saved at my bank", many: "payees saved at my bank" },
    { one: "bank payee of mine", many: "bank payees of mine" },
    { one: "payee on my bank's list", many: "payees on my bank's list" },
    { one: "payee in the Bank app", many: "payees in the Bank app" },
  ],
  list: { api: "bank.payees" },
  key: "id",
  whole: false,
  clauses: [companies, ordered, unused, paid, initial],
  fields: [
    { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
    {
      name: "orders",
      unit: "number",
      noun: "number of standing orders in any state",
      value: (row, db) => db.where(orders, { payee: row.id }).length,
      code: "apis.bank.orders({payee:x.id,size:20}).items.length",
    },
  ],
  title: {
    of: (row) => row.name,
    nouns: (name) => [
      `the saved payee ${js(name)}`,
      `my bank payee ${js(name)}`,
      `the payee called ${js(name)} at my bank`,
      `the payee ${js(name)} in the Bank app`,
      `the payee ${js(name)} on my bank's list`,
    ],
    cells: (name, out) => [
      `var ${out}=[],p=1,r;do{r=apis.bank.payees({size:20,page:p++});${out}.push(...r.items.filter(x=>x.name===${js(name)}).map(x=>x.id))}while(r.more);print(${out})`,
    ],
    missing: ["Sunbeam Solar", "Polar Ice Cream", "Granite Gym", "Paper Moon Press"],
  },
});

export const payeeRelations: readonly Relation[] = [
  {
    name: "payee-people",
    from: "payees",
    to: "people",
    app: "bank",
    words: [
      (noun) => `the contacts behind ${noun}`,
      (noun) => `everyone who is the contact behind one of ${noun}`,
      (noun) => `the contacts who hold ${noun}`,
      (noun) => `whichever contacts are behind ${noun}`,
      (noun) => `the people with ${noun} as an account of theirs`,
    ],
    map: (db, ids) => [...new Set(ids.flatMap((id) => db.get(payees, id)!.person ?? []))],
    cells: (from, to) => [
      `var ${to}=[],p=1,r;do{r=apis.bank.payees({size:20,page:p++});${to}.push(...r.items.filter(x=>${from}.includes(x.id)&&x.person!==null).map(x=>x.person))}while(r.more);${to}=[...new Set(${to})];print(${to})`,
    ],
  },
  {
    name: "people-payees",
    from: "people",
    to: "payees",
    app: "bank",
    words: [
      (noun) => `the saved bank payees of ${noun}`,
      (noun) => `every saved payee at the bank that belongs to ${noun}`,
      (noun) => `whatever payees the bank has saved for ${noun}`,
      (noun) => `my bank payees that are accounts of ${noun}`,
      (noun) => `the payees on my bank's list belonging to ${noun}`,
    ],
    map: (db, ids) =>
      ids.flatMap((person) => db.where(payees, { person, removed: false }).map((row) => row.id)),
    cells: (from, to) => gather("bank.payees", "person:k", "id", from, to),
  },
  {
    name: "payee-orders",
    from: "payees",
    to: "standingOrders",
    app: "bank",
    words: [
      (noun) => `the active standing orders to ${noun}`,
      (noun) => `every active standing order that goes to ${noun}`,
      (noun) => `whatever standing orders are active for ${noun}`,
      (noun) => `the standing orders in force for ${noun}`,
      (noun) => `the active standing orders that pay ${noun}`,
    ],
    map: (db, ids) =>
      ids.flatMap((payee) => db.where(orders, { payee, status: "active" }).map((o) => o.id)),
    cells: (from, to) => gather("bank.orders", 'payee:k,status:"active"', "id", from, to),
  },
];

// --- actions ---

function action(name: string, draw: Action["draw"], takes?: Action["takes"]): Action {
  const part = { name, kind: "payees", app: "bank", difficulty: 1, draw } as const;
  return takes ? { ...part, takes } : part;
}

const transfer = action(
  "transfer",
  (draw) => {
    const money = draw.value("money");
    const account = accountCalled(draw, draw.rng.pick(["Everyday", "Household", "Rainy day"]));
    if (!account) return undefined;
    const [m, a] = [money.words, account.words];
    return {
      frames: [
        (noun) => `Make a bank transfer of ${m} from my account ${a} to ${noun}`,
        (noun) => `Transfer the amount of ${m} from my account ${a} to ${noun}`,
        (noun) => `Let the bank make a transfer of ${m} out of the account ${a} to ${noun}`,
        (noun) => `Out of my account ${a}, make a transfer of ${m} to ${noun}`,
        (noun) => `Send a transfer of ${m} from the account ${a} at the bank to ${noun}`,
      ],
      permits: (db, id) => mayPay(db, id) && free(db, account.value) >= 10 * money.value,
      apply: (db, id) => {
        const payee = db.get(payees, id)!.name;
        writeLine(db, { account: account.value, cents: -money.value, payee, note: "" });
      },
      call: (x) => `apis.bank.transfer({from:${account.code},payee:${x},amount:${money.code}})`,
      uses: [money, account],
    };
  },
  "money",
);

const addOrder = action("add-order", (draw) => {
  const account = accountCalled(draw, draw.rng.pick(["Everyday", "Household"]));
  if (!account) return undefined;
  const [next, cents] = [dayAfter(draw.rng.integer(3, 40)), 50 * draw.rng.integer(15, 180)];
  const every = draw.rng.pick(["week", "month"] as const);
  const what = `${moneyWords(cents)} every ${every} from ${dayWords(next)} on`;
  const a = account.words;
  return {
    frames: [
      (noun) => `Add a standing order of ${what}, paid by my account ${a}, to ${noun}`,
      (noun) => `Set up a standing order of ${what}, out of the account ${a}, to ${noun}`,
      (noun) => `Let the bank have a standing order of ${what} on my account ${a} to ${noun}`,
      (noun) => `Start a standing order of ${what} from my account ${a} to ${noun}`,
      (noun) => `Make a new standing order of ${what} on the account ${a} to ${noun}`,
    ],
    permits: mayPay,
    apply: (db, payee) => {
      const what = { cents, every, next, note: "", status: "active" } as const;
      db.insert(orders, { account: account.value, payee, ...what });
    },
    call: (x) =>
      `apis.bank.addOrder({from:${account.code},payee:${x},amount:${cents / 100},every:"${every}",next:${js(next)}})`,
    uses: [account],
  };
});

const remove = action("remove", () => ({
  frames: [
    (noun) => `Remove ${noun} from my saved payees`,
    (noun) => `Delete ${noun} from the bank's list`,
    (noun) => `Take ${noun} off my list of payees`,
    (noun) => `Drop ${noun} from my payees`,
    (noun) => `Let the bank remove ${noun} as saved payees`,
  ],
  permits: (db, id) =>
    !db.get(payees, id)!.removed &&
    db.where(orders, { payee: id }).every((order) => order.status === "ended"),
  apply: (db, id) => void db.update(payees, id, { removed: true }),
  call: (x) => `apis.bank.removePayee({id:${x}})`,
}));

export const payeeActions: readonly Action[] = [transfer, addOrder, remove];
