/** From the shop's sets to products, people, orders and wishes, and back. */
import {
  everyoneWhoDoesToEach,
  readAllPages,
  referencedIn,
  relationBetween,
  relations,
  rowsReferencing,
  storeAndPrint,
} from "bowline/goals";
import type { Table, TableRow } from "bowline/world";
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

/** Reads all pages of a list call into `t`. */
const pages = (api: string, args: string) => readAllPages("t", `shop.${api}`, args);

/** For each key, as `k`, what all pages of a list call give; `once` where it may repeat. */
const through = (k: string, api: string, param: string, item: string, once: boolean) => {
  const all = (from: string, to: string) =>
    `var ${to}=[];for(const ${k} of ${from}){${pages(api, `${param}:${k}`)}${to}.push(...t.map(x=>x.${item}))}`;
  return (from: string, to: string) => [
    once
      ? `${all(from, to)}${to}=[...new Set(${to})];print(${to})`
      : `${all(from, to)}print(${to})`,
  ];
};

/** What a list call tells of those of its items that are in the set. */
const among = (api: string, args: string, item: string) => (from: string, to: string) => [
  pages(api, args) +
    storeAndPrint(to, `[...new Set(t.filter(x=>${from}.includes(x.id)).map(x=>x.${item}))]`),
];

/** From rows that name a product to the products: one shape for several kinds. */
const toProducts = <R extends TableRow & { readonly product: number }>(
  from: string,
  table: Table<R>,
  what: string,
  api = from,
  args = "",
) =>
  relationBetween(from, "products", {
    relatedIds: referencedIn(table, "product"),
    cells: among(api, args, "product"),
  })`
    the products of # | each product in the shop that ${what} # | every product that ${what} # | any
      product that ${what} # | each product that ${what} #`;

export const shopRelations = relations("shop", {
  "products-of-orders": relationBetween("orders", "products", {
    relatedIds: (id, db) => linesOf(db, id).map(({ product }) => product),
    code: (from) =>
      `[...new Set(${from}.flatMap(x=>apis.shop.order({id:x}).lines.map(l=>l.product)))]`,
  })`the products in # | all products of # | every product that is part of # | each of the products
      in # | each product contained in #`,
  receivers: relationBetween("orders", "people", {
    relatedIds: referencedIn(orders, "person"),
    code: (from) => `[...new Set(${from}.map(x=>apis.shop.order({id:x}).to).filter(x=>x!==null))]`,
  })`the people who get a gift by # | everyone to whom something is given by # | the receivers of
      the gifts among # | whoever gets something as a gift through # | all persons who receive a
      gift through #`,
  "gifts-to": relationBetween("people", "orders", {
    relatedIds: rowsReferencing(orders, "person"),
    cells: through("h", "orders", "to", "id", false),
  })`the gift orders to # | my shop orders that are gifts to # | all gifts that I ordered in the
      shop for # | the shop orders by which I gave something to # | every order in the shop that is
      a gift to #`,
  "products-of-subscriptions": toProducts("subscriptions", subscriptions, "comes with"),
  "products-of-alerts": toProducts("alerts", alerts, "is watched by"),
  "products-of-reviews": toProducts(
    "reviews",
    reviews,
    "is the subject of",
    "reviews",
    "mine:true",
  ),
  "products-of-wishes": toProducts("wishes", savedItems, "is wished for in", "saved", "mine:false"),
  "products-of-lists": relationBetween("lists", "products", {
    relatedIds: rowsReferencing(savedItems, "list", {}, "product"),
    cells: through("l", "saved", "list", "product", true),
  })`the products on # | all products saved on # | everything that is saved on # | each product that
      stands on # | every product to be found on #`,
  viewers: relationBetween("lists", "people", {
    wordsForEach: everyoneWhoDoesToEach("has access to"),
    relatedIds: rowsReferencing(listShares, "list", { ended: false }, "person"),
    cells: through("l", "sharedWith", "list", "handle", true),
  })`everyone with whom I share # | the contacts who see # | all people with access to # | whoever
      among my contacts can see # | each contact who has access to #`,
  wishers: relationBetween("wishes", "people", {
    relatedIds: (id, db) => db.get(savedLists, db.get(savedItems, id)!.list)?.person,
    cells: among("saved", "mine:false", "of"),
  })`the people who have # | everyone whose wish is among # | whoever of my contacts has one of #
    | the contacts who made # | all persons whose wishes are among #`,
  "wishes-of": relationBetween("people", "wishes", {
    relatedIds: (person, db) =>
      db
        .where(savedLists, { person })
        .flatMap((list) => db.where(savedItems, { list: list.id }).map(({ id }) => id)),
    cells: through("h", "saved", "of", "id", false),
  })`the wishes on the shop lists of # | each item on the wish lists of # in the shop | all items on
      the shop wish lists of # | everything on the shop wish lists of # | each wish that the shop
      lists for #`,
});
