/** Saved payees, and the contacts behind them. */
import {
  actions,
  dayWords,
  dollars,
  joins,
  js,
  moneyWords,
  nouns,
  relations,
  rows,
} from "../../../../goals/index.ts";
import { orders, type Payee, payees, transactions } from "../../apps/bank/tables.ts";
import { dayAfter } from "../../population/time.ts";
import { among, entitled, gather } from "../pay/cells.ts";
import { accountCalled, free, mayPay, writeLine } from "./lookups.ts";

const on = { kind: "payees", app: "bank", table: payees };

export const payeesPart = rows<Payee>({
  ...on,
  base: { removed: false },
  nouns: nouns`saved payee(s) | payee(s) saved at my bank | bank payee(s) of mine
    | payee(s) on my bank's list | payee(s) in the Bank app`,
  list: "payees",
  columns: ({ is, choice, text, number }) => ({
    companies: is({ person: null }, { test: "x.person===null" })`that are companies
      | which are no contacts of mine | that do not belong to a contact
      | which are not linked to any contact | that have no contact`,
    ordered: is(
      ({ id }, db) => db.where(orders, { payee: id, status: "active" }).length > 0,
      { test: 'apis.bank.orders({payee:x.id,status:"active"}).items.length>0' },
      { excludes: ["unused"] },
    )`that get money by an active standing order | to which an active standing order goes
      | for which there is an active standing order | that an active standing order pays
      | which have an active standing order`,
    unused: is(({ id }, db) => db.where(orders, { payee: id }).length === 0, {
      test: "apis.bank.orders({payee:x.id}).items.length===0",
    })`that no standing order ever paid | that never had a standing order
      | for which there never was a standing order | that have no standing order in any state
      | which never were in a standing order`,
    paid: is(({ name }, db) => db.where(transactions, { payee: name }).length > 0, {
      test: "apis.bank.transactions({payee:x.name}).items.length>0",
    })`that occur as the payee of a bank transaction | with at least one bank transaction
      | for which the bank lists a transaction | that have at least one transaction at the bank
      | which are the payee in some bank transaction`,
    initial: choice(
      (row) => row.name[0]!,
      {},
      {
        code: (letter) => ({ test: `x.name.startsWith(${letter})` }),
      },
    )`whose names start with "$" | with names that begin with "$"
      | that have names starting with "$" | with "$" as the first letter of their names
      | whose names have "$" as their first letter`,
    name: text("name", { noun: "name" }),
    orders: number(({ id }, db) => db.where(orders, { payee: id }).length, {
      code: "apis.bank.orders({payee:x.id,size:20}).items.length",
      noun: "number of standing orders in any state",
    }),
  }),
  title: entitled<Payee>(
    "bank.payees",
    "name",
    (row) => row.name,
    "Sunbeam Solar | Polar Ice Cream | Granite Gym | Paper Moon Press",
  )`the saved payee "$" | my bank payee "$" | the payee called "$" at my bank
    | the payee "$" in the Bank app | the payee "$" on my bank's list`,
});

export const payeeRelations = relations("bank", {
  "payee-people": joins("payees", "people", {
    of: (id, db) => db.get(payees, id)!.person,
    cells: among("bank.payees", "person", "&&x.person!==null"),
  })`the contacts behind # | everyone who is the contact behind one of # | the contacts who hold #
    | whichever contacts are behind # | the people with # as an account of theirs`,
  "people-payees": joins("people", "payees", {
    of: (person, db) => db.where(payees, { person, removed: false }).map(({ id }) => id),
    cells: gather("bank.payees", "person:k"),
  })`the saved bank payees of # | every saved payee at the bank that belongs to #
    | whatever payees the bank has saved for # | my bank payees that are accounts of #
    | the payees on my bank's list belonging to #`,
  "payee-orders": joins("payees", "standingOrders", {
    of: (payee, db) => db.where(orders, { payee, status: "active" }).map(({ id }) => id),
    cells: gather("bank.orders", 'payee:k,status:"active"'),
  })`the active standing orders to # | every active standing order that goes to #
    | whatever standing orders are active for # | the standing orders in force for #
    | the active standing orders that pay #`,
});

export const payeeActions = actions(on, ({ taking, does, drawn, adds, sets }) => ({
  transfer: taking("money", (money, draw) => {
    const from = accountCalled(draw, draw.rng.pick(["Everyday", "Household", "Rainy day"]));
    if (!from) return undefined;
    const [m, a, account, cents] = [money.words, from.words, from.value, -money.value];
    return does((db, { name }) => writeLine(db, { account, cents, payee: name, note: "" }), {
      when: (row, db) => mayPay(db, row) && free(db, account) >= 10 * money.value,
      call: `apis.bank.transfer({from:${from.code},payee:x,amount:${money.code}})`,
      uses: [from],
    })`Make a bank transfer of ${m} from my account ${a} to #
      | Transfer the amount of ${m} from my account ${a} to #
      | Let the bank make a transfer of ${m} out of the account ${a} to #
      | Out of my account ${a}, make a transfer of ${m} to #
      | Send a transfer of ${m} from the account ${a} at the bank to #`;
  }),
  "add-order": drawn((draw) => {
    const from = accountCalled(draw, draw.rng.pick(["Everyday", "Household"]));
    if (!from) return undefined;
    const [next, cents] = [dayAfter(draw.rng.integer(3, 40)), 50 * draw.rng.integer(15, 180)];
    const every = draw.rng.pick(["week", "month"] as const);
    const terms = { cents, every, next, note: "", status: "active" } as const;
    const args = `amount:${dollars(cents)},every:"${every}",next:${js(next)}`;
    const what = `${moneyWords(cents)} every ${every} from ${dayWords(next)} on`;
    const a = from.words;
    return adds(orders, ({ id }) => ({ account: from.value, payee: id, ...terms }), {
      when: (row, db) => mayPay(db, row),
      call: `apis.bank.addOrder({from:${from.code},payee:x,${args}})`,
      uses: [from],
    })`Add a standing order of ${what}, paid by my account ${a}, to #
      | Set up a standing order of ${what}, out of the account ${a}, to #
      | Let the bank have a standing order of ${what} on my account ${a} to #
      | Start a standing order of ${what} from my account ${a} to #
      | Make a new standing order of ${what} on the account ${a} to #`;
  }),
  remove: sets(
    { removed: true },
    {
      when: ({ id, removed }, db) =>
        !removed && db.where(orders, { payee: id }).every(({ status }) => status === "ended"),
      api: "removePayee",
    },
  )`Remove # from my saved payees | Delete # from the bank's list | Take # off my list of payees
    | Drop # from my payees | Let the bank remove # as saved payees`,
}));
