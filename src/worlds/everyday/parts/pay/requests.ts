/** Pending requests of both sides: `requests` wait for the owner, `claims` for others. */

import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Forms,
  type Noun,
  type Relation,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type PayRequest, payments, reminders, requests } from "../../apps/tables.ts";
import {
  AT,
  each,
  gather,
  js,
  largeOnes,
  lateOnes,
  mentioning,
  mentions,
  sideOf,
} from "./phrases.ts";
import { writePayment } from "./writes.ts";

const dayOf = ({ at }: PayRequest) => at.slice(0, 10);

const KINDS =
  "dinner,concert,birthday,match,workshop,picnic,trip,lunch,taxi,groceries,gift,bill".split(",");

interface Side {
  readonly name: "requests" | "claims";
  readonly outgoing: boolean;
  readonly api: string;
  /** The list's parameter and the item's field for the other side. */
  readonly field: "from" | "to";
  readonly nouns: Forms<Noun>;
  readonly personWords: (person: string) => Forms;
  readonly other: string;
}

function clausesOf({ field, personWords }: Side): Clause<PayRequest>[] {
  return [
    {
      name: "person",
      draw: (draw, rows) => {
        const person = sideOf(
          draw,
          rows.map((row) => row.person),
        );
        if (!person) return undefined;
        return {
          words: personWords(person.words),
          holds: (row) => row.person === person.value.id,
          code: { args: `${field}:${person.code}` },
          uses: [person],
        };
      },
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
          code: { test: `apis.pay.requestDetails({id:x.id}).day>=${js(drawn.bound)}` },
        };
      },
    },
    {
      name: "note",
      draw: (draw, rows) => {
        const drawn = mentioning(
          draw,
          rows.map((row) => row.note),
          KINDS,
        );
        if (!drawn) return undefined;
        return {
          words: drawn.words,
          holds: (row) => mentions(row.note, drawn.bound),
          code: { test: `x.note.toLowerCase().includes(${js(drawn.bound)})` },
        };
      },
    },
  ];
}

function pending(side: Side): Collection {
  return collection<PayRequest>({
    name: side.name,
    kind: side.name,
    app: "pay",
    table: requests,
    base: (row) => row.outgoing === side.outgoing && row.status === "pending",
    nouns: side.nouns,
    list: { api: side.api, args: 'status:"pending"' },
    key: "id",
    whole: true,
    clauses: clausesOf(side),
    fields: [
      { name: "note", unit: "text", noun: "note", value: (row) => row.note, code: "x.note" },
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
        name: "day",
        unit: "day",
        noun: "date",
        value: dayOf,
        code: "apis.pay.requestDetails({id:x.id}).day",
        superlatives: {
          most: ["newest", "latest", "most recent", "last", "youngest"],
          least: ["oldest", "earliest", "least recent", "first", "most ancient"],
        },
      },
    ],
  });
}

const incoming: Side = {
  name: "requests",
  outgoing: false,
  api: "pay.requests",
  field: "from",
  other: "askers",
  nouns: [
    { one: "pending payment request to me", many: "pending payment requests to me" },
    { one: "open payment request to me", many: "open payment requests to me" },
    {
      one: "payment request waiting for my answer",
      many: "payment requests waiting for my answer",
    },
    { one: "unanswered payment request to me", many: "unanswered payment requests to me" },
    { one: "pending incoming Pay request", many: "pending incoming Pay requests" },
  ],
  personWords: (p) => [
    `from ${p}`,
    `that ${p} made`,
    `sent by ${p}`,
    `that come from ${p}`,
    `in which ${p} asks for money`,
  ],
};

const outgoing: Side = {
  name: "claims",
  outgoing: true,
  api: "pay.requested",
  field: "to",
  other: "debtors",
  nouns: [
    { one: "pending payment request of mine", many: "pending payment requests of mine" },
    { one: "open payment request of my own", many: "open payment requests of my own" },
    { one: "payment request by me still unpaid", many: "payment requests by me still pending" },
    { one: "unanswered payment request of mine", many: "unanswered payment requests of mine" },
    { one: "pending outgoing Pay request", many: "pending outgoing Pay requests" },
  ],
  personWords: (p) => [
    `to ${p}`,
    `that I sent to ${p}`,
    `addressed to ${p}`,
    `that ${p} has to pay`,
    `in which I ask ${p} for money`,
  ],
};

export const requestCollections = [pending(incoming), pending(outgoing)];

// --- relations ---

const isPending = (db: Reader, person: number, outgoing: boolean) =>
  db.where(requests, { person, outgoing, status: "pending" }).map((row) => row.id);

const peopleOf = (name: Side["name"], words: Relation["words"]): Relation => ({
  name: `${name}-people`,
  from: name,
  to: "people",
  app: "pay",
  words,
  map: (db, ids) => [...new Set(ids.map((id) => db.get(requests, id)!.person))],
  cells: (from, to) => each("apis.pay.requestDetails({id:k}).with", from, to),
});

export const requestRelations: readonly Relation[] = [
  peopleOf("requests", [
    (noun) => `the people who sent ${noun}`,
    (noun) => `everyone who made one of ${noun}`,
    (noun) => `the senders of ${noun}`,
    (noun) => `those who ask for money in ${noun}`,
    (noun) => `whoever is behind ${noun}`,
  ]),
  peopleOf("claims", [
    (noun) => `the people who shall pay ${noun}`,
    (noun) => `everyone who has to pay one of ${noun}`,
    (noun) => `the receivers of ${noun}`,
    (noun) => `those whom I ask for money in ${noun}`,
    (noun) => `whoever got one of ${noun}`,
  ]),
  {
    name: "people-requests",
    from: "people",
    to: "requests",
    app: "pay",
    words: [
      (noun) => `the pending payment requests to me from ${noun}`,
      (noun) => `whatever payment requests to me are pending from ${noun}`,
      (noun) => `the payment requests waiting for my answer from ${noun}`,
      (noun) => `the unanswered payment requests to me by ${noun}`,
      (noun) => `the pending incoming Pay requests of ${noun}`,
    ],
    map: (db, ids) => ids.flatMap((id) => isPending(db, id, false)),
    cells: (from, to) => gather("pay.requests", 'from:k,status:"pending"', "id", from, to),
  },
  {
    name: "people-claims",
    from: "people",
    to: "claims",
    app: "pay",
    words: [
      (noun) => `my pending payment requests to ${noun}`,
      (noun) => `whatever payment requests of mine are pending with ${noun}`,
      (noun) => `the unpaid payment requests that I sent to ${noun}`,
      (noun) => `my unanswered payment requests to ${noun}`,
      (noun) => `the pending outgoing Pay requests to ${noun}`,
    ],
    map: (db, ids) => ids.flatMap((id) => isPending(db, id, true)),
    cells: (from, to) => gather("pay.requested", 'to:k,status:"pending"', "id", from, to),
  },
];

// --- actions ---

const approve: Action = {
  name: "approve",
  kind: "requests",
  app: "pay",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Approve ${noun}`,
      (noun) => `Pay what is asked by approving ${noun}`,
      (noun) => `Accept and pay ${noun}`,
      (noun) => `Give my approval to ${noun}`,
      (noun) => `Settle ${noun} by approving`,
    ],
    permits: (db, id) => db.get(requests, id)!.status === "pending",
    apply: (db, id) => {
      const { person, cents, note } = db.get(requests, id)!;
      db.update(requests, id, { status: "paid" });
      db.insert(payments, { person, outgoing: true, cents, note, request: id, at: AT });
    },
    call: (x) => `apis.pay.approve({id:${x}})`,
  }),
};

/** An action that only sets the status. */
const close = (
  name: string,
  kind: Side["name"],
  status: "declined" | "cancelled",
  frames: Forms<(noun: string) => string>,
): Action => ({
  name,
  kind,
  app: "pay",
  difficulty: 1,
  draw: () => ({
    frames,
    permits: (db, id) => db.get(requests, id)!.status === "pending",
    apply: (db, id) => void db.update(requests, id, { status }),
    call: (x) =>
      name === "decline" ? `apis.pay.decline({id:${x}})` : `apis.pay.cancel({id:${x}})`,
  }),
});

const decline = close("decline", "requests", "declined", [
  (noun) => `Decline ${noun}`,
  (noun) => `Say no to ${noun} in Pay`,
  (noun) => `Refuse ${noun}`,
  (noun) => `Answer ${noun} by declining`,
  (noun) => `Reject ${noun}`,
]);

const cancel = close("cancel", "claims", "cancelled", [
  (noun) => `Cancel ${noun}`,
  (noun) => `Call off ${noun}`,
  (noun) => `Withdraw ${noun}`,
  (noun) => `Take back ${noun}`,
  (noun) => `Drop ${noun} by cancelling`,
]);

const remind: Action = {
  name: "remind",
  kind: "claims",
  app: "pay",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Send a Pay reminder for ${noun}`,
      (noun) => `Remind in Pay whoever has to pay ${noun}`,
      (noun) => `Let Pay send a reminder about ${noun}`,
      (noun) => `Have Pay send out reminders of ${noun}`,
      (noun) => `Give a payment reminder in Pay for ${noun}`,
    ],
    permits: (db, id) =>
      db.get(requests, id)!.status === "pending" &&
      db.where(reminders, { request: id }).length === 0,
    apply: (db, id) => void db.insert(reminders, { request: id }),
    call: (x) => `apis.pay.remind({id:${x}})`,
  }),
};

/** Declines, but sends a part of what was asked. */
const compromise: Action = {
  name: "pay-half",
  kind: "requests",
  app: "pay",
  difficulty: 2,
  draw: () => ({
    frames: [
      (noun) =>
        `Decline ${noun}, but send each asker half of the amount, rounded down to the cent, with the same note`,
      (noun) =>
        `Refuse ${noun} and pay each asker only half the amount (rounded down to the cent) under the same note`,
      (noun) =>
        `Reject ${noun} and send the asker half of what is asked, rounded down to the cent, keeping the note`,
      (noun) =>
        `Say no to ${noun}, declining, and instead pay the asker half of it, rounded down to the cent, with its note`,
      (noun) =>
        `Decline ${noun} and then pay half of each amount, rounded down to the cent, to its asker with the note of the request`,
    ],
    permits: (db, id) => db.get(requests, id)!.status === "pending",
    apply: (db, id) => {
      const { person, cents, note } = db.get(requests, id)!;
      db.update(requests, id, { status: "declined" });
      writePayment(db, person, Math.floor(cents / 2), note);
    },
    call: (x) =>
      `const o=apis.pay.requestDetails({id:${x}});apis.pay.decline({id:${x}});apis.pay.send({to:o.with,amount:Math.floor(Math.round(o.amount*100)/2)/100,note:o.note})`,
  }),
};

export const requestActions: readonly Action[] = [approve, decline, cancel, remind, compromise];
