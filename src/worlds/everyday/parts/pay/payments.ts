/** Payments of the wallet: by person, way, amount, day and note; liked, discussed, returned, repeated. */

import {
  type Action,
  type Clause,
  collection,
  type Effect,
  type Relation,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { comments, likes, refunds } from "../../apps/pay/tables.ts";
import { type Payment, payments } from "../../apps/tables.ts";
import { AT, each, js, largeOnes, lateOnes, mentioning, mentions, sideOf } from "./phrases.ts";
import { reachable, writePayment, writeRequest } from "./writes.ts";

const dayOf = ({ at }: Payment) => at.slice(0, 10);

const between: Clause<Payment> = {
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
};

const sent: Clause<Payment> = {
  name: "sent",
  excludes: ["received"],
  draw: () => ({
    words: [
      "that I sent",
      "which I made to others",
      "that went out",
      "that I paid to somebody",
      "which went from me to others",
    ],
    holds: (row) => row.outgoing,
    code: { args: 'kind:"sent"' },
  }),
};

const received: Clause<Payment> = {
  name: "received",
  draw: () => ({
    words: [
      "that I received",
      "which others made to me",
      "that came in",
      "that somebody paid to me",
      "which went from others to me",
    ],
    holds: (row) => !row.outgoing,
    code: { args: 'kind:"received"' },
  }),
};

const large: Clause<Payment> = {
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

const late: Clause<Payment> = {
  name: "late",
  draw: (draw, rows) => {
    const drawn = lateOnes(draw, rows.map(dayOf));
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => dayOf(row) >= drawn.bound,
      code: { args: `since:${js(drawn.bound)}` },
    };
  },
};

/** Kinds of happenings, and what people often pay for. */
const NOTES = "dinner,concert,birthday,match,workshop,picnic,trip,lunch,taxi,gift,pizza,bill".split(
  ",",
);

const note: Clause<Payment> = {
  name: "note",
  draw: (draw, rows) => {
    const drawn = mentioning(
      draw,
      rows.map((row) => row.note),
      NOTES,
    );
    if (!drawn) return undefined;
    return {
      words: drawn.words,
      holds: (row) => mentions(row.note, drawn.bound),
      code: { test: `x.note.toLowerCase().includes(${js(drawn.bound)})` },
    };
  },
};

const liked: Clause<Payment> = {
  name: "liked",
  draw: () => ({
    words: [
      "that I liked",
      "that have my like",
      "which I gave a like",
      "that carry a like of mine",
      "which I marked with a like",
    ],
    holds: (row, db) => isLiked(db, row.id),
    code: { args: "liked:true" },
  }),
};

const discussed: Clause<Payment> = {
  name: "discussed",
  draw: () => ({
    words: [
      "that have at least one comment",
      "with at least one comment under them",
      "that somebody commented on",
      "which have been commented on",
      "under which there is a comment",
    ],
    holds: (row, db) => db.where(comments, { payment: row.id }).length > 0,
    code: { test: "apis.pay.receipt({id:x.id}).comments>0" },
  }),
};

const isLiked = (db: Reader, payment: number) => db.where(likes, { payment }).length > 0;

export const paymentsPart = collection<Payment>({
  name: "payments",
  kind: "payments",
  app: "pay",
  table: payments,
  base: () => true,
  nouns: [
    { one: "payment in my Pay history", many: "payments in my Pay history" },
    { one: "payment in the Pay app", many: "payments in the Pay app" },
    { one: "Pay payment of mine", many: "Pay payments of mine" },
    { one: "payment on my Pay account", many: "payments on my Pay account" },
    { one: "payment of my Pay wallet", many: "payments of my Pay wallet" },
  ],
  list: { api: "pay.payments" },
  key: "id",
  whole: false,
  clauses: [between, sent, received, large, late, note, liked, discussed],
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
      code: "x.day",
      superlatives: {
        most: ["newest", "latest", "most recent", "last", "youngest"],
        least: ["oldest", "earliest", "least recent", "first", "most ancient"],
      },
    },
  ],
});

export const paymentRelations: readonly Relation[] = [
  {
    name: "payment-sides",
    from: "payments",
    to: "people",
    app: "pay",
    words: [
      (noun) => `the people on the other side of ${noun}`,
      (noun) => `everyone who is the other side of ${noun}`,
      (noun) => `whoever was on the other side of ${noun}`,
      (noun) => `the persons at the other end of ${noun}`,
      (noun) => `those with whom I had ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(payments, id)!.person))],
    cells: (from, to) => each("apis.pay.receipt({id:k}).with", from, to),
  },
];

// --- actions ---

const action = (
  name: string,
  difficulty: 1 | 2,
  draw: Action["draw"],
  takes?: Action["takes"],
): Action => ({
  name,
  kind: "payments",
  app: "pay",
  difficulty,
  draw,
  ...(takes ? { takes } : {}),
});

const like = action("like", 1, () => ({
  frames: [
    (noun) => `Like ${noun}`,
    (noun) => `Give a like to ${noun}`,
    (noun) => `Put a like on ${noun}`,
    (noun) => `Mark ${noun} with a like`,
    (noun) => `Add my like to ${noun}`,
  ],
  permits: (db, id) => !isLiked(db, id),
  apply: (db, id) => void db.insert(likes, { payment: id }),
  call: (x) => `apis.pay.like({id:${x}})`,
}));

const comment = action(
  "comment",
  1,
  (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Write the comment ${text.words} under ${noun}`,
        (noun) => `Comment ${text.words} on ${noun}`,
        (noun) => `Leave a comment that says ${text.words} under ${noun}`,
        (noun) => `Add the comment ${text.words} to ${noun}`,
        (noun) => `Put ${text.words} as a comment under ${noun}`,
      ],
      apply: (db, id) =>
        void db.insert(comments, { payment: id, outgoing: true, text: text.value, at: AT }),
      call: (x) => `apis.pay.comment({id:${x},text:${text.code}})`,
      uses: [text],
    };
  },
  "text",
);

const refund = action("refund", 1, () => ({
  frames: [
    (noun) => `Refund ${noun}`,
    (noun) => `Give a Pay refund for ${noun}`,
    (noun) => `Issue a refund in Pay for ${noun}`,
    (noun) => `Return ${noun} with Pay's refund`,
    (noun) => `Have Pay refund ${noun}`,
  ],
  permits: (db, id) => {
    const { outgoing, person } = db.get(payments, id)!;
    return !outgoing && reachable(db, person) && db.where(refunds, { payment: id }).length === 0;
  },
  apply: (db, id) => {
    const { person, cents, note } = db.get(payments, id)!;
    db.insert(refunds, { payment: id, refund: writePayment(db, person, cents, `refund: ${note}`) });
  },
  call: (x) => `apis.pay.refund({id:${x}})`,
}));

/** The other side gets, or is asked for, what the payment itself says. */
function fromReceipt(
  outgoing: boolean,
  frames: Effect["frames"],
  apply: Effect["apply"],
  call: string,
): Action["draw"] {
  return () => ({
    frames,
    permits: (db, id) => {
      const row = db.get(payments, id)!;
      return row.outgoing === outgoing && row.cents > 1 && reachable(db, row.person);
    },
    apply,
    call: (x) => `const o=apis.pay.receipt({id:${x}});${call}`,
  });
}

const again = action(
  "send-again",
  2,
  fromReceipt(
    true,
    [
      (noun) => `Send the same amount to the same person with the same note again for ${noun}`,
      (noun) => `Repeat ${noun}: same person, same amount, same note`,
      (noun) => `Make a second payment like the first, with person, amount and note, for ${noun}`,
      (noun) => `Pay the same person the same amount with the same note once more for ${noun}`,
      (noun) => `Do ${noun} once more, with unchanged person, amount and note`,
    ],
    (db, id) => {
      const { person, cents, note } = db.get(payments, id)!;
      writePayment(db, person, cents, note);
    },
    "apis.pay.send({to:o.with,amount:o.amount,note:o.note})",
  ),
);

const half = action(
  "ask-half-back",
  2,
  fromReceipt(
    true,
    [
      (noun) =>
        `Request half of the amount, rounded down to the cent, with the same note from the receiver for ${noun}`,
      (noun) =>
        `Ask the receiver of ${noun} in Pay for half the amount (rounded down to the cent), keeping the note`,
      (noun) =>
        `For ${noun}, request half of it, rounded down to the cent, back from the receiver under the same note`,
      (noun) =>
        `Send the receiver a payment request for half of the amount, rounded down to the cent, with the same note, for ${noun}`,
      (noun) =>
        `Request back half the amount of ${noun}, rounded down to the cent, from the receiver and with the same note`,
    ],
    (db, id) => {
      const { person, cents, note } = db.get(payments, id)!;
      writeRequest(db, person, Math.floor(cents / 2), note);
    },
    "apis.pay.request({from:o.with,amount:Math.floor(Math.round(o.amount*100)/2)/100,note:o.note})",
  ),
);

const askBack = action(
  "ask-back",
  2,
  fromReceipt(
    true,
    [
      (noun) => `Request the full amount with the same note back from the receiver for ${noun}`,
      (noun) => `Ask the receiver of ${noun} in Pay for all of it back, keeping the note`,
      (noun) => `For ${noun}, request the whole amount back from the receiver under the same note`,
      (noun) =>
        `Send the receiver a payment request for the same amount, with the same note, for ${noun}`,
      (noun) => `Request back the whole amount of ${noun} from the receiver and with the same note`,
    ],
    (db, id) => {
      const { person, cents, note } = db.get(payments, id)!;
      writeRequest(db, person, cents, note);
    },
    "apis.pay.request({from:o.with,amount:o.amount,note:o.note})",
  ),
);

export const paymentActions: readonly Action[] = [like, comment, refund, again, half, askBack];
