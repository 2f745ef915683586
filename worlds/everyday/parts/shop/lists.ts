/** Goals about the owner's lists in the shop: their collection and actions. */
import {
  actions,
  atLeast,
  type DrawContext,
  defineCollection,
  jsLiteral,
  nouns,
  oneOf,
  someone,
  storeAndPrint,
  superlatives,
  titleBy,
  type Value,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { listShares, type SavedList, savedItems, savedLists } from "../../apps/shop/tables.ts";
import { people } from "../../apps/tables.ts";
import { isReachable } from "../reachable-people.ts";
import { findProduct } from "./product-descriptions.ts";

const itemsOnList = ({ id }: SavedList, db: Reader) => db.where(savedItems, { list: id });

const listsByNameCode = (name: string) =>
  `apis.shop.lists({shared:false,size:20}).items.filter(x=>x.name===${jsLiteral(name)})`;

const listOptions = { kind: "lists", app: "shop", table: savedLists };

export const ownLists = defineCollection<SavedList>({
  ...listOptions,
  includes: { person: null },
  list: { api: "lists", args: "shared:false" },
  allowsWhole: true,
  nouns: nouns`list(s) of my own in the shop | list of mine in the shop / lists
      that I keep in the shop | saved list(s) of mine in the shop | shop list(s) of my own | list
      that is mine in the shop / lists in the shop that are mine`,
  columns: ({ choice, number, text }) => ({
    size: number(
      (row, db) => itemsOnList(row, db).length,
      { item: "size", noun: "number of products" },
      superlatives`longest / shortest | fullest / emptiest | longest / shortest
          | longest / shortest | fullest / emptiest`,
      atLeast("longer")`with $ or more products on them | that hold at least $ products | on which
          there are $ or more products | with no fewer than $ products | that have $ products or
          more`,
    ),
    /** The code of this clause reads the items of each list. */
    "with-category": choice(
      (row, db) => [...new Set(itemsOnList(row, db).map((item) => findProduct(item, db).category))],
      {},
      {
        code: (category) => ({
          test: `apis.shop.saved({list:x.id,size:20}).items.some(y=>apis.shop.product({id:y.product}).category===${category})`,
        }),
      },
    )`with a product of the category "$" on them | that have a product from the category "$" | on
        which some product is in the category "$" | that include something from the category "$"
      | where at least one product belongs to the category "$"`,
    name: text("name", { noun: "name" }),
  }),
  title: titleBy<SavedList>({
    nameOf: (row) => row.name,
    find: (name) => `${listsByNameCode(name)}.map(x=>x.id)`,
    missing: ["boat house", "attic plans", "things to swap"],
  })`my shop list "$" | the list "$" that I keep in the shop | my "$" list in the shop | the list
      "$" of mine in the shop | my saved list "$" in the shop`,
});

/** Draws one of the owner's lists, which the solution finds by its name. */
export function drawOwnList({ rng, db, variable }: DrawContext): Value<number> {
  const { id, name } = rng.pick(db.where(savedLists, { person: null }));
  const code = variable("l");
  return {
    value: id,
    words: name,
    code,
    cells: [storeAndPrint(code, `${listsByNameCode(name)}[0].id`)],
    apps: [],
  };
}

const ROLES = ["viewer", "editor"] as const;

const canGetAccess = (db: Reader, list: number, person: number) =>
  isReachable(db, person) && db.where(listShares, { list, person, ended: false }).length === 0;

/** Actions that share each list of a set with one person, or one list with each person of a set. */
export const listActions = [
  ...actions({ ...listOptions, key: "list" }, ({ addsRow, actionWith }) => ({
    "share-list": actionWith({ friend: someone(), role: oneOf(ROLES) }, ({ friend, role }) => {
      const share = { person: friend.value.id, role: role.value, ended: false };
      return addsRow(listShares, ({ id }) => ({ list: id, ...share }), {
        when: ({ id }, db) => canGetAccess(db, id, share.person),
        api: "shareList",
        args: `person:${friend.code},role:${role.code}`,
      });
    })`Share # with $friend as $role | Let $friend see #, as $role | Give $friend access to # with
        the role $role | Make $friend a person who sees #, in the role of $role | Open # to $friend,
        with the role "$role"`,
  })),
  ...actions({ kind: "people", app: "shop", table: people }, ({ addsRow, actionWith }) => ({
    "share-with": actionWith({ list: drawOwnList, role: oneOf(ROLES) }, ({ list, role }) => {
      const share = { role: role.value, ended: false };
      return addsRow(listShares, ({ id }) => ({ list: list.value, person: id, ...share }), {
        when: ({ id }, db) => canGetAccess(db, list.value, id),
        call: `apis.shop.shareList({list:${list.code},person:x,role:${role.code}})`,
      });
    })`Share my shop list "$list" with # as $role | Let # see the list "$list" that I keep in the
        shop, as $role | Give # the role $role on my "$list" list in the shop | Open my list "$list"
        in the shop to #, in the role of $role | With the role "$role", share my shop list "$list"
        with #`,
  })),
];
