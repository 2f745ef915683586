/** The catalogue: products by filters or words, one product with its facts and options. Reading it writes nothing. */

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
  withoutUndefined,
} from "bowline/resources";
import { nearestWord, z } from "bowline/world";
import { amount, costFilter, dollarsField } from "../shared.ts";
import { inStock } from "./lookup.ts";
import { CATEGORIES, options, type Product, products, reviews } from "./tables.ts";

const productItem = products.item({
  ...products.fields("name", "id", "brand", "category"),
  price: dollarsField,
  rating: [z.number().nullable(), ({ rating }) => (rating === null ? null : rating / 10)],
  inStock: [z.boolean(), ({ id }, { db }) => inStock(db, id)],
  days: z.int(),
});

const goods = resource({
  noun: "product",
  item: productItem,
  hint: "shop.search finds some",
});

const byName = resource({
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
const rating = (row: Product) => row.rating ?? 0;

/** By the wish, then by name. Names are unique, so the order is one. */
const sorting = {
  sorts: {
    name: "name",
    cheapest: ["cents", "name"],
    dearest: ["-cents", "name"],
    rating: orderBy<Product>(descending(rating), ({ name }) => name),
  },
  sort: "cheapest or dearest first, or best rated",
} as const;

/** Distinct values with how many rows have each, by name. */
const counted = (values: readonly string[]) =>
  tally(values)
    .sort()
    .map(([name, size]) => ({ name, size }));

const sizes = defineObjectItem({ name: z.string(), size: z.int() });

export const catalogueApis = {
  products: goods.list("List products, filtered and sorted.", {
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
        filterWhere((row, least) => rating(row) >= 10 * least - 1e-9),
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
        filterWhether(({ id }, { db }) => inStock(db, id)),
      ],
    },
    ...sorting,
    example: { category: "kitchen", most: 30, sort: "rating" },
  }),
  search: goods.list("Search the names and descriptions of products.", {
    searchIn: ["name", "description"],
    ...sorting,
    example: { query: "bamboo" },
  }),
  product: goods.show("Show a product with its description, options and number of reviews.", {
    item: productItem.with({
      description: z.string(),
      options: [
        z.array(z.strictObject({ name: z.string(), stock: z.int() })),
        ({ id }, { db }) =>
          db.where(options, { product: id }).map(({ name, stock }) => ({ name, stock })),
      ],
      reviews: countReferencingRows(reviews, "product", { withdrawn: false }),
    }),
  }),
  named: byName.show("Show the product of exactly this name, case ignored."),
  categories: listApi("List the categories with their number of products.", {
    item: sizes,
    rows: (_, { db }) => counted(db.all(products).map((row) => row.category)),
  }),
  brands: listApi("List the brands with their number of products.", {
    item: sizes,
    params: { category: category.optional() },
    rows: ({ category }, { db }) =>
      counted(db.where(products, withoutUndefined({ category })).map((row) => row.brand)),
    example: { category: "garden" },
  }),
};
