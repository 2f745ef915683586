/** Own lists in the shop: how long they are, what is on them, with whom they are shared. */
import {
  actions,
  atLeast,
  type Draw,
  js,
  leaves,
  nouns,
  ranked,
  rows,
  titled,
  type Value,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { listShares, type SavedList, savedItems, savedLists } from "../../apps/shop/tables.ts";
import { people } from "../../apps/tables.ts";
import { reachable } from "../contact.ts";
import { productOf } from "./goods.ts";

const itemsOn = ({ id }: SavedList, db: Reader) => db.where(savedItems, { list: id });

const named = (name: string) =>
  `apis.shop.lists({shared:false,size:20}).items.filter(x=>x.name===${js(name)})`;

const onLists = { kind: "lists", app: "shop", table: savedLists };

export const ownLists = rows<SavedList>({
  ...onLists,
  base: { person: null },
  list: { api: "lists", args: "shared:false" },
  whole: true,
  nouns: nouns`own list in the shop / lists of my own in the shop | list of mine in the shop / lists
      that I keep in the shop | saved list(s) of mine in the shop | shop list(s) of my own | list
      that is mine in the shop / lists in the shop that are mine`,
  columns: ({ choice, number, text }) => ({
    size: number(
      (row, db) => itemsOn(row, db).length,
      { item: "size", noun: "number of products" },
      ranked`longest / shortest | biggest / smallest | fullest / emptiest | most extensive / least
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
  title: titled<SavedList>({
    of: (row) => row.name,
    find: (name) => `${named(name)}.map(x=>x.id)`,
    missing: ["boat house", "attic plans", "things to swap"],
  })`my shop list "$" | the list "$" that I keep in the shop | my "$" list in the shop | the list
      "$" of mine in the shop | my saved list "$" in the shop`,
});

/** One of the owner's lists, by its name. */
export function ownList({ rng, db, variable }: Draw): Value<number> {
  const { id, name } = rng.pick(db.where(savedLists, { person: null }));
  const code = variable("l");
  return { value: id, words: name, code, cells: [leaves(code, `${named(name)}[0].id`)], apps: [] };
}

const ROLES = ["viewer", "editor"] as const;

const maySee = (db: Reader, list: number, person: number) =>
  reachable(db, person) && db.where(listShares, { list, person, ended: false }).length === 0;

/** Sharing, of several lists with one person and of one list with several people. */
export const listActions = [
  ...actions({ ...onLists, key: "list" }, ({ adds, drawn }) => ({
    "share-list": drawn((draw) => {
      const found = draw.person();
      if (!found) return undefined;
      const { value, words, code } = found;
      const role = draw.rng.pick(ROLES);
      return adds(listShares, ({ id }) => ({ list: id, person: value.id, role, ended: false }), {
        when: ({ id }, db) => maySee(db, id, value.id),
        api: "shareList",
        args: `person:${code},role:"${role}"`,
        uses: [found],
      })`Share # with ${words} as ${role} | Let ${words} see #, as ${role} | Give ${words} access to
          # with the role ${role} | Make ${words} a person who sees #, in the role of ${role} | Open
          # to ${words}, with the role "${role}"`;
    }),
  })),
  ...actions({ kind: "people", app: "shop", table: people }, ({ adds, drawn }) => ({
    "share-with": drawn((draw) => {
      const list = ownList(draw);
      const role = draw.rng.pick(ROLES);
      return adds(listShares, ({ id }) => ({ list: list.value, person: id, role, ended: false }), {
        when: ({ id }, db) => maySee(db, list.value, id),
        call: `apis.shop.shareList({list:${list.code},person:x,role:"${role}"})`,
        uses: [list],
      })`Share my shop list "${list.words}" with # as ${role} | Let # see the list "${list.words}"
          that I keep in the shop, as ${role} | Give # the role ${role} on my "${list.words}" list
          in the shop | Open my list "${list.words}" in the shop to #, in the role of ${role} | With
          the role "${role}", share my shop list "${list.words}" with #`;
    }),
  })),
];
