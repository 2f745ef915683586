/**
 * Orders after they were placed. What may be done follows from the status:
 * processing: cancel, redirect; shipped: wait; delivered: return within 30 days, review; any: order again.
 */

import {
  atLeast,
  atMost,
  booleanParam,
  dayParam,
  filterWhether,
  firstRowId,
  refuseUnless,
  resource,
  shortTextParam,
  textOfReferencedRow,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  addDays,
  dayOf,
  dollarsField,
  handleOrNull,
  nullableHandleField,
  personColumnFilter,
  toDollars,
} from "../shared.ts";
import { charge, payment, place, restock, wantedOf } from "./checkout.ts";
import { addressBy, cardText, inState, nameOf, optionName, product } from "./lookup.ts";
import * as tables from "./tables.ts";

/** Days after arrival in which things may go back. */
const RETURN_DAYS = 30;

const linesOf = (db: Reader, order: number) => db.where(tables.orderLines, { order });

const lineItem = tables.orderLines.item({
  name: textOfReferencedRow(tables.products, "product", "name", "removed"),
  product: z.int(),
  option: optionName,
  count: z.int(),
  price: dollarsField,
  returned: z.boolean(),
});

const orderItem = tables.orders.item({
  what: [z.string(), ({ id }, { db }) => titleOf(db, id)],
  ...tables.orders.fields("id", "status"),
  total: dollarsField,
  items: [z.int(), ({ id }, { db }) => linesOf(db, id).reduce((sum, l) => sum + l.count, 0)],
  to: nullableHandleField,
  ...tables.orders.fields("placed", "arrives"),
});

const detail = orderItem.with({
  lines: [
    z.array(lineItem.schema),
    ({ id }, look) => linesOf(look.db, id).map((line) => lineItem.view(line, look)),
  ],
  delivery: [z.number(), ({ delivery }) => toDollars(delivery)],
  discount: [z.number(), ({ discount }) => toDollars(discount)],
  voucher: textOfReferencedRow(tables.vouchers, "voucher", "code"),
  paid: [z.string(), ({ card }, { db }) => cardText(db, card)],
  address: textOfReferencedRow(tables.addresses, "address", "name"),
  message: z.string(),
});

/** `Oak tray`, or `Oak tray and 2 more`. */
function titleOf(db: Reader, order: number): string {
  const [first, ...rest] = linesOf(db, order);
  const name = first ? nameOf(db, first.product) : "nothing";
  return rest.length > 0 ? `${name} and ${rest.length} more` : name;
}

export const orderRows = resource({ table: tables.orders, noun: "order", item: orderItem });

/** The last placed first; of one day the last ordered first. */
const latestFirst = ["-placed", "-id"] as const;

const processing = inState<tables.Order>("an order", "processing");
const delivered = inState<tables.Order>("an order", "delivered");

/** All of it is in stock. */
function repeatable({ id }: tables.Order, db: Reader): boolean {
  return linesOf(db, id).every(
    (line) => (db.get(tables.options, line.option)?.stock ?? 0) >= line.count,
  );
}

/** At most 30 days ago. */
const inTime = ({ arrives }: tables.Order, today: string) => today <= addDays(arrives, RETURN_DAYS);

/** The line's price less its share of the discount, by price; a broken cent stays with the shop. */
function refundOf(order: tables.Order, line: tables.OrderLine): number {
  const goods = order.cents + order.discount - order.delivery;
  const price = line.cents * line.count;
  return price - Math.ceil((order.discount * price) / Math.max(1, goods));
}

/** An order and a product that may go back. */
function aReturn(db: Reader): object {
  const row = db.all(tables.orderLines).find((line) => {
    const order = db.get(tables.orders, line.order);
    const own = order?.status === "delivered" && order.person === null;
    return !line.returned && own && inTime(order, "2026-03-12");
  });
  return { id: row?.order ?? 1, product: row?.product ?? 1 };
}

export const orderApis = {
  orders: orderRows.list("List orders, the last placed first.", {
    filters: {
      status: z.enum(tables.ORDER_STATUSES).describe("only in this state"),
      gift: [
        booleanParam("only gifts, or only the owner's own"),
        filterWhether(({ person }) => person !== null),
      ],
      to: personColumnFilter("only gifts to this person", "to"),
      from: [dayParam("only placed on this day or later"), atLeast("placed")],
      until: [dayParam("only placed on this day or earlier"), atMost("placed")],
    },
    order: latestFirst,
    example: { status: "delivered", gift: false },
  }),
  searchOrders: orderRows.list(
    "Search orders by the names of their products, the last placed first.",
    {
      searchIn: ({ id }, db) => linesOf(db, id).map(({ product }) => nameOf(db, product)),
      order: latestFirst,
      example: { query: "a" },
    },
  ),
  order: orderRows.show("Show an order with its lines, costs, payment and address.", {
    item: detail,
  }),
  cancelOrder: orderRows.change(
    "Cancel an order that is processing; the money and any voucher come back.",
    {
      ...processing,
      set: ({ id, cents, card }, _, context) => {
        for (const line of linesOf(context.db, id)) restock(context, line, 1);
        charge(context, { kind: "refund", cents, order: id, card });
        return { status: "cancelled" };
      },
    },
  ),
  redirectOrder: orderRows.change("Send an own order that is processing to another address.", {
    params: { address: shortTextParam("name of the delivery address") },
    item: detail,
    checkRow: (row, _, { db }) => {
      processing.checkRow(row);
      const to = handleOrNull(db, row.person);
      refuseUnless(to === null, 422, `id: expected an own order, ${row.id} is a gift to "${to}"`);
    },
    set: (_, { address }, { db }) => ({ address: addressBy(db, address).id }),
    example: (db) => ({
      id: firstRowId(
        db,
        tables.orders,
        (row) => row.status === "processing" && row.person === null,
      ),
      address: db.all(tables.addresses).find((row) => row.preferred)?.name ?? "home",
    }),
  }),
  orderAgain: orderRows.act(
    "Order the same things once more, at today's prices, to the preferred address.",
    {
      params: { card: payment.card },
      isExample: repeatable,
      run: ({ id }, { card }, context) =>
        place(context, { wanted: wantedOf(linesOf(context.db, id)), card }),
    },
  ),
  returnItem: orderRows.act(
    "Return a product of an own order within 30 days of its arrival; its price less its share of the discount comes back.",
    {
      params: { product },
      item: detail,
      checkRow: (row, _, { now }) => {
        delivered.checkRow(row);
        const { id, person, arrives } = row;
        const theirs = `${id} was a gift and is not the owner's`;
        refuseUnless(person === null, 422, `id: expected an own order, ${theirs}`);
        refuseUnless(
          inTime(row, dayOf(now)),
          409,
          `id: expected an order that arrived at most ${RETURN_DAYS} days ago, ${id} arrived ${arrives}`,
        );
      },
      run: (order, { id, product }, context) => {
        const line = linesOf(context.db, id).find((row) => row.product === product);
        refuseUnless(line, 404, `product: order ${id} has no product with id ${product}`);
        refuseUnless(!line.returned, 409, `product: ${product} went back already`);
        context.db.update(tables.orderLines, line.id, { returned: true });
        restock(context, line, 1);
        const cents = refundOf(order, line);
        charge(context, { kind: "refund", cents, order: id, card: order.card });
      },
      example: aReturn,
    },
  ),
};
