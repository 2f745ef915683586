/** Standing orders in force, and the saved payees. */
import type { Reader } from "../../../../world/index.ts";
import { type Action, type Clause, collection, type Relation } from "../../algebra/parts.ts";
import { dayWords, moneyWords } from "../../algebra/words.ts";
import {
  orders,
  type Payee,
  payees,
  type StandingOrder,
  transactions,
} from "../../apps/bank/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { oneOfSome } from "../bounds.ts";
import {
  each,
  gather,
  js,
  largeOnes,
  mentioning,
  mentions,
  soonOnes,
  TODAY,
} from "../pay/phrases.ts";
import { accountCalled, free, mayPay, maySpend, someAccount, writeLine } from "./lookups.ts";

const rhythm: Clause<StandingOrder> = {
  name: "every",
  draw: ({ rng }, rows) => {
    const every = oneOfSome(
      rng,
      rows.map((row) => row.every),
    );
    if (every === undefined) return undefined;
    return {
      words: [
        `that are paid every ${every}`,
        `which repeat every ${every}`,
        `that pay every ${every}`,
        `that run every ${every}`,
        `which are due every ${every}`,
      ],
      holds: (row) => row.every === every,
      code: { args: `every:${js(every)}` },
    };
  },
};

const onAccount: Clause<StandingOrder> = {
  name: "account",
  draw: (draw, rows) => {
    const ids = new Set(rows.map((row) => row.account));
    const account = ids.size > 1 ? someAccount(draw, [...ids]) : undefined;
    if (!account) return undefined;
    const a = account.words;
    return {
      words: [
        `on the account ${a}`,
        `of the account ${a}`,
        `that the account ${a} pays`,
        `which draw on the account ${a}`,
        `paid by the account ${a}`,
      ],
      holds: (row) => row.account === account.value,
      code: { args: `account:${account.code}` },
      uses: [account],
    };
  },
};

const large: Clause<StandingOrder> = {
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
};

const soon: Clause<StandingOrder> = {
  name: "soon",
  draw: (draw, rows) => {
    const drawn = soonOnes(
      draw,
      rows.map((row) => row.next),
    );
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => row.next <= drawn.bound,
      code: { test: `x.next<=${js(drawn.bound)}` },
    };
  },
};

const FAVOURS = ["piano lessons", "dog walking", "garage share", "cleaning", "van share", "rent"];

const purpose: Clause<StandingOrder> = {
  name: "note",
  draw: (draw, rows) => {
    const drawn = mentioning(
      draw,
      rows.map((row) => row.note),
      FAVOURS,
    );
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => mentions(row.note, drawn.bound),
      code: { test: `x.note.toLowerCase().includes(${js(drawn.bound)})` },
    };
  },
};

export const ordersPart = collection<StandingOrder>({
  name: "orders",
  kind: "standingOrders",
  app: "bank",
  table: orders,
  base: (row) => row.status === "active",
  nouns: [
    { one: "active standing order", many: "active standing orders" },
    { one: "active standing order of mine", many: "active standing orders of mine" },
    { one: "standing order in force", many: "standing orders in force" },
    { one: "active standing order at my bank", many: "active standing orders at my bank" },
    { one: "active bank standing order", many: "active bank standing orders" },
  ],
  list: { api: "bank.orders", args: 'status:"active"' },
  key: "id",
  whole: true,
  clauses: [rhythm, onAccount, large, soon, purpose],
  fields: [
    {
      name: "payee",
      unit: "text",
      noun: "payee",
      value: (row, db) => db.get(payees, row.payee)!.name,
      code: "x.payee",
    },
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
      name: "next",
      unit: "day",
      noun: "next date",
      value: (row) => row.next,
      code: "x.next",
      superlatives: {
        most: ["furthest off", "latest due", "last due", "most distant", "farthest ahead"],
        least: ["soonest", "earliest due", "first due", "nearest", "most imminent"],
      },
    },
  ],
});

// --- payees ---

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

export const orderRelations: readonly Relation[] = [
  {
    name: "order-payees",
    from: "standingOrders",
    to: "payees",
    app: "bank",
    words: [
      (noun) => `the payees of ${noun}`,
      (noun) => `every payee that gets one of ${noun}`,
      (noun) => `whichever payees ${noun} go to`,
      (noun) => `the payees that ${noun} pay`,
      (noun) => `each payee of any of ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(orders, id)!.payee))],
    cells: (from, to) => each("apis.bank.order({id:k}).payeeId", from, to),
  },
  {
    name: "payee-people",
    from: "payees",
    to: "people",
    app: "bank",
    words: [
      (noun) => `the contacts behind ${noun}`,
      (noun) => `everyone who is the contact behind one of ${noun}`,
      (noun) => `the contacts to whom ${noun} belong`,
      (noun) => `whichever contacts are behind ${noun}`,
      (noun) => `the people whose accounts are ${noun}`,
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

function action(
  kind: "standingOrders" | "payees",
  name: string,
  draw: Action["draw"],
  takes?: Action["takes"],
  difficulty: 1 | 2 = 1,
): Action {
  const part = { name, kind, app: "bank", difficulty, draw } as const;
  return takes ? { ...part, takes } : part;
}

const runs = (db: Reader, id: number) => {
  const { status, account } = db.get(orders, id)!;
  return status !== "ended" && maySpend(db, account);
};

const pause = action("standingOrders", "pause", () => ({
  frames: [
    (noun) => `Pause ${noun}`,
    (noun) => `Put ${noun} on hold`,
    (noun) => `Suspend ${noun} for now by pausing`,
    (noun) => `Set ${noun} to paused`,
    (noun) => `Let ${noun} pause`,
  ],
  permits: (db, id) => runs(db, id) && db.get(orders, id)!.status === "active",
  apply: (db, id) => void db.update(orders, id, { status: "paused" }),
  call: (x) => `apis.bank.pauseOrder({id:${x}})`,
}));

const end = action("standingOrders", "end", () => ({
  frames: [
    (noun) => `End ${noun} for good`,
    (noun) => `Stop ${noun} for ever by ending`,
    (noun) => `End ${noun} once and for all`,
    (noun) => `Put a final end to ${noun}`,
    (noun) => `Permanently end ${noun}`,
  ],
  permits: runs,
  apply: (db, id) => void db.update(orders, id, { status: "ended" }),
  call: (x) => `apis.bank.endOrder({id:${x}})`,
}));

const raise = action(
  "standingOrders",
  "raise",
  (draw) => {
    const money = draw.value("money");
    const m = money.words;
    return {
      frames: [
        (noun) => `Raise the amount by ${m} for ${noun}`,
        (noun) => `Increase the amount of ${noun} by ${m}`,
        (noun) => `Add ${m} to the amount of ${noun}`,
        (noun) => `Let the amount of ${noun} go up by ${m}`,
        (noun) => `Make the amount of ${noun} higher by ${m}`,
      ],
      permits: runs,
      apply: (db, id) => {
        db.update(orders, id, { cents: db.get(orders, id)!.cents + money.value });
      },
      call: (x) =>
        `const o=apis.bank.order({id:${x}});apis.bank.changeOrder({id:${x},amount:Math.round((o.amount+${money.code})*100)/100})`,
      uses: [money],
    };
  },
  "money",
  2,
);

const setDay = action(
  "standingOrders",
  "set-day",
  (draw) => {
    const day = draw.value("day");
    if (day.value < TODAY) return undefined;
    const d = day.words;
    return {
      frames: [
        (noun) => `Move the next date of ${noun} to ${d}`,
        (noun) => `Set the next day of ${noun} to ${d}`,
        (noun) => `Make ${d} the next date of ${noun}`,
        (noun) => `Let ${noun} be due next on ${d}`,
        (noun) => `Change the next date of ${noun} to ${d}`,
      ],
      permits: (db, id) => runs(db, id) && db.get(orders, id)!.next !== day.value,
      apply: (db, id) => void db.update(orders, id, { next: day.value }),
      call: (x) => `apis.bank.changeOrder({id:${x},next:${day.code}})`,
      uses: [day],
    };
  },
  "day",
);

const payNow = action(
  "standingOrders",
  "pay-now",
  () => ({
    frames: [
      (noun) =>
        `Make an extra transfer now for ${noun}, with the order's account, payee, amount and note`,
      (noun) =>
        `For ${noun}, make one more transfer right now, using the account, payee, amount and note of the order`,
      (noun) =>
        `Pay ${noun} once ahead by a transfer with the same account, payee, amount and note`,
      (noun) =>
        `Carry out ${noun} once right now, as a transfer with the order's account, payee, amount and note`,
      (noun) =>
        `Let a transfer with the order's account, payee, amount and note be made now for ${noun}`,
    ],
    permits: (db, id) => {
      const { account, payee, cents } = db.get(orders, id)!;
      return runs(db, id) && mayPay(db, payee) && free(db, account) > 5 * cents;
    },
    apply: (db, id) => {
      const { account, payee, cents, note } = db.get(orders, id)!;
      writeLine(db, { account, cents: -cents, payee: db.get(payees, payee)!.name, note });
    },
    call: (x) =>
      `const o=apis.bank.order({id:${x}});apis.bank.transfer({from:o.account,payee:o.payeeId,amount:o.amount,note:o.note})`,
  }),
  undefined,
  2,
);

const transfer = action(
  "payees",
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

const addOrder = action("payees", "add-order", (draw) => {
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

const remove = action("payees", "remove", () => ({
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

export const orderActions: readonly Action[] = [
  pause,
  end,
  raise,
  setDay,
  payNow,
  transfer,
  addOrder,
  remove,
];
