/** Values that other parts can look up in the pay app (amounts, days and notes), and facts about its sums. */
import { type DrawContext, fact, facts, source, sources } from "bowline/goals";
import type { Reader } from "bowline/world";
import { limits, type Plan, plans } from "../../apps/pay/tables.ts";
import { type Payment, type PayRequest, payments, requests, wallet } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";

/** Draws a person to whom exactly one of the rows belongs. */
function drawPersonWithOneRow<R extends Plan | Payment | PayRequest>(
  draw: DrawContext,
  rows: readonly R[],
) {
  const rowsOfOnePerson = rows.filter(
    (row) => rows.filter((r) => r.person === row.person).length === 1,
  );
  const person = draw.person(rowsOfOnePerson.map((row) => row.person));
  if (!person) return undefined;
  const row = rowsOfOnePerson.find((one) => one.person === person.value.id)!;
  return { row, uses: [person], personWords: person.words, handleCode: person.code };
}

const drawPendingRequest = (outgoing: boolean) => (draw: DrawContext) =>
  drawPersonWithOneRow(draw, draw.db.where(requests, { outgoing, status: "pending" }));
const drawActivePlan = (fits: (row: Plan) => boolean) => (draw: DrawContext) => {
  const active = draw.db.where(plans, { status: "active" });
  return drawPersonWithOneRow(draw, active.filter(fits));
};

export const paySources = sources("pay", {
  asked: source.money("v", drawPendingRequest(false), ({ row, personWords, handleCode, uses }) => ({
    value: row.cents,
    words: `the amount that ${personWords} asks of me in a pending Pay request`,
    code: `apis.pay.requests({from:${handleCode},status:"pending"}).items[0].amount`,
    uses,
  })),
  planned: source.money(
    "v",
    drawActivePlan(() => true),
    ({ row, personWords, handleCode, uses }) => ({
      value: row.cents,
      words: `the amount of my active planned payment to ${personWords}`,
      code: `apis.pay.plans({to:${handleCode},status:"active"}).items[0].amount`,
      uses,
    }),
  ),
  /** Draws a person with only one payment, so that the instruction need not describe the payment further. */
  paid: source.money(
    "v",
    (draw) => drawPersonWithOneRow(draw, draw.db.where(payments, { outgoing: true })),
    ({ row, personWords, handleCode, uses }) => ({
      value: row.cents,
      words: `the amount of my only Pay payment to ${personWords}`,
      code: `apis.pay.history({person:${handleCode},kind:"sent"}).items[0].amount`,
      uses,
    }),
  ),
  "planned-day": source.day(
    "v",
    drawActivePlan((row) => row.day > TODAY),
    ({ row, personWords, handleCode, uses }) => ({
      value: row.day,
      words: `the next date of my active planned payment to ${personWords}`,
      code: `apis.pay.plans({to:${handleCode},status:"active"}).items[0].day`,
      uses,
    }),
  ),
  "asked-note": source.text(
    "v",
    drawPendingRequest(true),
    ({ row, personWords, handleCode, uses }) =>
      row.note === ""
        ? undefined
        : {
            value: row.note,
            words: `the note of my pending Pay request to ${personWords}`,
            code: `apis.pay.requested({from:${handleCode},status:"pending"}).items[0].note`,
            uses,
          },
  ),
});

const dollarsThisMonth = (db: Reader, outgoing: boolean) =>
  db
    .where(payments, { outgoing })
    .filter((row) => row.at.startsWith(TODAY.slice(0, 7)))
    .reduce((sum, row) => sum + row.cents, 0) / 100;

export const payFacts = facts("pay", {
  balance: fact("money", (db) => db.all(wallet)[0]!.cents / 100, "apis.pay.balance({}).balance")`
    the balance of my Pay wallet | what I have in my Pay wallet | the money in my Pay wallet
    | my balance in the Pay app | the Pay wallet's balance`,
  "sent-this-month": fact(
    "money",
    (db) => dollarsThisMonth(db, true),
    "apis.pay.months({}).items[0].sent",
  )`what I sent with Pay this month | the sum of my Pay payments to others this month
    | the total that I paid out with Pay this month | the money that left through Pay this month
    | this month's total of sent Pay payments`,
  "received-this-month": fact(
    "money",
    (db) => dollarsThisMonth(db, false),
    "apis.pay.months({}).items[0].received",
  )`what I received with Pay this month | the sum of Pay payments to me this month
    | the total that others paid me with Pay this month
    | the money that came in through Pay this month | this month's total of received Pay payments`,
  "limit-left": fact(
    "money",
    (db) => (db.where(limits, { person: null })[0]?.cents ?? 0) / 100 - dollarsThisMonth(db, true),
    "apis.pay.limits({size:20}).items.find(x=>x.person===null).left",
  )`what is left of my overall monthly Pay limit | the rest of my overall Pay limit for this month
    | the remainder of the monthly Pay limit for all together
    | what my overall monthly limit in Pay still leaves
    | the unused part of my overall Pay limit this month`,
});
