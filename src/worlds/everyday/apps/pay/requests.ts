/** Requests for money: others ask the owner (approve, decline), the owner asks others (cancel, remind). */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  dollars,
  given,
  handle,
  handleOf,
  idOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  personId,
  receiver,
  rowBy,
} from "../shared.ts";
import { type PayRequest, REQUEST_STATUSES, reminders, requests } from "../tables.ts";
import { paymentItem, transfer, unblocked } from "./transfer.ts";

const status = z.enum(REQUEST_STATUSES);
const common = { note: z.string(), id: z.int(), amount: z.number(), status };
const incomingItem = z.strictObject({ ...common, from: z.string() });
const outgoingItem = z.strictObject({ ...common, to: z.string() });

const incoming =
  (db: Reader) =>
  ({ note, id, person, cents, status }: PayRequest) => ({
    note,
    id,
    from: handleOf(db, person),
    amount: dollars(cents),
    status,
  });
const outgoing = (db: Reader) => (row: PayRequest) => {
  const { from, ...rest } = incoming(db)(row);
  return { note: rest.note, id: rest.id, to: from, amount: rest.amount, status: rest.status };
};

const id = idOf("request");
const statusFilter = status.optional().describe("only in this state");

const list = defineApi({
  summary: "List what others ask the owner to pay, newest first.",
  params: z.strictObject({
    from: handle("only from this person").optional(),
    status: statusFilter,
    ...paging,
  }),
  returns: pageOf(incomingItem),
  example: () => ({ status: "pending" as const }),
  handler: ({ db }, { from, status, ...page }) => {
    const match = given({ outgoing: false, person: personId(db, from, "from"), status });
    return paged(newestFirst(db.where(requests, match)), page, incoming(db));
  },
});

const requested = defineApi({
  summary: "List what the owner asked others to pay, newest first.",
  params: z.strictObject({
    to: handle("only to this person").optional(),
    status: statusFilter,
    ...paging,
  }),
  returns: pageOf(outgoingItem),
  example: () => ({ status: "pending" as const }),
  handler: ({ db }, { to, status, ...page }) => {
    const match = given({ outgoing: true, person: personId(db, to, "to"), status });
    return paged(newestFirst(db.where(requests, match)), page, outgoing(db));
  },
});

const request = defineApi({
  summary: "Ask someone to pay the owner.",
  params: z.strictObject({
    from: handle("who shall pay"),
    amount,
    note: z.string().trim().max(100).default("").describe("what it is for"),
  }),
  returns: outgoingItem,
  example: (db) => ({ from: unblocked(db), amount: 12.5, note: "taxi home" }),
  handler: ({ db, now }, { from, amount, note }) => {
    const person = receiver(db, from, "from").id;
    const cents = centsOf(amount);
    const row = { person, outgoing: true, cents, note, status: "pending", at: now } as const;
    return outgoing(db)(db.insert(requests, row));
  },
});

/** A pending request of others (`mine` false) or of the owner (`mine` true); otherwise a 404, 422 or 409. */
function pending(db: Reader, id: number, mine: boolean): PayRequest {
  const row = rowBy(db, requests, id, "request");
  if (row.outgoing !== mine) {
    const [expected, came] = mine ? ["the owner", "someone else"] : ["someone else", "the owner"];
    throw new ApiError(422, `id: expected a request made by ${expected}, ${id} is by ${came}`);
  }
  if (row.status === "pending") return row;
  throw new ApiError(409, `id: expected a pending request, ${id} is already ${row.status}`);
}

/** For examples. */
const waiting = (db: Reader, outgoing: boolean) =>
  db.where(requests, { outgoing, status: "pending" });
const isReminded = (db: Reader, request: number) => db.where(reminders, { request }).length > 0;
const firstPending = (outgoing: boolean) => (db: Reader) => ({ id: waiting(db, outgoing)[0]!.id });

const approve = defineApi({
  summary: "Pay a pending request.",
  params: z.strictObject({ id }),
  returns: paymentItem,
  example: firstPending(false),
  handler: (context: CallContext, { id }) => {
    const { person, cents, note } = pending(context.db, id, false);
    context.db.update(requests, id, { status: "paid" });
    return transfer(context, { person, cents, note, request: id }, "id");
  },
});

const decline = defineApi({
  summary: "Decline a pending request.",
  params: z.strictObject({ id }),
  returns: incomingItem,
  example: firstPending(false),
  handler: ({ db }, { id }) => {
    pending(db, id, false);
    return incoming(db)(db.update(requests, id, { status: "declined" }));
  },
});

const cancel = defineApi({
  summary: "Cancel a pending request that the owner made.",
  params: z.strictObject({ id }),
  returns: outgoingItem,
  example: firstPending(true),
  handler: ({ db }, { id }) => {
    pending(db, id, true);
    return outgoing(db)(db.update(requests, id, { status: "cancelled" }));
  },
});

const remind = defineApi({
  summary: "Remind someone of a pending request that the owner made; once for each request.",
  params: z.strictObject({ id }),
  returns: outgoingItem,
  example: (db) => ({ id: waiting(db, true).find((row) => !isReminded(db, row.id))!.id }),
  handler: ({ db }, { id }) => {
    const row = pending(db, id, true);
    if (db.where(reminders, { request: id }).length > 0) {
      throw new ApiError(409, `id: a reminder of request ${id} was sent already`);
    }
    db.insert(reminders, { request: id });
    return outgoing(db)(row);
  },
});

export const requestApis = { requests: list, requested, request, approve, decline, cancel, remind };
