/** Standing orders: transfers that repeat every week or month until they are ended. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  day,
  dollars,
  given,
  handleOf,
  idOf,
  notPast,
  paged,
  pageOf,
  paging,
  receiver,
  rowBy,
} from "../shared.ts";
import { firstOwn } from "./accounts.ts";
import { spendable } from "./book.ts";
import { ORDER_STATUSES, orders, payees, RHYTHMS, type StandingOrder } from "./tables.ts";
import { firstPayee, payeeBy } from "./transfers.ts";

const orderItem = z.strictObject({
  payee: z.string(),
  id: z.int(),
  amount: z.number(),
  every: z.enum(RHYTHMS),
  next: z.string(),
  note: z.string(),
  account: z.int(),
  status: z.enum(ORDER_STATUSES),
});

const view =
  (db: Reader) =>
  ({ payee, id, cents, every, next, note, account, status }: StandingOrder) => ({
    payee: db.get(payees, payee)?.name ?? "removed",
    id,
    amount: dollars(cents),
    every,
    next,
    note,
    account,
    status,
  });

const id = idOf("standing order");
const status = z.enum(ORDER_STATUSES);

const list = defineApi({
  summary: "List standing orders by their next day.",
  params: z.strictObject({
    status: status.optional().describe("only in this state"),
    account: idOf("account").optional(),
    payee: idOf("payee").optional(),
    every: z.enum(RHYTHMS).optional().describe("only with this rhythm"),
    ...paging,
  }),
  returns: pageOf(orderItem),
  example: () => ({ status: "active" as const }),
  handler: ({ db }, { page, size, ...match }) => {
    const rows = db
      .where(orders, given(match))
      .toSorted((a, b) => (a.next === b.next ? a.id - b.id : a.next < b.next ? -1 : 1));
    return paged(rows, { page, size }, view(db));
  },
});

const show = defineApi({
  summary: "Show a standing order, with the id of its payee.",
  params: z.strictObject({ id }),
  returns: z.strictObject({ ...orderItem.shape, payeeId: z.int() }),
  example: (db) => ({ id: db.all(orders)[0]!.id }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, orders, id, "standing order");
    return { ...view(db)(row), payeeId: row.payee };
  },
});

const add = defineApi({
  summary: "Add a standing order.",
  params: z.strictObject({
    from: idOf("account that pays"),
    payee: idOf("payee"),
    amount,
    every: z.enum(RHYTHMS).describe("how often"),
    next: day("the first transfer's day"),
    note: z.string().trim().max(200).default("").describe("what it is for"),
  }),
  returns: orderItem,
  example: (db) => ({
    from: firstOwn(db).id,
    payee: firstPayee(db).id,
    amount: 40,
    every: "month" as const,
    next: "2026-04-01",
  }),
  handler: ({ db, now }, { from, payee: to, amount, every, next, note }) => {
    const account = spendable(db, from, "from").id;
    const payee = payeeBy(db, to, "payee");
    if (payee.person !== null) receiver(db, handleOf(db, payee.person), "payee");
    notPast(next, now, "next");
    const order = { account, payee: to, cents: centsOf(amount), every, next, note };
    return view(db)(db.insert(orders, { ...order, status: "active" }));
  },
});

/** An order that has not ended; otherwise a 404, 403 or 409. */
function running(db: Reader, id: number): StandingOrder {
  const row = rowBy(db, orders, id, "standing order");
  spendable(db, row.account, "id");
  if (row.status !== "ended") return row;
  throw new ApiError(409, `id: expected an order that still runs, ${id} has ended`);
}

const change = defineApi({
  summary: "Change the amount or the next day of a standing order.",
  params: z.strictObject({
    id,
    amount: amount.optional(),
    next: day("the new next day").optional(),
  }),
  returns: orderItem,
  example: (db) => ({ id: first(db, "active").id, amount: 45 }),
  handler: ({ db, now }, { id, amount, next }) => {
    running(db, id);
    if (next !== undefined) notPast(next, now, "next");
    const cents = amount === undefined ? undefined : centsOf(amount);
    return view(db)(db.update(orders, id, given({ cents, next })));
  },
});

/** The states from which an order gets to another one. */
function turn(
  summary: string,
  from: readonly StandingOrder["status"][],
  to: StandingOrder["status"],
) {
  return defineApi({
    summary,
    params: z.strictObject({ id }),
    returns: orderItem,
    example: (db) => ({ id: first(db, from[0]!).id }),
    handler: ({ db }, { id }) => {
      const row = running(db, id);
      if (!from.includes(row.status)) {
        throw new ApiError(
          409,
          `id: expected ${from.join(" or ")}, ${id} is ${row.status} already`,
        );
      }
      return view(db)(db.update(orders, id, { status: to }));
    },
  });
}

function first(db: Reader, status: StandingOrder["status"]): StandingOrder {
  return db.where(orders, { status })[0]!;
}

export const orderApis = {
  orders: list,
  order: show,
  addOrder: add,
  changeOrder: change,
  pauseOrder: turn("Pause a standing order.", ["active"], "paused"),
  resumeOrder: turn("Resume a paused standing order.", ["paused"], "active"),
  endOrder: turn("End a standing order for good.", ["active", "paused"], "ended"),
};
