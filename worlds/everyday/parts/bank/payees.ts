/** Goals about saved payees: their collection, relations and actions. */
import {
  actions,
  actionWith,
  amountBetween,
  customIngredient,
  type DrawContext,
  dayInWords,
  defineCollection,
  nouns,
  oneOf,
  propertyOnAllPages,
  referencedIn,
  relationBetween,
  relations,
  rowsReferencing,
  taskValue,
  wordList,
} from "bowline/goals";
import { orders, type Payee, payees, transactions } from "../../apps/bank/tables.ts";
import { dayFromStart } from "../../population/time.ts";
import { propertyOfItemsInSet, titleOfListItems } from "../pay/money-app-code.ts";
import { availableCents, canBePaid, findAccountByName, insertTransfer } from "./lookups.ts";

const listOptions = { kind: "payees", app: "bank", table: payees };

export const payeesPart = defineCollection<Payee>({
  ...listOptions,
  includes: { removed: false },
  nouns: nouns`saved payee(s) | payee(s) saved at my bank | bank payee(s) of mine
    | payee(s) on my bank's list | payee(s) in the Bank app`,
  list: "payees",
  columns: ({ withProperty, choice, text, number }) => ({
    companies: withProperty({ person: null }, { test: "x.person===null" })`that are companies
      | which are no contacts of mine | that do not belong to a contact
      | which are not linked to any contact | that have no contact`,
    ordered: withProperty(
      ({ id }, db) => db.where(orders, { payee: id, status: "active" }).length > 0,
      { test: 'apis.bank.orders({payee:x.id,status:"active"}).items.length>0' },
      { excludes: ["unused"] },
    )`that get money by an active standing order | to which an active standing order goes
      | for which there is an active standing order | that an active standing order pays
      | which have an active standing order`,
    unused: withProperty(({ id }, db) => db.where(orders, { payee: id }).length === 0, {
      test: "apis.bank.orders({payee:x.id}).items.length===0",
    })`that no standing order ever paid | that never had a standing order
      | for which there never was a standing order | that have no standing order in any state
      | which never were in a standing order`,
    paid: withProperty(({ name }, db) => db.where(transactions, { payee: name }).length > 0, {
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
  title: titleOfListItems<Payee>(
    "bank.payees",
    "name",
    (row) => row.name,
    "Sunbeam Solar | Polar Ice Cream | Granite Gym | Paper Moon Press",
  )`the saved payee "$" | my bank payee "$" | the payee called "$" at my bank
    | the payee "$" in the Bank app | the payee "$" on my bank's list`,
});

export const payeeRelations = relations("bank", {
  "payee-people": relationBetween("payees", "people", {
    relatedIds: referencedIn(payees, "person"),
    cells: propertyOfItemsInSet("bank.payees", "person", "&&x.person!==null"),
  })`the contacts behind # | everyone who is the contact behind one of # | the contacts who hold #
    | whichever contacts are behind # | the people with # as an account of theirs`,
  "people-payees": relationBetween("people", "payees", {
    relatedIds: rowsReferencing(payees, "person", { removed: false }),
    cells: propertyOnAllPages("bank.payees", "person:k"),
  })`the saved bank payees of # | every saved payee at the bank that belongs to #
    | whatever payees the bank has saved for # | my bank payees that are accounts of #
    | the payees on my bank's list belonging to #`,
  "payee-orders": relationBetween("payees", "standingOrders", {
    relatedIds: rowsReferencing(orders, "payee", { status: "active" }),
    cells: propertyOnAllPages("bank.orders", 'payee:k,status:"active"'),
  })`the active standing orders to # | every active standing order that goes to #
    | whatever standing orders are active for # | the standing orders in force for #
    | the active standing orders that pay #`,
});

const drawAccountNamed = (names: string) => (draw: DrawContext) =>
  findAccountByName(draw, draw.rng.pick(wordList(names)));

export const payeeActions = actions(listOptions, ({ applies, addsRow, sets }) => ({
  transfer: actionWith(
    { money: taskValue("money"), account: drawAccountNamed("Everyday | Household | Rainy day") },
    ({ money, account: { value: account, code } }) => {
      const line = { account, cents: -money.value };
      return applies((db, { name }) => insertTransfer(db, { ...line, payee: name, note: "" }), {
        when: (row, db) => canBePaid(db, row) && availableCents(db, account) >= 10 * money.value,
        call: `apis.bank.transfer({from:${code},payee:x,amount:${money.code}})`,
      });
    },
  )`Make a bank transfer of $money from my account $account to #
    | Transfer the amount of $money from my account $account to #
    | Let the bank make a transfer of $money out of the account $account to #
    | Out of my account $account, make a transfer of $money to #
    | Send a transfer of $money from the account $account at the bank to #`,
  "add-order": actionWith(
    {
      account: drawAccountNamed("Everyday | Household"),
      day: customIngredient(({ rng }) => dayFromStart(rng.integer(3, 40)), dayInWords),
      money: amountBetween(750, 9000, 50),
      every: oneOf(["week", "month"] as const),
    },
    ({ account, day, money, every }) => {
      const terms = { cents: money.value, every: every.value, next: day.value } as const;
      const made = { ...terms, note: "", status: "active" } as const;
      const args = `amount:${money.code},every:${every.code},next:${day.code}`;
      return addsRow(orders, ({ id }) => ({ account: account.value, payee: id, ...made }), {
        when: (row, db) => canBePaid(db, row),
        call: `apis.bank.addOrder({from:${account.code},payee:x,${args}})`,
      });
    },
  )`Add a standing order of $money every $every from $day on, paid by my account $account, to # |
    Set up a standing order of $money every $every from $day on, out of the account $account, to #
    | Let the bank have a standing order of $money every $every, out of my account $account, from
    $day on, to # | Start a standing order of $money every $every from $day on from my account
    $account to # | Make a new standing order of $money every $every, paid by the account
    $account, from $day on, to #`,
  remove: sets(
    { removed: true },
    {
      when: ({ id, removed }, db) =>
        !removed && db.where(orders, { payee: id }).every(({ status }) => status === "ended"),
      api: "removePayee",
    },
  )`Remove # from my saved payees | Delete # from the bank's list | Take # off my list of payees
    | Drop # from my payees | Let the bank remove # from my saved payees`,
}));
