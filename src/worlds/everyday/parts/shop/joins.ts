/** From the shop's sets to products, people, orders and wishes, and back. */

import { eachOf, type Forms, type Relation } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  alerts,
  listShares,
  orders,
  reviews,
  savedItems,
  savedLists,
  subscriptions,
} from "../../apps/shop/tables.ts";
import { linesOf } from "./writes.ts";

const unique = (ids: readonly number[]) => [...new Set(ids)];
/** Reads all pages of a list call into `items`. */
const pages = (items: string, api: string, args: string) =>
  `var ${items}=[],p=1,r;do{r=apis.shop.${api}({${args}size:20,page:p++});${items}.push(...r.items)}while(r.more);`;

const app = "shop";

const productsOfOrders: Relation = {
  name: "products-of-orders",
  from: "orders",
  to: "products",
  app,
  words: [
    (noun) => `the products in ${noun}`,
    (noun) => `all products of ${noun}`,
    (noun) => `every product that is part of ${noun}`,
    (noun) => `each of the products in ${noun}`,
    (noun) => `each product contained in ${noun}`,
  ],
  map: (db, ids) => unique(ids.flatMap((id) => linesOf(db, id).map(({ product }) => product))),
  cells: (from, to) => [
    `var ${to}=[...new Set(${from}.flatMap(x=>apis.shop.order({id:x}).lines.map(l=>l.product)))];print(${to})`,
  ],
};

const receivers: Relation = {
  name: "receivers",
  from: "orders",
  to: "people",
  app,
  words: [
    (noun) => `the people who get a gift by ${noun}`,
    (noun) => `everyone to whom something is given by ${noun}`,
    (noun) => `the receivers of the gifts among ${noun}`,
    (noun) => `whoever gets something as a gift through ${noun}`,
    (noun) => `all persons who receive a gift through ${noun}`,
  ],
  map: (db, ids) => unique(ids.flatMap((id) => db.get(orders, id)?.person ?? [])),
  cells: (from, to) => [
    `var ${to}=[...new Set(${from}.map(x=>apis.shop.order({id:x}).to).filter(x=>x!==null))];print(${to})`,
  ],
};

const giftsToPeople: Relation = {
  name: "gifts-to",
  from: "people",
  to: "orders",
  app,
  words: [
    (noun) => `the gift orders to ${noun}`,
    (noun) => `my shop orders that are gifts to ${noun}`,
    (noun) => `all gifts that I ordered in the shop for ${noun}`,
    (noun) => `the shop orders by which I gave something to ${noun}`,
    (noun) => `every order in the shop that is a gift to ${noun}`,
  ],
  map: (db, ids) =>
    unique(ids.flatMap((person) => db.where(orders, { person }).map(({ id }) => id))),
  cells: (from, to) => [
    `var ${to}=[];for(const h of ${from}){${pages("t", "orders", "to:h,")}${to}.push(...t.map(x=>x.id))}print(${to})`,
  ],
};

/** From rows that name a product to the products: one shape for several kinds. */
function toProducts(
  from: string,
  words: Forms<(noun: string) => string>,
  product: (db: Reader, id: number) => number | undefined,
  list: { readonly api: string; readonly args: string },
): Relation {
  return {
    name: `products-of-${from}`,
    from,
    to: "products",
    app,
    words,
    map: (db, ids) => unique(ids.flatMap((id) => product(db, id) ?? [])),
    cells: (keys, to) => [
      `${pages("t", list.api, list.args)}var ${to}=[...new Set(t.filter(x=>${keys}.includes(x.id)).map(x=>x.product))];print(${to})`,
    ],
  };
}

const about = (what: string): Forms<(noun: string) => string> => [
  (noun) => `the products of ${noun}`,
  (noun) => `each product in the shop that ${what} ${noun}`,
  (noun) => `every product that ${what} ${noun}`,
  (noun) => `any product that ${what} ${noun}`,
  (noun) => `each product that ${what} ${noun}`,
];

const fromRows: readonly Relation[] = [
  toProducts("subscriptions", about("comes with"), (db, id) => db.get(subscriptions, id)?.product, {
    api: "subscriptions",
    args: "",
  }),
  toProducts("alerts", about("is watched by"), (db, id) => db.get(alerts, id)?.product, {
    api: "alerts",
    args: "",
  }),
  toProducts("reviews", about("is the subject of"), (db, id) => db.get(reviews, id)?.product, {
    api: "reviews",
    args: "mine:true,",
  }),
  toProducts("wishes", about("is wished for in"), (db, id) => db.get(savedItems, id)?.product, {
    api: "saved",
    args: "mine:false,",
  }),
];

const productsOfLists: Relation = {
  name: "products-of-lists",
  from: "lists",
  to: "products",
  app,
  words: [
    (noun) => `the products on ${noun}`,
    (noun) => `all products saved on ${noun}`,
    (noun) => `everything that is saved on ${noun}`,
    (noun) => `each product that stands on ${noun}`,
    (noun) => `every product to be found on ${noun}`,
  ],
  map: (db, ids) =>
    unique(ids.flatMap((list) => db.where(savedItems, { list }).map(({ product }) => product))),
  cells: (from, to) => [
    `var ${to}=[];for(const l of ${from}){${pages("t", "saved", "list:l,")}${to}.push(...t.map(x=>x.product))}${to}=[...new Set(${to})];print(${to})`,
  ],
};

const viewers: Relation = {
  name: "viewers",
  from: "lists",
  to: "people",
  app,
  words: [
    (noun) => `everyone with whom I share ${noun}`,
    (noun) => `the contacts who see ${noun}`,
    (noun) => `all people with access to ${noun}`,
    (noun) => `whoever among my contacts can see ${noun}`,
    (noun) => `each contact who has access to ${noun}`,
  ],
  each: eachOf("has access to"),
  map: (db, ids) =>
    unique(
      ids.flatMap((list) =>
        db.where(listShares, { list, ended: false }).map(({ person }) => person),
      ),
    ),
  cells: (from, to) => [
    `var ${to}=[];for(const l of ${from}){${pages("t", "sharedWith", "list:l,")}${to}.push(...t.map(x=>x.handle))}${to}=[...new Set(${to})];print(${to})`,
  ],
};

const wishers: Relation = {
  name: "wishers",
  from: "wishes",
  to: "people",
  app,
  words: [
    (noun) => `the people who have ${noun}`,
    (noun) => `everyone whose wish is among ${noun}`,
    (noun) => `whoever of my contacts has one of ${noun}`,
    (noun) => `the contacts who made ${noun}`,
    (noun) => `all persons whose wishes are among ${noun}`,
  ],
  map: (db, ids) =>
    unique(ids.flatMap((id) => db.get(savedLists, db.get(savedItems, id)!.list)?.person ?? [])),
  cells: (from, to) => [
    `${pages("t", "saved", "mine:false,")}var ${to}=[...new Set(t.filter(x=>${from}.includes(x.id)).map(x=>x.of))];print(${to})`,
  ],
};

const wishesOf: Relation = {
  name: "wishes-of",
  from: "people",
  to: "wishes",
  app,
  words: [
    (noun) => `the wishes on the shop lists of ${noun}`,
    (noun) => `each item on the wish lists of ${noun} in the shop`,
    (noun) => `all items on the shop wish lists of ${noun}`,
    (noun) => `everything on the shop wish lists of ${noun}`,
    (noun) => `each wish that the shop lists for ${noun}`,
  ],
  map: (db, ids) =>
    unique(
      ids.flatMap((person) =>
        db
          .where(savedLists, { person })
          .flatMap((list) => db.where(savedItems, { list: list.id }).map(({ id }) => id)),
      ),
    ),
  cells: (from, to) => [
    `var ${to}=[];for(const h of ${from}){${pages("t", "saved", "of:h,")}${to}.push(...t.map(x=>x.id))}print(${to})`,
  ],
};

export const shopRelations: readonly Relation[] = [
  productsOfOrders,
  receivers,
  giftsToPeople,
  ...fromRows,
  productsOfLists,
  viewers,
  wishers,
  wishesOf,
];
