/** The goals of the desk app: bills and letters, and the relations from visits to bills and from bills to clients. */
import {
  actions,
  alternatives,
  atLeast,
  atMost,
  defineCollection,
  fact,
  facts,
  jsLiteral,
  nouns,
  type Parts,
  relationBetween,
  relations,
  source,
  sources,
  titleBy,
} from "bowline/goals";
import { type Bill, bills, letters, prices, sumOwedCents } from "../apps/desk.ts";
import { visits } from "../apps/diary.ts";
import { type Client, clients, pets } from "../apps/records.ts";

const billRows = defineCollection<Bill>({
  kind: "bills",
  app: "desk",
  table: bills,
  list: "bills",
  nouns: nouns`bill(s) | bill(s) of the clinic | bill(s) at the desk | bill(s) of ours
    | bill in our books / bills in our books`,
  columns: ({ day, withOrWithout, money, text }) => ({
    paid: withOrWithout(
      (row) => row.paid,
      (yes) => ({ args: `paid:${yes}` }),
    )`that are paid | which have been paid | which are settled | that are marked as paid
      | that have been settled``that are unpaid | which have not been paid | which are not settled
      | that are not marked as paid | that have not been settled`,
    amount: money(
      (row) => row.cents,
      {
        item: "amount",
        noun: "amount",
        superlatives: [
          alternatives`largest | highest | most expensive | biggest | dearest`,
          alternatives`smallest | lowest | least expensive | cheapest | least costly`,
        ],
      },
      atLeast("large", {
        excludes: ["small"],
      })`of $ or more | that come to at least $ | with an amount of $ or more
        | that are no smaller than $ | whose amount is $ or above`,
      atMost("small")`of $ or less | that come to at most $ | with an amount of $ or less
        | that are no larger than $ | whose amount is $ or below`,
    ),
    due: day(
      (row) => row.due,
      { item: "due", noun: "due day" },
      atMost("soon")`due on $ or earlier | that are due on $ or earlier | due no later than $
        | that fall due on $ or before that day | whose due day is $ or an earlier one`,
    ),
    number: text((row) => row.number, { item: "number", noun: "number" }),
  }),
  title: titleBy<Bill>({
    nameOf: (row) => row.number,
    find: (number) => `apis.desk.bills({number:${jsLiteral(number)}}).items.map(x=>x.id)`,
    missing: ["B-998", "B-977", "B-963"],
  })`bill $ | our bill $ | the bill $ | the bill with the number $ | bill number $`,
});

const isUnpaid = (row: Bill) => !row.paid;
const billActions = actions(
  { kind: "bills", app: "desk", table: bills },
  ({ sets, drawnActionWithValue }) => ({
    settle: sets({ paid: true }, { when: isUnpaid, api: "settle" })`Mark # as paid | Settle #
    | Note # as paid | Enter a payment for # | Put # down as paid`,
    charge: drawnActionWithValue(
      "money",
      ({ value, words, code }) =>
        sets(({ cents }) => ({ cents: cents + value }), {
          when: isUnpaid,
          api: "charge",
          args: `amount:${code}`,
        })`Add ${words} to # | Put ${words} more on # | Charge ${words} more on #
      | Raise # by ${words} | Increase # by ${words}`,
    ),
    extend: drawnActionWithValue(
      "day",
      ({ value: due, words, code }) =>
        sets(
          { due },
          { when: (row) => isUnpaid(row) && row.due !== due, api: "extend", args: `due:${code}` },
        )`
      Change the due day for # to ${words} | Make ${words} the due day for #
      | Set the due day for # to ${words} | Let ${words} be the due day for #
      | Give # the due day ${words}`,
    ),
  }),
);

const letterActions = actions(
  { kind: "people", app: "desk", table: clients, key: "client" },
  ({ addsRow, drawnActionWithValue }) => ({
    write: drawnActionWithValue(
      "text",
      ({ value: text, words, code }) =>
        addsRow(letters, (row: Client) => ({ client: row.id, text }), {
          api: "write",
          args: `text:${code}`,
        })`Send # a letter whose text is ${words} | Write # a letter whose text is ${words}
        | Send # ${words} as a letter | Mail # ${words} as a letter
        | Post # a letter whose text is ${words}`,
    ),
  }),
);

const clientOfBill =
  "apis.records.pet({id:apis.diary.visit({id:apis.desk.bill({id}).visit}).pet}).owner";

export const deskParts: Parts = {
  collections: [billRows],
  actions: [...billActions, ...letterActions],
  relations: relations("desk", {
    bills: relationBetween({
      from: "visits",
      to: "bills",
      relatedIds: (id, db) => db.where(bills, { visit: id }).map((bill) => bill.id),
      code: (from) => `${from}.flatMap(visit=>apis.desk.bills({visit,size:20}).items.map(x=>x.id))`,
    })`the bills for # | the bills written for # | the bills made out for # | the bills concerning #
      | the bills that concern #`,
    debtors: relationBetween({
      from: "bills",
      to: "people",
      relatedIds: (id, db) => db.get(pets, db.get(visits, db.get(bills, id)!.visit)!.pet)!.owner,
      code: (from) => `[...new Set(${from}.map(id=>${clientOfBill}))]`,
    })`the clients who received # | the people who received # | whoever received #
      | the recipients of # | the clients who got #`,
  }),
  sources: sources("desk", {
    price: source.money("price", ({ rng, db }) => {
      const { item, cents } = rng.pick(db.all(prices));
      const code = `apis.desk.prices({item:${jsLiteral(item)}}).items[0].price`;
      return { value: cents, words: `the price of a ${item} in our price list`, code };
    }),
  }),
  facts: facts("desk", {
    owed: fact("money", (db) => sumOwedCents(db) / 100, "apis.desk.owed({}).amount")`
      the total that our clients owe us | the sum that clients still owe | what clients owe in total
      | the total of what is owed to us | the sum of all that clients owe us`,
  }),
};
