/** What can be done with each product: ordered, given, saved, asked about, watched, subscribed to. */
import { type Action, moneyWords } from "../../../../goals/index.ts";
import {
  alerts,
  questions,
  reviews,
  savedItems,
  savedLists,
  subscriptions,
} from "../../apps/shop/tables.ts";
import { hasReceived, isReviewed } from "./opinions.ts";
import { unwatched } from "./products.ts";
import {
  addToCart,
  affordable,
  centsOf,
  defaultOption,
  fitsCart,
  hasStock,
  isSubscribed,
  js,
  pieces,
  placeOrder,
  reachable,
  TODAY,
  totalOf,
} from "./writes.ts";

const base = { kind: "products", app: "shop" } as const;
const AT = `${TODAY}T09:00:00Z`;
const each = (count: number) => (count === 1 ? "one piece each" : `${count} pieces each`);

const cart: Action = {
  ...base,
  name: "cart",
  difficulty: 1,
  draw: ({ rng }) => {
    const count = rng.integer(1, 4);
    return {
      frames: [
        (noun) => `Put ${noun} in my shop cart, ${each(count)}`,
        (noun) => `Add ${noun} to the cart of the shop, ${each(count)}`,
        (noun) => `Place ${noun} in my cart at the shop, ${each(count)}`,
        (noun) => `Into my shop cart, put ${noun}, ${each(count)}`,
        (noun) => `Fill my shop cart with ${noun}, ${each(count)}`,
      ],
      permits: (db, id) => hasStock(db, id, count) && fitsCart(db, pieces(db, id, count)[0]!),
      apply: (db, id) => addToCart(db, pieces(db, id, count)[0]!),
      call: (x) => `apis.shop.addToCart({product:${x},count:${count}})`,
    };
  },
};

const buy: Action = {
  ...base,
  name: "buy",
  difficulty: 1,
  draw: ({ rng }) => {
    const count = rng.integer(1, 3);
    return {
      frames: [
        (noun) => `Order ${noun}, ${each(count)}, without using the cart`,
        (noun) => `Buy ${noun} directly, not through the cart, ${each(count)}`,
        (noun) => `Order ${noun} at once, leaving the cart alone, ${each(count)}`,
        (noun) => `Place a direct order for ${noun}, ${each(count)}, so not through the cart`,
        (noun) => `Get ${noun} by ordering at once instead of through the cart, ${each(count)}`,
      ],
      permits: (db, id) =>
        hasStock(db, id, count) && affordable(db, totalOf(db, pieces(db, id, count))),
      apply: (db, id) => placeOrder(db, pieces(db, id, count)),
      call: (x) => `apis.shop.buy({product:${x},count:${count}})`,
    };
  },
};

const give: Action = {
  ...base,
  name: "give",
  difficulty: 2,
  takes: "text",
  draw: (draw) => {
    const person = draw.person();
    if (!person) return undefined;
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Order ${noun} as a gift to ${person.words} with the message ${text.words}`,
        (noun) =>
          `Have the shop send ${noun} as a gift to ${person.words}; the card says ${text.words}`,
        (noun) =>
          `Give ${noun} to ${person.words} as a gift from the shop, with the card ${text.words}`,
        (noun) => `As a gift with the message ${text.words}, order ${noun} for ${person.words}`,
        (noun) =>
          `Let the shop deliver ${noun} to ${person.words} as a gift, and on the card ${text.words}`,
      ],
      uses: [person, text],
      permits: (db, id) =>
        reachable(db, person.value.id) &&
        hasStock(db, id, 1) &&
        affordable(db, totalOf(db, pieces(db, id, 1))),
      apply: (db, id) =>
        placeOrder(db, pieces(db, id, 1), { person: person.value.id, message: text.value }),
      call: (x) => `apis.shop.gift({product:${x},to:${person.code},message:${text.code}})`,
    };
  },
};

const save: Action = {
  ...base,
  name: "save",
  difficulty: 1,
  draw: (draw) => {
    const list = draw.rng.pick(draw.db.where(savedLists, { person: null }));
    const out = draw.variable("l");
    const cell = `var ${out}=apis.shop.lists({shared:false,size:20}).items.filter(x=>x.name===${js(list.name)})[0].id;print(${out})`;
    const name = { value: list.id, words: list.name, code: out, cells: [cell], apps: [] };
    return {
      frames: [
        (noun) => `Save ${noun} to my shop list "${list.name}"`,
        (noun) => `Put ${noun} on my list "${list.name}" in the shop`,
        (noun) => `Add ${noun} to the list "${list.name}" that I keep in the shop`,
        (noun) => `In the shop, save ${noun} to my "${list.name}" list`,
        (noun) => `Note ${noun} on my saved list "${list.name}" in the shop`,
      ],
      uses: [name],
      permits: (db, product) => db.where(savedItems, { list: list.id, product }).length === 0,
      apply: (db, product) => {
        db.insert(savedItems, { list: list.id, product, claim: "open" });
      },
      call: (x) => `apis.shop.save({list:${out},product:${x}})`,
    };
  },
};

const watch: Action = {
  ...base,
  name: "watch",
  difficulty: 1,
  takes: "money",
  draw: (draw) => {
    const below = draw.value("money");
    return {
      frames: [
        (noun) => `Set a price alert of ${below.words} for ${noun}`,
        (noun) => `Let the shop alert me at a price of ${below.words} for ${noun}`,
        (noun) => `Watch the price of ${noun} in the shop with an alert at ${below.words}`,
        (noun) => `I want a price alert at ${below.words} for ${noun}`,
        (noun) => `Put a price alert at ${below.words} on ${noun}`,
      ],
      uses: [below],
      permits: (db, id) => unwatched(db, id) && below.value >= 1 && below.value <= 1_000_000,
      apply: (db, product) => {
        db.insert(alerts, { product, cents: below.value });
      },
      call: (x) => `apis.shop.watchPrice({product:${x},below:${below.code}})`,
    };
  },
};

/** Reads the price of each. */
const watchLower: Action = {
  ...base,
  name: "watch-lower",
  difficulty: 2,
  draw: ({ rng }) => {
    const off = 100 * rng.integer(1, 5);
    const sum = moneyWords(off);
    return {
      frames: [
        (noun) => `For ${noun}, set a price alert that is ${sum} below the current price`,
        (noun) => `Set price alerts for ${noun}, each ${sum} under what it costs now`,
        (noun) => `Watch ${noun} by price alerts at ${sum} less than the present price of each`,
        (noun) => `Put a price alert on ${noun} at ${sum} less than today's price`,
        (noun) => `I want price alerts for ${noun}, always at today's price minus ${sum}`,
      ],
      permits: (db, id) => unwatched(db, id) && centsOf(db, id) > off,
      apply: (db, product) => {
        db.insert(alerts, { product, cents: centsOf(db, product) - off });
      },
      call: (x) =>
        `const o=apis.shop.product({id:${x}});apis.shop.watchPrice({product:${x},below:Math.round(100*o.price-${off})/100})`,
    };
  },
};

const ask: Action = {
  ...base,
  name: "ask",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Post the question ${text.words} about ${noun}`,
        (noun) => `Ask ${text.words} as a public question about ${noun}`,
        (noun) => `In the shop, put the question ${text.words} to ${noun}`,
        (noun) => `Write the question ${text.words} on the shop page of ${noun}`,
        (noun) => `As a question about ${noun}, publish ${text.words} in the shop`,
      ],
      uses: [text],
      apply: (db, product) => {
        db.insert(questions, { product, author: null, text: text.value, at: AT });
      },
      call: (x) => `apis.shop.ask({product:${x},text:${text.code}})`,
    };
  },
};

const subscribe: Action = {
  ...base,
  name: "subscribe",
  difficulty: 1,
  draw: ({ rng }) => {
    const [weeks, count] = [rng.integer(2, 10), rng.integer(1, 3)];
    return {
      frames: [
        (noun) => `Subscribe to ${noun}, every ${weeks} weeks and ${each(count)}`,
        (noun) => `Have ${noun} delivered every ${weeks} weeks by subscription, ${each(count)}`,
        (noun) => `Start a shop subscription for ${noun}: every ${weeks} weeks, ${each(count)}`,
        (noun) => `I want ${noun} on subscription, each time ${each(count)}, every ${weeks} weeks`,
        (noun) => `Take out a subscription to ${noun} with ${each(count)} every ${weeks} weeks`,
      ],
      permits: (db, id) => !isSubscribed(db, id),
      apply: (db, product) => {
        const option = defaultOption(db, product)!.id;
        const row = { product, option, count, weeks, status: "active" as const, next: TODAY };
        db.insert(subscriptions, row);
      },
      call: (x) => `apis.shop.subscribe({product:${x},weeks:${weeks},count:${count}})`,
    };
  },
};

const review: Action = {
  ...base,
  name: "review",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const stars = draw.rng.integer(1, 5);
    const text = draw.value("text");
    const many = stars === 1 ? "1 star" : `${stars} stars`;
    return {
      frames: [
        (noun) => `Review ${noun} with ${many} and the text ${text.words}`,
        (noun) => `Write a review of ${noun}: ${many}, ${text.words}`,
        (noun) => `Give ${noun} a review of ${many} that says ${text.words}`,
        (noun) => `Rate ${noun} with ${many} in the shop and write ${text.words}`,
        (noun) => `Publish a review of ${noun} in the shop, ${many}, with the words ${text.words}`,
      ],
      uses: [text],
      permits: (db, id) => hasReceived(db, id) && !isReviewed(db, id),
      apply: (db, product) => {
        const own = { person: null, author: null, withdrawn: false, at: AT };
        db.insert(reviews, { product, stars, text: text.value, ...own });
      },
      call: (x) => `apis.shop.review({product:${x},stars:${stars},text:${text.code}})`,
    };
  },
};

export const productActions: readonly Action[] = [
  cart,
  buy,
  give,
  save,
  watch,
  watchLower,
  ask,
  subscribe,
  review,
];
