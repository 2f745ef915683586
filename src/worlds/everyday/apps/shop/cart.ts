/** The cart, and the three ways to order: the cart as a whole, one product at once, one product as a gift. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import { dollars, handle, idOf, line, paged, pageOf, paging, rowBy } from "../shared.ts";
import { people } from "../tables.ts";
import {
  destination,
  mustHave,
  payment,
  place,
  quoteOf,
  quoteReturn,
  quoteView,
} from "./checkout.ts";
import { exampleId, inStock, nameOf, optionBy, productBy } from "./lookup.ts";
import { voucherBy } from "./money.ts";
import { orderItem, orderView } from "./orders.ts";
import { type CartLine, cartLines, options, products } from "./tables.ts";

const cartItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  product: z.int(),
  option: z.string(),
  count: z.int(),
  price: z.number(),
});

const view = (db: Reader) => (row: CartLine) => ({
  name: nameOf(db, row.product),
  id: row.id,
  product: row.product,
  option: db.get(options, row.option)?.name ?? "standard",
  count: row.count,
  price: dollars(db.get(products, row.product)?.cents ?? 0),
});

const product = idOf("product");
const option = line("name of the option; the first in stock when left out").optional();
const count = z.int().min(1).max(20).default(1).describe("how many pieces");
const id = idOf("line of the cart");

/** A product that can be had, for examples. */
const sellable = (db: Reader) => exampleId(db, products, (row) => inStock(db, row.id));

const show = defineApi({
  summary: "List what is in the cart; `price` is that of one piece.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(cartItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(cartLines), page, view(db)),
});

const add = defineApi({
  summary: "Add a product to the cart; what is there already is added up.",
  params: z.strictObject({ product, option, count }),
  returns: cartItem,
  example: (db) => ({ product: sellable(db), count: 1 }),
  handler: ({ db }, args) => {
    const product = productBy(db, args.product).id;
    const option = optionBy(db, product, args.option).id;
    const [line] = db.where(cartLines, { option });
    const total = args.count + (line?.count ?? 0);
    mustHave(db, { product, option, count: total });
    const row = line
      ? db.update(cartLines, line.id, { count: total })
      : db.insert(cartLines, { product, option, count: total });
    return view(db)(row);
  },
});

const change = defineApi({
  summary: "Set how many pieces of a line of the cart are wanted.",
  params: z.strictObject({ id, count: z.int().min(1).max(20).describe("how many pieces") }),
  returns: cartItem,
  example: (db) => ({ id: exampleId(db, cartLines), count: 2 }),
  handler: ({ db }, { id, count }) => {
    const row = rowBy(db, cartLines, id, "line in the cart");
    mustHave(db, { ...row, count });
    return view(db)(db.update(cartLines, id, { count }));
  },
});

const drop = defineApi({
  summary: "Take a line out of the cart.",
  params: z.strictObject({ id }),
  returns: cartItem,
  example: (db) => ({ id: exampleId(db, cartLines) }),
  handler: ({ db }, { id }) => {
    const row = rowBy(db, cartLines, id, "line in the cart");
    db.remove(cartLines, id);
    return view(db)(row);
  },
});

const empty = defineApi({
  summary: "Take everything out of the cart.",
  params: z.strictObject({}),
  returns: z.strictObject({ removed: z.int() }),
  example: () => ({}),
  handler: ({ db }) => {
    const rows = db.all(cartLines);
    for (const row of rows) db.remove(cartLines, row.id);
    return { removed: rows.length };
  },
});

const quote = defineApi({
  summary:
    "Show what the cart would cost now, with delivery and voucher, and when it would arrive.",
  params: z.strictObject({ voucher: payment.voucher }),
  returns: quoteReturn,
  example: () => ({}),
  handler: ({ db, now }, args) => {
    const voucher = args.voucher === undefined ? undefined : voucherBy(db, args.voucher, now);
    return quoteView(quoteOf(db, db.all(cartLines), voucher, now));
  },
});

const checkout = defineApi({
  summary: "Order everything in the cart, which is empty afterwards.",
  params: z.strictObject({ ...destination, ...payment }),
  returns: orderItem,
  example: () => ({}),
  handler: (context, args) => {
    const { db } = context;
    const rows = db.all(cartLines);
    if (rows.length === 0) throw new ApiError(409, "the cart is empty; shop.addToCart first");
    const wanted = rows.map(({ product, option, count }) => ({ product, option, count }));
    const order = place(context, { wanted, ...args, card: args.card });
    for (const row of rows) db.remove(cartLines, row.id);
    return orderView(db)(order);
  },
});

/** One line, checked. */
function single(
  { db }: CallContext,
  args: { product: number; option?: string | undefined; count: number },
) {
  const product = productBy(db, args.product).id;
  return [{ product, option: optionBy(db, product, args.option).id, count: args.count }];
}

const buy = defineApi({
  summary: "Order one product at once, without the cart.",
  params: z.strictObject({ product, option, count, ...destination, ...payment }),
  returns: orderItem,
  example: (db) => ({ product: sellable(db) }),
  handler: (context, { product, option, count, address, card, voucher }) => {
    const wanted = single(context, { product, option, count });
    return orderView(context.db)(place(context, { wanted, address, card, voucher }));
  },
});

const gift = defineApi({
  summary: "Order one product as a gift that is sent to a contact.",
  params: z.strictObject({
    product,
    to: handle("who gets it"),
    message: z.string().trim().max(200).default("").describe("what the gift card says"),
    option,
    count,
    ...payment,
  }),
  returns: orderItem,
  example: (db) => ({
    product: sellable(db),
    to: db.all(people).find((person) => !person.blocked)?.handle ?? "amara.o",
    message: "Enjoy!",
  }),
  handler: (context, { product, option, count, to, message, card, voucher }) => {
    const wanted = single(context, { product, option, count });
    const order = place(context, { wanted, gift: { to, message }, card, voucher });
    return orderView(context.db)(order);
  },
});

export const cartApis = {
  cart: show,
  addToCart: add,
  changeCart: change,
  dropFromCart: drop,
  emptyCart: empty,
  quote,
  checkout,
  buy,
  gift,
};
