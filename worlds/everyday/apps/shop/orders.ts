/**
 * Defines the APIs of orders that were placed. The status of an order says what may be done: a processing order can be
 * cancelled or sent to another address, a shipped order cannot be changed, products of a delivered order can be
 * returned within 30 days or reviewed, and any order can be ordered again.
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
import { bookEntry, changeStock, payment, placeOrder, toWantedLines } from "./checkout.ts";
import {
  chooseAddress,
  describeCard,
  optionName,
  product,
  productName,
  statusOptions,
} from "./lookup.ts";
import * as tables from "./tables.ts";

/** The number of days after arrival in which a product may be returned. */
const RETURN_DAYS = 30;

const linesOfOrder = (db: Reader, order: number) => db.where(tables.orderLines, { order });

const lineItem = tables.orderLines.item({
  name: textOfReferencedRow(tables.products, "product", "name", "removed"),
  product: z.int(),
  option: optionName,
  count: z.int(),
  price: dollarsField,
  returned: z.boolean(),
});

const orderItem = tables.orders.item({
  what: [z.string(), ({ id }, { db }) => orderTitle(db, id)],
  ...tables.orders.fields("id", "status"),
  total: dollarsField,
  items: [z.int(), ({ id }, { db }) => linesOfOrder(db, id).reduce((sum, l) => sum + l.count, 0)],
  to: nullableHandleField,
  ...tables.orders.fields("placed", "arrives"),
});

const orderDetailsItem = orderItem.with({
  lines: [
    z.array(lineItem.schema),
    ({ id }, context) => linesOfOrder(context.db, id).map((line) => lineItem.view(line, context)),
  ],
  delivery: [z.number(), ({ delivery }) => toDollars(delivery)],
  discount: [z.number(), ({ discount }) => toDollars(discount)],
  voucher: textOfReferencedRow(tables.vouchers, "voucher", "code"),
  paid: [z.string(), ({ card }, { db }) => describeCard(db, card)],
  address: textOfReferencedRow(tables.addresses, "address", "name"),
  message: z.string(),
});

/** Returns the title of an order: `Oak tray`, or `Oak tray and 2 more`. */
function orderTitle(db: Reader, order: number): string {
  const [first, ...rest] = linesOfOrder(db, order);
  const name = first ? productName(db, first.product) : "nothing";
  return rest.length > 0 ? `${name} and ${rest.length} more` : name;
}

export const orderResource = resource({ table: tables.orders, noun: "order", item: orderItem });

/** The order of lists of orders: the latest day first, and on one day the latest order first. */
const LATEST_FIRST = ["-placed", "-id"] as const;

const onlyProcessing = statusOptions<tables.Order>("an order", "processing");
const onlyDelivered = statusOptions<tables.Order>("an order", "delivered");

/** Returns true when all products of the order are in stock. */
function isRepeatable({ id }: tables.Order, db: Reader): boolean {
  return linesOfOrder(db, id).every(
    (line) => (db.get(tables.options, line.option)?.stock ?? 0) >= line.count,
  );
}

/** Returns true when the order arrived at most 30 days before today. */
const isReturnable = ({ arrives }: tables.Order, today: string) =>
  today <= addDays(arrives, RETURN_DAYS);

/**
 * Returns the cents that a returned line gives back: its price less its share of the discount. A fraction of a cent
 * stays with the shop.
 */
function computeRefund(order: tables.Order, line: tables.OrderLine): number {
  const goods = order.cents + order.discount - order.delivery;
  const price = line.cents * line.count;
  return price - Math.ceil((order.discount * price) / Math.max(1, goods));
}

/** Returns an order and a product of it that may be returned. An example of an API call uses it. */
function exampleReturn(db: Reader): object {
  const row = db.all(tables.orderLines).find((line) => {
    const order = db.get(tables.orders, line.order);
    const isOwnDelivered = order?.status === "delivered" && order.person === null;
    return !line.returned && isOwnDelivered && isReturnable(order, "2026-03-12");
  });
  return { id: row?.order ?? 1, product: row?.product ?? 1 };
}

export const orderApis = {
  orders: orderResource.list("List orders, the last placed first.", {
    filters: {
      status: z.enum(tables.ORDER_STATUSES).describe("only in this state"),
      gift: [
        booleanParam("only gifts, or only the owner's own"),
        filterWhether(({ person }) => person !== null),
      ],
      to: personColumnFilter("only gifts to this person", "to"),
      since: [dayParam("only placed on this day or later"), atLeast("placed")],
      until: [dayParam("only placed on this day or earlier"), atMost("placed")],
    },
    order: LATEST_FIRST,
    example: { status: "delivered", gift: false },
  }),
  searchOrders: orderResource.list(
    "Search orders by the names of their products, the last placed first.",
    {
      searchIn: ({ id }, db) => linesOfOrder(db, id).map(({ product }) => productName(db, product)),
      order: LATEST_FIRST,
      example: { query: "a" },
    },
  ),
  order: orderResource.show("Show an order with its lines, costs, payment and address.", {
    item: orderDetailsItem,
  }),
  cancelOrder: orderResource.change(
    "Cancel an order that is processing; the money and any voucher come back.",
    {
      ...onlyProcessing,
      set: ({ id, cents, card }, _, context) => {
        for (const line of linesOfOrder(context.db, id)) changeStock(context, line, 1);
        bookEntry(context, { kind: "refund", cents, order: id, card });
        return { status: "cancelled" };
      },
    },
  ),
  redirectOrder: orderResource.change("Send an own order that is processing to another address.", {
    params: { address: shortTextParam("name of the delivery address") },
    item: orderDetailsItem,
    checkRow: (row, _, { db }) => {
      onlyProcessing.checkRow(row);
      const to = handleOrNull(db, row.person);
      refuseUnless(to === null, 422, `id: expected an own order, ${row.id} is a gift to "${to}"`);
    },
    set: (_, { address }, { db }) => ({ address: chooseAddress(db, address).id }),
    example: (db) => ({
      id: firstRowId(
        db,
        tables.orders,
        (row) => row.status === "processing" && row.person === null,
      ),
      address: db.all(tables.addresses).find((row) => row.preferred)?.name ?? "home",
    }),
  }),
  orderAgain: orderResource.act(
    "Order the same things once more, at today's prices, to the preferred address.",
    {
      params: { card: payment.card },
      isExample: isRepeatable,
      run: ({ id }, { card }, context) =>
        placeOrder(context, { wanted: toWantedLines(linesOfOrder(context.db, id)), card }),
    },
  ),
  returnItem: orderResource.act(
    "Return a product of an own order within 30 days of its arrival; its price less its share of the discount comes back.",
    {
      params: { product },
      item: orderDetailsItem,
      checkRow: (row, _, { now }) => {
        onlyDelivered.checkRow(row);
        const { id, person, arrives } = row;
        const reason = `${id} was a gift and is not the owner's`;
        refuseUnless(person === null, 422, `id: expected an own order, ${reason}`);
        refuseUnless(
          isReturnable(row, dayOf(now)),
          409,
          `id: expected an order that arrived at most ${RETURN_DAYS} days ago, ${id} arrived ${arrives}`,
        );
      },
      run: (order, { id, product }, context) => {
        const line = linesOfOrder(context.db, id).find((row) => row.product === product);
        refuseUnless(line, 404, `product: order ${id} has no product with id ${product}`);
        refuseUnless(!line.returned, 409, `product: ${product} went back already`);
        context.db.update(tables.orderLines, line.id, { returned: true });
        changeStock(context, line, 1);
        const cents = computeRefund(order, line);
        bookEntry(context, { kind: "refund", cents, order: id, card: order.card });
      },
      example: exampleReturn,
    },
  ),
};
