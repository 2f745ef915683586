/** Own lists in the shop: how long they are, what is on them, with whom they are shared. */

import { type Action, type Clause, type Collection, collection } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  listShares,
  products,
  type SavedItem,
  type SavedList,
  savedItems,
  savedLists,
} from "../../apps/shop/tables.ts";
import { atLeast, oneOfSome } from "../bounds.ts";
import { js, reachable } from "./writes.ts";

const product = (db: Reader, row: SavedItem) => db.get(products, row.product)!;

const sizeOf = (db: Reader, { id }: SavedList) => db.where(savedItems, { list: id }).length;

const longer: Clause<SavedList> = {
  name: "longer",
  draw: ({ rng, db }, rows) => {
    const count = atLeast(
      rng,
      rows.map((row) => sizeOf(db, row)),
    );
    if (count === undefined) return undefined;
    return {
      words: [
        `with ${count} or more products on them`,
        `that hold at least ${count} products`,
        `on which there are ${count} or more products`,
        `with no fewer than ${count} products`,
        `that have ${count} products or more`,
      ],
      holds: (row, reader) => sizeOf(reader, row) >= count,
      code: { test: `x.size>=${count}` },
    };
  },
};

/** Reads what is on each list. */
const withCategory: Clause<SavedList> = {
  name: "with-category",
  draw: ({ rng, db }, rows) => {
    const on = (reader: Reader, { id }: SavedList) =>
      reader.where(savedItems, { list: id }).map((item) => product(reader, item).category);
    const chosen = oneOfSome(
      rng,
      rows.flatMap((row) => [...new Set(on(db, row))]),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `with a product of the category "${chosen}" on them`,
        `that have a product from the category "${chosen}"`,
        `on which some product is in the category "${chosen}"`,
        `that include something from the category "${chosen}"`,
        `where at least one product belongs to the category "${chosen}"`,
      ],
      holds: (row, reader) => on(reader, row).includes(chosen),
      code: {
        test: `apis.shop.saved({list:x.id,size:20}).items.some(y=>apis.shop.product({id:y.product}).category===${js(chosen)})`,
      },
    };
  },
};

export const ownLists: Collection = collection<SavedList>({
  name: "lists",
  kind: "lists",
  app: "shop",
  table: savedLists,
  base: (row) => row.person === null,
  nouns: [
    { one: "own list in the shop", many: "lists of my own in the shop" },
    { one: "list of mine in the shop", many: "lists that I keep in the shop" },
    { one: "saved list of mine in the shop", many: "saved lists of mine in the shop" },
    { one: "shop list of my own", many: "shop lists of my own" },
    { one: "list that is mine in the shop", many: "lists in the shop that are mine" },
  ],
  list: { api: "shop.lists", args: "shared:false" },
  key: "id",
  whole: true,
  clauses: [longer, withCategory],
  fields: [
    {
      name: "size",
      unit: "number",
      noun: "number of products",
      value: (row, db) => sizeOf(db, row),
      code: "x.size",
      superlatives: {
        most: ["longest", "biggest", "fullest", "most extensive", "lengthiest"],
        least: ["shortest", "smallest", "emptiest", "least extensive", "least full"],
      },
    },
    { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
  ],
  title: {
    of: (row) => row.name,
    nouns: (name) => [
      `my shop list "${name}"`,
      `the list "${name}" that I keep in the shop`,
      `my "${name}" list in the shop`,
      `the list "${name}" of mine in the shop`,
      `my saved list "${name}" in the shop`,
    ],
    cells: (name, out) => [
      `var ${out}=apis.shop.lists({shared:false,size:20}).items.filter(x=>x.name===${js(name)}).map(x=>x.id);print(${out})`,
    ],
    missing: ["boat house", "attic plans", "things to swap"],
  },
});

const shareEach: Action = {
  name: "share-list",
  kind: "lists",
  app: "shop",
  difficulty: 1,
  draw: (draw) => {
    const person = draw.person();
    if (!person) return undefined;
    const role = draw.rng.pick(["viewer", "editor"] as const);
    return {
      frames: [
        (noun) => `Share ${noun} with ${person.words} as ${role}`,
        (noun) => `Let ${person.words} see ${noun}, as ${role}`,
        (noun) => `Give ${person.words} access to ${noun} with the role ${role}`,
        (noun) => `Make ${person.words} a person who sees ${noun}, in the role of ${role}`,
        (noun) => `Open ${noun} to ${person.words}, with the role "${role}"`,
      ],
      uses: [person],
      permits: (db, list) => reachable(db, person.value.id) && !sees(db, list, person.value.id),
      apply: (db, list) => {
        db.insert(listShares, { list, person: person.value.id, role, ended: false });
      },
      call: (x) => `apis.shop.shareList({list:${x},person:${person.code},role:"${role}"})`,
    };
  },
};

function sees(db: Reader, list: number, person: number): boolean {
  return db.where(listShares, { list, person, ended: false }).length > 0;
}

/** The same, the other way round: people behind any set. */
const sharePeople: Action = {
  name: "share-with",
  kind: "people",
  app: "shop",
  difficulty: 1,
  draw: ({ rng, db, variable }) => {
    const list = rng.pick(db.where(savedLists, { person: null }));
    const role = rng.pick(["viewer", "editor"] as const);
    const out = variable("l");
    const cell = `var ${out}=apis.shop.lists({shared:false,size:20}).items.filter(x=>x.name===${js(list.name)})[0].id;print(${out})`;
    return {
      frames: [
        (noun) => `Share my shop list "${list.name}" with ${noun} as ${role}`,
        (noun) => `Let ${noun} see the list "${list.name}" that I keep in the shop, as ${role}`,
        (noun) => `Give ${noun} the role ${role} on my "${list.name}" list in the shop`,
        (noun) => `Open my list "${list.name}" in the shop to ${noun}, in the role of ${role}`,
        (noun) => `With the role "${role}", share my shop list "${list.name}" with ${noun}`,
      ],
      uses: [{ value: list.id, words: list.name, code: out, cells: [cell], apps: [] }],
      permits: (reader, person) => reachable(reader, person) && !sees(reader, list.id, person),
      apply: (writer, person) => {
        writer.insert(listShares, { list: list.id, person, role, ended: false });
      },
      call: (x) => `apis.shop.shareList({list:${out},person:${x},role:"${role}"})`,
    };
  },
};

export const listActions: readonly Action[] = [shareEach, sharePeople];
