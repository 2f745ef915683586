/** Goals about bank cards: their collection and actions. */
import {
  actions,
  atLeast,
  defineCollection,
  nouns,
  type RowCondition,
  superlatives,
  taskValue,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Card, cards, transactions } from "../../apps/bank/tables.ts";
import { titleOfListItems } from "../pay/money-app-code.ts";
import { isOwnAccount, isSpendingThisMonth } from "./lookups.ts";

const centsPaidThisMonth = ({ id }: Card, db: Reader) =>
  db
    .where(transactions, { card: id })
    .filter(isSpendingThisMonth)
    .reduce((sum, row) => sum - row.cents, 0);

const listOptions = { kind: "cards", app: "bank", table: cards };

export const cardsPart = defineCollection<Card>({
  ...listOptions,
  includes: { cancelled: false },
  nouns: nouns`bank card(s) | card(s) of my bank | card(s) in the Bank app | bank card(s) of mine
    | card that the bank lists / cards on the bank's list`,
  list: "cards",
  allowsWhole: true,
  columns: ({ text, withProperty, money }) => ({
    label: text("label", { noun: "label" }),
    working: withProperty({ frozen: false }, { args: "frozen:false" })`that are not frozen
      | which work and are not frozen | that nobody has frozen | which are free from being frozen
      | that are usable because they are not frozen`,
    limit: money(
      "limit",
      { noun: "monthly limit" },
      superlatives`highest-limit / lowest-limit | highest-limit / lowest-limit
          | highest-limit / lowest-limit | highest-limit / lowest-limit
          | highest-limit / lowest-limit`,
      atLeast("generous")`with a monthly limit of at least $
        | that have a monthly limit of $ or more | whose monthly limit is at least $
        | with a limit of $ or more a month | that may pay at least $ a month`,
    ),
    busy: withProperty((row, db) => centsPaidThisMonth(row, db) > 0, { test: "x.spent>0" })`
      that paid something this month | with payments in this month | which were used this month
      | that have paid anything this month | with which something was paid this month`,
    spent: money(centsPaidThisMonth, { item: "spent", noun: "spending this month" }),
  }),
  title: titleOfListItems<Card>(
    "bank.cards",
    "label",
    (row) => row.label,
    "Silver card | Night card | Company card | Petrol card",
  )`my bank card "$" | the bank card "$" | the card "$" of my bank | the bank card called "$"
    | the bank card with the label "$"`,
});

const usableCard: RowCondition<Card> = [
  { cancelled: false },
  ({ account }, db) => isOwnAccount(db, account),
];

export const cardActions = actions(
  { ...listOptions, when: usableCard },
  ({ changesTo, setsToDrawn, sets, difficulty2 }) => ({
    freeze: changesTo({ frozen: true }, { api: "freeze" })`Freeze # | Have the bank freeze #
    | Put a freeze on # | Let # be frozen | Set # to frozen`,
    unfreeze: changesTo({ frozen: false }, { api: "unfreeze" })`
      Unfreeze # | Have the bank unfreeze #
    | Lift the freeze on # | Let # be frozen no longer | End the freeze of #`,
    "cancel-card": sets({ cancelled: true }, { api: "cancelCard" })`Cancel # for good
    | Have the bank cancel # | Cancel # once and for all | Let # be cancelled
    | Permanently cancel #`,
    "set-limit": setsToDrawn("limit", taskValue("money"), { api: "setCardLimit", arg: "amount" })`
    Set the monthly limit of # to $ | Limit # to $ a month | Make $ the monthly limit of #
    | Let # have a monthly limit of $ | Change the monthly limit of # to $`,
    /** Doubles the monthly limit of the card. */
    "double-limit": difficulty2(
      sets((row) => ({ limit: 2 * row.limit }), {
        when: ({ limit }) => limit <= 500_000,
        call: "const o=apis.bank.cards({size:20}).items.find(c=>c.id===x);apis.bank.setCardLimit({id:x,amount:2*o.limit})",
      })`Double the monthly limit of # | Make the monthly limit twice what it is for #
      | Raise the monthly limit of # to twice the present one
      | Let the monthly limit be twice as high as now for #
      | Set the monthly limit of # to its double`,
    ),
  }),
);
