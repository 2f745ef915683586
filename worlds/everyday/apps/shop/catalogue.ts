/**
 * Defines the APIs of the catalogue: products by filters or words, and one product with its facts and options. These
 * APIs change nothing.
 */

import {
  atLeast,
  atMost,
  booleanParam,
  containsIgnoringCase,
  countReferencingRows,
  defineObjectItem,
  descending,
  equalIgnoringCase,
  filterWhere,
  filterWhether,
  listApi,
  orderBy,
  refuseUnless,
  resource,
  shortTextParam,
  suggestion,
  tally,
} from "bowline/resources";
import { nearestWord, z } from "bowline/world";
import { amount, costFilter, dollarsField } from "../shared.ts";
import { isInStock } from "./lookup.ts";
import { CATEGORIES, options, type Product, products, reviews } from "./tables.ts";

const productItem = products.item({
  ...products.fields("name", "id", "brand", "category"),
  price: dollarsField,
  rating: [z.number().nullable(), ({ rating }) => (rating === null ? null : rating / 10)],
  inStock: [z.boolean(), ({ id }, { db }) => isInStock(db, id)],
  days: z.int(),
});

const productResource = resource({
  noun: "product",
  item: productItem,
  hint: "shop.search finds some",
});

const productByName = resource({
  noun: "product",
  item: productItem,
  keys: { name: shortTextParam("the whole name") },
  find: ({ name }, { db }) => {
    const all = db.all(products);
    const found = all.find((row) => equalIgnoringCase(row.name, name));
    refuseUnless(found, 404, () => {
      const names = all.map((row) => row.name);
      return `name: there is no product "${name}"${suggestion(nearestWord(name, names))}`;
    });
    return found;
  },
  example: (db) => ({ name: db.all(products)[0]?.name ?? "Tray" }),
});

const category = z.enum(CATEGORIES).describe("only this category");
const ratingOrZero = (row: Product) => row.rating ?? 0;

/**
 * The orders of a list of products. Equal products are sorted by name, which is unique, so that the order is always the
 * same.
 */
const sortOptions = {
  sorts: {
    name: "name",
    cheapest: ["cents", "name"],
    dearest: ["-cents", "name"],
    rating: orderBy<Product>(descending(ratingOrZero), ({ name }) => name),
  },
  sortDescription: "cheapest or dearest first, or best rated",
} as const;

/** Returns the distinct values in alphabetical order, each with the number of times that it occurs. */
const countByName = (values: readonly string[]) =>
  tally(values)
    .sort()
    .map(([name, size]) => ({ name, size }));

const nameAndSizeItem = defineObjectItem({ name: z.string(), size: z.int() });

export const catalogueApis = {
  products: productResource.list("List products, filtered and sorted.", {
    filters: {
      category,
      brand: [
        shortTextParam("only this brand"),
        filterWhere(({ brand }, wanted) => equalIgnoringCase(brand, wanted)),
      ],
      least: [
        amount.describe("only products that cost this many dollars or more"),
        costFilter(atLeast),
      ],
      most: [
        amount.describe("only products that cost this many dollars or less"),
        costFilter(atMost),
      ],
      rated: [
        z.number().min(1).max(5).describe("only with this mean rating or better"),
        filterWhere((row, least) => ratingOrZero(row) >= 10 * least - 1e-9),
      ],
      about: [
        shortTextParam("only those whose description has these words, case ignored"),
        filterWhere(({ description }, words) => containsIgnoringCase(description, words)),
      ],
      within: [
        z.int().min(1).max(30).describe("only delivered within this many days"),
        atMost("days"),
      ],
      inStock: [
        booleanParam("only those in stock, or only those sold out"),
        filterWhether(({ id }, { db }) => isInStock(db, id)),
      ],
    },
    ...sortOptions,
    example: { category: "kitchen", most: 30, sort: "rating" },
  }),
  search: productResource.list("Search the names and descriptions of products.", {
    searchIn: ["name", "description"],
    ...sortOptions,
    example: { query: "bamboo" },
  }),
  product: productResource.show(
    "Show a product with its description, options and number of reviews.",
    {
      item: productItem.with({
        description: z.string(),
        options: [
          z.array(z.strictObject({ name: z.string(), stock: z.int() })),
          ({ id }, { db }) =>
            db.where(options, { product: id }).map(({ name, stock }) => ({ name, stock })),
        ],
        reviews: countReferencingRows(reviews, "product", { withdrawn: false }),
      }),
    },
  ),
  named: productByName.show("Show the product of exactly this name, case ignored."),
  categories: listApi("List the categories with their number of products.", {
    item: nameAndSizeItem,
    rows: (_, { db }) => countByName(db.all(products).map((row) => row.category)),
  }),
};
