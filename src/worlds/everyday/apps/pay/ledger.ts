/** Payments seen closely: by day and amount, one receipt, sums by month and by person. */
import { z } from "zod";
import { defineApi, type Reader } from "../../../../world/index.ts";
import {
  centsOf,
  day,
  dayOf,
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
  rowBy,
} from "../shared.ts";
import { type Payment, payments, requests } from "../tables.ts";
import { comments, likes, refunds } from "./tables.ts";
import { paymentItem, paymentView } from "./transfer.ts";

export const datedItem = z.strictObject({ ...paymentItem.shape, day: z.string() });
const datedView = (db: Reader) => (row: Payment) => ({
  ...paymentView(db)(row),
  day: dayOf(row.at),
});

const dollarLimit = (what: string) => z.number().min(0).max(1_000_000).optional().describe(what);

const list = defineApi({
  summary: "List payments with their days, narrowed by person, day and amount.",
  params: z.strictObject({
    with: handle("only with this person").optional(),
    kind: z.enum(["sent", "received"]).optional().describe("only sent ones, or only received ones"),
    since: day("only on or after this day").optional(),
    until: day("only on or before this day").optional(),
    least: dollarLimit("only of at least so many dollars"),
    most: dollarLimit("only of at most so many dollars"),
    liked: z.boolean().optional().describe("only those the owner likes, or does not like"),
    sort: z.enum(["newest", "oldest", "largest"]).default("newest").describe("which come first"),
    ...paging,
  }),
  returns: pageOf(datedItem),
  example: () => ({ kind: "sent" as const, since: "2026-03-01", least: 20 }),
  handler: ({ db }, { with: other, kind, since, until, least, most, liked, sort, page, size }) => {
    const outgoing = kind === undefined ? undefined : kind === "sent";
    const match = given({ person: personId(db, other, "with"), outgoing });
    const low = least === undefined ? 0 : centsOf(least);
    const high = most === undefined ? Number.POSITIVE_INFINITY : centsOf(most);
    const rows = db.where(payments, match).filter(({ id, cents, at }) => {
      if ((since && dayOf(at) < since) || (until && dayOf(at) > until)) return false;
      if (liked !== undefined && liked !== isLiked(db, id)) return false;
      return low <= cents && cents <= high;
    });
    return paged(sorted(rows, sort), { page, size }, datedView(db));
  },
});

function sorted(rows: readonly Payment[], by: "newest" | "oldest" | "largest"): Payment[] {
  const newest = [...newestFirst(rows)];
  if (by === "newest") return newest;
  return by === "oldest" ? newest.reverse() : newest.sort((a, b) => b.cents - a.cents);
}

export function isLiked(db: Reader, payment: number): boolean {
  return db.where(likes, { payment }).length > 0;
}

const receipt = defineApi({
  summary: "Show everything about a payment.",
  params: z.strictObject({ id: idOf("payment") }),
  returns: z.strictObject({
    ...datedItem.shape,
    time: z.string(),
    request: z.int().nullable(),
    liked: z.boolean(),
    comments: z.int(),
    refunded: z.boolean(),
  }),
  example: (db) => ({ id: db.all(payments)[0]!.id }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, payments, id, "payment");
    return {
      ...datedView(db)(row),
      time: row.at.slice(11, 16),
      request: row.request,
      liked: isLiked(db, id),
      comments: db.where(comments, { payment: id }).length,
      refunded: db.where(refunds, { payment: id }).length > 0,
    };
  },
});

const requestDetails = defineApi({
  summary: "Show a request of either side with its day and the payment that settled it.",
  params: z.strictObject({ id: idOf("request") }),
  returns: z.strictObject({
    note: z.string(),
    id: z.int(),
    with: z.string(),
    kind: z.enum(["incoming", "outgoing"]),
    amount: z.number(),
    status: z.string(),
    day: z.string(),
    payment: z.int().nullable(),
  }),
  example: (db) => ({ id: db.all(requests)[0]!.id }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, requests, id, "request");
    const payment = db.where(payments, { person: row.person }).find((paid) => paid.request === id);
    return {
      note: row.note,
      id,
      with: handleOf(db, row.person),
      kind: row.outgoing ? ("outgoing" as const) : ("incoming" as const),
      amount: dollars(row.cents),
      status: row.status,
      day: dayOf(row.at),
      payment: payment?.id ?? null,
    };
  },
});

// --- sums ---

function sums(rows: readonly Payment[]) {
  const total = (outgoing: boolean) =>
    rows.reduce((sum, row) => (row.outgoing === outgoing ? sum + row.cents : sum), 0);
  return {
    sent: dollars(total(true)),
    received: dollars(total(false)),
    payments: rows.length,
  };
}
const sumItem = { sent: z.number(), received: z.number(), payments: z.int() };

/** Payments by a key, the keys in order of appearance. */
function grouped<K>(rows: readonly Payment[], key: (row: Payment) => K): [K, Payment[]][] {
  const groups = new Map<K, Payment[]>();
  for (const row of rows) {
    const known = groups.get(key(row));
    if (known) known.push(row);
    else groups.set(key(row), [row]);
  }
  return [...groups];
}

const months = defineApi({
  summary: "List what was sent and received in each month, the latest month first.",
  params: z.strictObject({ with: handle("only with this person").optional(), ...paging }),
  returns: pageOf(z.strictObject({ month: z.string(), ...sumItem })),
  example: () => ({}),
  handler: ({ db }, { with: other, ...page }) => {
    const rows = db.where(payments, given({ person: personId(db, other, "with") }));
    const byMonth = grouped(newestFirst(rows), (row) => row.at.slice(0, 7));
    return paged(byMonth, page, ([month, some]) => ({ month, ...sums(some) }));
  },
});

const people = defineApi({
  summary: "List with whom the owner had payments, by handle, with the sums.",
  params: z.strictObject({
    since: day("only payments on or after this day").optional(),
    ...paging,
  }),
  returns: pageOf(z.strictObject({ person: z.string(), ...sumItem })),
  example: () => ({ since: "2026-02-01" }),
  handler: ({ db }, { since, ...page }) => {
    const rows = db.all(payments).filter((row) => !since || dayOf(row.at) >= since);
    const totals = grouped(rows, (row) => handleOf(db, row.person))
      .map(([person, some]) => ({ person, ...sums(some) }))
      .sort((a, b) => (a.person < b.person ? -1 : 1));
    return paged(totals, page, (row) => row);
  },
});

export const ledgerApis = { payments: list, receipt, requestDetails, months, people };
