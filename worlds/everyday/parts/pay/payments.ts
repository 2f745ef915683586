/** Goals about payments in the pay app: their collection, relations and actions. */
import {
  actions,
  actionWithValue,
  defineCollection,
  nouns,
  referencedIn,
  relationBetween,
  relations,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { comments, likes, refunds } from "../../apps/pay/tables.ts";
import { type Payment, payments } from "../../apps/tables.ts";
import { isReachable } from "../reachable-people.ts";
import { ANY_TIME, insertPayment, insertRequest } from "./insert-rows.ts";
import { distinctForEachKey } from "./money-app-code.ts";
import {
  hasCommentsColumn,
  largeAmountClause,
  lateDateClause,
  noteColumn,
  otherPersonColumn,
  PAST_DATE_SUPERLATIVES,
  PRICE_SUPERLATIVES,
} from "./money-app-columns.ts";

const isLiked = ({ id }: Payment, db: Reader) => db.where(likes, { payment: id }).length > 0;

/** Words that occur in notes of payments: events, and things that people often pay for. */
const NOTE_WORDS = `dinner | concert | birthday | match | workshop | picnic | trip | lunch | taxi | gift
  | pizza | bill`;

const listOptions = { kind: "payments", app: "pay", table: payments };

export const paymentsPart = defineCollection<Payment>({
  ...listOptions,
  nouns: nouns`payment(s) in my Pay history | payment(s) in the Pay app | Pay payment(s) of mine
    | payment(s) on my Pay account | payment(s) of my Pay wallet`,
  list: "history",
  fields: "note amount day",
  columns: ({ withProperty, money, day }) => ({
    with: otherPersonColumn<Payment>("person", (row) => row.person)`between $ and me | to or from $
      | with $ on the other side | that went between me and $ | that have $ on the other side`,
    sent: withProperty(
      { outgoing: true },
      { args: 'kind:"sent"' },
      { excludes: ["received"] },
    )`that I sent | which I made to others | that went out | that I paid to somebody | which went
      from me to others`,
    received: withProperty({ outgoing: false }, { args: 'kind:"received"' })`that I received
      | which others made to me | that came in | that somebody paid to me
      | which went from others to me`,
    amount: money(
      "cents",
      { item: "amount", noun: "amount", superlatives: PRICE_SUPERLATIVES },
      largeAmountClause({ arg: "least" }),
    ),
    day: day(
      (row) => row.at.slice(0, 10),
      { item: "day", noun: "date", superlatives: PAST_DATE_SUPERLATIVES },
      lateDateClause({ arg: "since" }),
    ),
    note: noteColumn(NOTE_WORDS),
    liked: withProperty(isLiked, { args: "liked:true" })`that I liked | that have my like
      | which I gave a like | that carry a like of mine | which I marked with a like`,
    discussed: hasCommentsColumn<Payment>(
      ({ id }, db) => db.where(comments, { payment: id }).length,
      "apis.pay.receipt({id:x.id}).comments",
    ),
  }),
});

export const paymentRelations = relations("pay", {
  "payment-sides": relationBetween("payments", "people", {
    relatedIds: referencedIn(payments, "person"),
    code: distinctForEachKey("apis.pay.receipt({id:k}).with"),
  })`the people on the other side of # | everyone who is the other side of #
    | whoever was on the other side of # | the persons at the other end of #
    | those with whom I had #`,
});

/** The code and the condition of actions that repeat the amount and the note of a payment. */
const repeatPayment = {
  when: (row: Payment, db: Reader) => row.outgoing && row.cents > 1 && isReachable(db, row.person),
  call: (call: string) => `const o=apis.pay.receipt({id:x});apis.pay.${call}`,
};

export const paymentActions = actions(listOptions, ({ addsRow, applies, difficulty2 }) => ({
  like: addsRow(likes, ({ id }) => ({ payment: id }), {
    when: (row, db) => !isLiked(row, db),
    api: "like",
  })`Like # | Give a like to # | Put a like on # | Let # have my like | Add my like to #`,
  comment: actionWithValue("text", ({ value, code }) =>
    addsRow(comments, ({ id }) => ({ payment: id, outgoing: true, text: value, at: ANY_TIME }), {
      api: "comment",
      args: `text:${code}`,
    }),
  )`Write the comment $ under # | Comment $ on # | Leave a comment that says $ under #
    | Add the comment $ to # | Put $ as a comment under #`,
  refund: applies(
    (db, { id, person, cents, note }) => {
      const refund = insertPayment(db, person, cents, `refund: ${note}`);
      db.insert(refunds, { payment: id, refund });
    },
    {
      when: ({ id, outgoing, person }, db) =>
        !outgoing && isReachable(db, person) && db.where(refunds, { payment: id }).length === 0,
      api: "refund",
    },
  )`Refund # | Give a Pay refund for # | Issue a refund in Pay for # | Return # with Pay's refund
    | Have Pay refund #`,
  "send-again": difficulty2(
    applies((db, { person, cents, note }) => void insertPayment(db, person, cents, note), {
      when: repeatPayment.when,
      call: repeatPayment.call("send({to:o.with,amount:o.amount,note:o.note})"),
    })`Send the same amount to the same person with the same note again for #
      | Repeat #: same person, same amount, same note
      | Make a second payment like the first, with person, amount and note, for #
      | Repeat # once: the same person, amount and note
      | Make # once more, with the same person, amount and note`,
  ),
  "ask-half-back": difficulty2(
    applies(
      (db, { person, cents, note }) => insertRequest(db, person, Math.floor(cents / 2), note),
      {
        when: repeatPayment.when,
        call: repeatPayment.call(
          "request({from:o.with,amount:Math.floor(Math.round(o.amount*100)/2)/100,note:o.note})",
        ),
      },
    )`Request half of the amount, rounded down to the cent, with the same note from the receiver for
        #
      | Ask the receiver of # in Pay for half the amount (rounded down to the cent), keeping the
        note
      | For #, request half of it, rounded down to the cent, back from the receiver under the same
        note
      | For #, ask the receiver for half of the amount back by a request with the same note, rounded down to the cent
      | Request back half the amount of #, rounded down to the cent, from the receiver and with the
        same note`,
  ),
  "ask-back": difficulty2(
    applies((db, { person, cents, note }) => insertRequest(db, person, cents, note), {
      when: repeatPayment.when,
      call: repeatPayment.call("request({from:o.with,amount:o.amount,note:o.note})"),
    })`Request the full amount with the same note back from the receiver for #
      | Ask the receiver of # in Pay for all of it back, keeping the note
      | For #, request the whole amount back from the receiver under the same note
      | For #, ask the receiver for the whole amount back by a request with the same note
      | Request back the whole amount of # from the receiver and with the same note`,
  ),
}));
