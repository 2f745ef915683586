/** Products saved on own lists, and the wish lists of contacts with what the owner promised to give. */

import {
  type Action,
  type Clause,
  type Collection,
  collection,
  type Field,
  moneyWords,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  CLAIMS,
  products,
  type SavedItem,
  savedItems,
  savedLists,
} from "../../apps/shop/tables.ts";
import { atMost, centsAtLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { centsOf, js, nameOf, price } from "./writes.ts";

const listOf = (db: Reader, row: SavedItem) => db.get(savedLists, row.list);
const isMine = (row: SavedItem, db: Reader) => listOf(db, row)?.person === null;
const ofContact = (row: SavedItem, db: Reader) => listOf(db, row)?.person != null;
const product = (db: Reader, row: SavedItem) => db.get(products, row.product)!;

const onList: Clause<SavedItem> = {
  name: "on-list",
  draw: ({ rng, db }, rows) => {
    const id = oneOfSome(
      rng,
      rows.map((row) => row.list),
    );
    const name = id === undefined ? undefined : db.get(savedLists, id)?.name;
    if (name === undefined) return undefined;
    return {
      words: [
        `that are on the list "${name}"`,
        `which are on "${name}"`,
        `that I saved to the list "${name}"`,
        `which belong to the list "${name}"`,
        `that stand on the list "${name}"`,
      ],
      holds: (row) => row.list === id,
      code: { test: `x.list===${js(name)}` },
    };
  },
};

function priced(end: "most" | "least"): Clause<SavedItem> {
  const most = end === "most";
  return {
    name: most ? "at-most" : "at-least",
    draw: ({ rng, db }, rows) => {
      const all = rows.map((row) => centsOf(db, row.product));
      const cents = most ? centsAtMost(rng, all) : centsAtLeast(rng, all);
      if (cents === undefined) return undefined;
      const sum = moneyWords(cents);
      return {
        words: most
          ? [
              `that cost ${sum} or less`,
              `with a price of at most ${sum}`,
              `that cost no more than ${sum}`,
              `priced at ${sum} or below`,
              `that can be had for ${sum} or less apiece`,
            ]
          : [
              `that cost ${sum} or more`,
              `with a price of at least ${sum}`,
              `that cost no less than ${sum}`,
              `priced at ${sum} or above`,
              `for which the shop wants ${sum} or more apiece`,
            ],
        holds: (row, reader) =>
          most ? centsOf(reader, row.product) <= cents : centsOf(reader, row.product) >= cents,
        code: { test: `x.price${most ? "<=" : ">="}${price(cents)}` },
      };
    },
  };
}

const weightOf = (db: Reader, row: SavedItem) =>
  Number(/Weighs (\d+) g/.exec(product(db, row).description)?.[1] ?? 0);
const WEIGHT =
  "Number(/Weighs (\\d+) g/.exec(apis.shop.product({id:x.product}).description)?.[1]??0)";

/** Reads the description of each. */
const light: Clause<SavedItem> = {
  name: "light",
  draw: ({ rng, db }, rows) => {
    const grams = atMost(
      rng,
      rows.map((row) => weightOf(db, row)),
    );
    if (grams === undefined) return undefined;
    return {
      words: [
        `that weigh ${grams} g or less`,
        `with a weight of at most ${grams} g`,
        `that weigh no more than ${grams} g according to the description`,
        `whose weight is ${grams} g or below`,
        `which by their description weigh ${grams} g at most`,
      ],
      holds: (row, reader) => weightOf(reader, row) <= grams,
      code: { test: `${WEIGHT}<=${grams}` },
    };
  },
};

const materialOf = (db: Reader, row: SavedItem) =>
  /Made of ([a-z ]+)\./.exec(product(db, row).description)?.[1];

const made: Clause<SavedItem> = {
  name: "made-of",
  draw: ({ rng, db }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.flatMap((row) => materialOf(db, row) ?? []),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `made of ${chosen}`,
        `that are made of ${chosen}`,
        `which are made of ${chosen} by their description`,
        `whose description says "made of ${chosen}"`,
        `that according to the description are made of ${chosen}`,
      ],
      holds: (row, reader) => materialOf(reader, row) === chosen,
      code: {
        test: `apis.shop.product({id:x.product}).description.includes("Made of ${chosen}.")`,
      },
    };
  },
};

const fields: readonly Field<SavedItem>[] = [
  {
    name: "price",
    unit: "money",
    noun: "price",
    value: (row, db) => centsOf(db, row.product) / 100,
    code: "x.price",
    superlatives: {
      most: ["most expensive", "dearest", "costliest", "priciest", "highest-priced"],
      least: ["cheapest", "least expensive", "least costly", "lowest-priced", "least pricey"],
    },
  },
  {
    name: "weight",
    unit: "number",
    noun: "weight in grams",
    value: (row, db) => weightOf(db, row),
    code: WEIGHT,
    superlatives: {
      most: ["heaviest", "weightiest", "most heavy", "least light", "highest-weight"],
      least: ["lightest", "least heavy", "least weighty", "most lightweight", "lowest-weight"],
    },
  },
  {
    name: "name",
    unit: "text",
    noun: "name",
    value: (row, db) => nameOf(db, row.product),
    code: "x.name",
  },
];

const common = { app: "shop", table: savedItems, key: "id", whole: false, fields } as const;

export const savedOwn: Collection = collection<SavedItem>({
  ...common,
  name: "saved",
  kind: "saved",
  base: isMine,
  nouns: [
    { one: "product on my own shop lists", many: "products on my own shop lists" },
    { one: "product saved on a list of mine", many: "products saved on lists of mine" },
    { one: "product on my saved lists", many: "products on my own saved lists in the shop" },
    { one: "saved product of mine", many: "products that my own shop lists hold" },
    { one: "thing on my own shop lists", many: "things on my own shop lists" },
  ],
  list: { api: "shop.saved", args: "mine:true" },
  clauses: [onList, made, light, priced("most"), priced("least")],
});

// --- wishes of contacts ---

const ofPerson: Clause<SavedItem> = {
  name: "of-person",
  draw: (draw, rows) => {
    const whose = (reader: Reader, row: SavedItem) => listOf(reader, row)?.person;
    const person = draw.person(rows.flatMap((row) => whose(draw.db, row) ?? []));
    if (!person) return undefined;
    return {
      words: [
        `of ${person.words}`,
        `that ${person.words} has`,
        `which belong to ${person.words}`,
        `from the lists of ${person.words}`,
        `that stand on a list of ${person.words}`,
      ],
      holds: (row, reader) => whose(reader, row) === person.value.id,
      code: { args: `of:${person.code}` },
      uses: [person],
    };
  },
};

const CLAIM_WORDS = {
  open: [
    "that nobody has promised to give yet",
    "which are still unclaimed",
    "that no one has claimed",
    "which have not been claimed by anybody",
    "that are still open, claimed by nobody",
  ],
  mine: [
    "that I have promised to give",
    "which are claimed by me",
    "that I have claimed",
    "which I have claimed for myself",
    "that stand as claimed by me",
  ],
  taken: [
    "that somebody else has promised to give",
    "which are claimed by someone else",
    "that another person has claimed",
    "which somebody other than me has claimed",
    "that stand as claimed by others",
  ],
} as const;

const claimed: Clause<SavedItem> = {
  name: "claim",
  draw: ({ rng }, rows) => {
    const chosen =
      oneOfSome(
        rng,
        rows.map((row) => row.claim),
      ) ?? rng.pick(CLAIMS);
    return {
      words: CLAIM_WORDS[chosen],
      holds: (row) => row.claim === chosen,
      code: { args: `claim:${js(chosen)}` },
    };
  },
};

export const wishes: Collection = collection<SavedItem>({
  ...common,
  name: "wishes",
  kind: "wishes",
  base: ofContact,
  nouns: [
    { one: "wish on my contacts' shop lists", many: "wishes on my contacts' shop lists" },
    { one: "item on contacts' wish lists", many: "items on contacts' wish lists in the shop" },
    { one: "wish of a contact in the shop", many: "wishes of contacts in the shop" },
    {
      one: "wish that contacts share in the shop",
      many: "wishes that my contacts noted in the shop",
    },
    {
      one: "product on contacts' shop lists",
      many: "products on the wish lists of contacts in the shop",
    },
  ],
  list: { api: "shop.saved", args: "mine:false" },
  clauses: [ofPerson, claimed, made, light, priced("most"), priced("least")],
});

const unsave: Action = {
  name: "unsave",
  kind: "saved",
  app: "shop",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Take ${noun} off the list`,
      (noun) => `Remove ${noun} from the saved lists`,
      (noun) => `Unsave ${noun}`,
      (noun) => `Strike ${noun} from my lists`,
      (noun) => `Delete ${noun} from the list it is on`,
    ],
    apply: (db, id) => db.remove(savedItems, id),
    call: (x) => `apis.shop.unsave({id:${x}})`,
  }),
};

function claiming(to: "mine" | "open"): Action {
  const take = to === "mine";
  return {
    name: take ? "claim" : "unclaim",
    kind: "wishes",
    app: "shop",
    difficulty: 1,
    draw: () => ({
      frames: take
        ? [
            (noun) => `Claim ${noun} for me in the shop`,
            (noun) => `Promise in the shop that I will give ${noun}`,
            (noun) => `Mark ${noun} as claimed by me`,
            (noun) => `Put my claim on ${noun}`,
            (noun) => `Set my claim in the shop for ${noun}`,
          ]
        : [
            (noun) => `Take back my claim on ${noun}`,
            (noun) => `Unclaim ${noun} in the shop`,
            (noun) => `Undo my promise to give ${noun}`,
            (noun) => `Give up my claim on ${noun}`,
            (noun) => `Withdraw the claim that I have on ${noun}`,
          ],
      permits: (db, id) => db.get(savedItems, id)!.claim === (take ? "open" : "mine"),
      apply: (db, id) => {
        db.update(savedItems, id, { claim: to });
      },
      call: (x) => (take ? `apis.shop.claim({id:${x}})` : `apis.shop.unclaim({id:${x}})`),
    }),
  };
}

export const savedActions: readonly Action[] = [unsave, claiming("mine"), claiming("open")];
