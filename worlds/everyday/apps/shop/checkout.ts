/**
 * Places orders from the cart or of a single product. It checks stock, price, voucher, delivery and payment, in this
 * order.
 *
 * Delivery costs $4.90 and is free when the goods, before any voucher, cost $35 or more.
 */

import {
  equalIgnoringCase,
  idParam,
  refuseUnless,
  shortTextParam,
  suggestion,
} from "bowline/resources";
import { type CallContext, nearestWord, type Reader, z } from "bowline/world";
import { addDays, dayOf, requireReceiver, toDollars } from "../shared.ts";
import { chooseAddress, requireAccount, requireCard, requireProduct } from "./lookup.ts";
import * as tables from "./tables.ts";

const FREE_DELIVERY_FROM = 3500;
const DELIVERY_CENTS = 490;

/** A line of an order: an option of a product, and how many pieces. No two lines of an order have the same option. */
export interface WantedLine {
  readonly product: number;
  readonly option: number;
  readonly count: number;
}

/** Returns the product, option and count of each line. */
export function toWantedLines(lines: readonly WantedLine[]): WantedLine[] {
  return lines.map(({ product, option, count }) => ({ product, option, count }));
}

/**
 * The parameters of all APIs that place an order for the owner. `destination` is for orders that are delivered to the
 * owner.
 */
export const payment = {
  card: idParam("stored card to pay with; the balance pays when left out").optional(),
  voucher: shortTextParam("code of a voucher").optional(),
};
export const destination = {
  address: shortTextParam("name of a delivery address; the preferred one when left out").optional(),
};

interface OrderRequest {
  readonly wanted: readonly WantedLine[];
  readonly card: number | undefined;
  readonly voucher?: string | undefined;
  /** The name of the delivery address, which gifts do not need. */
  readonly address?: string | undefined;
  readonly gift?: { readonly to: string; readonly message: string };
}

/** Writes the order, its lines and the payment, and takes the goods out of stock. */
export function placeOrder(context: CallContext, request: OrderRequest): tables.Order {
  const { db, now } = context;
  const { wanted, gift } = request;
  for (const line of wanted) requireStock(db, line);
  const voucher = findUsableVoucher(db, request.voucher, now);
  const { discount, delivery, total, arrives } = makeQuote(db, wanted, voucher, now);
  const card = request.card === undefined ? null : requireCard(db, request.card, now).id;
  const order = db.insert(tables.orders, {
    status: "processing",
    person: gift ? requireReceiver(db, gift.to, "to").id : null,
    message: gift?.message ?? "",
    address: gift ? null : chooseAddress(db, request.address).id,
    card,
    voucher: voucher?.id ?? null,
    cents: total,
    discount,
    delivery,
    placed: dayOf(now),
    arrives,
  });
  for (const line of wanted) {
    const { cents } = requireProduct(db, line.product);
    db.insert(tables.orderLines, { order: order.id, ...line, cents, returned: false });
    changeStock(context, line, -1);
  }
  bookEntry(context, { kind: "order", cents: -total, order: order.id, card });
  return order;
}

/** Puts goods back into stock (1) or takes them out of it (-1). */
export function changeStock(
  { db }: CallContext,
  { option, count }: WantedLine,
  direction: 1 | -1,
): void {
  const row = db.get(tables.options, option);
  if (row) db.update(tables.options, option, { stock: row.stock + direction * count });
}

/** Throws a 409 when fewer pieces are in stock than wanted. */
export function requireStock(db: Reader, { product, option, count }: WantedLine): void {
  const stock = db.get(tables.options, option)?.stock ?? 0;
  refuseUnless(stock >= count, 409, () => {
    const name = db.get(tables.products, product)?.name ?? product;
    return `count: expected at most the ${stock} in stock of "${name}", got ${count}`;
  });
}

export const quoteSchema = z.strictObject({
  goods: z.number(),
  discount: z.number(),
  delivery: z.number(),
  total: z.number(),
  arrives: z.string(),
});

/**
 * Returns what the lines of an order cost, in cents, and when they arrive. Throws a 422 when the voucher cannot be used
 * for this order.
 */
export function makeQuote(
  db: Reader,
  wanted: readonly WantedLine[],
  voucher: tables.Voucher | undefined,
  now: string,
): z.output<typeof quoteSchema> {
  const priced = wanted.map(({ product, count }) => {
    const row = requireProduct(db, product);
    return { category: row.category, days: row.days, cents: row.cents * count };
  });
  const sum = (lines: readonly { cents: number }[]) => lines.reduce((all, l) => all + l.cents, 0);
  const goods = sum(priced);
  const eligible = priced.filter((l) => !voucher?.category || l.category === voucher.category);
  const discount = voucher ? computeDiscount(voucher, sum(eligible)) : 0;
  const delivery = goods >= FREE_DELIVERY_FROM ? 0 : DELIVERY_CENTS;
  const days = Math.max(0, ...priced.map((l) => l.days));
  const arrives = addDays(dayOf(now), days);
  return { goods, discount, delivery, total: goods - discount + delivery, arrives };
}

/** Returns true when an order that was not cancelled used the voucher. */
export function isVoucherUsed(db: Reader, voucher: number): boolean {
  return db.where(tables.orders, { voucher }).some((order) => order.status !== "cancelled");
}

/**
 * Returns the voucher with this code when it is good today, and undefined when no code is given. Throws a 404, 409 or
 * 422 otherwise.
 */
export function findUsableVoucher(
  db: Reader,
  code: string | undefined,
  now: string,
): tables.Voucher | undefined {
  if (code === undefined) return;
  const all = db.all(tables.vouchers);
  const row = all.find((voucher) => equalIgnoringCase(voucher.code, code));
  refuseUnless(row, 404, () => {
    const codes = all.map((voucher) => voucher.code);
    return `voucher: there is no voucher "${code}"${suggestion(nearestWord(code, codes))}`;
  });
  refuseUnless(!isVoucherUsed(db, row.id), 409, `voucher: "${row.code}" was used already`);
  const isGoodToday = row.expires >= dayOf(now);
  refuseUnless(
    isGoodToday,
    422,
    `voucher: expected one good today, "${row.code}" ended ${row.expires}`,
  );
  return row;
}

/**
 * Returns the discount in cents. Percentages are rounded down to the cent; a fixed amount takes off at most what the
 * goods cost.
 */
function computeDiscount(voucher: tables.Voucher, goods: number): number {
  const least = Math.max(1, voucher.least);
  refuseUnless(goods >= least, 422, () => {
    const goodsName = voucher.category === null ? "goods" : voucher.category;
    return `voucher: "${voucher.code}" needs ${goodsName} for at least ${formatPrice(least)}, these cost ${formatPrice(goods)}`;
  });
  if (voucher.percent !== null) return Math.floor((goods * voucher.percent) / 100);
  return Math.min(goods, voucher.cents ?? 0);
}

/** Formats cents as a price in a message, such as `$12.50`. */
const formatPrice = (cents: number) => `$${toDollars(cents).toFixed(2)}`;

/** Books money out (negative) or in, from or to the balance or a card. Throws a 422 when the balance is too low. */
export function bookEntry(
  { db, now }: CallContext,
  { kind, cents, order, card }: Pick<tables.Entry, "kind" | "cents" | "order" | "card">,
): void {
  const account = requireAccount(db);
  if (card === null) {
    const newBalance = account.cents + cents;
    refuseUnless(newBalance >= 0, 422, () => {
      const [price, balance] = [-cents, account.cents].map(formatPrice);
      return `card: expected a total of at most the balance of ${balance}, it is ${price}; top up, or name a card`;
    });
    db.update(tables.shopAccount, account.id, { cents: newBalance });
  }
  db.insert(tables.entries, { kind, cents, order, card, at: now });
}
