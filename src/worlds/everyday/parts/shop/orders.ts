/** Orders: by status, day, total, payment and what is in them; cancelled, repeated, returned, redirected. */
import type { Reader } from "../../../../world/index.ts";
import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Field,
} from "../../algebra/parts.ts";
import { dayWords, moneyWords } from "../../algebra/words.ts";
import {
  addresses,
  alerts,
  type Order,
  options,
  orderLines,
  orders,
  reviews,
  shopAccount,
} from "../../apps/shop/tables.ts";
import { atLeast, atMost, centsAtLeast, oneOfSome } from "../bounds.ts";
import { isReviewed } from "./opinions.ts";
import { unwatched } from "./products.ts";
import {
  addToCart,
  affordable,
  fitsCart,
  js,
  linesOf,
  nameOf,
  placeOrder,
  price,
  TODAY,
  totalOf,
} from "./writes.ts";

const titleOf = (db: Reader, { id }: Order) => {
  const [first, ...rest] = db.where(orderLines, { order: id });
  const name = nameOf(db, first?.product ?? 0);
  return rest.length > 0 ? `${name} and ${rest.length} more` : name;
};

const status: Clause<Order> = {
  name: "status",
  draw: ({ rng }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.map((row) => row.status),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `with the status "${chosen}"`,
        `in the state "${chosen}"`,
        `whose status is "${chosen}"`,
        `that have the status "${chosen}"`,
        `which the shop lists as "${chosen}"`,
      ],
      holds: (row) => row.status === chosen,
      code: { args: `status:${js(chosen)}` },
    };
  },
};

const gifts: Clause<Order> = {
  name: "gifts",
  excludes: ["to-person", "address"],
  draw: () => ({
    words: [
      "that are gifts",
      "that I placed as gifts",
      "which go to somebody else as a gift",
      "that were meant as gifts for others",
      "which are gifts to my contacts",
    ],
    holds: (row) => row.person !== null,
    code: { args: "gift:true" },
  }),
};

const toPerson: Clause<Order> = {
  name: "to-person",
  draw: (draw, rows) => {
    const person = draw.person(rows.flatMap((row) => row.person ?? []));
    if (!person) return undefined;
    return {
      words: [
        `that are gifts to ${person.words}`,
        `sent as a gift to ${person.words}`,
        `which ${person.words} gets as a gift`,
        `placed as gifts for ${person.words}`,
        `that go to ${person.words} as a gift`,
      ],
      holds: (row) => row.person === person.value.id,
      code: { args: `to:${person.code}` },
      uses: [person],
    };
  },
};

const since: Clause<Order> = {
  name: "since",
  draw: ({ rng }, rows) => {
    const day = atLeast(
      rng,
      rows.map((row) => row.placed),
    );
    if (day === undefined) return undefined;
    const date = dayWords(day);
    return {
      words: [
        `placed on ${date} or later`,
        `that I placed on ${date} or after that`,
        `placed no earlier than ${date}`,
        `which were placed on ${date} or at a later day`,
        `that date from ${date} or later`,
      ],
      holds: (row) => row.placed >= day,
      code: { args: `from:${js(day)}` },
    };
  },
};

const until: Clause<Order> = {
  name: "until",
  draw: ({ rng }, rows) => {
    const day = atMost(
      rng,
      rows.map((row) => row.placed),
    );
    if (day === undefined) return undefined;
    const date = dayWords(day);
    return {
      words: [
        `placed on ${date} or earlier`,
        `that I placed on ${date} or before that`,
        `placed no later than ${date}`,
        `which were placed on ${date} or on an earlier day`,
        `that date from ${date} or before`,
      ],
      holds: (row) => row.placed <= day,
      code: { args: `until:${js(day)}` },
    };
  },
};

const large: Clause<Order> = {
  name: "total",
  draw: ({ rng }, rows) => {
    const cents = centsAtLeast(
      rng,
      rows.map((row) => row.cents),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `with a total of ${sum} or more`,
        `that came to ${sum} or more`,
        `whose total is at least ${sum}`,
        `with a total of no less than ${sum}`,
        `for which the total is ${sum} or above`,
      ],
      holds: (row) => row.cents >= cents,
      code: { test: `x.total>=${price(cents)}` },
    };
  },
};

const thingOf = (name: string) => name.split(" ").slice(1).join(" ").toLowerCase();

/** Reads the lines of each order. */
const containing: Clause<Order> = {
  name: "containing",
  draw: ({ rng, db }, rows) => {
    const names = rows.flatMap(({ id }) => linesOf(db, id).map((l) => nameOf(db, l.product)));
    const thing = oneOfSome(rng, names.map(thingOf));
    if (thing === undefined) return undefined;
    return {
      words: [
        `with "${thing}" in the name of one of the products`,
        `that include a product with "${thing}" in its name`,
        `in which a product has "${thing}" in its name`,
        `that contain some product named with "${thing}"`,
        `where the name of at least one product has "${thing}" in it`,
      ],
      holds: ({ id }, reader) =>
        linesOf(reader, id).some((l) => nameOf(reader, l.product).toLowerCase().includes(thing)),
      code: {
        test: `apis.shop.order({id:x.id}).lines.some(l=>l.name.toLowerCase().includes(${js(thing)}))`,
      },
    };
  },
};

const byCard: Clause<Order> = {
  name: "by-card",
  draw: () => ({
    words: [
      "paid by card",
      "that I paid with a card",
      "which were paid with one of my cards",
      "that were charged to a card and not to my shop balance",
      "which I did not pay from my shop balance",
    ],
    holds: (row) => row.card !== null,
    code: { test: `apis.shop.order({id:x.id}).paid!=="balance"` },
  }),
};

const toAddress: Clause<Order> = {
  name: "address",
  excludes: ["to-person"],
  draw: ({ rng, db }, rows) => {
    const ids = rows.flatMap((row) => row.address ?? []);
    const chosen = db.get(addresses, oneOfSome(rng, ids) ?? 0);
    if (!chosen) return undefined;
    const name = chosen.name;
    return {
      words: [
        `to my address "${name}"`,
        `delivered to the address "${name}"`,
        `that go to my "${name}" address`,
        `with "${name}" as the delivery address`,
        `whose delivery address is "${name}"`,
      ],
      holds: (row) => row.address === chosen.id,
      code: { test: `apis.shop.order({id:x.id}).address===${js(name)}` },
    };
  },
};

const fields: readonly Field<Order>[] = [
  {
    name: "total",
    unit: "money",
    noun: "amount",
    value: (row) => row.cents / 100,
    code: "x.total",
    superlatives: {
      most: ["most expensive", "largest", "dearest", "costliest", "highest-priced"],
      least: ["cheapest", "smallest", "least expensive", "least costly", "lowest-priced"],
    },
  },
  {
    name: "pieces",
    unit: "number",
    noun: "number of pieces",
    value: (row, db) => linesOf(db, row.id).reduce((sum, { count }) => sum + count, 0),
    code: "x.items",
  },
  {
    name: "arrival",
    unit: "day",
    noun: "day of arrival",
    value: (row) => row.arrives,
    code: "x.arrives",
  },
  {
    name: "what",
    unit: "text",
    noun: "title",
    value: (row, db) => titleOf(db, row),
    code: "x.what",
  },
];

export const orderCollection: Collection = collection<Order>({
  name: "orders",
  kind: "orders",
  app: "shop",
  table: orders,
  base: () => true,
  nouns: [
    { one: "order in the shop", many: "orders in the shop" },
    { one: "shop order", many: "shop orders" },
    { one: "order of mine in the shop", many: "orders of mine in the shop" },
    { one: "order with the shop", many: "orders with the shop" },
    { one: "order at the shop", many: "orders at the shop" },
  ],
  list: { api: "shop.orders" },
  key: "id",
  whole: false,
  clauses: [status, gifts, toPerson, toAddress, containing, byCard, since, until, large],
  fields,
  title: {
    of: (row) => String(row.id),
    nouns: (id) => [
      `my shop order number ${id}`,
      `order number ${id} in the shop`,
      `the shop order with the id ${id}`,
      `my order with the number ${id} in the shop`,
      `the order that has the id ${id} in the shop`,
    ],
    cells: (id, out) => [
      `var ${out}=[],p=1,r;do{r=apis.shop.orders({size:20,page:p++});${out}.push(...r.items)}while(r.more);${out}=${out}.map(x=>x.id).filter(x=>x===${id});print(${out})`,
    ],
    missing: ["7041", "9310", "8222", "6508"],
  },
});

// --- actions ---

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
