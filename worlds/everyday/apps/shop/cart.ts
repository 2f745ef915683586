/** The cart, and the three ways to order: the cart as a whole, one product at once, one product as a gift. */

import {
  apiWithoutParameters,
  firstRowId,
  idParam,
  refuseUnless,
  resource,
} from "bowline/resources";
import type { CallContext, Reader } from "bowline/world";
import { defineApi, z } from "bowline/world";
import { exampleHandleWhere, handleParam, toDollars } from "../shared.ts";
import * as checkout from "./checkout.ts";
import {
  inStock,
  ofProduct,
  option,
  optionBy,
  optionName,
  price,
  product,
  productBy,
} from "./lookup.ts";
import { orderRows } from "./orders.ts";
import { cartLines, products } from "./tables.ts";

const lines = resource({
  noun: "line in the cart",
  item: cartLines.item({ ...ofProduct, option: optionName, count: z.int(), price }),
  keys: { id: idParam("line of the cart") },
});

const pieces = z.int().min(1).max(20);
const count = pieces.default(1).describe("how many pieces");

/** A product that can be had, for examples. */
const sellable = (db: Reader) => firstRowId(db, products, (row) => inStock(db, row.id));

/** A line of the cart, or the one line of an order without it. */
function single(
  { db }: CallContext,
  args: { product: number; option?: string | undefined; count: number },
) {
  const product = productBy(db, args.product).id;
  return { product, option: optionBy(db, product, args.option).id, count: args.count };
}

export const cartApis = {
  cart: lines.list("List what is in the cart; `price` is that of one piece."),
  addToCart: lines.add("Add a product to the cart; what is there already is added up.", {
    params: { product, option, count },
    row: (args, context) => {
      const { db } = context;
      const { product, option } = single(context, args);
      const [line] = db.where(cartLines, { option });
      const count = args.count + (line?.count ?? 0);
      checkout.mustHave(db, { product, option, count });
      return line ? db.update(cartLines, line.id, { count }) : { product, option, count };
    },
    example: (db) => ({ product: sellable(db), count: 1 }),
  }),
  changeCart: lines.change("Set how many pieces of a line of the cart are wanted.", {
    params: { count: pieces.describe("how many pieces") },
    checkRow: (row, { count }, { db }) => checkout.mustHave(db, { ...row, count }),
    example: { count: 2 },
  }),
  dropFromCart: lines.remove("Take a line out of the cart."),
  emptyCart: apiWithoutParameters(
    "Take everything out of the cart.",
    { removed: z.int() },
    ({ db }) => {
      const rows = db.all(cartLines);
      for (const row of rows) db.remove(cartLines, row.id);
      return { removed: rows.length };
    },
  ),
  quote: defineApi({
    summary:
      "Show what the cart would cost now, with delivery and voucher, and when it would arrive.",
    params: z.strictObject({ voucher: checkout.payment.voucher }),
    returns: checkout.quoteReturn,
    example: () => ({}),
    handler: ({ db, now }, args) => {
      const voucher = checkout.voucherBy(db, args.voucher, now);
      const { arrives, ...cents } = checkout.quoteOf(db, db.all(cartLines), voucher, now);
      const { goods, discount, delivery, total } = cents;
      return {
        goods: toDollars(goods),
        discount: toDollars(discount),
        delivery: toDollars(delivery),
        total: toDollars(total),
        arrives,
      };
    },
  }),
  checkout: orderRows.add("Order everything in the cart, which is empty afterwards.", {
    params: { ...checkout.destination, ...checkout.payment },
    row: (args, context) => {
      const rows = context.db.all(cartLines);
      refuseUnless(rows.length > 0, 409, "the cart is empty; shop.addToCart first");
      const order = checkout.place(context, {
        wanted: checkout.wantedOf(rows),
        ...args,
        card: args.card,
      });
      for (const row of rows) context.db.remove(cartLines, row.id);
      return order;
    },
  }),
  buy: orderRows.add("Order one product at once, without the cart.", {
    params: { product, option, count, ...checkout.destination, ...checkout.payment },
    row: ({ address, card, voucher, ...what }, context) =>
      checkout.place(context, { wanted: [single(context, what)], address, card, voucher }),
    example: (db) => ({ product: sellable(db) }),
  }),
  gift: orderRows.add("Order one product as a gift that is sent to a contact.", {
    params: {
      product,
      to: handleParam("who gets it"),
      message: z.string().trim().max(200).default("").describe("what the gift card says"),
      option,
      count,
      ...checkout.payment,
    },
    row: ({ to, message, card, voucher, ...what }, context) =>
      checkout.place(context, {
        wanted: [single(context, what)],
        gift: { to, message },
        card,
        voucher,
      }),
    example: (db) => ({
      product: sellable(db),
      to: exampleHandleWhere(db),
      message: "Enjoy!",
    }),
  }),
};
