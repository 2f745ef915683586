/** The catalogue: products by filters or words, one product with its facts and options. Reading it writes nothing. */
import { z } from "zod";
import { nearest } from "../../../../core/index.ts";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  contains,
  dollars,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  query,
  same,
} from "../shared.ts";
import { exampleId, inStock, productBy } from "./lookup.ts";
import { CATEGORIES, options, type Product, products, reviews } from "./tables.ts";

export const productItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  brand: z.string(),
  category: z.enum(CATEGORIES),
  price: z.number(),
  rating: z.number().nullable(),
  inStock: z.boolean(),
  days: z.int(),
});

export const ratingOf = ({ rating }: Product) => (rating === null ? null : rating / 10);

export const productView = (db: Reader) => (row: Product) => ({
  name: row.name,
  id: row.id,
  brand: row.brand,
  category: row.category,
  price: dollars(row.cents),
  rating: ratingOf(row),
  inStock: inStock(db, row.id),
  days: row.days,
});

const SORTS = ["name", "cheapest", "dearest", "rating"] as const;
const sort = z.enum(SORTS).default("name").describe("cheapest or dearest first, or best rated");

/** By the wish, then by name. Names are unique, so the order is one. */
function sorted(rows: readonly Product[], by: (typeof SORTS)[number]): Product[] {
  const rank = (row: Product) =>
    by === "name"
      ? 0
      : by === "cheapest"
        ? row.cents
        : by === "dearest"
          ? -row.cents
          : -(row.rating ?? 0);
  return rows.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

const filters = {
  category: z.enum(CATEGORIES).optional().describe("only this category"),
  brand: line("only this brand").optional(),
  least: amount.optional().describe("only products that cost this many dollars or more"),
  most: amount.optional().describe("only products that cost this many dollars or less"),
  rated: z.number().min(1).max(5).optional().describe("only with this mean rating or better"),
  about: line("only those whose description has these words, case ignored").optional(),
  within: z.int().min(1).max(30).optional().describe("only delivered within this many days"),
  inStock: z.boolean().optional().describe("only those in stock, or only those sold out"),
};

type Filters = z.output<z.ZodObject<typeof filters>>;

function matching(db: Reader, wanted: Filters): readonly Product[] {
  const { category, brand, least, most, rated, about, within } = wanted;
  const [low, high] = [least, most].map((sum) => (sum === undefined ? undefined : centsOf(sum)));
  const rows = category === undefined ? db.all(products) : db.where(products, { category });
  return rows.filter(
    (row) =>
      (brand === undefined || same(row.brand, brand)) &&
      (low === undefined || row.cents >= low) &&
      (high === undefined || row.cents <= high) &&
      (rated === undefined || (row.rating ?? 0) >= 10 * rated - 1e-9) &&
      (about === undefined || contains(row.description, about)) &&
      (within === undefined || row.days <= within) &&
      (wanted.inStock === undefined || inStock(db, row.id) === wanted.inStock),
  );
}

const list = defineApi({
  summary: "List products, filtered and sorted.",
  params: z.strictObject({ ...filters, sort, ...paging }),
  returns: pageOf(productItem),
  example: () => ({ category: "kitchen" as const, most: 30, sort: "rating" as const }),
  handler: ({ db }, args) => paged(sorted(matching(db, args), args.sort), args, productView(db)),
});

const search = defineApi({
  summary: "Search the names and descriptions of products.",
  params: z.strictObject({ query, sort, ...paging }),
  returns: pageOf(productItem),
  example: () => ({ query: "bamboo" }),
  handler: ({ db }, { query, sort, ...page }) => {
    const rows = db
      .all(products)
      .filter((row) => contains(row.name, query) || contains(row.description, query));
    return paged(sorted(rows, sort), page, productView(db));
  },
});

const show = defineApi({
  summary: "Show a product with its description, options and number of reviews.",
  params: z.strictObject({ id: idOf("product") }),
  returns: productItem.extend({
    description: z.string(),
    options: z.array(z.strictObject({ name: z.string(), stock: z.int() })),
    reviews: z.int(),
  }),
  example: (db) => ({ id: exampleId(db, products) }),
  handler: ({ db }, { id }) => {
    const row = productBy(db, id, "id");
    const choice = db.where(options, { product: id });
    return {
      ...productView(db)(row),
      description: row.description,
      options: choice.map(({ name, stock }) => ({ name, stock })),
      reviews: db.where(reviews, { product: id, withdrawn: false }).length,
    };
  },
});

const named = defineApi({
  summary: "Show the product of exactly this name, case ignored.",
  params: z.strictObject({ name: line("the whole name") }),
  returns: productItem,
  example: (db) => ({ name: db.all(products)[0]?.name ?? "Tray" }),
  handler: ({ db }, { name }) => {
    const all = db.all(products);
    const found = all.find((row) => same(row.name, name));
    if (found) return productView(db)(found);
    const hint = nearest(
      name,
      all.map((row) => row.name),
    );
    const mean = hint === undefined ? "" : `; did you mean "${hint}"?`;
    throw new ApiError(404, `name: there is no product "${name}"${mean}`);
  },
});

/** Distinct values with how many rows have each, by name. */
function counted(values: readonly string[]): { name: string; size: number }[] {
  const sizes = new Map<string, number>();
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  return [...sizes].sort().map(([name, size]) => ({ name, size }));
}

const sizes = pageOf(z.strictObject({ name: z.string(), size: z.int() }));

const categories = defineApi({
  summary: "List the categories with their number of products.",
  params: z.strictObject({ ...paging }),
  returns: sizes,
  example: () => ({}),
  handler: ({ db }, page) =>
    paged(counted(db.all(products).map((row) => row.category)), page, (row) => row),
});

const brands = defineApi({
  summary: "List the brands with their number of products.",
  params: z.strictObject({ category: filters.category, ...paging }),
  returns: sizes,
  example: () => ({ category: "garden" as const }),
  handler: ({ db }, { category, ...page }) => {
    const rows = category === undefined ? db.all(products) : db.where(products, { category });
    return paged(counted(rows.map((row) => row.brand)), page, (row) => row);
  },
});

export const catalogueApis = { products: list, search, product: show, named, categories, brands };
