/** What is to come: payments of later days, planned once or repeating; and what the owner means to send in a month. */

import { dayParam, refuseUnless, resource, withoutUndefined } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  amount,
  dollarsField,
  exampleHandleWhere,
  handleField,
  handleOf,
  handleParam,
  nullableHandleField,
  optionalPersonId,
  personColumnFilter,
  requireReceiver,
  requireTodayOrLater,
  toCents,
  toDollars,
} from "../shared.ts";
import { payments } from "../tables.ts";
import { type Limit, limits, PLAN_STATUSES, type Plan, plans, REPEATS } from "./tables.ts";
import { note, receiverOf } from "./transfer.ts";

/** Those that were not stopped can be changed. */
const running = resource({
  noun: "planned payment",
  item: plans.item({
    ...plans.fields("note", "id"),
    to: handleField,
    amount: dollarsField,
    ...plans.fields("day", "repeat", "status"),
  }),
  guard: ({ id, status }) =>
    refuseUnless(
      status !== "stopped",
      409,
      `id: expected a plan that still runs, ${id} was stopped`,
    ),
  example: (db, fits) => ({ id: db.all(plans).find(fits)!.id }),
});

const turn = (summary: string, from: Plan["status"], to: Plan["status"]) =>
  running.change(summary, {
    set: { status: to },
    already: ({ id, status }) => `id: expected ${from}, ${id} is ${status} already`,
    isExample: ({ status }) => status === from,
  });

export const planApis = {
  plans: running.list("List planned payments by their next day.", {
    filters: {
      to: personColumnFilter("only to this person", "to"),
      status: z.enum(PLAN_STATUSES).describe("only in this state"),
      repeat: z.enum(REPEATS).describe("only with this rhythm"),
    },
    order: "day",
    example: { status: "active" },
  }),
  plan: running.add(
    "Plan a payment for a later day; it may repeat every week or month from then on.",
    {
      params: {
        to: receiverOf,
        amount,
        day: dayParam("the day of the first payment"),
        repeat: z.enum(REPEATS).default("once").describe("how often"),
        note,
      },
      row: ({ to, amount, day, repeat, note }, { db, now }) => {
        const person = requireReceiver(db, to, "to").id;
        requireTodayOrLater(day, now, "day");
        return { person, cents: toCents(amount), note, day, repeat, status: "active" };
      },
      example: (db) => ({
        to: exampleHandleWhere(db),
        amount: 15,
        day: "2026-04-01",
        repeat: "month",
      }),
    },
  ),
  changePlan: running.change("Change the amount or the next day of a planned payment.", {
    params: { amount: amount.optional(), day: dayParam("the new next day").optional() },
    set: (_, { amount, day }, { now }) => {
      if (day !== undefined) requireTodayOrLater(day, now, "day");
      return withoutUndefined({ cents: amount === undefined ? undefined : toCents(amount), day });
    },
    isExample: ({ status }) => status === "active",
    example: { amount: 18.5 },
  }),
  pausePlan: turn("Pause a planned payment.", "active", "paused"),
  resumePlan: turn("Resume a paused planned payment.", "paused", "active"),
  stopPlan: turn("Stop a planned payment for good.", "active", "stopped"),
};

// --- limits: they only tell how much is left; no payment is refused by one ---

/** Cents sent in the month of `now`, to one person or in all. */
const sentInMonth = (db: Reader, person: number | null, now: string) =>
  db
    .where(payments, withoutUndefined({ outgoing: true, person: person ?? undefined }))
    .filter((row) => row.at.slice(0, 7) === now.slice(0, 7))
    .reduce((sum, row) => sum + row.cents, 0);

const person = handleParam(
  "for payments to this person; for all together when left out",
).optional();

const limit = resource({
  noun: "limit",
  item: limits.item({
    person: nullableHandleField,
    limit: dollarsField,
    sent: [z.number(), ({ person }, { db, now }) => toDollars(sentInMonth(db, person, now))],
    left: [
      z.number(),
      ({ person, cents }, { db, now }) => toDollars(cents - sentInMonth(db, person, now)),
    ],
  }),
  keys: { person },
  find: ({ person: came }, { db }) => {
    const row = limitOf(db, optionalPersonId(db, came, "person"));
    refuseUnless(row, 404, `person: there is no limit for ${came ? `"${came}"` : "all together"}`);
    return row;
  },
  example: (db) => {
    const one = db.all(limits).find((row) => row.person);
    return { person: handleOf(db, one!.person!) };
  },
});

function limitOf(db: Reader, person: number | null = null): Limit | undefined {
  return db.where(limits, { person })[0];
}

export const limitApis = {
  limits: limit.list(
    "List monthly limits with what was sent this month; person null is for all together.",
  ),
  setLimit: limit.add("Set a monthly limit.", {
    params: { amount, person },
    row: ({ amount, person: came }, { db }) => {
      const person = optionalPersonId(db, came, "person") ?? null;
      const cents = toCents(amount);
      const old = limitOf(db, person);
      return old ? db.update(limits, old.id, { cents }) : { person, cents };
    },
    example: (db) => ({ amount: 150, person: exampleHandleWhere(db) }),
  }),
  removeLimit: limit.remove("Remove a monthly limit."),
};
