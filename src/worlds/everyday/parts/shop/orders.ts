/** Orders: by status, day, total, payment and what is in them; cancelled, repeated, returned, redirected. */

import {
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Field,
  moneyWords,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { addresses, type Order, orderLines, orders } from "../../apps/shop/tables.ts";
import { atLeast, atMost, centsAtLeast, oneOfSome } from "../bounds.ts";
import { js, linesOf, nameOf, price } from "./writes.ts";

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
