/** Goals about planned payments: their collection, relations and actions. */
import {
  actions,
  defineCollection,
  nouns,
  propertyOnAllPages,
  referencedIn,
  relationBetween,
  relations,
  rowsReferencing,
  taskValue,
} from "bowline/goals";
import { type Plan, plans } from "../../apps/pay/tables.ts";
import { drawTodayOrLater } from "../days.ts";
import { propertyOfItemsInSet } from "./money-app-code.ts";
import {
  DUE_DATE_SUPERLATIVES,
  largeAmountClause,
  noteColumn,
  otherPersonColumn,
  PRICE_SUPERLATIVES,
  soonDateClause,
} from "./money-app-columns.ts";

const REPEAT_WORDS = { once: "only once", week: "every week", month: "every month" };

const listOptions = { kind: "plans", app: "pay", table: plans };

export const plansPart = defineCollection<Plan>({
  ...listOptions,
  includes: { status: "active" },
  nouns: nouns`active planned payment(s) | active planned payment(s) in Pay
    | planned Pay payment(s) of mine in force | active payment plan(s) in Pay
    | active plan for a payment / active plans for payments`,
  list: { api: "plans", args: 'status:"active"' },
  allowsWhole: true,
  fields: "note amount day",
  columns: ({ choice, money, day }) => ({
    to: otherPersonColumn<Plan>("to", (row) => row.person)`
      to $ | that go to $ | for $ | which $ will get | that pay $`,
    repeat: choice(
      "repeat",
      { arg: "repeat" },
      { toWords: (repeat) => REPEAT_WORDS[repeat as Plan["repeat"]] },
    )`that happen $ | that are made $ | which take place $ | that are due $
      | which are to be paid $`,
    amount: money(
      "cents",
      { item: "amount", noun: "amount", superlatives: PRICE_SUPERLATIVES },
      largeAmountClause(),
    ),
    day: day("day", { noun: "next date", superlatives: DUE_DATE_SUPERLATIVES }, soonDateClause),
    note: noteColumn("piano lessons | dog walking | gym fee | shared van | lottery | tutoring"),
  }),
});

export const planRelations = relations("pay", {
  "plan-receivers": relationBetween("plans", "people", {
    relatedIds: referencedIn(plans, "person"),
    cells: propertyOfItemsInSet("pay.plans", "to"),
  })`the receivers of # | everyone who will get one of # | the people whom # will pay
    | whoever gets money from # | those who receive #`,
  "people-plans": relationBetween("people", "plans", {
    relatedIds: rowsReferencing(plans, "person", { status: "active" }),
    cells: propertyOnAllPages("pay.plans", 'to:k,status:"active"'),
  })`the active planned payments to # | whatever active planned payments go to #
    | my active payment plans for # | the payments that I have actively planned to #
    | the active plans for payments to #`,
});

const isNotStopped = ({ status }: Plan) => status !== "stopped";

export const planActions = actions(listOptions, ({ setsToDrawn, sets }) => ({
  pause: sets({ status: "paused" }, { when: { status: "active" }, api: "pausePlan" })`Pause #
    | Put # on hold | Suspend # for now by pausing | Set # to paused | Have # paused`,
  stop: sets({ status: "stopped" }, { when: isNotStopped, api: "stopPlan" })`Stop # for good
    | End # for ever | Stop # once and for all | Put a final stop to # | Permanently stop #`,
  "set-amount": setsToDrawn("cents", taskValue("money"), {
    when: isNotStopped,
    api: "changePlan",
    arg: "amount",
  })`Change the amount of # to $ | Set the amount of # to $ | Make the amount of # $
    | Let the amount of # be $ from now on | Set a new amount for #: $`,
  "set-day": setsToDrawn("day", drawTodayOrLater, { when: isNotStopped, api: "changePlan" })`
    Move the next date of # to $ | Set the next day of # to $ | Make $ the next date of #
    | Let # be due next on $ | Change the next date of # to $`,
}));
