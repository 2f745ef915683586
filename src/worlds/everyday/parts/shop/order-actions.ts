/** What can be done with each order: cancelled, repeated, redirected, returned, put in the cart, reviewed. */

import type { Action } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  addresses,
  alerts,
  options,
  orderLines,
  orders,
  reviews,
  shopAccount,
} from "../../apps/shop/tables.ts";
import { isReviewed } from "./opinions.ts";
import { unwatched } from "./products.ts";
import {
  addToCart,
  affordable,
  fitsCart,
  js,
  linesOf,
  placeOrder,
  TODAY,
  totalOf,
} from "./writes.ts";

const base = { kind: "orders", app: "shop" } as const;
const row = (db: Reader, id: number) => db.get(orders, id)!;
const THIRTY_DAYS_AGO = new Date(Date.parse(TODAY) - 30 * 86_400_000).toISOString().slice(0, 10);

const cancel: Action = {
  ...base,
  name: "cancel",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Cancel ${noun}`,
      (noun) => `Have the shop cancel ${noun}`,
      (noun) => `Call off ${noun}`,
      (noun) => `Please get ${noun} cancelled`,
      (noun) => `I do not want what I ordered any more: cancel ${noun}`,
    ],
    permits: (db, id) => row(db, id).status === "processing",
    apply: (db, id) => {
      const { cents, card } = row(db, id);
      const account = db.all(shopAccount)[0]!;
      if (card === null) db.update(shopAccount, account.id, { cents: account.cents + cents });
      db.update(orders, id, { status: "cancelled" });
    },
    call: (x) => `apis.shop.cancelOrder({id:${x}})`,
  }),
};

const again: Action = {
  ...base,
  name: "again",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Order the same things again as in ${noun}`,
      (noun) => `Repeat ${noun}`,
      (noun) => `Place ${noun} once more`,
      (noun) => `Have the shop deliver the contents of ${noun} once more`,
      (noun) => `Reorder ${noun}, paid from my shop balance`,
    ],
    permits: (db, id) => {
      const lines = linesOf(db, id);
      const there = lines.every((l) => (db.get(options, l.option)?.stock ?? 0) >= l.count);
      return there && affordable(db, totalOf(db, lines));
    },
    apply: (db, id) => placeOrder(db, linesOf(db, id)),
    call: (x) => `apis.shop.orderAgain({id:${x}})`,
  }),
};

const redirect: Action = {
  ...base,
  name: "redirect",
  difficulty: 1,
  draw: ({ rng, db }) => {
    const { id: address, name } = rng.pick(db.all(addresses));
    return {
      frames: [
        (noun) => `Send ${noun} to my address "${name}" instead`,
        (noun) => `Change the delivery address of ${noun} to "${name}"`,
        (noun) => `Redirect ${noun} to the address "${name}"`,
        (noun) => `Let ${noun} be delivered to my "${name}" address instead`,
        (noun) => `Make "${name}" the delivery address of ${noun}`,
      ],
      permits: (reader, id) => {
        const order = row(reader, id);
        return order.status === "processing" && !order.person && order.address !== address;
      },
      apply: (db, id) => {
        db.update(orders, id, { address });
      },
      call: (x) => `apis.shop.redirectOrder({id:${x},address:${js(name)}})`,
    };
  },
};

/** No other order has one of its products: so what is done to products of several orders never meets. */
const isAlone = (db: Reader, id: number) =>
  linesOf(db, id).every(({ product }) => db.where(orderLines, { product }).length === 1);

/** Reads what is in each order. */
const returnAll: Action = {
  ...base,
  name: "return",
  difficulty: 2,
  draw: () => ({
    frames: [
      (noun) => `Return everything from ${noun}`,
      (noun) => `Give back all products of ${noun}`,
      (noun) => `Send all that came with ${noun} back to the shop`,
      (noun) => `Return each and every product of ${noun} to the shop`,
      (noun) => `All that is in ${noun} shall go back to the shop`,
    ],
    permits: (db, id) => {
      const { status, person, arrives } = row(db, id);
      const lines = db.where(orderLines, { order: id });
      const fresh = status === "delivered" && person === null && arrives >= THIRTY_DAYS_AGO;
      return fresh && lines.every(({ returned }) => !returned);
    },
    apply: (db, id) => {
      for (const line of db.where(orderLines, { order: id })) {
        db.update(orderLines, line.id, { returned: true });
      }
    },
    call: (x) =>
      `for(const l of apis.shop.order({id:${x}}).lines)apis.shop.returnItem({id:${x},product:l.product})`,
  }),
};

const refill: Action = {
  ...base,
  name: "refill",
  difficulty: 2,
  draw: () => ({
    frames: [
      (noun) => `Put everything from ${noun} in my shop cart, in the same options and numbers`,
      (noun) => `Fill my shop cart with what is in ${noun}, with the same options and counts`,
      (noun) => `Add all lines of ${noun} to my cart again, same option and same count`,
      (noun) => `My shop cart shall also hold all that is in ${noun}, options and counts included`,
      (noun) => `Take the contents of ${noun}, options and counts alike, into my shop cart`,
    ],
    permits: (db, id) => linesOf(db, id).every((line) => fitsCart(db, line)),
    apply: (db, id) => {
      for (const line of linesOf(db, id)) addToCart(db, line);
    },
    call: (x) =>
      `for(const l of apis.shop.order({id:${x}}).lines)apis.shop.addToCart({product:l.product,option:l.option,count:l.count})`,
  }),
};

const watchPaid: Action = {
  ...base,
  name: "watch-paid",
  difficulty: 2,
  draw: () => ({
    frames: [
      (noun) => `Set a price alert for each product of ${noun}, at the price it had in the order`,
      (noun) => `For every product in ${noun}, set a price alert at what one piece cost me then`,
      (noun) => `Put price alerts on all products of ${noun}, each at its price in that order`,
      (noun) => `I want price alerts at the prices I paid apiece for all products of ${noun}`,
      (noun) =>
        `Watch the prices of all products from ${noun}, with alerts at the price paid apiece`,
    ],
    permits: (db, id) =>
      isAlone(db, id) && linesOf(db, id).every(({ product }) => unwatched(db, product)),
    apply: (db, id) => {
      for (const { product, cents } of db.where(orderLines, { order: id })) {
        db.insert(alerts, { product, cents });
      }
    },
    call: (x) =>
      `for(const l of apis.shop.order({id:${x}}).lines)apis.shop.watchPrice({product:l.product,below:l.price})`,
  }),
};

const reviewAll: Action = {
  ...base,
  name: "review-all",
  difficulty: 2,
  takes: "text",
  draw: (draw) => {
    const stars = draw.rng.integer(2, 5);
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Review every product of ${noun} with ${stars} stars and the text ${text.words}`,
        (noun) =>
          `Give each product from ${noun} a review of ${stars} stars that says ${text.words}`,
        (noun) => `Write a review of ${stars} stars for all products in ${noun}: ${text.words}`,
        (noun) => `All products of ${noun} get ${stars} stars and the review ${text.words} from me`,
        (noun) =>
          `Publish ${text.words} with ${stars} stars as my review of each product in ${noun}`,
      ],
      uses: [text],
      permits: (db, id) => {
        const { status, person } = row(db, id);
        const fresh = linesOf(db, id).every(({ product }) => !isReviewed(db, product));
        return status === "delivered" && person === null && fresh && isAlone(db, id);
      },
      apply: (db, id) => {
        const own = { person: null, author: null, withdrawn: false, at: `${TODAY}T09:00:00Z` };
        for (const { product } of linesOf(db, id)) {
          db.insert(reviews, { product, stars, text: text.value, ...own });
        }
      },
      call: (x) =>
        `for(const l of apis.shop.order({id:${x}}).lines)apis.shop.review({product:l.product,stars:${stars},text:${text.code}})`,
    };
  },
};

export const orderActions: readonly Action[] = [
  cancel,
  again,
  redirect,
  returnAll,
  refill,
  watchPaid,
  reviewAll,
];
