/** The catalogue: products by filters or words, one product with its facts and options. Reading it writes nothing. */

import {
  asIs,
  atLeast,
  atMost,
  by,
  contains,
  countOf,
  didYouMean,
  either,
  falling,
  given,
  line,
  listing,
  must,
  resource,
  same,
  tally,
  when,
  where,
} from "bowline/resources";
import { nearest, z } from "bowline/world";
import { amount, costing, inDollars } from "../shared.ts";
import { inStock } from "./lookup.ts";
import { CATEGORIES, options, type Product, products, reviews } from "./tables.ts";

const productItem = products.item({
  ...products.fields("name", "id", "brand", "category"),
  price: inDollars,
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
  keys: { name: line("the whole name") },
  find: ({ name }, { db }) => {
    const all = db.all(products);
    const found = all.find((row) => same(row.name, name));
    must(found, 404, () => {
      const names = all.map((row) => row.name);
      return `name: there is no product "${name}"${didYouMean(nearest(name, names))}`;
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
    rating: by<Product>(falling(rating), ({ name }) => name),
  },
  sort: "cheapest or dearest first, or best rated",
} as const;

/** Distinct values with how many rows have each, by name. */
const counted = (values: readonly string[]) =>
  tally(values)
    .sort()
    .map(([name, size]) => ({ name, size }));

const sizes = asIs({ name: z.string(), size: z.int() });

export const catalogueApis = {
  products: goods.list("List products, filtered and sorted.", {
    filters: {
      category,
      brand: [line("only this brand"), where(({ brand }, wanted) => same(brand, wanted))],
      least: [
        amount.describe("only products that cost this many dollars or more"),
        costing(atLeast),
      ],
      most: [amount.describe("only products that cost this many dollars or less"), costing(atMost)],
      rated: [
        z.number().min(1).max(5).describe("only with this mean rating or better"),
        where((row, least) => rating(row) >= 10 * least - 1e-9),
      ],
      about: [
        line("only those whose description has these words, case ignored"),
        where(({ description }, words) => contains(description, words)),
      ],
      within: [
        z.int().min(1).max(30).describe("only delivered within this many days"),
        atMost("days"),
      ],
      inStock: [
        either("only those in stock, or only those sold out"),
        when(({ id }, { db }) => inStock(db, id)),
      ],
    },
    ...sorting,
    example: { category: "kitchen", most: 30, sort: "rating" },
  }),
  search: goods.list("Search the names and descriptions of products.", {
    words: ["name", "description"],
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
      reviews: countOf(reviews, "product", { withdrawn: false }),
    }),
  }),
  named: byName.show("Show the product of exactly this name, case ignored."),
  categories: listing("List the categories with their number of products.", {
    item: sizes,
    rows: (_, { db }) => counted(db.all(products).map((row) => row.category)),
  }),
  brands: listing("List the brands with their number of products.", {
    item: sizes,
    params: { category: category.optional() },
    rows: ({ category }, { db }) =>
      counted(db.where(products, given({ category })).map((row) => row.brand)),
    example: { category: "garden" },
  }),
};
