/** Goals about pending requests of both sides: `requests` wait for the owner, `claims` wait for other people. */
import {
  type Alternatives,
  actions,
  type Collection,
  defineCollection,
  type NeedsPhrase,
  type Noun,
  nouns,
  propertyOnAllPages,
  referencedIn,
  relationBetween,
  relations,
  rowsReferencing,
} from "bowline/goals";
import { type PayRequest, payments, reminders, requests } from "../../apps/tables.ts";
import { ANY_TIME, insertPayment } from "./insert-rows.ts";
import { distinctForEachKey } from "./money-app-code.ts";
import {
  largeAmountClause,
  lateDateClause,
  noteColumn,
  otherPersonColumn,
  PAST_DATE_SUPERLATIVES,
  PRICE_SUPERLATIVES,
} from "./money-app-columns.ts";

const NOTE_WORDS = `dinner | concert | birthday | match | workshop | picnic | trip | lunch | taxi
  | groceries | gift | bill`;

type RequestKind = "requests" | "claims";

/**
 * Makes the collection of pending requests, either by the owner or by others. The template after the call has the
 * phrases for requests of one person.
 */
const pendingRequestsCollection =
  (
    kind: RequestKind,
    outgoing: boolean,
    list: {
      readonly api: string;
      readonly nouns: Alternatives<Noun>;
    },
  ): NeedsPhrase<Collection> =>
  (...phrase) =>
    defineCollection<PayRequest>({
      kind,
      app: "pay",
      table: requests,
      includes: (row) => row.outgoing === outgoing && row.status === "pending",
      nouns: list.nouns,
      list: { api: list.api, args: 'status:"pending"' },
      allowsWhole: true,
      fields: "note amount day",
      columns: ({ money, day }) => ({
        person: otherPersonColumn<PayRequest>("from", (row) => row.person)(...phrase),
        amount: money(
          "cents",
          { item: "amount", noun: "amount", superlatives: PRICE_SUPERLATIVES },
          largeAmountClause(),
        ),
        day: day(
          (row) => row.at.slice(0, 10),
          {
            code: "apis.pay.requestDetails({id:x.id}).day",
            noun: "date",
            superlatives: PAST_DATE_SUPERLATIVES,
          },
          lateDateClause(),
        ),
        note: noteColumn(NOTE_WORDS),
      }),
    });

export const requestCollections = [
  pendingRequestsCollection("requests", false, {
    api: "requests",
    nouns: nouns`pending payment request(s) to me | open payment request(s) to me
      | payment request(s) waiting for my answer | unanswered payment request(s) to me
      | pending incoming Pay request(s)`,
  })`from $ | that $ made | sent by $ | that come from $ | in which $ asks for money`,
  pendingRequestsCollection("claims", true, {
    api: "requested",
    nouns: nouns`pending payment request(s) of mine | open payment request(s) of my own
      | payment request by me still unpaid / payment requests by me still pending
      | unanswered payment request(s) of mine | pending outgoing Pay request(s)`,
  })`to $ | that I sent to $ | addressed to $ | that $ has to pay | in which I ask $ for money`,
];

const peopleOfRequestsRelation = (from: RequestKind) =>
  relationBetween(from, "people", {
    relatedIds: referencedIn(requests, "person"),
    code: distinctForEachKey("apis.pay.requestDetails({id:k}).with"),
  });

const requestsOfPeopleRelation = (to: RequestKind, outgoing: boolean, api: string) =>
  relationBetween("people", to, {
    relatedIds: rowsReferencing(requests, "person", { outgoing, status: "pending" }),
    cells: propertyOnAllPages(api, `from:k,status:"pending"`),
  });

export const requestRelations = relations("pay", {
  "requests-people": peopleOfRequestsRelation(
    "requests",
  )`the people who sent # | everyone who made one of #
    | the senders of # | those who ask for money in # | whoever is behind #`,
  "claims-people": peopleOfRequestsRelation(
    "claims",
  )`the people who shall pay # | everyone who has to pay one of #
    | the receivers of # | those whom I ask for money in # | whoever got one of #`,
  "people-requests": requestsOfPeopleRelation("requests", false, "pay.requests")`
    the pending payment requests to me from # | whatever payment requests to me are pending from #
    | the payment requests waiting for my answer from # | the unanswered payment requests to me by #
    | the pending incoming Pay requests of #`,
  "people-claims": requestsOfPeopleRelation("claims", true, "pay.requested")`
    my pending payment requests to # | whatever payment requests of mine are pending with #
    | the unpaid payment requests that I sent to # | my unanswered payment requests to #
    | the pending outgoing Pay requests to #`,
});

const isPending = ({ status }: PayRequest) => status === "pending";

const listOptions = { kind: "requests", app: "pay", table: requests } as const;

export const requestActions = [
  ...actions(listOptions, ({ applies, sets }) => ({
    approve: applies(
      (db, { id, person, cents, note }) => {
        db.update(requests, id, { status: "paid" });
        db.insert(payments, { person, outgoing: true, cents, note, request: id, at: ANY_TIME });
      },
      { when: isPending, api: "approve" },
    )`Approve # | Pay what is asked by approving # | Accept and pay # | Give my approval to #
      | Settle # by approving`,
    decline: sets(
      { status: "declined" },
      { when: isPending, api: "decline" },
    )`Decline # | Say no to # in Pay | Refuse # | Answer # by declining | Reject #`,
  })),
  ...actions({ ...listOptions, kind: "claims" }, ({ sets, addsRow }) => ({
    cancel: sets({ status: "cancelled" }, { when: isPending, api: "cancel" })`Cancel # | Call off #
      | Withdraw # | Take back # | Drop # by cancelling`,
    remind: addsRow(reminders, ({ id }) => ({ request: id }), {
      when: (row, db) => isPending(row) && db.where(reminders, { request: row.id }).length === 0,
      api: "remind",
    })`Send a Pay reminder for # | Remind in Pay whoever has to pay #
      | Let Pay send a reminder about # | Have Pay send out reminders of #
      | Give a payment reminder in Pay for #`,
  })),
  ...actions({ ...listOptions, difficulty: 2 }, ({ applies }) => ({
    /** This action declines the request and sends half of the amount instead. */
    "pay-half": applies(
      (db, { id, person, cents, note }) => {
        db.update(requests, id, { status: "declined" });
        insertPayment(db, person, Math.floor(cents / 2), note);
      },
      {
        when: isPending,
        call: "const o=apis.pay.requestDetails({id:x});apis.pay.decline({id:x});apis.pay.send({to:o.with,amount:Math.floor(Math.round(o.amount*100)/2)/100,note:o.note})",
      },
    )`Decline #, but send each asker half of the amount, rounded down to the cent, with the same
        note
      | Refuse # and pay each asker only half the amount (rounded down to the cent) under the same
        note
      | Reject # and send the asker half of what is asked, rounded down to the cent, keeping the
        note
      | Say no to #, declining, and instead pay the asker half of it, rounded down to the cent, with
        its note
      | Decline # and then pay half of each amount, rounded down to the cent, to its asker with the
        note of the request`,
  })),
];
