/**
 * How an order comes about, from wherever its lines come: stock, price, voucher, delivery, payment, in this order.
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
import { accountOf, addressBy, cardBy, productBy } from "./lookup.ts";
import * as tables from "./tables.ts";

const FREE_DELIVERY_FROM = 3500;
const DELIVERY_CENTS = 490;

/** What is ordered; several lines never have the same option. */
export interface Wanted {
  readonly product: number;
  readonly option: number;
  readonly count: number;
}

/** The same lines once more. */
export function wantedOf(lines: readonly Wanted[]): Wanted[] {
  return lines.map(({ product, option, count }) => ({ product, option, count }));
}

/** The parameters of everything that places an order for the owner. */
export const payment = {
  card: idParam("stored card to pay with; the balance pays when left out").optional(),
  voucher: shortTextParam("code of a voucher").optional(),
};
export const destination = {
  address: shortTextParam("name of a delivery address; the preferred one when left out").optional(),
};

interface Placing {
  readonly wanted: readonly Wanted[];
  readonly card: number | undefined;
  readonly voucher?: string | undefined;
  /** Name of the address; unused for gifts. */
  readonly address?: string | undefined;
  readonly gift?: { readonly to: string; readonly message: string };
}

/** Writes the order, its lines and the payment, and takes the goods from stock. */
export function place(context: CallContext, placing: Placing): tables.Order {
  const { db, now } = context;
  const { wanted, gift } = placing;
  for (const want of wanted) mustHave(db, want);
  const voucher = voucherBy(db, placing.voucher, now);
  const { discount, delivery, total, arrives } = quoteOf(db, wanted, voucher, now);
  const card = placing.card === undefined ? null : cardBy(db, placing.card, now).id;
  const order = db.insert(tables.orders, {
    status: "processing",
    person: gift ? requireReceiver(db, gift.to, "to").id : null,
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
    db.insert(tables.orderLines, { order: order.id, ...want, cents, returned: false });
    restock(context, want, -1);
  }
  charge(context, { kind: "order", cents: -total, order: order.id, card });
  return order;
}

// --- stock ---

/** Goods go back to stock (1) or leave it (-1). */
export function restock({ db }: CallContext, { option, count }: Wanted, direction: 1 | -1): void {
  const row = db.get(tables.options, option);
  if (row) db.update(tables.options, option, { stock: row.stock + direction * count });
}

/** A 409 when fewer are in stock than wanted. */
export function mustHave(db: Reader, { product, option, count }: Wanted): void {
  const stock = db.get(tables.options, option)?.stock ?? 0;
  refuseUnless(stock >= count, 409, () => {
    const name = db.get(tables.products, product)?.name ?? product;
    return `count: expected at most the ${stock} in stock of "${name}", got ${count}`;
  });
}

// --- price ---

export const quoteReturn = z.strictObject({
  goods: z.number(),
  discount: z.number(),
  delivery: z.number(),
  total: z.number(),
  arrives: z.string(),
});

/** All in cents; a voucher that does not fit is a 422. */
export function quoteOf(
  db: Reader,
  wanted: readonly Wanted[],
  voucher: tables.Voucher | undefined,
  now: string,
): z.output<typeof quoteReturn> {
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
  const arrives = addDays(dayOf(now), days);
  return { goods, discount, delivery, total: goods - discount + delivery, arrives };
}

/** An order that was not cancelled used it. */
export function used(db: Reader, voucher: number): boolean {
  return db.where(tables.orders, { voucher }).some((order) => order.status !== "cancelled");
}

/** The voucher of that code, if it is good today; otherwise a 404, 409 or 422. None where none is named. */
export function voucherBy(
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
  refuseUnless(!used(db, row.id), 409, `voucher: "${row.code}" was used already`);
  const good = row.expires >= dayOf(now);
  refuseUnless(good, 422, `voucher: expected one good today, "${row.code}" ended ${row.expires}`);
  return row;
}

/** Percentages are rounded down to the cent; an amount takes off at most what the goods cost. */
function discountOf(voucher: tables.Voucher, goods: number): number {
  const least = Math.max(1, voucher.least);
  refuseUnless(goods >= least, 422, () => {
    const of = voucher.category === null ? "goods" : voucher.category;
    return `voucher: "${voucher.code}" needs ${of} for at least ${priceText(least)}, these cost ${priceText(goods)}`;
  });
  if (voucher.percent !== null) return Math.floor((goods * voucher.percent) / 100);
  return Math.min(goods, voucher.cents ?? 0);
}

/** `$12.50` in messages. */
const priceText = (cents: number) => `$${toDollars(cents).toFixed(2)}`;

// --- payment ---

/** Money out (negative) or in, from or to the balance or a card; a 422 when the balance does not hold it. */
export function charge(
  { db, now }: CallContext,
  { kind, cents, order, card }: Pick<tables.Entry, "kind" | "cents" | "order" | "card">,
): void {
  const account = accountOf(db);
  if (card === null) {
    const left = account.cents + cents;
    refuseUnless(left >= 0, 422, () => {
      const [price, have] = [-cents, account.cents].map(priceText);
      return `card: expected a total of at most the balance of ${have}, it is ${price}; top up, or name a card`;
    });
    db.update(tables.shopAccount, account.id, { cents: left });
  }
  db.insert(tables.entries, { kind, cents, order, card, at: now });
}
