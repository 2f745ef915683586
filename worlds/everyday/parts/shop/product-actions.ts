/** Actions on products of the shop. */
import {
  actions,
  actionWithValue,
  amountBetween,
  integerBetween,
  someone,
  taskValue,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { alerts, products, questions, savedItems, subscriptions } from "../../apps/shop/tables.ts";
import { TODAY } from "../../population/time.ts";
import { isReachable } from "../reachable-people.ts";
import { drawOwnList } from "./lists.ts";
import {
  addToCart,
  canPayFromBalance,
  defaultOption,
  fitsInCart,
  hasNoAlert,
  hasReceivedProduct,
  hasStock,
  isReviewed,
  isSubscribed,
  NOW,
  pieceOfDefaultOption,
  placeOrder,
  publishReview,
} from "./shop-rows.ts";

const piecesInWords = (count: number) => (count === 1 ? "one piece each" : `${count} pieces each`);
const starsInWords = (stars: number) => (stars === 1 ? "1 star" : `${stars} stars`);

const canBuy = (db: Reader, product: number, count: number) =>
  hasStock(db, product, count) && canPayFromBalance(db, [pieceOfDefaultOption(db, product, count)]);

export const productActions = actions(
  { kind: "products", app: "shop", table: products, key: "product" },
  ({ addsRow, applies, actionWith, actionWithOne, difficulty2 }) => ({
    cart: actionWithOne(integerBetween(1, 4, piecesInWords), ({ value: count }) =>
      applies((db, { id }) => addToCart(db, pieceOfDefaultOption(db, id, count)), {
        when: ({ id }, db) =>
          hasStock(db, id, count) && fitsInCart(db, pieceOfDefaultOption(db, id, count)),
        api: "addToCart",
        args: `count:${count}`,
      }),
    )`Put # in my shop cart, $ | Add # to the cart of the shop, $ | Place # in my cart at the shop,
        $ | Into my shop cart, put #, $ | Fill my shop cart with #, $`,
    buy: actionWithOne(integerBetween(1, 3, piecesInWords), ({ value: count }) =>
      applies((db, { id }) => placeOrder(db, [pieceOfDefaultOption(db, id, count)]), {
        when: ({ id }, db) => canBuy(db, id, count),
        api: "buy",
        args: `count:${count}`,
      }),
    )`Order #, $, without using the cart | Buy # directly, not through the cart, $ | Order # at
        once, leaving the cart alone, $ | Place a direct order for #, $, so not through the cart
      | Get # by ordering at once instead of through the cart, $`,
    give: difficulty2(
      actionWith({ friend: someone(), card: taskValue("text") }, ({ friend, card }) => {
        const placing = { person: friend.value.id, message: card.value };
        return applies((db, { id }) => placeOrder(db, [pieceOfDefaultOption(db, id, 1)], placing), {
          when: ({ id }, db) => isReachable(db, placing.person) && canBuy(db, id, 1),
          api: "gift",
          args: `to:${friend.code},message:${card.code}`,
        });
      })`Order # as a gift to $friend with the message $card | Have the shop send # as a gift to
          $friend; the card says $card | Give # to $friend as a gift from the shop, with the card
          $card | Order # for $friend as a gift with the message $card
            | Let the shop deliver # to $friend as a gift, with the card $card`,
    ),
    save: actionWithOne(drawOwnList, ({ value: list, code }) =>
      addsRow(savedItems, ({ id }) => ({ list, product: id, claim: "open" }), {
        when: ({ id }, db) => db.where(savedItems, { list, product: id }).length === 0,
        call: `apis.shop.save({list:${code},product:x})`,
      }),
    )`Save # to my shop list "$" | Put # on my list "$" in the shop | Add # to the list "$" that I
        keep in the shop | Keep # on my shop list "$" | Note # on my saved list "$" in the
        shop`,
    watch: actionWithValue("money", ({ value: cents, code }) =>
      addsRow(alerts, ({ id }) => ({ product: id, cents }), {
        when: ({ id }, db) => hasNoAlert(db, id) && cents >= 1 && cents <= 1_000_000,
        api: "watchPrice",
        args: `below:${code}`,
      }),
    )`Set a price alert of $ for # | Let the shop alert me at a price of $ for # | Watch the price
        of # in the shop with an alert at $ | I want a price alert at $ for # | Put a price alert at
        $ on #`,
    /** The code of this action first reads the price of each product. */
    "watch-lower": difficulty2(
      actionWithOne(amountBetween(100, 500, 100), ({ value: off }) =>
        addsRow(alerts, ({ id, cents }) => ({ product: id, cents: cents - off }), {
          when: ({ id, cents }, db) => hasNoAlert(db, id) && cents > off,
          call: `const o=apis.shop.product({id:x});apis.shop.watchPrice({product:x,below:Math.round(100*o.price-${off})/100})`,
        }),
      )`For #, set a price alert that is $ below the current price | Set price alerts for #, each $
          under what it costs now | Watch # by price alerts at $ less than the present price of each
        | Put a price alert on # at $ less than today's price | I want price alerts for #, always at
          today's price minus $`,
    ),
    ask: actionWithValue("text", ({ value: text, code }) =>
      addsRow(questions, ({ id }) => ({ product: id, author: null, text, at: NOW }), {
        api: "ask",
        args: `text:${code}`,
      }),
    )`Post the question $ about # | Ask $ as a public question about # | In the shop, put the
        question $ to # | Write the question $ on the shop page of # | As a question about #,
        publish $ in the shop`,
    subscribe: actionWith(
      { weeks: integerBetween(2, 10), each: integerBetween(1, 3, piecesInWords) },
      ({ weeks: { value: weeks }, each: { value: count } }) => {
        const terms = { count, weeks, status: "active", next: TODAY } as const;
        const defaultOptionId = (db: Reader, id: number) => defaultOption(db, id)!.id;
        return addsRow(
          subscriptions,
          ({ id }, db) => ({ product: id, option: defaultOptionId(db, id), ...terms }),
          {
            when: ({ id }, db) => !isSubscribed(db, id),
            api: "subscribe",
            args: `weeks:${weeks},count:${count}`,
          },
        );
      },
    )`Subscribe to #, every $weeks weeks and $each | Have # delivered every $weeks weeks by
        subscription, $each | Start a shop subscription for #: every $weeks weeks, $each | I want #
        on subscription, each time $each, every $weeks weeks | Take out a subscription to # with
        $each every $weeks weeks`,
    review: actionWith(
      { stars: integerBetween(1, 5, starsInWords), text: taskValue("text") },
      ({ stars: { value: stars }, text }) =>
        applies((db, { id }) => publishReview(db, id, stars, text.value), {
          when: ({ id }, db) => hasReceivedProduct(db, id) && !isReviewed(db, id),
          api: "review",
          args: `stars:${stars},text:${text.code}`,
        }),
    )`Review # with $stars and the text $text | Write a review of #: $stars, $text | Give # a review
        of $stars that says $text | Rate # with $stars in the shop and write $text | Publish a
        review of # in the shop, $stars, with the words $text`,
  }),
);
