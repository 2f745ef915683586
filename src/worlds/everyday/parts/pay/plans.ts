/** Planned payments that run: by person, rhythm, amount and day; paused, stopped, changed. */
import { actions, joins, nouns, relations, rows } from "../../../../goals/index.ts";
import { type Plan, plans } from "../../apps/pay/tables.ts";
import { TODAY } from "../../population/time.ts";
import { among, gather } from "./cells.ts";
import { DUE, large, noted, PRICED, side, soon } from "./columns.ts";

const RHYTHMS = { once: "only once", week: "every week", month: "every month" };

export const plansPart = rows<Plan>({
  kind: "plans",
  app: "pay",
  table: plans,
  base: { status: "active" },
  nouns: nouns`active planned payment(s)
    | active planned payment in Pay / active planned payments in Pay
    | planned Pay payment of mine in force / planned Pay payments of mine in force
    | active payment plan in Pay / active payment plans in Pay
    | active plan for a payment / active plans for payments`,
  list: { api: "plans", args: 'status:"active"' },
  whole: true,
  fields: "note amount day",
  columns: ({ choice, money, day }) => ({
    to: side<Plan>("to", (row) => row.person)`to $ | that go to $ | for $ | which $ will get
      | that pay $`,
    repeat: choice(
      "repeat",
      { arg: "repeat" },
      { says: (repeat) => RHYTHMS[repeat as Plan["repeat"]] },
    )`that happen $ | that are made $ | which take place $ | that are due $
      | which are to be paid $`,
    amount: money("cents", { item: "amount", noun: "amount", ranks: PRICED }, large()),
    day: day("day", { noun: "next date", ranks: DUE }, soon),
    note: noted("piano lessons | dog walking | gym fee | shared van | lottery | tutoring"),
  }),
});

export const planRelations = relations("pay", {
  "plan-receivers": joins("plans", "people", {
    of: (id, db) => db.get(plans, id)!.person,
    cells: among("pay.plans", "to"),
  })`the receivers of # | everyone who will get one of # | the people whom # will pay
    | whoever gets money from # | those who receive #`,
  "people-plans": joins("people", "plans", {
    of: (person, db) => db.where(plans, { person, status: "active" }).map(({ id }) => id),
    cells: gather("pay.plans", 'to:k,status:"active"'),
  })`the active planned payments to # | whatever active planned payments go to #
    | my active payment plans for # | the payments that I have actively planned to #
    | the active plans for payments to #`,
});

const runs = ({ status }: Plan) => status !== "stopped";

export const planActions = actions(
  { kind: "plans", app: "pay", table: plans },
  ({ sets, taking }) => ({
    pause: sets(
      { status: "paused" },
      { when: { status: "active" }, api: "pausePlan" },
    )`Pause # | Put # on hold | Suspend # for now by pausing | Set # to paused | Let # pause`,
    stop: sets({ status: "stopped" }, { when: runs, api: "stopPlan" })`Stop # for good
      | End # for ever | Stop # once and for all | Put a final stop to # | Permanently stop #`,
    "set-amount": taking("money", ({ value, words, code }) => {
      const when = (row: Plan) => runs(row) && row.cents !== value;
      return sets({ cents: value }, { when, api: "changePlan", args: `amount:${code}` })`
        Change the amount of # to ${words} | Set the amount of # to ${words}
        | Make the amount of # ${words} | Let the amount of # be ${words} from now on
        | Give # a new amount: ${words}`;
    }),
    "set-day": taking("day", ({ value, words, code }) => {
      if (value < TODAY) return undefined;
      const when = (row: Plan) => runs(row) && row.day !== value;
      return sets({ day: value }, { when, api: "changePlan", args: `day:${code}` })`
        Move the next date of # to ${words} | Set the next day of # to ${words}
        | Make ${words} the next date of # | Let # be due next on ${words}
        | Change the next date of # to ${words}`;
    }),
  }),
);
