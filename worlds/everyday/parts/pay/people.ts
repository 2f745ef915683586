/**
 * Goals about people in the pay app: the collection of people with whom the owner had payments, and actions on any
 * people.
 */
import {
  actions,
  actionWithValue,
  amountBetween,
  atLeast,
  customIngredient,
  dayInWords,
  defineCollection,
  nouns,
  taskValue,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { favourites, plans } from "../../apps/pay/tables.ts";
import { type Person, payments, people, requests } from "../../apps/tables.ts";
import { dayFromStart } from "../../population/time.ts";
import { isReachable } from "../reachable-people.ts";
import { insertPayment, insertRequest, setLimit } from "./insert-rows.ts";

const totalPaymentCents = (db: Reader, { id }: Person, outgoing: boolean) =>
  db.where(payments, { person: id, outgoing }).reduce((sum, row) => sum + row.cents, 0);
const countPayments = ({ id }: Person, db: Reader) => db.where(payments, { person: id }).length;
const isFavourite = ({ id }: Person, db: Reader) => db.where(favourites, { person: id }).length > 0;

const listOptions = { kind: "people", app: "pay", table: people };

/** The people with whom the owner had payments. */
const partnersPart = defineCollection<Person>({
  name: "partners",
  ...listOptions,
  includes: (row, db) => countPayments(row, db) > 0,
  nouns: nouns`person in my Pay history / people in my Pay history | contact(s) with Pay payments
    | person with whom I had Pay payments / people with Pay payments to or from me
    | contact(s) in my Pay history
    | person in the payments of my Pay account / people in the payments of my Pay account`,
  list: "people",
  key: "person",
  columns: ({ text, money, number, withProperty }) => ({
    handle: text("handle", { item: "person", noun: "handle" }),
    sent: money(
      (row, db) => totalPaymentCents(db, row, true),
      { item: "sent", noun: "amount paid by me in Pay" },
      atLeast("sent-much")`to whom I sent $ or more in all | who got at least $ from me in all
        | whom I paid a total of $ or more | to whom my payments add up to at least $
        | who received at least $ from me altogether`,
    ),
    received: money(
      (row, db) => totalPaymentCents(db, row, false),
      { item: "received", noun: "amount paid to me in Pay" },
      atLeast("gave-much")`who sent me $ or more in all | from whom I got at least $ in all
        | who paid me a total of $ or more | whose payments to me add up to at least $
        | from whom I received at least $ altogether`,
    ),
    payments: number(
      countPayments,
      { item: "payments", noun: "number of Pay payments with me" },
      atLeast("often")`with whom I had $ payments or more | with at least $ payments
        | with whom there were at least $ payments | who have $ or more payments with me
        | who were part of at least $ payments`,
    ),
    asking: withProperty(
      ({ id }, db) =>
        db.where(requests, { person: id, outgoing: false, status: "pending" }).length > 0,
      { test: 'apis.pay.requests({from:x.person,status:"pending"}).items.length>0' },
    )`who have a pending payment request to me | who are waiting for my answer to a payment request
      | whose payment request to me is pending | from whom a payment request to me is still open
      | who sent me a payment request that is pending`,
    favoured: withProperty(isFavourite, {
      test: "(()=>{let p=1,r;do{r=apis.pay.favourites({size:20,page:p++});if(r.items.some(f=>f.handle===x.person))return true}while(r.more);return false})()",
    })`who are among my Pay favourites | who are favourites of mine in Pay
      | whom I made a Pay favourite | who belong to my favourites in Pay
      | whom Pay lists as my favourites`,
  }),
});

export const paymentPartners = [partnersPart];

const drawDayInNextWeeks = customIngredient(
  ({ rng }) => dayFromStart(rng.integer(3, 40)),
  dayInWords,
);

const isReachablePerson = ({ id }: Person, db: Reader) => isReachable(db, id);

export const payPeopleActions = actions(
  { ...listOptions, key: "person" },
  ({ applies, addsRow, actionWith }) => ({
    send: actionWithValue("money", ({ value, code }) =>
      applies((db, { id }) => void insertPayment(db, id, value, ""), {
        when: isReachablePerson,
        call: `apis.pay.send({to:x,amount:${code}})`,
      }),
    )`Send a payment of $ to # | Make a Pay payment of $ to # | Use Pay to send a payment of $ to #
    | With Pay, make a payment of $ to # | Let a Pay payment of $ go to #`,
    request: actionWithValue("money", ({ value, code }) =>
      applies((db, { id }) => insertRequest(db, id, value, ""), {
        when: isReachablePerson,
        call: `apis.pay.request({from:x,amount:${code}})`,
      }),
    )`Send a payment request of $ to # | Make a Pay request of $ to #
    | Use Pay to send a request for $ to # | With Pay, make a payment request for $ to #
    | Let a Pay request of $ go to #`,
    "send-noted": actionWith(
      { text: taskValue("text"), money: amountBetween(1100, 7900, 100) },
      ({ text, money }) =>
        applies((db, { id }) => void insertPayment(db, id, money.value, text.value), {
          when: isReachablePerson,
          call: `apis.pay.send({to:x,amount:${money.code},note:${text.code}})`,
        }),
    )`Send a payment of $money with the note $text to #
    | Make a Pay payment of $money and the note $text to #
    | Use Pay to send a payment of $money, noting $text, to #
    | With Pay, make a payment of $money that has the note $text to #
    | Let a Pay payment of $money with the note $text go to #`,
    plan: actionWith({ money: taskValue("money"), day: drawDayInNextWeeks }, ({ money, day }) => {
      const terms = { cents: money.value, note: "", day: day.value };
      return addsRow(
        plans,
        ({ id }) => ({ person: id, ...terms, repeat: "month", status: "active" }),
        {
          when: isReachablePerson,
          call: `apis.pay.plan({to:x,amount:${money.code},day:${day.code},repeat:"month"})`,
        },
      );
    })`Plan a payment of $money every month from $day on to #
    | In Pay, plan a payment of $money every month from $day onwards to #
    | Schedule a planned Pay payment of $money every month from $day on to #
    | Let Pay plan a payment of $money every month from $day onwards to #
    | Set up a planned payment in Pay of $money every month from $day on to #`,
    favour: addsRow(favourites, ({ id }) => ({ person: id }), {
      when: (row, db) => isReachablePerson(row, db) && !isFavourite(row, db),
      api: "addFavourite",
    })`Add # to my Pay favourites | Count # among my favourites in Pay | Put # among my favourites
      in Pay | Include # in my Pay favourites | Give # a place among my Pay favourites`,
    unfavour: applies(
      (db, row) => {
        for (const { id } of db.where(favourites, { person: row.id })) db.remove(favourites, id);
      },
      {
        when: (row, db) => isReachablePerson(row, db) && isFavourite(row, db),
        api: "removeFavourite",
      },
    )`Remove # from my Pay favourites | Take # off my favourites in Pay
    | Delete # from the favourites in Pay | Drop # from my Pay favourites
    | Let # no longer be among my Pay favourites`,
    limit: actionWithValue("money", ({ value, code }) =>
      applies((db, { id }) => setLimit(db, id, value), {
        when: isReachablePerson,
        api: "setLimit",
        args: `amount:${code}`,
      }),
    )`Set a monthly Pay limit of $ for # | Give # a monthly limit of $ in Pay
    | Put a Pay limit of $ a month on # | In Pay, limit what I send to # to $ a month each
    | Let my monthly limit in Pay be $ for #`,
  }),
);
