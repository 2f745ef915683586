/**
 * Defines the APIs of planned payments, which happen once or repeatedly, and of limits: how much the owner wants to
 * send at most in a month.
 */

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
import { note, receiverParam } from "./payments.ts";
import { type Limit, limits, PLAN_STATUSES, type Plan, plans, REPEATS } from "./tables.ts";

/** Planned payments. Only those that were not stopped can be changed. */
const planResource = resource({
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

const planStatusApi = (summary: string, from: Plan["status"], to: Plan["status"]) =>
  planResource.change(summary, {
    set: { status: to },
    already: ({ id, status }) => `id: expected ${from}, ${id} is ${status} already`,
    isExample: ({ status }) => status === from,
  });

export const planApis = {
  plans: planResource.list("List planned payments by their next day.", {
    filters: {
      to: personColumnFilter("only to this person", "to"),
      status: z.enum(PLAN_STATUSES).describe("only in this state"),
      repeat: z.enum(REPEATS).describe("only with this rhythm"),
    },
    order: "day",
    example: { status: "active" },
  }),
  plan: planResource.add(
    "Plan a payment for a later day; it may repeat every week or month from then on.",
    {
      params: {
        to: receiverParam,
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
  changePlan: planResource.change("Change the amount or the next day of a planned payment.", {
    params: { amount: amount.optional(), day: dayParam("the new next day").optional() },
    set: (_, { amount, day }, { now }) => {
      if (day !== undefined) requireTodayOrLater(day, now, "day");
      return withoutUndefined({ cents: amount === undefined ? undefined : toCents(amount), day });
    },
    isExample: ({ status }) => status === "active",
    example: { amount: 18.5 },
  }),
  pausePlan: planStatusApi("Pause a planned payment.", "active", "paused"),
  resumePlan: planStatusApi("Resume a paused planned payment.", "paused", "active"),
  stopPlan: planStatusApi("Stop a planned payment for good.", "active", "stopped"),
};

// A limit only tells how much is left. No payment is refused because of a limit.

/** Returns the cents sent in the month of `now`, to one person or to all people together. */
const sentInMonth = (db: Reader, person: number | null, now: string) =>
  db
    .where(payments, withoutUndefined({ outgoing: true, person: person ?? undefined }))
    .filter((row) => row.at.slice(0, 7) === now.slice(0, 7))
    .reduce((sum, row) => sum + row.cents, 0);

const person = handleParam(
  "for payments to this person; for all together when left out",
).optional();

const limitResource = resource({
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
  find: ({ person: handle }, { db }) => {
    const row = findLimit(db, optionalPersonId(db, handle, "person"));
    refuseUnless(
      row,
      404,
      `person: there is no limit for ${handle ? `"${handle}"` : "all together"}`,
    );
    return row;
  },
  example: (db) => {
    const one = db.all(limits).find((row) => row.person);
    return { person: handleOf(db, one!.person!) };
  },
});

function findLimit(db: Reader, person: number | null = null): Limit | undefined {
  return db.where(limits, { person })[0];
}

export const limitApis = {
  limits: limitResource.list(
    "List monthly limits with what was sent this month; person null is for all together.",
  ),
  setLimit: limitResource.add("Set a monthly limit.", {
    params: { amount, person },
    row: ({ amount, person: handle }, { db }) => {
      const person = optionalPersonId(db, handle, "person") ?? null;
      const cents = toCents(amount);
      const existing = findLimit(db, person);
      return existing ? db.update(limits, existing.id, { cents }) : { person, cents };
    },
    example: (db) => ({ amount: 150, person: exampleHandleWhere(db) }),
  }),
  removeLimit: limitResource.remove("Remove a monthly limit."),
};
