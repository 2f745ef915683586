/** Standing orders in force: by rhythm, account, amount, day and note; paused, ended, raised, paid ahead. */

import { type Action, type Clause, collection, type Relation } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { orders, payees, type StandingOrder } from "../../apps/bank/tables.ts";
import { oneOfSome } from "../bounds.ts";
import { each, js, largeOnes, mentioning, mentions, soonOnes, TODAY } from "../pay/phrases.ts";
import { free, mayPay, maySpend, someAccount, writeLine } from "./lookups.ts";

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

export const orderRelations: readonly Relation[] = [
  {
    name: "order-payees",
    from: "standingOrders",
    to: "payees",
    app: "bank",
    words: [
      (noun) => `the payees of ${noun}`,
      (noun) => `every payee that gets one of ${noun}`,
      (noun) => `whichever payees get ${noun}`,
      (noun) => `the payees who are paid by ${noun}`,
      (noun) => `each payee of any of ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(orders, id)!.payee))],
    cells: (from, to) => each("apis.bank.order({id:k}).payeeId", from, to),
  },
];

// --- actions ---

function action(
  name: string,
  draw: Action["draw"],
  takes?: Action["takes"],
  difficulty: 1 | 2 = 1,
): Action {
  const part = { name, kind: "standingOrders", app: "bank", difficulty, draw } as const;
  return takes ? { ...part, takes } : part;
}

const runs = (db: Reader, id: number) => {
  const { status, account } = db.get(orders, id)!;
  return status !== "ended" && maySpend(db, account);
};

const pause = action("pause", () => ({
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

const end = action("end", () => ({
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

export const orderActions: readonly Action[] = [pause, end, raise, setDay, payNow];
