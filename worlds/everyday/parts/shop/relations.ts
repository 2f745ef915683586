/** Relations between the shop's collections, products, people and wishes. */
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
import { piecesOfOrder } from "./shop-rows.ts";

/** Writes code that reads all pages of a list call into `t`. */
const readPagesCode = (api: string, args: string) => readAllPages("t", `shop.${api}`, args);

/**
 * Writes cells that collect a property of the items of a list call for each key. With `isDistinct` each value is kept
 * once.
 */
const itemsForEachKey = (
  keyVariable: string,
  api: string,
  parameter: string,
  item: string,
  isDistinct: boolean,
) => {
  const collect = (from: string, to: string) =>
    `var ${to}=[];for(const ${keyVariable} of ${from}){${readPagesCode(api, `${parameter}:${keyVariable}`)}${to}.push(...t.map(x=>x.${item}))}`;
  return (from: string, to: string) => [
    isDistinct
      ? `${collect(from, to)}${to}=[...new Set(${to})];print(${to})`
      : `${collect(from, to)}print(${to})`,
  ];
};

/** Writes cells for a property of those items of a list call whose ids are in the set. */
const propertyOfItemsInSet =
  (api: string, args: string, item: string) => (from: string, to: string) => [
    readPagesCode(api, args) +
      storeAndPrint(to, `[...new Set(t.filter(x=>${from}.includes(x.id)).map(x=>x.${item}))]`),
  ];

/** Makes a relation from rows that name a product to the products. */
const productsRelation = <R extends TableRow & { readonly product: number }>(
  from: string,
  table: Table<R>,
  verbPhrase: string,
  api = from,
  args = "",
) =>
  relationBetween(from, "products", {
    relatedIds: referencedIn(table, "product"),
    cells: propertyOfItemsInSet(api, args, "product"),
  })`the products of # | each product in the shop that ${verbPhrase} #
    | every product that ${verbPhrase} # | any product that ${verbPhrase} #
    | each product that ${verbPhrase} #`;

export const shopRelations = relations("shop", {
  "products-of-orders": relationBetween("orders", "products", {
    relatedIds: (id, db) => piecesOfOrder(db, id).map(({ product }) => product),
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
    cells: itemsForEachKey("h", "orders", "to", "id", false),
  })`the gift orders to # | my shop orders that are gifts to # | all gifts that I ordered in the
      shop for # | the shop orders by which I gave something to # | every order in the shop that is
      a gift to #`,
  "products-of-subscriptions": productsRelation("subscriptions", subscriptions, "comes with"),
  "products-of-alerts": productsRelation("alerts", alerts, "is watched by"),
  "products-of-reviews": productsRelation(
    "reviews",
    reviews,
    "is the subject of",
    "reviews",
    "mine:true",
  ),
  "products-of-wishes": productsRelation(
    "wishes",
    savedItems,
    "is wished for in",
    "saved",
    "mine:false",
  ),
  "products-of-lists": relationBetween("lists", "products", {
    relatedIds: rowsReferencing(savedItems, "list", {}, "product"),
    cells: itemsForEachKey("l", "saved", "list", "product", true),
  })`the products on # | all products saved on # | everything that is saved on # | each product that
      stands on # | every product to be found on #`,
  viewers: relationBetween("lists", "people", {
    wordsForEach: everyoneWhoDoesToEach("has access to"),
    relatedIds: rowsReferencing(listShares, "list", { ended: false }, "person"),
    cells: itemsForEachKey("l", "sharedWith", "list", "handle", true),
  })`everyone with whom I share # | the contacts who see # | all people with access to # | whoever
      among my contacts can see # | each contact who has access to #`,
  wishers: relationBetween("wishes", "people", {
    relatedIds: (id, db) => db.get(savedLists, db.get(savedItems, id)!.list)?.person,
    cells: propertyOfItemsInSet("saved", "mine:false", "of"),
  })`the people who have # | everyone whose wish is among # | whoever of my contacts has one of #
    | the contacts who made # | all persons whose wishes are among #`,
  "wishes-of": relationBetween("people", "wishes", {
    relatedIds: (person, db) =>
      db
        .where(savedLists, { person })
        .flatMap((list) => db.where(savedItems, { list: list.id }).map(({ id }) => id)),
    cells: itemsForEachKey("h", "saved", "person", "id", false),
  })`the wishes on the shop lists of # | each item on the wish lists of # in the shop | all items on
      the shop wish lists of # | everything on the shop wish lists of # | each wish that the shop
      lists for #`,
});
