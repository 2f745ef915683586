/** The collection of products in the shop's catalogue. */
import {
  atLeast,
  atMost,
  byArgument,
  defineCollection,
  drawUpperBound,
  jsLiteral,
  nouns,
  titleBy,
} from "bowline/goals";
import { options, type Product, products } from "../../apps/shop/tables.ts";
import {
  materialSentence,
  materialWords,
  PRICE_SUPERLATIVES,
  RATING_SUPERLATIVES,
  WEIGHT_SUPERLATIVES,
  weightCode,
  weightInGrams,
} from "./product-descriptions.ts";

export const catalogue = defineCollection<Product>({
  kind: "products",
  app: "shop",
  table: products,
  list: "products",
  nouns: nouns`product(s) in the shop | product(s) of the shop | product that the shop sells /
      products from the shop | article(s) in the shop | shop product(s)`,
  fields: "price rating weight name brand",
  columns: ({ choice, withProperty, matchingValue, money, number, text }) => ({
    category: choice("category", { arg: "category" })`in the category "$" | of the category "$"
      | from the category "$" | listed under the category "$" | that belong to the category "$"`,
    brand: choice("brand", { arg: "brand", noun: "brand" })`by $ | made by $ | of the brand $
      | whose brand is $ | sold under the brand $`,
    material: choice(
      materialSentence,
      {},
      { toWords: materialWords, code: (sentence) => ({ args: `about:${sentence.toLowerCase()}` }) },
    )`made of $ | that are made of $ | whose description says "made of $" | which are made of $ by
        their description | that according to the description are made of $`,
    "sold-out": withProperty(
      ({ id }, db) => db.where(options, { product: id }).every(({ stock }) => stock === 0),
      { args: "inStock:false" },
    )`that are sold out | which are out of stock | that are not in stock | which cannot be had at
        the moment because none is in stock | that have nothing left in stock`,
    quick: matchingValue(
      ({ rng }, all) => {
        const days = all.map((row) => row.days);
        return drawUpperBound(rng, days) ?? rng.integer(1, 3);
      },
      (row, days) => row.days <= days,
      byArgument("within"),
      { toWords: (days) => (days === 1 ? "1 day" : `${days} days`) },
    )`delivered within $ | that are delivered in $ or less | with a delivery time of at most $
      | that take no more than $ to be delivered | which arrive within $ of ordering`,
    rating: number(
      (row) => (row.rating ?? 0) / 10,
      { code: "(x.rating??0)", noun: "rating", unit: "grade", superlatives: RATING_SUPERLATIVES },
      atLeast("rated", { arg: "rated" })`rated $ or better | with a rating of $ or more | that are
          rated at least $ | whose mean rating is $ or higher | with a mean rating of no less than
          $`,
    ),
    price: money(
      "cents",
      { item: "price", noun: "price", superlatives: PRICE_SUPERLATIVES },
      atMost("at-most", { arg: "most" })`that cost $ or less | with a price of at most $ | that cost
          no more than $ | priced at $ or below | that I can get for $ or less apiece`,
      atLeast("at-least", { arg: "least" })`that cost $ or more | with a price of at least $ | that
          cost no less than $ | priced at $ or above | for which the shop wants $ or more apiece`,
    ),
    weight: number(weightInGrams, {
      code: weightCode("x.id"),
      noun: "weight in grams",
      superlatives: WEIGHT_SUPERLATIVES,
    }),
    name: text("name", { noun: "name" }),
  }),
  title: titleBy<Product>({
    nameOf: (row) => row.name,
    find: (name) =>
      `apis.shop.search({query:${jsLiteral(name)},size:20}).items.filter(x=>x.name===${jsLiteral(name)}).map(x=>x.id)`,
    missing: ["Crooked soup ladle", "Striped garden bench", "Velvet tool box", "The Purple Canal"],
  })`the product "$" in the shop | the "$" from the shop | the shop's product "$" | the "$" that the
      shop sells | the article "$" in the shop`,
});
