/**
 * How an order comes about, from wherever its lines come: stock, price, voucher, delivery, payment, in this order.
 *
 * Delivery costs $4.90 and is free when the goods, before any voucher, cost $35 or more.
 */
import { z } from "zod";
import { ApiError, type CallContext, type Reader } from "../../../../world/index.ts";
import { dayOf, dollars, idOf, line, receiver } from "../shared.ts";
import { addressBy, cardBy, daysLater, productBy } from "./lookup.ts";
import { charge, discountOf, voucherBy } from "./money.ts";
import { type Order, options, orderLines, orders, products, type Voucher } from "./tables.ts";

export const FREE_DELIVERY_FROM = 3500;
export const DELIVERY_CENTS = 490;

/** What is ordered; several lines never have the same option. */
export interface Wanted {
  readonly product: number;
  readonly option: number;
  readonly count: number;
}

/** The parameters of everything that places an order for the owner. */
export const payment = {
  card: idOf("stored card to pay with; the balance pays when left out").optional(),
  voucher: line("code of a voucher").optional(),
};
export const destination = {
  address: line("name of a delivery address; the preferred one when left out").optional(),
};

export const quoteReturn = z.strictObject({
  goods: z.number(),
  discount: z.number(),
  delivery: z.number(),
  total: z.number(),
  arrives: z.string(),
});

export interface Quote {
  readonly goods: number;
  readonly discount: number;
  readonly delivery: number;
  readonly total: number;
  readonly arrives: string;
}

/** All in cents; a voucher that does not fit is a 422. */
export function quoteOf(
  db: Reader,
  wanted: readonly Wanted[],
  voucher: Voucher | undefined,
  now: string,
): Quote {
  const priced = wanted.map(({ product, count }) => {
    const row = productBy(db, product);
    return { category: row.category, days: row.days, cents: row.cents * count };
  });
  const sum = (lines: readonly { cents: number }[]) => lines.reduce((all, l) => all + l.cents, 0);
  const goods = sum(priced);
  const eligible = priced.filter((l) => !voucher?.category || l.category === voucher.category);
  const discount = voucher ? discountOf(voucher, sum(eligible)) : 0;
  const delivery = goods >= FREE_DELIVERY_FROM ? 0 : DELIVERY_CENTS;
  const days = Math.max(0, ...priced.map((l) => l.days));
  const arrives = daysLater(now, days);
  return { goods, discount, delivery, total: goods - discount + delivery, arrives };
}

export const quoteView = ({ arrives, ...cents }: Quote) => ({
  goods: dollars(cents.goods),
  discount: dollars(cents.discount),
  delivery: dollars(cents.delivery),
  total: dollars(cents.total),
  arrives,
});

interface Placing {
  readonly wanted: readonly Wanted[];
  readonly card: number | undefined;
  readonly voucher?: string | undefined;
  /** Name of the address; unused for gifts. */
  readonly address?: string | undefined;
  readonly gift?: { readonly to: string; readonly message: string };
}

/** Writes the order, its lines and the payment, and takes the goods from stock. */
export function place(context: CallContext, placing: Placing): Order {
  const { db, now } = context;
  const { wanted, gift } = placing;
  for (const want of wanted) mustHave(db, want);
  const voucher = placing.voucher === undefined ? undefined : voucherBy(db, placing.voucher, now);
  const { discount, delivery, total, arrives } = quoteOf(db, wanted, voucher, now);
  const card = placing.card === undefined ? null : cardBy(db, placing.card, now).id;
  const order = db.insert(orders, {
    status: "processing",
    person: gift ? receiver(db, gift.to, "to").id : null,
    message: gift?.message ?? "",
    address: gift ? null : addressBy(db, placing.address).id,
    card,
    voucher: voucher?.id ?? null,
    cents: total,
    discount,
    delivery,
    placed: dayOf(now),
    arrives,
  });
  for (const want of wanted) {
    const { cents } = productBy(db, want.product);
    db.insert(orderLines, { order: order.id, ...want, cents, returned: false });
    restock(context, want, -1);
  }
  charge(context, { kind: "order", cents: -total, order: order.id, card });
  return order;
}

/** Goods go back to stock (1) or leave it (-1). */
export function restock({ db }: CallContext, { option, count }: Wanted, direction: 1 | -1): void {
  const row = db.get(options, option);
  if (row) db.update(options, option, { stock: row.stock + direction * count });
}

/** A 409 when fewer are in stock than wanted. */
export function mustHave(db: Reader, { product, option, count }: Wanted): void {
  const stock = db.get(options, option)?.stock ?? 0;
  if (stock >= count) return;
  const name = db.get(products, product)?.name ?? product;
  throw new ApiError(
    409,
    `count: expected at most the ${stock} in stock of "${name}", got ${count}`,
  );
}
