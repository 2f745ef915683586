/** The collection of orders in the shop. */
import {
  atLeast,
  atMost,
  byArgument,
  defineCollection,
  drawSelectiveValue,
  nouns,
  superlatives,
  titleBy,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { addresses, type Order, orders } from "../../apps/shop/tables.ts";
import { piecesOfOrder, productName } from "./shop-rows.ts";

const productNames = ({ id }: Order, db: Reader) =>
  piecesOfOrder(db, id).map(({ product }) => productName(db, product));

function orderTitle(order: Order, db: Reader): string {
  const [first = "", ...rest] = productNames(order, db);
  return rest.length > 0 ? `${first} and ${rest.length} more` : first;
}

/** Returns the name in lower case without its first word: `herb planter` for `Small herb planter`. */
const withoutFirstWord = (name: string) => name.split(" ").slice(1).join(" ").toLowerCase();

export const orderCollection = defineCollection<Order>({
  kind: "orders",
  app: "shop",
  table: orders,
  list: "orders",
  nouns: nouns`order(s) in the shop | shop order(s) | order(s) of mine in the shop | order(s) with
      the shop | order(s) at the shop`,
  columns: ({ choice, matchingValue, day, withProperty, money, number, person, text }) => ({
    status: choice("status", { arg: "status" })`with the status "$" | in the state "$" | whose
        status is "$" | that have the status "$" | which the shop lists as "$"`,
    gifts: withProperty(
      (row) => row.person !== null,
      { args: "gift:true" },
      { excludes: ["to-person", "address"] },
    )`that are gifts | that I placed as gifts | which go to somebody else as a gift | that were
        meant as gifts for others | which are gifts to my contacts`,
    "to-person": person("person", byArgument("to"))`
      that are gifts to $ | sent as a gift to $ | which $ gets as a gift | placed as gifts for $
      | that go to $ as a gift`,
    address: choice(
      ({ address }, db) => (address === null ? null : db.get(addresses, address)!.name),
      { code: "apis.shop.order({id:x.id}).address" },
      { excludes: ["to-person"] },
    )`to my address "$" | delivered to the address "$" | that go to my "$" address | with "$" as the
        delivery address | whose delivery address is "$"`,
    /** The code of this clause reads the lines of each order. */
    containing: matchingValue(
      ({ rng, db }, all) =>
        drawSelectiveValue(rng, all.flatMap((row) => productNames(row, db)).map(withoutFirstWord)),
      (row, thing, db) => productNames(row, db).some((name) => name.toLowerCase().includes(thing)),
      (thing) => ({
        test: `apis.shop.order({id:x.id}).lines.some(l=>l.name.toLowerCase().includes(${thing}))`,
      }),
    )`with "$" in the name of one of the products | that include a product with "$" in its name | in
        which a product has "$" in its name | that contain some product named with "$" | where the
        name of at least one product has "$" in it`,
    "by-card": withProperty((row) => row.card !== null, {
      test: `apis.shop.order({id:x.id}).paid!=="balance"`,
    })`paid by card | that I paid with a card | which were paid with one of my cards | that were
        charged to a card and not to my shop balance | which I did not pay from my shop balance`,
    placed: day(
      "placed",
      {},
      atLeast("since", { arg: "since" })`placed on $ or later | that I placed on $ or after that
        | placed no earlier than $ | which were placed on $ or at a later day | that date from $ or
          later`,
      atMost("until", { arg: "until" })`placed on $ or earlier | that I placed on $ or before that
        | placed no later than $ | which were placed on $ or on an earlier day | that date from $ or
          before`,
    ),
    total: money(
      "cents",
      { item: "total", noun: "amount" },
      superlatives`most expensive / cheapest | costliest / cheapest
          | most expensive / least expensive | most expensive / cheapest
          | priciest / cheapest`,
      atLeast("total")`with a total of $ or more | that came to $ or more | whose total is at least
          $ | with a total of no less than $ | for which the total is $ or above`,
    ),
    pieces: number(
      (row, db) => piecesOfOrder(db, row.id).reduce((sum, { count }) => sum + count, 0),
      { item: "items", noun: "number of pieces" },
    ),
    arrival: day("arrives", { noun: "day of arrival" }),
    what: text(orderTitle, { item: "what", noun: "title" }),
  }),
  title: titleBy(
    "id",
    {
      cells: (id, out) => [
        `var ${out}=[],p=1,r;do{r=apis.shop.orders({size:20,page:p++});${out}.push(...r.items)}while(r.more);${out}=${out}.map(x=>x.id).filter(x=>x===${id});print(${out})`,
      ],
    },
    "7041 | 9310 | 8222 | 6508",
  )`my shop order number $ | order number $ in the shop | the shop order with the id $
      | my order with the number $ in the shop | the order that has the id $ in the shop`,
});
