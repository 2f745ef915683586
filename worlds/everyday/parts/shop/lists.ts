/** Own lists in the shop: how long they are, what is on them, with whom they are shared. */
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
import { productOf } from "./goods.ts";

const itemsOn = ({ id }: SavedList, db: Reader) => db.where(savedItems, { list: id });

const named = (name: string) =>
  `apis.shop.lists({shared:false,size:20}).items.filter(x=>x.name===${jsLiteral(name)})`;

const onLists = { kind: "lists", app: "shop", table: savedLists };

export const ownLists = defineCollection<SavedList>({
  ...onLists,
  includes: { person: null },
  list: { api: "lists", args: "shared:false" },
  allowsWhole: true,
  nouns: nouns`own list in the shop / lists of my own in the shop | list of mine in the shop / lists
      that I keep in the shop | saved list(s) of mine in the shop | shop list(s) of my own | list
      that is mine in the shop / lists in the shop that are mine`,
  columns: ({ choice, number, text }) => ({
    size: number(
      (row, db) => itemsOn(row, db).length,
      { item: "size", noun: "number of products" },
      superlatives`longest / shortest | biggest / smallest | fullest / emptiest | most extensive / least
          extensive | lengthiest / least full`,
      atLeast("longer")`with $ or more products on them | that hold at least $ products | on which
          there are $ or more products | with no fewer than $ products | that have $ products or
          more`,
    ),
    /** Reads what is on each list. */
    "with-category": choice(
      (row, db) => [...new Set(itemsOn(row, db).map((item) => productOf(item, db).category))],
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
    find: (name) => `${named(name)}.map(x=>x.id)`,
    missing: ["boat house", "attic plans", "things to swap"],
  })`my shop list "$" | the list "$" that I keep in the shop | my "$" list in the shop | the list
      "$" of mine in the shop | my saved list "$" in the shop`,
});

/** One of the owner's lists, by its name. */
export function ownList({ rng, db, variable }: DrawContext): Value<number> {
  const { id, name } = rng.pick(db.where(savedLists, { person: null }));
  const code = variable("l");
  return {
    value: id,
    words: name,
    code,
    cells: [storeAndPrint(code, `${named(name)}[0].id`)],
    apps: [],
  };
}

const ROLES = ["viewer", "editor"] as const;

const maySee = (db: Reader, list: number, person: number) =>
  isReachable(db, person) && db.where(listShares, { list, person, ended: false }).length === 0;

/** Sharing, of several lists with one person and of one list with several people. */
export const listActions = [
  ...actions({ ...onLists, key: "list" }, ({ addsRow, actionWith }) => ({
    "share-list": actionWith({ friend: someone(), role: oneOf(ROLES) }, ({ friend, role }) => {
      const share = { person: friend.value.id, role: role.value, ended: false };
      return addsRow(listShares, ({ id }) => ({ list: id, ...share }), {
        when: ({ id }, db) => maySee(db, id, share.person),
        api: "shareList",
        args: `person:${friend.code},role:${role.code}`,
      });
    })`Share # with $friend as $role | Let $friend see #, as $role | Give $friend access to # with
        the role $role | Make $friend a person who sees #, in the role of $role | Open # to $friend,
        with the role "$role"`,
  })),
  ...actions({ kind: "people", app: "shop", table: people }, ({ addsRow, actionWith }) => ({
    "share-with": actionWith({ list: ownList, role: oneOf(ROLES) }, ({ list, role }) => {
      const share = { role: role.value, ended: false };
      return addsRow(listShares, ({ id }) => ({ list: list.value, person: id, ...share }), {
        when: ({ id }, db) => maySee(db, list.value, id),
        call: `apis.shop.shareList({list:${list.code},person:x,role:${role.code}})`,
      });
    })`Share my shop list "$list" with # as $role | Let # see the list "$list" that I keep in the
        shop, as $role | Give # the role $role on my "$list" list in the shop | Open my list "$list"
        in the shop to #, in the role of $role | With the role "$role", share my shop list "$list"
        with #`,
  })),
];
