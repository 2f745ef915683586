/**
 * Orders after they were placed. What may be done follows from the status:
 * processing: cancel, redirect; shipped: wait; delivered: return within 30 days, review; any: order again.
 */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  contains,
  day,
  dayOf,
  dollars,
  given,
  handle,
  handleOf,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  personId,
  query,
  rowBy,
} from "../shared.ts";
import { payment, place, restock } from "./checkout.ts";
import { addressBy, daysLater, exampleId, nameOf } from "./lookup.ts";
import { cardText, charge } from "./money.ts";
import {
  addresses,
  ORDER_STATUSES,
  type Order,
  type OrderLine,
  options,
  orderLines,
  orders,
  vouchers,
} from "./tables.ts";

/** Days after arrival in which things may go back. */
export const RETURN_DAYS = 30;

const status = z.enum(ORDER_STATUSES);

export const orderItem = z.strictObject({
  what: z.string(),
  id: z.int(),
  status,
  total: z.number(),
  items: z.int(),
  to: z.string().nullable(),
  placed: z.string(),
  arrives: z.string(),
});

/** `Oak tray`, or `Oak tray and 2 more`. */
export function titleOf(db: Reader, order: number): string {
  const [first, ...rest] = db.where(orderLines, { order });
  const name = first ? nameOf(db, first.product) : "nothing";
  return rest.length > 0 ? `${name} and ${rest.length} more` : name;
}

export const orderView = (db: Reader) => (row: Order) => ({
  what: titleOf(db, row.id),
  id: row.id,
  status: row.status,
  total: dollars(row.cents),
  items: db.where(orderLines, { order: row.id }).reduce((sum, l) => sum + l.count, 0),
  to: row.person === null ? null : handleOf(db, row.person),
  placed: row.placed,
  arrives: row.arrives,
});

const orderDetail = orderItem.extend({
  lines: z.array(
    z.strictObject({
      name: z.string(),
      product: z.int(),
      option: z.string(),
      count: z.int(),
      price: z.number(),
      returned: z.boolean(),
    }),
  ),
  delivery: z.number(),
  discount: z.number(),
  voucher: z.string().nullable(),
  paid: z.string(),
  address: z.string().nullable(),
  message: z.string(),
});

function detail(db: Reader, row: Order): z.output<typeof orderDetail> {
  return {
    ...orderView(db)(row),
    lines: db.where(orderLines, { order: row.id }).map((l) => ({
      name: nameOf(db, l.product),
      product: l.product,
      option: db.get(options, l.option)?.name ?? "standard",
      count: l.count,
      price: dollars(l.cents),
      returned: l.returned,
    })),
    delivery: dollars(row.delivery),
    discount: dollars(row.discount),
    voucher: row.voucher === null ? null : (db.get(vouchers, row.voucher)?.code ?? null),
    paid: cardText(db, row.card),
    address: row.address === null ? null : (db.get(addresses, row.address)?.name ?? null),
    message: row.message,
  };
}

/** The last placed first; of one day the last ordered first. */
export function latestFirst(rows: readonly Order[]): Order[] {
  return rows.toSorted((a, b) =>
    a.placed === b.placed ? b.id - a.id : a.placed < b.placed ? 1 : -1,
  );
}

const id = idOf("order");

const list = defineApi({
  summary: "List orders, the last placed first.",
  params: z.strictObject({
    status: status.optional().describe("only in this state"),
    gift: z.boolean().optional().describe("only gifts, or only the owner's own"),
    to: handle("only gifts to this person").optional(),
    from: day("only placed on this day or later").optional(),
    until: day("only placed on this day or earlier").optional(),
    ...paging,
  }),
  returns: pageOf(orderItem),
  example: () => ({ status: "delivered" as const, gift: false }),
  handler: ({ db }, { status, gift, to, from, until, ...page }) => {
    const rows = db.where(orders, given({ status, person: personId(db, to, "to") }));
    const kept = rows.filter(
      (row) =>
        (gift === undefined || (row.person !== null) === gift) &&
        (from === undefined || row.placed >= from) &&
        (until === undefined || row.placed <= until),
    );
    return paged(latestFirst(kept), page, orderView(db));
  },
});

const search = defineApi({
  summary: "Search orders by the names of their products, the last placed first.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(orderItem),
  example: () => ({ query: "a" }),
  handler: ({ db }, { query, ...page }) => {
    const hit = (l: OrderLine) => contains(nameOf(db, l.product), query);
    const rows = db.all(orders).filter((row) => db.where(orderLines, { order: row.id }).some(hit));
    return paged(latestFirst(rows), page, orderView(db));
  },
});

const show = defineApi({
  summary: "Show an order with its lines, costs, payment and address.",
  params: z.strictObject({ id }),
  returns: orderDetail,
  example: (db) => ({ id: exampleId(db, orders) }),
  handler: ({ db }, { id }) => detail(db, rowBy(db, orders, id, "order")),
});

/** An order in this state, or a 409 that says which it is in. */
function inState(db: Reader, id: number, expected: Order["status"]): Order {
  const row = rowBy(db, orders, id, "order");
  if (row.status === expected) return row;
  throw new ApiError(409, `id: expected an order that is ${expected}, ${id} is ${row.status}`);
}

const cancel = defineApi({
  summary: "Cancel an order that is processing; the money and any voucher come back.",
  params: z.strictObject({ id }),
  returns: orderItem,
  example: (db) => ({ id: exampleId(db, orders, (row) => row.status === "processing") }),
  handler: (context, { id }) => {
    const { db } = context;
    const row = inState(db, id, "processing");
    for (const line of db.where(orderLines, { order: id })) restock(context, line, 1);
    charge(context, { kind: "refund", cents: row.cents, order: id, card: row.card });
    return orderView(db)(db.update(orders, id, { status: "cancelled" }));
  },
});

const redirect = defineApi({
  summary: "Send an own order that is processing to another address.",
  params: z.strictObject({ id, address: line("name of the delivery address") }),
  returns: orderDetail,
  example: (db) => ({
    id: exampleId(db, orders, (row) => row.status === "processing" && row.person === null),
    address: db.all(addresses).find((row) => row.preferred)?.name ?? "home",
  }),
  handler: ({ db }, { id, address }) => {
    const row = inState(db, id, "processing");
    if (row.person !== null) {
      const to = handleOf(db, row.person);
      throw new ApiError(422, `id: expected an own order, ${id} is a gift to "${to}"`);
    }
    return detail(db, db.update(orders, id, { address: addressBy(db, address).id }));
  },
});

const again = defineApi({
  summary: "Order the same things once more, at today's prices, to the preferred address.",
  params: z.strictObject({ id, card: payment.card }),
  returns: orderItem,
  example: (db) => ({ id: exampleId(db, orders, (row) => repeatable(db, row)) }),
  handler: (context, { id, card }) => {
    const { db } = context;
    rowBy(db, orders, id, "order");
    const wanted = db
      .where(orderLines, { order: id })
      .map(({ product, option, count }) => ({ product, option, count }));
    return orderView(db)(place(context, { wanted, card }));
  },
});

/** All of it is in stock. */
export function repeatable(db: Reader, order: Order): boolean {
  const lines = db.where(orderLines, { order: order.id });
  return lines.every((line) => (db.get(options, line.option)?.stock ?? 0) >= line.count);
}

/** Delivered to the owner, at most 30 days ago. */
export function returnable(order: Order, today: string): boolean {
  const last = daysLater(order.arrives, RETURN_DAYS);
  return order.status === "delivered" && order.person === null && today <= last;
}

const giveBack = defineApi({
  summary:
    "Return a product of an own order within 30 days of its arrival; its price less its share of the discount comes back.",
  params: z.strictObject({ id, product: idOf("product") }),
  returns: orderDetail,
  example: (db) => {
    const open = (l: OrderLine) => {
      const order = db.get(orders, l.order);
      return !l.returned && order !== undefined && returnable(order, "2026-03-12");
    };
    const row = db.all(orderLines).find(open);
    return { id: row?.order ?? 1, product: row?.product ?? 1 };
  },
  handler: (context, { id, product }) => {
    const { db } = context;
    const order = returnableOrder(context, id);
    const line = db.where(orderLines, { order: id }).find((row) => row.product === product);
    if (!line) throw new ApiError(404, `product: order ${id} has no product with id ${product}`);
    if (line.returned) throw new ApiError(409, `product: ${product} went back already`);
    db.update(orderLines, line.id, { returned: true });
    restock(context, line, 1);
    charge(context, { kind: "refund", cents: refundOf(order, line), order: id, card: order.card });
    return detail(db, order);
  },
});

/** The line's price less its share of the discount, by price; a broken cent stays with the shop. */
export function refundOf(order: Order, line: OrderLine): number {
  const goods = order.cents + order.discount - order.delivery;
  const price = line.cents * line.count;
  return price - Math.ceil((order.discount * price) / Math.max(1, goods));
}

function returnableOrder({ db, now }: CallContext, id: number): Order {
  const row = inState(db, id, "delivered");
  if (row.person !== null) {
    throw new ApiError(422, `id: expected an own order, ${id} was a gift and is not the owner's`);
  }
  if (returnable(row, dayOf(now))) return row;
  throw new ApiError(
    409,
    `id: expected an order that arrived at most ${RETURN_DAYS} days ago, ${id} arrived ${row.arrives}`,
  );
}

export const orderApis = {
  orders: list,
  searchOrders: search,
  order: show,
  cancelOrder: cancel,
  redirectOrder: redirect,
  orderAgain: again,
  returnItem: giveBack,
};
