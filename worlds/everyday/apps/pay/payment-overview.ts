/** Defines the APIs that look over payments: by day and amount, one receipt, sums by month and by person. */

import {
  atLeast,
  atMost,
  booleanParam,
  countReferencingRows,
  dayParam,
  defineObjectItem,
  filterWhere,
  filterWhether,
  listApi,
  newestFirst,
  withoutUndefined,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  costFilter,
  dayField,
  dayOf,
  dollarsField,
  handleField,
  handleOf,
  handleParam,
  optionalPersonId,
  personColumnFilter,
  toDollars,
} from "../shared.ts";
import { type Payment, payments, requests } from "../tables.ts";
import { payment, paymentFilters, paymentItem } from "./payments.ts";
import { anyRequest } from "./requests.ts";
import { comments, likes, refunds } from "./tables.ts";

const datedItem = paymentItem.with({ day: dayField });

const requestDetailsItem = requests.item({
  ...requests.fields("note", "id"),
  with: handleField,
  kind: [z.enum(["incoming", "outgoing"]), ({ outgoing }) => (outgoing ? "outgoing" : "incoming")],
  amount: dollarsField,
  status: z.string(),
  day: dayField,
  payment: [
    z.int().nullable(),
    ({ id, person }, { db }) =>
      db.where(payments, { person }).find(({ request }) => request === id)?.id ?? null,
  ],
});

const dollarLimit = (description: string) => z.number().min(0).max(1_000_000).describe(description);

export const isLiked = (db: Reader, payment: number) => db.where(likes, { payment }).length > 0;

function sumPayments(rows: readonly Payment[]) {
  const total = (outgoing: boolean) =>
    rows.reduce((sum, row) => (row.outgoing === outgoing ? sum + row.cents : sum), 0);
  return { sent: toDollars(total(true)), received: toDollars(total(false)), payments: rows.length };
}
const sumItem = { sent: z.number(), received: z.number(), payments: z.int() };

/** Groups payments by a key. The keys are in the order in which they first appear. */
function groupInOrder<K>(rows: readonly Payment[], keyOf: (row: Payment) => K): [K, Payment[]][] {
  const groups = new Map<K, Payment[]>();
  for (const row of rows) {
    const known = groups.get(keyOf(row));
    if (known) known.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return [...groups];
}

export const paymentOverviewApis = {
  history: payment.list("List payments with their days, newest first unless sorted otherwise.", {
    item: datedItem,
    filters: {
      person: personColumnFilter("only with this person", "person"),
      kind: paymentFilters.kind,
      since: [
        dayParam("only on or after this day"),
        filterWhere((row, first) => dayOf(row.at) >= first),
      ],
      until: [
        dayParam("only on or before this day"),
        filterWhere((row, last) => dayOf(row.at) <= last),
      ],
      least: [dollarLimit("only of at least so many dollars"), costFilter(atLeast)],
      most: [dollarLimit("only of at most so many dollars"), costFilter(atMost)],
      liked: [
        booleanParam("only those the owner likes, or does not like"),
        filterWhether((row, { db }) => isLiked(db, row.id)),
      ],
    },
    sorts: {
      newest: newestFirst,
      oldest: (rows) => newestFirst(rows).toReversed(),
      largest: (rows) => newestFirst(rows).toSorted((a, b) => b.cents - a.cents),
    },
    sortDescription: "which come first",
    example: { kind: "sent", since: "2026-03-01", least: 20 },
  }),
  receipt: payment.show("Show everything about a payment.", {
    item: datedItem.with({
      time: [z.string(), ({ at }) => at.slice(11, 16)],
      request: z.int().nullable(),
      liked: [z.boolean(), ({ id }, { db }) => isLiked(db, id)],
      comments: countReferencingRows(comments, "payment"),
      refunded: [z.boolean(), ({ id }, { db }) => db.where(refunds, { payment: id }).length > 0],
    }),
  }),
  requestDetails: anyRequest.show(
    "Show a request of either side with its day and the payment that settled it.",
    { item: requestDetailsItem },
  ),
  months: listApi("List what was sent and received in each month, the latest month first.", {
    item: defineObjectItem({ month: z.string(), ...sumItem }),
    params: { person: handleParam("only with this person").optional() },
    rows: (args, { db }) => {
      const rows = db.where(
        payments,
        withoutUndefined({ person: optionalPersonId(db, args.person, "person") }),
      );
      const byMonth = groupInOrder(newestFirst(rows), (row) => row.at.slice(0, 7));
      return byMonth.map(([month, group]) => ({ month, ...sumPayments(group) }));
    },
  }),
  people: listApi("List with whom the owner had payments, by handle, with the sums.", {
    item: defineObjectItem({ person: z.string(), ...sumItem }),
    params: { since: dayParam("only payments on or after this day").optional() },
    rows: ({ since = "" }, { db }) => {
      const rows = db.all(payments).filter((row) => dayOf(row.at) >= since);
      return groupInOrder(rows, (row) => handleOf(db, row.person))
        .map(([person, group]) => ({ person, ...sumPayments(group) }))
        .sort((a, b) => (a.person < b.person ? -1 : 1));
    },
    example: { since: "2026-02-01" },
  }),
};
