/** What can be done with each product: ordered, given, saved, asked about, watched, reviewed. */
import { actions, giving, moneyWords } from "../../../../goals/index.ts";
import { alerts, products, questions, savedItems, subscriptions } from "../../apps/shop/tables.ts";
import { TODAY } from "../../population/time.ts";
import { reachable } from "../contact.ts";
import { ownList } from "./lists.ts";
import {
  addToCart,
  affordable,
  defaultOption,
  fitsCart,
  hasReceived,
  hasStock,
  isReviewed,
  isSubscribed,
  NOW,
  pieceOf,
  placeOrder,
  publishReview,
  unwatched,
} from "./writes.ts";

const counted = (count: number) => (count === 1 ? "one piece each" : `${count} pieces each`);

export const productActions = actions(
  { kind: "products", app: "shop", table: products, key: "product" },
  ({ adds, does, drawn, hard, taking }) => ({
    cart: drawn(({ rng }) => {
      const count = rng.integer(1, 4);
      const each = counted(count);
      return does((db, { id }) => addToCart(db, pieceOf(db, id, count)), {
        when: ({ id }, db) => hasStock(db, id, count) && fitsCart(db, pieceOf(db, id, count)),
        api: "addToCart",
        args: `count:${count}`,
      })`Put # in my shop cart, ${each} | Add # to the cart of the shop, ${each} | Place # in my
          cart at the shop, ${each} | Into my shop cart, put #, ${each} | Fill my shop cart with #,
          ${each}`;
    }),
    buy: drawn(({ rng }) => {
      const count = rng.integer(1, 3);
      const each = counted(count);
      return does((db, { id }) => placeOrder(db, [pieceOf(db, id, count)]), {
        when: ({ id }, db) => hasStock(db, id, count) && affordable(db, [pieceOf(db, id, count)]),
        api: "buy",
        args: `count:${count}`,
      })`Order #, ${each}, without using the cart | Buy # directly, not through the cart, ${each}
        | Order # at once, leaving the cart alone, ${each} | Place a direct order for #, ${each}, so
          not through the cart | Get # by ordering at once instead of through the cart, ${each}`;
    }),
    give: hard({
      ...drawn((draw) => {
        const found = draw.person();
        if (!found) return undefined;
        const { value: person, words: name } = found;
        const text = draw.value("text");
        const card = text.words;
        return does(
          (db, { id }) =>
            placeOrder(db, [pieceOf(db, id, 1)], { person: person.id, message: text.value }),
          {
            when: ({ id }, db) =>
              reachable(db, person.id) &&
              hasStock(db, id, 1) &&
              affordable(db, [pieceOf(db, id, 1)]),
            api: "gift",
            args: `to:${found.code},message:${text.code}`,
            uses: [found, text],
          },
        )`Order # as a gift to ${name} with the message ${card} | Have the shop send # as a gift to
            ${name}; the card says ${card} | Give # to ${name} as a gift from the shop, with the
            card ${card} | As a gift with the message ${card}, order # for ${name} | Let the shop
            deliver # to ${name} as a gift, and on the card ${card}`;
      }),
      takes: "text",
    }),
    save: drawn((draw) => {
      const list = ownList(draw);
      return adds(savedItems, ({ id }) => ({ list: list.value, product: id, claim: "open" }), {
        when: ({ id }, db) => db.where(savedItems, { list: list.value, product: id }).length === 0,
        call: `apis.shop.save({list:${list.code},product:x})`,
        uses: [list],
      })`Save # to my shop list "${list.words}" | Put # on my list "${list.words}" in the shop | Add
          # to the list "${list.words}" that I keep in the shop | In the shop, save # to my
          "${list.words}" list | Note # on my saved list "${list.words}" in the shop`;
    }),
    watch: taking(
      "money",
      ({ value: cents, words: below, code }) =>
        adds(alerts, ({ id }) => ({ product: id, cents }), {
          when: ({ id }, db) => unwatched(db, id) && cents >= 1 && cents <= 1_000_000,
          api: "watchPrice",
          args: `below:${code}`,
        })`Set a price alert of ${below} for # | Let the shop alert me at a price of ${below} for #
          | Watch the price of # in the shop with an alert at ${below} | I want a price alert at
            ${below} for # | Put a price alert at ${below} on #`,
    ),
    /** Reads the price of each. */
    "watch-lower": hard(
      drawn(({ rng }) => {
        const off = 100 * rng.integer(1, 5);
        const sum = moneyWords(off);
        return adds(alerts, ({ id, cents }) => ({ product: id, cents: cents - off }), {
          when: ({ id, cents }, db) => unwatched(db, id) && cents > off,
          call: `const o=apis.shop.product({id:x});apis.shop.watchPrice({product:x,below:Math.round(100*o.price-${off})/100})`,
        })`For #, set a price alert that is ${sum} below the current price | Set price alerts for #,
            each ${sum} under what it costs now | Watch # by price alerts at ${sum} less than the
            present price of each | Put a price alert on # at ${sum} less than today's price | I
            want price alerts for #, always at today's price minus ${sum}`;
      }),
    ),
    ask: giving("text", ({ value: text, code }) =>
      adds(questions, ({ id }) => ({ product: id, author: null, text, at: NOW }), {
        api: "ask",
        args: `text:${code}`,
      }),
    )`Post the question $ about # | Ask $ as a public question about # | In the shop, put the
        question $ to # | Write the question $ on the shop page of # | As a question about #,
        publish $ in the shop`,
    subscribe: drawn(({ rng }) => {
      const [weeks, count] = [rng.integer(2, 10), rng.integer(1, 3)];
      const each = counted(count);
      const terms = { count, weeks, status: "active", next: TODAY } as const;
      return adds(
        subscriptions,
        ({ id }, db) => ({ product: id, option: defaultOption(db, id)!.id, ...terms }),
        {
          when: ({ id }, db) => !isSubscribed(db, id),
          api: "subscribe",
          args: `weeks:${weeks},count:${count}`,
        },
      )`Subscribe to #, every ${weeks} weeks and ${each} | Have # delivered every ${weeks} weeks by
          subscription, ${each} | Start a shop subscription for #: every ${weeks} weeks, ${each} | I
          want # on subscription, each time ${each}, every ${weeks} weeks | Take out a subscription
          to # with ${each} every ${weeks} weeks`;
    }),
    review: {
      ...drawn(({ rng, value }) => {
        const stars = rng.integer(1, 5);
        const text = value("text");
        const [many, words] = [stars === 1 ? "1 star" : `${stars} stars`, text.words];
        return does((db, { id }) => publishReview(db, id, stars, text.value), {
          when: ({ id }, db) => hasReceived(db, id) && !isReviewed(db, id),
          api: "review",
          args: `stars:${stars},text:${text.code}`,
          uses: [text],
        })`Review # with ${many} and the text ${words} | Write a review of #: ${many}, ${words}
          | Give # a review of ${many} that says ${words} | Rate # with ${many} in the shop and
            write ${words} | Publish a review of # in the shop, ${many}, with the words ${words}`;
      }),
      takes: "text",
    },
  }),
);
