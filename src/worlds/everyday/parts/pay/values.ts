/** What pay knows that other parts may need: amounts, days, notes, sums. */
import type { Draw, Fact, Source, Value } from "../../../../goals/index.ts";
import { limits, plans } from "../../apps/pay/tables.ts";
import { payments, requests, wallet } from "../../apps/tables.ts";
import { TODAY } from "./phrases.ts";

/** A person of whom exactly one of the rows is. */
function onlyOne<R extends { readonly person: number }>(draw: Draw, rows: readonly R[]) {
  const once = rows.filter((row) => rows.filter((r) => r.person === row.person).length === 1);
  const person = draw.person(once.map((row) => row.person));
  return person && { person, row: once.find((row) => row.person === person.value.id)! };
}

interface Looked<T> {
  readonly value: T;
  readonly words: string;
  /** The expression, once the person's handle is known. */
  readonly code: string;
}

function looked<T>(
  draw: Draw,
  person: Value<unknown>,
  { value, words, code }: Looked<T>,
): Value<T> {
  const name = draw.variable("v");
  const cell = `var ${name}=${code};print(${name})`;
  return {
    value,
    words,
    code: name,
    cells: [...person.cells, cell],
    apps: ["pay", ...person.apps],
  };
}

const asked: Source<"money"> = {
  name: "asked",
  type: "money",
  app: "pay",
  draw: (draw) => {
    const found = onlyOne(draw, draw.db.where(requests, { outgoing: false, status: "pending" }));
    if (!found) return undefined;
    const { person, row } = found;
    return looked(draw, person, {
      value: row.cents,
      words: `the amount that ${person.words} asks of me in a pending Pay request`,
      code: `apis.pay.requests({from:${person.code},status:"pending"}).items[0].amount`,
    });
  },
};

const planned: Source<"money"> = {
  name: "planned",
  type: "money",
  app: "pay",
  draw: (draw) => {
    const found = onlyOne(draw, draw.db.where(plans, { status: "active" }));
    if (!found) return undefined;
    const { person, row } = found;
    return looked(draw, person, {
      value: row.cents,
      words: `the amount of my active planned payment to ${person.words}`,
      code: `apis.pay.plans({to:${person.code},status:"active"}).items[0].amount`,
    });
  },
};

/** People with one payment only, so that it needs no further name. */
const paid: Source<"money"> = {
  name: "paid",
  type: "money",
  app: "pay",
  draw: (draw) => {
    const found = onlyOne(draw, draw.db.where(payments, { outgoing: true }));
    if (!found) return undefined;
    const { person, row } = found;
    return looked(draw, person, {
      value: row.cents,
      words: `the amount of my only Pay payment to ${person.words}`,
      code: `apis.pay.history({with:${person.code},kind:"sent"}).items[0].amount`,
    });
  },
};

const plannedDay: Source<"day"> = {
  name: "planned-day",
  type: "day",
  app: "pay",
  draw: (draw) => {
    const rows = draw.db.where(plans, { status: "active" }).filter((row) => row.day > TODAY);
    const found = onlyOne(draw, rows);
    if (!found) return undefined;
    const { person, row } = found;
    return looked(draw, person, {
      value: row.day,
      words: `the next date of my active planned payment to ${person.words}`,
      code: `apis.pay.plans({to:${person.code},status:"active"}).items[0].day`,
    });
  },
};

const askedNote: Source<"text"> = {
  name: "asked-note",
  type: "text",
  app: "pay",
  draw: (draw) => {
    const rows = draw.db.where(requests, { outgoing: true, status: "pending" });
    const found = onlyOne(draw, rows);
    if (!found || found.row.note === "") return undefined;
    const { person, row } = found;
    return looked(draw, person, {
      value: row.note,
      words: `the note of my pending Pay request to ${person.words}`,
      code: `apis.pay.requested({to:${person.code},status:"pending"}).items[0].note`,
    });
  },
};

export const paySources: readonly Source[] = [asked, planned, paid, plannedDay, askedNote];

// --- facts ---

const balance: Fact = {
  name: "balance",
  app: "pay",
  unit: "money",
  words: [
    "the balance of my Pay wallet",
    "what I have in my Pay wallet",
    "the money in my Pay wallet",
    "my balance in the Pay app",
    "the Pay wallet's balance",
  ],
  value: (db) => db.all(wallet)[0]!.cents / 100,
  code: "apis.pay.balance({}).balance",
};

function thisMonth(outgoing: boolean): Pick<Fact, "app" | "unit" | "value" | "code"> {
  return {
    app: "pay",
    unit: "money",
    value: (db) =>
      db
        .where(payments, { outgoing })
        .filter((row) => row.at.startsWith(TODAY.slice(0, 7)))
        .reduce((sum, row) => sum + row.cents, 0) / 100,
    code: `apis.pay.months({}).items[0].${outgoing ? "sent" : "received"}`,
  };
}

const sentThisMonth: Fact = {
  name: "sent-this-month",
  ...thisMonth(true),
  words: [
    "what I sent with Pay this month",
    "the sum of my Pay payments to others this month",
    "the total that I paid out with Pay this month",
    "the money that left through Pay this month",
    "this month's total of sent Pay payments",
  ],
};

const receivedThisMonth: Fact = {
  name: "received-this-month",
  ...thisMonth(false),
  words: [
    "what I received with Pay this month",
    "the sum of Pay payments to me this month",
    "the total that others paid me with Pay this month",
    "the money that came in through Pay this month",
    "this month's total of received Pay payments",
  ],
};

const left: Fact = {
  name: "limit-left",
  app: "pay",
  unit: "money",
  words: [
    "what is left of my overall monthly Pay limit",
    "the rest of my overall Pay limit for this month",
    "the remainder of the monthly Pay limit for all together",
    "what my overall monthly limit in Pay still leaves",
    "the unused part of my overall Pay limit this month",
  ],
  value: (db) => {
    const limit = db.where(limits, { person: null })[0]?.cents ?? 0;
    return limit / 100 - sentThisMonth.value(db);
  },
  code: "apis.pay.limits({size:20}).items.find(x=>x.person===null).left",
};

export const payFacts: readonly Fact[] = [balance, sentThisMonth, receivedThisMonth, left];
