/** Actions on orders in the shop. */
import {
  actions,
  type DrawContext,
  type Drawn,
  integerBetween,
  jsLiteral,
  taskValue,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { addresses, alerts, options, orderLines, orders } from "../../apps/shop/tables.ts";
import { TODAY } from "../../population/time.ts";
import {
  addToBalance,
  addToCart,
  canPayFromBalance,
  fitsInCart,
  hasNoAlert,
  isReceivedOrder,
  isReviewed,
  piecesOfOrder,
  placeOrder,
  publishReview,
} from "./shop-rows.ts";

const THIRTY_DAYS_AGO = new Date(Date.parse(TODAY) - 30 * 86_400_000).toISOString().slice(0, 10);

/**
 * Returns true when no other order has one of the order's products, so that actions on the products of two orders never
 * change the same product.
 */
const sharesNoProduct = (db: Reader, id: number) =>
  piecesOfOrder(db, id).every(({ product }) => db.where(orderLines, { product }).length === 1);

/** Writes a call for each line `l` of the order. */
const forEachLineCode = (statement: string) =>
  `for(const l of apis.shop.order({id:x}).lines)apis.shop.${statement}`;

const drawAddress = ({ rng, db }: DrawContext): Drawn<number> => {
  const { id, name } = rng.pick(db.all(addresses));
  return { value: id, words: name, code: jsLiteral(name) };
};

export const orderActions = actions(
  { kind: "orders", app: "shop", table: orders },
  ({ applies, actionWith, actionWithOne, difficulty2, sets }) => ({
    cancel: applies(
      (db, { id, cents, card }) => {
        if (card === null) addToBalance(db, cents);
        db.update(orders, id, { status: "cancelled" });
      },
      { when: { status: "processing" }, api: "cancelOrder" },
    )`Cancel # | Have the shop cancel # | Call off # | Please get # cancelled | I do not want what I
        ordered any more: cancel #`,
    again: applies((db, { id }) => placeOrder(db, piecesOfOrder(db, id)), {
      when: ({ id }, db) => {
        const lines = piecesOfOrder(db, id);
        const isInStock = lines.every((l) => (db.get(options, l.option)?.stock ?? 0) >= l.count);
        return isInStock && canPayFromBalance(db, lines);
      },
      api: "orderAgain",
    })`Order the same things again as in # | Repeat # | Place # once more | Have the shop deliver
        the contents of # once more | Reorder #, paid from my shop balance`,
    redirect: actionWithOne(drawAddress, ({ value: address, words }) =>
      sets(
        { address },
        {
          when: (row) => row.status === "processing" && !row.person && row.address !== address,
          api: "redirectOrder",
          args: `address:${jsLiteral(words)}`,
        },
      ),
    )`Send # to my address "$" instead | Change the delivery address of # to "$" | Redirect # to the
        address "$" | Let # be delivered to my "$" address instead | Make "$" the delivery address
        of #`,
    return: difficulty2(
      applies(
        (db, { id }) => {
          for (const line of db.where(orderLines, { order: id })) {
            db.update(orderLines, line.id, { returned: true });
          }
        },
        {
          when: (row, db) =>
            isReceivedOrder(row) &&
            row.arrives >= THIRTY_DAYS_AGO &&
            db.where(orderLines, { order: row.id }).every(({ returned }) => !returned),
          call: forEachLineCode("returnItem({id:x,product:l.product})"),
        },
      )`Return everything from # | Give back all products of # | Send all that came with # back to
          the shop | Return each and every product of # to the shop | Send back everything in # to the shop`,
    ),
    refill: difficulty2(
      applies(
        (db, { id }) => {
          for (const line of piecesOfOrder(db, id)) addToCart(db, line);
        },
        {
          when: ({ id }, db) => piecesOfOrder(db, id).every((line) => fitsInCart(db, line)),
          call: forEachLineCode("addToCart({product:l.product,option:l.option,count:l.count})"),
        },
      )`Put everything from # in my shop cart, in the same options and numbers | Fill my shop cart
          with what is in #, with the same options and counts | Add all lines of # to my cart again,
          same option and same count | My shop cart shall also hold all that is in #, options and
          counts included | Take the contents of #, options and counts alike, into my shop cart`,
    ),
    "watch-paid": difficulty2(
      applies(
        (db, { id }) => {
          for (const { product, cents } of db.where(orderLines, { order: id })) {
            db.insert(alerts, { product, cents });
          }
        },
        {
          when: ({ id }, db) =>
            sharesNoProduct(db, id) &&
            piecesOfOrder(db, id).every(({ product }) => hasNoAlert(db, product)),
          call: forEachLineCode("watchPrice({product:l.product,below:l.price})"),
        },
      )`Set a price alert for each product of #, at the price it had in the order | For every
          product in #, set a price alert at what one piece cost me then | Put price alerts on all
          products of #, each at its price in that order | I want price alerts at the prices I paid
          apiece for all products of # | Watch the prices of all products from #, with alerts at the
          price paid apiece`,
    ),
    "review-all": difficulty2(
      actionWith({ stars: integerBetween(2, 5), text: taskValue("text") }, ({ stars, text }) =>
        applies(
          (db, { id }) => {
            for (const { product } of piecesOfOrder(db, id)) {
              publishReview(db, product, stars.value, text.value);
            }
          },
          {
            when: (row, db) =>
              isReceivedOrder(row) &&
              piecesOfOrder(db, row.id).every(({ product }) => !isReviewed(db, product)) &&
              sharesNoProduct(db, row.id),
            call: forEachLineCode(
              `review({product:l.product,stars:${stars.code},text:${text.code}})`,
            ),
          },
        ),
      )`Review every product of # with $stars stars and the text $text | Give each product from # a
          review of $stars stars that says $text | Write a review of $stars stars for all products
          in #: $text | Give all products of # $stars stars and the review $text
            | Review each product in # with $stars stars and the text $text`,
    ),
  }),
);
