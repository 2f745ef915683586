/**
 * Defines the APIs of the cart, and of the three ways to order: the whole cart, one product at once, or one product as
 * a gift.
 */

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
  chooseOption,
  isInStock,
  option,
  optionName,
  price,
  product,
  productFields,
  requireProduct,
} from "./lookup.ts";
import { orderResource } from "./orders.ts";
import { cartLines, products } from "./tables.ts";

const cartLine = resource({
  noun: "line in the cart",
  item: cartLines.item({ ...productFields, option: optionName, count: z.int(), price }),
  keys: { id: idParam("line of the cart") },
});

const pieces = z.int().min(1).max(20);
const count = pieces.default(1).describe("how many pieces");

/** Returns the id of a product that is in stock. Examples of API calls use it. */
const exampleProductInStock = (db: Reader) =>
  firstRowId(db, products, (row) => isInStock(db, row.id));

/**
 * Returns the product, the option and the count that a call asks for. Throws a 404 when there is no such product or
 * option.
 */
function resolveLine(
  { db }: CallContext,
  args: { product: number; option?: string | undefined; count: number },
) {
  const product = requireProduct(db, args.product).id;
  return { product, option: chooseOption(db, product, args.option).id, count: args.count };
}

export const cartApis = {
  cart: cartLine.list("List what is in the cart; `price` is that of one piece."),
  addToCart: cartLine.add("Add a product to the cart; what is there already is added up.", {
    params: { product, option, count },
    row: (args, context) => {
      const { db } = context;
      const { product, option } = resolveLine(context, args);
      const [line] = db.where(cartLines, { option });
      const count = args.count + (line?.count ?? 0);
      checkout.requireStock(db, { product, option, count });
      return line ? db.update(cartLines, line.id, { count }) : { product, option, count };
    },
    example: (db) => ({ product: exampleProductInStock(db), count: 1 }),
  }),
  changeCart: cartLine.change("Set how many pieces of a line of the cart are wanted.", {
    params: { count: pieces.describe("how many pieces") },
    checkRow: (row, { count }, { db }) => checkout.requireStock(db, { ...row, count }),
    example: { count: 2 },
  }),
  dropFromCart: cartLine.remove("Take a line out of the cart."),
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
    returns: checkout.quoteSchema,
    example: () => ({}),
    handler: ({ db, now }, args) => {
      const voucher = checkout.findUsableVoucher(db, args.voucher, now);
      const { arrives, ...cents } = checkout.makeQuote(db, db.all(cartLines), voucher, now);
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
  checkout: orderResource.add("Order everything in the cart, which is empty afterwards.", {
    params: { ...checkout.destination, ...checkout.payment },
    row: (args, context) => {
      const rows = context.db.all(cartLines);
      refuseUnless(rows.length > 0, 409, "the cart is empty; shop.addToCart first");
      const order = checkout.placeOrder(context, {
        wanted: checkout.toWantedLines(rows),
        ...args,
        card: args.card,
      });
      for (const row of rows) context.db.remove(cartLines, row.id);
      return order;
    },
  }),
  buy: orderResource.add("Order one product at once, without the cart.", {
    params: { product, option, count, ...checkout.destination, ...checkout.payment },
    row: ({ address, card, voucher, ...what }, context) =>
      checkout.placeOrder(context, {
        wanted: [resolveLine(context, what)],
        address,
        card,
        voucher,
      }),
    example: (db) => ({ product: exampleProductInStock(db) }),
  }),
  gift: orderResource.add("Order one product as a gift that is sent to a contact.", {
    params: {
      product,
      to: handleParam("who gets it"),
      message: z.string().trim().max(200).default("").describe("what the gift card says"),
      option,
      count,
      ...checkout.payment,
    },
    row: ({ to, message, card, voucher, ...what }, context) =>
      checkout.placeOrder(context, {
        wanted: [resolveLine(context, what)],
        gift: { to, message },
        card,
        voucher,
      }),
    example: (db) => ({
      product: exampleProductInStock(db),
      to: exampleHandleWhere(db),
      message: "Enjoy!",
    }),
  }),
};
