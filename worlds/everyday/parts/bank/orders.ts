/** Goals about standing orders: their collection, relations and actions. */
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
import { orders, payees, type StandingOrder } from "../../apps/bank/tables.ts";
import { drawTodayOrLater } from "../days.ts";
import { distinctForEachKey } from "../pay/money-app-code.ts";
import {
  DUE_DATE_SUPERLATIVES,
  largeAmountClause,
  linkedThingColumn,
  noteColumn,
  PRICE_SUPERLATIVES,
  soonDateClause,
} from "../pay/money-app-columns.ts";
import {
  availableCents,
  canBePaid,
  canSpendFrom,
  drawAccountIfSeveral,
  insertTransfer,
} from "./lookups.ts";

const listOptions = { kind: "standingOrders", app: "bank", table: orders };

export const ordersPart = defineCollection<StandingOrder>({
  name: "orders",
  ...listOptions,
  includes: { status: "active" },
  nouns: nouns`active standing order(s) | active standing order(s) of mine
    | standing order(s) in force | active standing order(s) at my bank
    | active bank standing order(s)`,
  list: { api: "orders", args: 'status:"active"' },
  allowsWhole: true,
  fields: "payee amount next",
  columns: ({ choice, money, day, text }) => ({
    every: choice("every", { arg: "every" })`that are paid every $ | which repeat every $
      | that pay every $ | that run every $ | which are due every $`,
    account: linkedThingColumn("account", drawAccountIfSeveral)`on the account $ | of the account $
      | that the account $ pays | which draw on the account $ | paid by the account $`,
    amount: money(
      "cents",
      { item: "amount", noun: "amount", superlatives: PRICE_SUPERLATIVES },
      largeAmountClause(),
    ),
    next: day("next", { noun: "next date", superlatives: DUE_DATE_SUPERLATIVES }, soonDateClause),
    note: noteColumn("piano lessons | dog walking | garage share | cleaning | van share | rent"),
    payee: text((row, db) => db.get(payees, row.payee)!.name, { item: "payee", noun: "payee" }),
  }),
});

export const orderRelations = relations("bank", {
  "order-payees": relationBetween("standingOrders", "payees", {
    relatedIds: referencedIn(orders, "payee"),
    code: distinctForEachKey("apis.bank.order({id:k}).payeeId"),
  })`the payees of # | every payee that gets one of # | whichever payees get #
    | the payees who are paid by # | each payee of any of #`,
});

const isRunningOrder = ({ status, account }: StandingOrder, db: Reader) =>
  status !== "ended" && canSpendFrom(db, account);

export const orderActions = actions(
  { ...listOptions, when: isRunningOrder },
  ({ applies, setsToDrawn, sets, difficulty2 }) => ({
    pause: sets({ status: "paused" }, { when: { status: "active" }, api: "pauseOrder" })`Pause #
    | Put # on hold | Suspend # for now by pausing | Set # to paused | Have # paused`,
    end: sets({ status: "ended" }, { api: "endOrder" })`End # for good | Stop # for ever by ending
    | End # once and for all | Put a final end to # | Permanently end #`,
    raise: difficulty2(
      actionWithValue("money", ({ value, code }) =>
        sets(({ cents }) => ({ cents: cents + value }), {
          call: `const o=apis.bank.order({id:x});apis.bank.changeOrder({id:x,amount:Math.round((o.amount+${code})*100)/100})`,
        }),
      )`Raise the amount by $ for # | Increase the amount of # by $ | Add $ to the amount of #
      | Let the amount of # go up by $ | Make the amount of # higher by $`,
    ),
    "set-day": setsToDrawn("next", drawTodayOrLater, {
      api: "changeOrder",
    })`Move the next date of # to $ | Set the next day of # to $ | Make $ the next date of #
    | Let # be due next on $ | Change the next date of # to $`,
    "pay-now": difficulty2(
      applies(
        (db, { account, payee, cents, note }) =>
          insertTransfer(db, { account, cents: -cents, payee: db.get(payees, payee)!.name, note }),
        {
          when: (row, db) =>
            canBePaid(db, db.get(payees, row.payee)!) &&
            availableCents(db, row.account) > 5 * row.cents,
          call: "const o=apis.bank.order({id:x});apis.bank.transfer({from:o.account,payee:o.payeeId,amount:o.amount,note:o.note})",
        },
      )`Make an extra transfer now for #, with the order's account, payee, amount and note
      | For #, make one more transfer right now, using the account, payee, amount and note of the
        order | Pay # once ahead by a transfer with the same account, payee, amount and note
      | Carry out # once right now, as a transfer with the same account, payee, amount and note
      | Make a transfer now for #, with the same account, payee, amount and note`,
    ),
  }),
);
