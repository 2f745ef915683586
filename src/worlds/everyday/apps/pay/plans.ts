/** Payments of later days: planned once or repeating, paused, stopped. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  day,
  dollars,
  given,
  handle,
  handleOf,
  idOf,
  notPast,
  paged,
  pageOf,
  paging,
  personId,
  receiver,
  rowBy,
} from "../shared.ts";
import { PLAN_STATUSES, type Plan, type PlanStatus, plans, REPEATS } from "./tables.ts";
import { unblocked } from "./transfer.ts";

const planItem = z.strictObject({
  note: z.string(),
  id: z.int(),
  to: z.string(),
  amount: z.number(),
  day: z.string(),
  repeat: z.enum(REPEATS),
  status: z.enum(PLAN_STATUSES),
});

const view =
  (db: Reader) =>
  ({ note, id, person, cents, day, repeat, status }: Plan) => ({
    note,
    id,
    to: handleOf(db, person),
    amount: dollars(cents),
    day,
    repeat,
    status,
  });

const id = idOf("planned payment");

const list = defineApi({
  summary: "List planned payments by their next day.",
  params: z.strictObject({
    to: handle("only to this person").optional(),
    status: z.enum(PLAN_STATUSES).optional().describe("only in this state"),
    repeat: z.enum(REPEATS).optional().describe("only with this rhythm"),
    ...paging,
  }),
  returns: pageOf(planItem),
  example: () => ({ status: "active" as const }),
  handler: ({ db }, { to, status, repeat, ...page }) => {
    const rows = db
      .where(plans, given({ person: personId(db, to, "to"), status, repeat }))
      .toSorted((a, b) => (a.day === b.day ? a.id - b.id : a.day < b.day ? -1 : 1));
    return paged(rows, page, view(db));
  },
});

const plan = defineApi({
  summary: "Plan a payment for a later day; it may repeat every week or month from then on.",
  params: z.strictObject({
    to: handle("the receiver"),
    amount,
    day: day("the day of the first payment"),
    repeat: z.enum(REPEATS).default("once").describe("how often"),
    note: z.string().trim().max(100).default("").describe("what it is for"),
  }),
  returns: planItem,
  example: (db) => ({ to: unblocked(db), amount: 15, day: "2026-04-01", repeat: "month" as const }),
  handler: ({ db, now }, { to, amount, day, repeat, note }) => {
    const person = receiver(db, to, "to").id;
    notPast(day, now, "day");
    const row = { person, cents: centsOf(amount), note, day, repeat, status: "active" } as const;
    return view(db)(db.insert(plans, row));
  },
});

/** A plan that was not stopped. */
function running(db: Reader, id: number): Plan {
  const row = rowBy(db, plans, id, "planned payment");
  if (row.status !== "stopped") return row;
  throw new ApiError(409, `id: expected a plan that still runs, ${id} was stopped`);
}

const first = (db: Reader, status: PlanStatus) => ({ id: db.where(plans, { status })[0]!.id });

const change = defineApi({
  summary: "Change the amount or the next day of a planned payment.",
  params: z.strictObject({
    id,
    amount: amount.optional(),
    day: day("the new next day").optional(),
  }),
  returns: planItem,
  example: (db) => ({ ...first(db, "active"), amount: 18.5 }),
  handler: ({ db, now }, { id, amount, day }) => {
    running(db, id);
    if (day !== undefined) notPast(day, now, "day");
    const cents = amount === undefined ? undefined : centsOf(amount);
    return view(db)(db.update(plans, id, given({ cents, day })));
  },
});

function turn(summary: string, from: readonly PlanStatus[], to: PlanStatus) {
  return defineApi({
    summary,
    params: z.strictObject({ id }),
    returns: planItem,
    example: (db) => first(db, from[0]!),
    handler: ({ db }, { id }) => {
      const row = running(db, id);
      if (!from.includes(row.status)) {
        throw new ApiError(
          409,
          `id: expected ${from.join(" or ")}, ${id} is ${row.status} already`,
        );
      }
      return view(db)(db.update(plans, id, { status: to }));
    },
  });
}

export const planApis = {
  plans: list,
  plan,
  changePlan: change,
  pausePlan: turn("Pause a planned payment.", ["active"], "paused"),
  resumePlan: turn("Resume a paused planned payment.", ["paused"], "active"),
  stopPlan: turn("Stop a planned payment for good.", ["active", "paused"], "stopped"),
};
