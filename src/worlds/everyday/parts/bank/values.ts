/** What the bank knows that other parts may need, and single things done there. */

import {
  type Deed,
  type Draw,
  dayWords,
  type Fact,
  type Forms,
  moneyWords,
  type Source,
  type Value,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  accounts,
  budgets,
  CATEGORIES,
  type Category,
  goals,
  orders,
  payees,
  transactions,
} from "../../apps/bank/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { oneOfSome } from "../bounds.ts";
import { js, TODAY } from "../pay/phrases.ts";
import { accountCalled, company, free, writeLine, writeMove } from "./lookups.ts";

interface Looked<T> {
  readonly value: T;
  readonly words: string;
  readonly code: string;
}

function looked<T>(draw: Draw, { value, words, code }: Looked<T>): Value<T> {
  const name = draw.variable("v");
  return {
    value,
    words,
    code: name,
    cells: [`var ${name}=${code};print(${name})`],
    apps: ["bank"],
  };
}

const latestPayment: Source<"money"> = {
  name: "latest-payment",
  type: "money",
  app: "bank",
  draw: (draw) => {
    const names = [
      "Greenleaf Market",
      "Corner Deli",
      "Bluebird Cafe",
      "Noodle Corner",
      "City Metro",
      "Taxi Line",
      "Page Turner Books",
      "Daily Basket",
    ];
    const payee = draw.rng.pick(names);
    const rows = draw.db.where(transactions, { payee });
    const at = rows
      .map((row) => row.at)
      .sort()
      .at(-1);
    const last = rows.filter((row) => row.at === at);
    if (last.length !== 1) return undefined;
    return looked(draw, {
      value: Math.abs(last[0]!.cents),
      words: `the amount of my latest bank transaction with ${payee}`,
      code: `apis.bank.transactions({payee:${js(payee)}}).items[0].amount`,
    });
  },
};

/** A company with one order in force. */
function companyOrder(draw: Draw) {
  const active = draw.db.where(orders, { status: "active" });
  const single = active.filter((row) => active.filter((o) => o.payee === row.payee).length === 1);
  const fit = single.filter(
    (row) => row.cents < 20_000 && draw.db.get(payees, row.payee)!.person === null,
  );
  const id = oneOfSome(
    draw.rng,
    fit.map((row) => row.id),
  );
  const row = fit.find((order) => order.id === id);
  return row && { row, name: draw.db.get(payees, row.payee)!.name };
}

const FIND_ORDER = (name: string) =>
  `(()=>{let p=1,r,f;do{r=apis.bank.orders({status:"active",size:20,page:p++});f=r.items.find(x=>x.payee===${js(name)})}while(!f&&r.more);return f})()`;

const orderAmount: Source<"money"> = {
  name: "order-amount",
  type: "money",
  app: "bank",
  draw: (draw) => {
    const found = companyOrder(draw);
    if (!found) return undefined;
    return looked(draw, {
      value: found.row.cents,
      words: `the amount of my active standing order to ${found.name}`,
      code: `${FIND_ORDER(found.name)}.amount`,
    });
  },
};

const orderDay: Source<"day"> = {
  name: "order-day",
  type: "day",
  app: "bank",
  draw: (draw) => {
    const found = companyOrder(draw);
    if (!found || found.row.next <= TODAY) return undefined;
    return looked(draw, {
      value: found.row.next,
      words: `the next date of my active standing order to ${found.name}`,
      code: `${FIND_ORDER(found.name)}.next`,
    });
  },
};

const deadline: Source<"day"> = {
  name: "deadline",
  type: "day",
  app: "bank",
  draw: (draw) => {
    const rows = draw.db
      .where(goals, { closed: false })
      .filter((row) => row.deadline !== null && row.deadline > TODAY);
    const id = oneOfSome(
      draw.rng,
      rows.map((row) => row.id),
    );
    const goal = rows.find((row) => row.id === id);
    if (!goal) return undefined;
    return looked(draw, {
      value: goal.deadline!,
      words: `the deadline of my savings goal ${js(goal.name)}`,
      code: `apis.bank.goals({size:20}).items.find(x=>x.name===${js(goal.name)}).deadline`,
    });
  },
};

const orderNote: Source<"text"> = {
  name: "order-note",
  type: "text",
  app: "bank",
  draw: (draw) => {
    const found = companyOrder(draw);
    if (!found || found.row.note === "") return undefined;
    return looked(draw, {
      value: found.row.note,
      words: `the note of my active standing order to ${found.name}`,
      code: `${FIND_ORDER(found.name)}.note`,
    });
  },
};

export const bankSources: readonly Source[] = [
  latestPayment,
  orderAmount,
  orderDay,
  deadline,
  orderNote,
];

// --- facts ---

const byName = (name: string) =>
  `apis.bank.accounts({size:20}).items.find(x=>x.name===${js(name)})`;

function balanceOf(name: string): Fact {
  const n = js(name);
  return {
    name: `balance ${name}`,
    app: "bank",
    unit: "money",
    words: [
      `the balance of my bank account ${n}`,
      `the money on my bank account ${n}`,
      `what I have on the bank account ${n}`,
      `the balance of the account ${n} at my bank`,
      `my balance on the bank account ${n}`,
    ],
    value: (db) => (db.where(accounts, { name })[0]?.cents ?? 0) / 100,
    code: `${byName(name)}.balance`,
  };
}

function spentThisMonth(category: Category): Fact {
  return {
    name: `spent ${category}`,
    app: "bank",
    unit: "money",
    words: [
      `what I spent this month in the bank category ${category}`,
      `my spending on ${category} this month by the bank's count`,
      `the amount that the bank counts for ${category} this month`,
      `this month's spending in the bank category ${category}`,
      `the spending on ${category} in this month's bank budget`,
    ],
    value: (db) => spentIn(db, category) / 100,
    code: `apis.bank.budgets({category:${js(category)}}).items[0].spent`,
  };
}

function spentIn(db: Reader, category: Category): number {
  return db
    .where(transactions, { category })
    .filter((row) => row.cents < 0 && row.at.startsWith(TODAY.slice(0, 7)))
    .filter((row) => db.get(accounts, row.account)!.role === "spend")
    .reduce((sum, row) => sum - row.cents, 0);
}

function outInFebruary(name: string): Fact {
  const n = js(name);
  return {
    name: `february ${name}`,
    app: "bank",
    unit: "money",
    words: [
      `what went out of my bank account ${n} in February 2026`,
      `the money that left the bank account ${n} in February 2026`,
      `the outgoing total of the bank account ${n} in February 2026`,
      `the "out" of the February 2026 statement of the bank account ${n}`,
      `the sum that went out of the bank account ${n} during February 2026`,
    ],
    value: (db) => {
      const account = db.where(accounts, { name })[0]?.id ?? 0;
      return (
        db
          .where(transactions, { account })
          .filter((row) => row.cents < 0 && row.at.startsWith("2026-02"))
          .reduce((sum, row) => sum - row.cents, 0) / 100
      );
    },
    code: `apis.bank.statement({account:${byName(name)}.id,month:"2026-02"}).out`,
  };
}

export const bankFacts: readonly Fact[] = [
  ...["Everyday", "Rainy day", "Household", "Travel fund"].map(balanceOf),
  ...(["groceries", "eating out", "transport", "health"] as const).map(spentThisMonth),
  ...["Everyday", "Household"].map(outInFebruary),
];

// --- deeds ---

const NAMES = ["Everyday", "Rainy day", "Household", "Travel fund", "Student account"] as const;

const move: Deed = {
  name: "move",
  app: "bank",
  takes: "money",
  draw: (draw) => {
    const money = draw.value("money");
    const [a, b] = draw.rng.sample(NAMES.slice(0, 4), 2);
    const [from, to] = [accountCalled(draw, a!), accountCalled(draw, b!)];
    if (!from || !to || free(draw.db, from.value) < money.value) return undefined;
    const [m, f, t] = [money.words, from.words, to.words];
    return {
      sentences: [
        `Move ${m} from my bank account ${f} to ${t}`,
        `Let the bank move ${m} from the account ${f} to the account ${t}`,
        `Shift ${m} from ${f} to ${t} at my bank`,
        `Have ${m} moved from my account ${f} to my account ${t} at the bank`,
        `In the Bank app, move ${m} out of ${f} into ${t}`,
      ],
      apply: (db) => writeMove(db, from.value, to.value, money.value),
      cells: [`apis.bank.move({from:${from.code},to:${to.code},amount:${money.code}})`],
      uses: [money, from, to],
    };
  },
};

const transfer: Deed = {
  name: "transfer-noted",
  app: "bank",
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    const [from, payee] = [accountCalled(draw, draw.rng.pick(NAMES.slice(0, 3))), company(draw)];
    const cents = draw.rng.integer(700, 12_000);
    if (!from || !payee || free(draw.db, from.value) < cents) return undefined;
    const [m, f, p, t] = [moneyWords(cents), from.words, payee.words, text.words];
    return {
      sentences: [
        `Transfer ${m} from my bank account ${f} to ${p} with the note ${t}`,
        `Make a bank transfer of ${m} from ${f} to ${p}, noting ${t}`,
        `Let the bank transfer ${m} from the account ${f} to ${p}; the note is ${t}`,
        `From my bank account ${f}, transfer ${m} to ${p} under the note ${t}`,
        `Send ${p} a bank transfer of ${m} out of the account ${f} that has the note ${t}`,
      ],
      apply: (db) =>
        writeLine(db, {
          account: from.value,
          cents: -cents,
          payee: payee.value.name,
          note: text.value,
        }),
      cells: [
        `apis.bank.transfer({from:${from.code},payee:${payee.code},amount:${cents / 100},note:${text.code}})`,
      ],
      uses: [text, from, payee],
    };
  },
};

const order: Deed = {
  name: "standing-order",
  app: "bank",
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    const [from, payee] = [accountCalled(draw, draw.rng.pick(NAMES.slice(0, 3))), company(draw)];
    if (!from || !payee) return undefined;
    const cents = draw.rng.integer(700, 12_000);
    const every = draw.rng.pick(["week", "month"] as const);
    const [m, f, p, d] = [moneyWords(cents), from.words, payee.words, day.words];
    return {
      sentences: [
        `Add a standing order of ${m} every ${every} from my bank account ${f} to ${p}, starting on ${d}`,
        `Set up a standing order: ${m} to ${p} every ${every}, from the account ${f}, first on ${d}`,
        `Let my bank account ${f} pay ${p} ${m} every ${every} by a standing order that starts on ${d}`,
        `Start a standing order on ${d} that pays ${m} every ${every} from the account ${f} to ${p}`,
        `From ${d} on, let a standing order pay ${p} ${m} every ${every} out of my account ${f}`,
      ],
      apply: (db) => {
        const what = { cents, every, next: day.value, note: "", status: "active" } as const;
        db.insert(orders, { account: from.value, payee: payee.value.id, ...what });
      },
      cells: [
        `apis.bank.addOrder({from:${from.code},payee:${payee.code},amount:${cents / 100},every:"${every}",next:${day.code}})`,
      ],
      uses: [day, from, payee],
    };
  },
};

const addGoal: Deed = {
  name: "add-goal",
  app: "bank",
  takes: "money",
  draw: (draw) => {
    const money = draw.value("money");
    const account = accountCalled(draw, draw.rng.pick(["Rainy day", "Travel fund"]));
    if (!account) return undefined;
    const name = draw.rng.pick(["Skis", "Violin", "Coffee machine", "Tent", "Camera", "Bookcase"]);
    const deadline = dayAfter(draw.rng.integer(30, 200));
    const [m, a, d] = [money.words, account.words, dayWords(deadline)];
    return {
      sentences: [
        `Add a savings goal "${name}" with the target ${m} and the deadline ${d} to my account ${a}`,
        `Start a savings goal called "${name}" in the account ${a}: target ${m}, deadline ${d}`,
        `In my bank account ${a}, add the savings goal "${name}" of ${m} with the deadline ${d}`,
        `Make a new savings goal "${name}" of ${m} in the account ${a}, due on ${d}`,
        `Let my account ${a} have a savings goal "${name}" with a target of ${m} by ${d}`,
      ],
      apply: (db) => {
        const row = { name, account: account.value, target: money.value, deadline };
        db.insert(goals, { ...row, saved: 0, closed: false });
      },
      cells: [
        `apis.bank.addGoal({name:"${name}",account:${account.code},target:${money.code},deadline:${js(deadline)}})`,
      ],
      uses: [money, account],
    };
  },
};

const openAccount: Deed = {
  name: "open-account",
  app: "bank",
  draw: (draw) => {
    const name = draw.rng.pick(["Sailing money", "Garden money", "Gift box", "Emergency", "Music"]);
    const kind = draw.rng.pick(["current", "savings", "joint"] as const);
    if (draw.db.where(accounts, { name }).length > 0) return undefined;
    const sentences: Forms = [
      `Open a ${kind} account called "${name}" at my bank`,
      `Open a new ${kind} bank account with the name "${name}"`,
      `At my bank, open a ${kind} account and call it "${name}"`,
      `Let the bank open a ${kind} account named "${name}"`,
      `Get me a new ${kind} account "${name}" at the bank`,
    ];
    return {
      sentences,
      apply: (db) => {
        const empty = { holder: null, role: "spend", opening: 0, cents: 0, closed: false } as const;
        db.insert(accounts, { name, kind, ...empty });
      },
      cells: [`apis.bank.openAccount({name:"${name}",kind:"${kind}"})`],
    };
  },
};

const newBudget: Deed = {
  name: "new-budget",
  app: "bank",
  takes: "money",
  draw: (draw) => {
    const money = draw.value("money");
    const taken = new Set(draw.db.all(budgets).map((row) => row.category));
    const free = CATEGORIES.filter((one) => !taken.has(one));
    const category = oneOfSome(draw.rng, free);
    if (category === undefined) return undefined;
    const m = money.words;
    return {
      sentences: [
        `Add a monthly budget of ${m} for the bank category "${category}"`,
        `Set up a monthly budget for "${category}" of ${m} at my bank`,
        `At the bank, set a monthly budget of ${m} for the category "${category}"`,
        `Let the bank have a monthly budget of ${m} for "${category}"`,
        `Make a new monthly budget at the bank: ${m} for "${category}"`,
      ],
      apply: (db) => void db.insert(budgets, { category, cents: money.value }),
      cells: [`apis.bank.setBudget({category:${js(category)},amount:${money.code}})`],
      uses: [money],
    };
  },
};

export const bankDeeds: readonly Deed[] = [move, transfer, order, addGoal, openAccount, newBudget];
