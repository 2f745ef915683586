/** Products of the catalogue: found by filters of the list, told apart by price, rating, weight and material. */

import {
  type Clause,
  type Collection,
  collection,
  type Field,
  moneyWords,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { alerts, options, type Product, products } from "../../apps/shop/tables.ts";
import { atLeast, atMost, centsAtLeast, centsAtMost, oneOfSome } from "../bounds.ts";
import { js, price } from "./writes.ts";

const soldOutNow = (db: Reader, { id }: Product) =>
  db.where(options, { product: id }).every(({ stock }) => stock === 0);

const category: Clause<Product> = {
  name: "category",
  draw: ({ rng }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.map((row) => row.category),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `in the category "${chosen}"`,
        `of the category "${chosen}"`,
        `from the category "${chosen}"`,
        `listed under the category "${chosen}"`,
        `that belong to the category "${chosen}"`,
      ],
      holds: (row) => row.category === chosen,
      code: { args: `category:${js(chosen)}` },
    };
  },
};

const brand: Clause<Product> = {
  name: "brand",
  draw: ({ rng }, rows) => {
    const chosen = oneOfSome(
      rng,
      rows.map((row) => row.brand),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `by ${chosen}`,
        `made by ${chosen}`,
        `of the brand ${chosen}`,
        `whose brand is ${chosen}`,
        `sold under the brand ${chosen}`,
      ],
      holds: (row) => row.brand === chosen,
      code: { args: `brand:${js(chosen)}` },
    };
  },
};

const materialOf = ({ description }: Product) => /Made of ([a-z ]+)\./.exec(description)?.[1];

const material: Clause<Product> = {
  name: "material",
  draw: ({ rng }, rows) => {
    const all = rows.map((row) => materialOf(row) ?? "");
    const chosen = oneOfSome(
      rng,
      all.filter((name) => name !== ""),
    );
    if (chosen === undefined) return undefined;
    return {
      words: [
        `made of ${chosen}`,
        `that are made of ${chosen}`,
        `whose description says "made of ${chosen}"`,
        `which are made of ${chosen} by their description`,
        `that according to the description are made of ${chosen}`,
      ],
      holds: (row) => materialOf(row) === chosen,
      code: { args: `about:${js(`made of ${chosen}.`)}` },
    };
  },
};

const soldOut: Clause<Product> = {
  name: "sold-out",
  draw: () => ({
    words: [
      "that are sold out",
      "which are out of stock",
      "that are not in stock",
      "which cannot be had at the moment because none is in stock",
      "that have nothing left in stock",
    ],
    holds: (row, db) => soldOutNow(db, row),
    code: { args: "inStock:false" },
  }),
};

const quick: Clause<Product> = {
  name: "quick",
  draw: ({ rng }, rows) => {
    const days =
      atMost(
        rng,
        rows.map((row) => row.days),
      ) ?? rng.integer(1, 3);
    const span = days === 1 ? "1 day" : `${days} days`;
    return {
      words: [
        `delivered within ${span}`,
        `that are delivered in ${span} or less`,
        `with a delivery time of at most ${span}`,
        `that take no more than ${span} to be delivered`,
        `which arrive within ${span} of ordering`,
      ],
      holds: (row) => row.days <= days,
      code: { args: `within:${days}` },
    };
  },
};

const rated: Clause<Product> = {
  name: "rated",
  draw: ({ rng }, rows) => {
    const tenths = atLeast(
      rng,
      rows.map((row) => row.rating ?? 0),
    );
    if (!tenths || tenths < 10) return undefined;
    const stars = tenths / 10;
    return {
      words: [
        `rated ${stars} or better`,
        `with a rating of ${stars} or more`,
        `that are rated at least ${stars}`,
        `whose mean rating is ${stars} or higher`,
        `with a mean rating of no less than ${stars}`,
      ],
      holds: (row) => (row.rating ?? 0) >= tenths,
      code: { args: `rated:${stars}` },
    };
  },
};

const cheap: Clause<Product> = {
  name: "at-most",
  draw: ({ rng }, rows) => {
    const cents = centsAtMost(
      rng,
      rows.map((row) => row.cents),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `that cost ${sum} or less`,
        `with a price of at most ${sum}`,
        `that cost no more than ${sum}`,
        `priced at ${sum} or below`,
        `that I can get for ${sum} or less apiece`,
      ],
      holds: (row) => row.cents <= cents,
      code: { args: `most:${price(cents)}` },
    };
  },
};

const dear: Clause<Product> = {
  name: "at-least",
  draw: ({ rng }, rows) => {
    const cents = centsAtLeast(
      rng,
      rows.map((row) => row.cents),
    );
    if (cents === undefined) return undefined;
    const sum = moneyWords(cents);
    return {
      words: [
        `that cost ${sum} or more`,
        `with a price of at least ${sum}`,
        `that cost no less than ${sum}`,
        `priced at ${sum} or above`,
        `for which the shop wants ${sum} or more apiece`,
      ],
      holds: (row) => row.cents >= cents,
      code: { args: `least:${price(cents)}` },
    };
  },
};

// --- fields ---

const weightOf = ({ description }: Product) => Number(/Weighs (\d+) g/.exec(description)?.[1] ?? 0);

const fields: readonly Field<Product>[] = [
  {
    name: "price",
    unit: "money",
    noun: "price",
    value: (row) => row.cents / 100,
    code: "x.price",
    superlatives: {
      most: ["most expensive", "dearest", "costliest", "priciest", "highest-priced"],
      least: ["cheapest", "least expensive", "least costly", "lowest-priced", "least pricey"],
    },
  },
  {
    name: "rating",
    unit: "grade",
    noun: "rating",
    value: (row) => (row.rating ?? 0) / 10,
    code: "(x.rating??0)",
    superlatives: {
      most: ["best-rated", "highest-rated", "top-rated", "most highly rated", "best-reviewed"],
      least: [
        "worst-rated",
        "lowest-rated",
        "least highly rated",
        "most poorly rated",
        "worst-reviewed",
      ],
    },
  },
  {
    name: "weight",
    unit: "number",
    noun: "weight in grams",
    value: weightOf,
    code: "Number(/Weighs (\\d+) g/.exec(apis.shop.product({id:x.id}).description)?.[1]??0)",
    superlatives: {
      most: ["heaviest", "weightiest", "most heavy", "least light", "highest-weight"],
      least: ["lightest", "least heavy", "least weighty", "most lightweight", "lowest-weight"],
    },
  },
  { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
  { name: "brand", unit: "text", noun: "brand", value: (row) => row.brand, code: "x.brand" },
];

export const catalogue: Collection = collection<Product>({
  name: "products",
  kind: "products",
  app: "shop",
  table: products,
  base: () => true,
  nouns: [
    { one: "product in the shop", many: "products in the shop" },
    { one: "product of the shop", many: "products of the shop" },
    { one: "product that the shop sells", many: "products from the shop" },
    { one: "article in the shop", many: "articles in the shop" },
    { one: "shop product", many: "shop products" },
  ],
  list: { api: "shop.products" },
  key: "id",
  whole: false,
  clauses: [category, brand, material, soldOut, quick, rated, cheap, dear],
  fields,
  title: {
    of: (row) => row.name,
    nouns: (name) => [
      `the product "${name}" in the shop`,
      `the "${name}" from the shop`,
      `the shop's product "${name}"`,
      `the "${name}" that the shop sells`,
      `the article "${name}" in the shop`,
    ],
    cells: (name, out) => [
      `var ${out}=apis.shop.search({query:${js(name)},size:20}).items.filter(x=>x.name===${js(name)}).map(x=>x.id);print(${out})`,
    ],
    missing: ["Crooked soup ladle", "Striped garden bench", "Velvet tool box", "The Purple Canal"],
  },
});

/** A product without an alert, so that setting one adds a row. */
export const unwatched = (db: Reader, product: number) =>
  db.where(alerts, { product }).length === 0;
