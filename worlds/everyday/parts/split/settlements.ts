/** Goals about settlements: their collection, relations and actions. */
import {
  actions,
  defineCollection,
  nouns,
  referencedIn,
  relationBetween,
  relations,
} from "bowline/goals";
import { type Settlement, settlements, splitGroups } from "../../apps/split/tables.ts";
import { propertyOfItemsInSet } from "../pay/money-app-code.ts";
import {
  AMOUNT_SUPERLATIVES,
  largeAmountClause,
  lateDateClause,
  otherPersonColumn,
} from "../pay/money-app-columns.ts";
import { isActiveGroup } from "./debts.ts";

const listOptions = { kind: "settlements", app: "split", table: settlements };

export const settlementsPart = defineCollection<Settlement>({
  ...listOptions,
  includes: { undone: false },
  nouns: nouns`settlement(s) in Split | Split settlement(s) | recorded settlement(s) in Split
    | settlement(s) in the Split app | settlement(s) recorded by Split`,
  list: "settlements",
  columns: ({ text, withProperty, money, day }) => ({
    group: text((row, db) => db.get(splitGroups, row.group)!.name, {
      code: "apis.split.group({id:x.group}).name",
      noun: "name of the group",
    }),
    with: otherPersonColumn<Settlement>(
      "person",
      (row) => row.person,
    )`between $ and me | to or from $
      | with $ on the other side | that went between me and $ | that have $ on the other side`,
    paid: withProperty({ outgoing: true }, { args: 'kind:"paid"' })`that I paid
      | in which I was the one to pay | by which I paid others back | which went from me to others
      | that were paid by me`,
    cash: withProperty({ payment: null }, { test: "x.payment===null" })`without a payment in Pay
      | that no Pay payment belongs to | which are not linked to a payment in Pay
      | that have no payment of the Pay app | for which there is no linked Pay payment`,
    amount: money(
      "cents",
      { item: "amount", noun: "amount", superlatives: AMOUNT_SUPERLATIVES },
      largeAmountClause(),
    ),
    day: day((row) => row.at.slice(0, 10), { item: "day" }, lateDateClause()),
  }),
});

export const settlementRelations = relations("split", {
  "settlement-sides": relationBetween("settlements", "people", {
    relatedIds: referencedIn(settlements, "person"),
    cells: propertyOfItemsInSet("split.settlements", "person"),
  })`the people on the other side of # | everyone who is the other side of #
    | whoever was on the other side of # | the persons at the other end of #
    | those with whom I had #`,
});

export const settlementActions = actions(listOptions, ({ sets }) => ({
  undo: sets(
    { undone: true },
    { when: ({ undone, group }, db) => !undone && isActiveGroup(db, group), api: "undoSettlement" },
  )`Undo # | Make # undone | Take back # by undoing | Have Split undo # | Let # be undone`,
}));
