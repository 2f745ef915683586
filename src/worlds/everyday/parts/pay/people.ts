/** People as pay knows them, and what can be done to any people: pay, ask, plan, favour, limit. */

import {
  type Action,
  type Clause,
  type Collection,
  collection,
  dayWords,
  moneyWords,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { favourites, limits, plans } from "../../apps/pay/tables.ts";
import { type Person, payments, people, requests } from "../../apps/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { atLeast, centsAtLeast } from "../bounds.ts";
import { js } from "./phrases.ts";
import { reachable, writePayment, writeRequest } from "./writes.ts";

function total(db: Reader, { id }: Person, outgoing: boolean): number {
  return db.where(payments, { person: id, outgoing }).reduce((sum, row) => sum + row.cents, 0);
}
const count = (db: Reader, { id }: Person) => db.where(payments, { person: id }).length;

// --- with whom the owner had payments ---

const sentMuch: Clause<Person> = {
  name: "sent-much",
  draw: (draw, rows) => {
    const cents = centsAtLeast(
      draw.rng,
      rows.map((row) => total(draw.db, row, true)),
    );
    if (cents === undefined || cents <= 0) return undefined;
    const m = moneyWords(cents);
    return {
      words: [
        `to whom I sent ${m} or more in all`,
        `who got at least ${m} from me in all`,
        `whom I paid a total of ${m} or more`,
        `to whom my payments add up to at least ${m}`,
        `who received at least ${m} from me altogether`,
      ],
      holds: (row, db) => total(db, row, true) >= cents,
      code: { test: `x.sent>=${cents / 100}` },
    };
  },
};

const gaveMuch: Clause<Person> = {
  name: "gave-much",
  draw: (draw, rows) => {
    const cents = centsAtLeast(
      draw.rng,
      rows.map((row) => total(draw.db, row, false)),
    );
    if (cents === undefined || cents <= 0) return undefined;
    const m = moneyWords(cents);
    return {
      words: [
        `who sent me ${m} or more in all`,
        `from whom I got at least ${m} in all`,
        `who paid me a total of ${m} or more`,
        `whose payments to me add up to at least ${m}`,
        `from whom I received at least ${m} altogether`,
      ],
      holds: (row, db) => total(db, row, false) >= cents,
      code: { test: `x.received>=${cents / 100}` },
    };
  },
};

const often: Clause<Person> = {
  name: "often",
  draw: (draw, rows) => {
    const times = atLeast(
      draw.rng,
      rows.map((row) => count(draw.db, row)),
    );
    if (times === undefined || times < 2) return undefined;
    return {
      words: [
        `with whom I had ${times} payments or more`,
        `with at least ${times} payments`,
        `with whom there were at least ${times} payments`,
        `who have ${times} or more payments with me`,
        `who were part of at least ${times} payments`,
      ],
      holds: (row, db) => count(db, row) >= times,
      code: { test: `x.payments>=${times}` },
    };
  },
};

const asking: Clause<Person> = {
  name: "asking",
  draw: () => ({
    words: [
      "who have a pending payment request to me",
      "who are waiting for my answer to a payment request",
      "whose payment request to me is pending",
      "from whom a payment request to me is still open",
      "who sent me a payment request that is pending",
    ],
    holds: ({ id }, db) =>
      db.where(requests, { person: id, outgoing: false, status: "pending" }).length > 0,
    code: { test: 'apis.pay.requests({from:x.person,status:"pending"}).items.length>0' },
  }),
};

const favoured: Clause<Person> = {
  name: "favoured",
  draw: () => ({
    words: [
      "who are among my Pay favourites",
      "who are favourites of mine in Pay",
      "whom I made a Pay favourite",
      "who belong to my favourites in Pay",
      "whom Pay lists as my favourites",
    ],
    holds: ({ id }, db) => isFavourite(db, id),
    code: {
      test: "(()=>{let p=1,r;do{r=apis.pay.favourites({size:20,page:p++});if(r.items.some(f=>f.handle===x.person))return true}while(r.more);return false})()",
    },
  }),
};

const isFavourite = (db: Reader, person: number) => db.where(favourites, { person }).length > 0;

const partners: Collection = collection<Person>({
  name: "partners",
  kind: "people",
  app: "pay",
  table: people,
  base: (row, db) => count(db, row) > 0,
  nouns: [
    { one: "person in my Pay history", many: "people in my Pay history" },
    { one: "contact with Pay payments", many: "contacts with Pay payments" },
    { one: "person with whom I had Pay payments", many: "people with Pay payments to or from me" },
    { one: "contact in my Pay history", many: "contacts in my Pay history" },
    {
      one: "person in the payments of my Pay account",
      many: "people in the payments of my Pay account",
    },
  ],
  list: { api: "pay.people" },
  key: "person",
  whole: false,
  clauses: [sentMuch, gaveMuch, often, asking, favoured],
  fields: [
    {
      name: "handle",
      unit: "text",
      noun: "handle",
      value: (row) => row.handle,
      code: "x.person",
    },
    {
      name: "sent",
      unit: "money",
      noun: "amount paid by me in Pay",
      value: (row, db) => total(db, row, true) / 100,
      code: "x.sent",
    },
    {
      name: "received",
      unit: "money",
      noun: "amount paid to me in Pay",
      value: (row, db) => total(db, row, false) / 100,
      code: "x.received",
    },
    {
      name: "payments",
      unit: "number",
      noun: "number of Pay payments with me",
      value: (row, db) => count(db, row),
      code: "x.payments",
    },
  ],
});

export const peopleCollections: readonly Collection[] = [partners];

// --- actions on people ---

type Drawn = Omit<NonNullable<ReturnType<Action["draw"]>>, "permits">;

/** An action on people; `also` are permissions beside that the person can be reached. */
function action(
  name: string,
  takes: Action["takes"],
  draw: (draw: Parameters<Action["draw"]>[0]) => Drawn,
  also: (db: Reader, person: number) => boolean = () => true,
): Action {
  return {
    name,
    kind: "people",
    app: "pay",
    difficulty: 1,
    ...(takes ? { takes } : {}),
    draw: (from) => ({
      ...draw(from),
      permits: (db, id) => reachable(db, id) && also(db, id),
    }),
  };
}

const send = action("send", "money", (draw) => {
  const money = draw.value("money");
  const m = money.words;
  return {
    frames: [
      (noun) => `Send a payment of ${m} to ${noun}`,
      (noun) => `Make a Pay payment of ${m} to ${noun}`,
      (noun) => `Use Pay to send a payment of ${m} to ${noun}`,
      (noun) => `With Pay, make a payment of ${m} to ${noun}`,
      (noun) => `Let a payment of ${m} go to ${noun} with Pay`,
    ],
    apply: (db, person) => void writePayment(db, person, money.value, ""),
    call: (x) => `apis.pay.send({to:${x},amount:${money.code}})`,
    uses: [money],
  };
});

const request = action("request", "money", (draw) => {
  const money = draw.value("money");
  const m = money.words;
  return {
    frames: [
      (noun) => `Send a payment request of ${m} to ${noun}`,
      (noun) => `Make a Pay request of ${m} to ${noun}`,
      (noun) => `Use Pay to send a request for ${m} to ${noun}`,
      (noun) => `With Pay, make a payment request for ${m} to ${noun}`,
      (noun) => `Let a payment request of ${m} go to ${noun} with Pay`,
    ],
    apply: (db, person) => writeRequest(db, person, money.value, ""),
    call: (x) => `apis.pay.request({from:${x},amount:${money.code}})`,
    uses: [money],
  };
});

const sendWithNote = action("send-noted", "text", (draw) => {
  const text = draw.value("text");
  const cents = 100 * draw.rng.integer(11, 79);
  const m = moneyWords(cents);
  return {
    frames: [
      (noun) => `Send a payment of ${m} with the note ${text.words} to ${noun}`,
      (noun) => `Make a Pay payment of ${m} and the note ${text.words} to ${noun}`,
      (noun) => `Use Pay to send a payment of ${m}, noting ${text.words}, to ${noun}`,
      (noun) => `With Pay, make a payment of ${m} that has the note ${text.words} to ${noun}`,
      (noun) => `Let a payment of ${m} with the note ${text.words} go to ${noun} with Pay`,
    ],
    apply: (db, person) => void writePayment(db, person, cents, text.value),
    call: (x) => `apis.pay.send({to:${x},amount:${cents / 100},note:${text.code}})`,
    uses: [text],
  };
});

const plan = action("plan", "money", (draw) => {
  const money = draw.value("money");
  const day = dayAfter(draw.rng.integer(3, 40));
  const what = `${money.words} every month from ${dayWords(day)}`;
  return {
    frames: [
      (noun) => `Plan a payment of ${what} on to ${noun}`,
      (noun) => `In Pay, plan a payment of ${what} onwards to ${noun}`,
      (noun) => `Schedule a planned Pay payment of ${what} on to ${noun}`,
      (noun) => `Let Pay plan a payment of ${what} onwards to ${noun}`,
      (noun) => `Set up a planned payment in Pay of ${what} on to ${noun}`,
    ],
    apply: (db, person) => {
      const when = { day, repeat: "month", status: "active" } as const;
      db.insert(plans, { person, cents: money.value, note: "", ...when });
    },
    call: (x) => `apis.pay.plan({to:${x},amount:${money.code},day:${js(day)},repeat:"month"})`,
    uses: [money],
  };
});

const favour = action(
  "favour",
  undefined,
  () => ({
    frames: [
      (noun) => `Add ${noun} to my Pay favourites`,
      (noun) => `Make ${noun} favourites in Pay`,
      (noun) => `Put ${noun} among my favourites in Pay`,
      (noun) => `Include ${noun} in my Pay favourites`,
      (noun) => `Let ${noun} be Pay favourites of mine`,
    ],
    apply: (db, person) => void db.insert(favourites, { person }),
    call: (x) => `apis.pay.addFavourite({person:${x}})`,
  }),
  (db, person) => !isFavourite(db, person),
);

const unfavour = action(
  "unfavour",
  undefined,
  () => ({
    frames: [
      (noun) => `Remove ${noun} from my Pay favourites`,
      (noun) => `Take ${noun} off my favourites in Pay`,
      (noun) => `Delete ${noun} from the favourites in Pay`,
      (noun) => `Drop ${noun} from my Pay favourites`,
      (noun) => `Let ${noun} no longer be among my Pay favourites`,
    ],
    apply: (db, person) => {
      for (const { id } of db.where(favourites, { person })) db.remove(favourites, id);
    },
    call: (x) => `apis.pay.removeFavourite({person:${x}})`,
  }),
  isFavourite,
);

const limit = action("limit", "money", (draw) => {
  const money = draw.value("money");
  const m = money.words;
  return {
    frames: [
      (noun) => `Set a monthly Pay limit of ${m} for ${noun}`,
      (noun) => `Give ${noun} a monthly limit of ${m} in Pay`,
      (noun) => `Put a Pay limit of ${m} a month on ${noun}`,
      (noun) => `In Pay, limit what I send to ${noun} to ${m} a month each`,
      (noun) => `Let my monthly limit in Pay be ${m} for ${noun}`,
    ],
    apply: (db, person) => {
      const [old] = db.where(limits, { person });
      if (old) db.update(limits, old.id, { cents: money.value });
      else db.insert(limits, { person, cents: money.value });
    },
    call: (x) => `apis.pay.setLimit({person:${x},amount:${money.code}})`,
    uses: [money],
  };
});

export const peopleActions: readonly Action[] = [
  send,
  request,
  sendWithNote,
  plan,
  favour,
  unfavour,
  limit,
];
