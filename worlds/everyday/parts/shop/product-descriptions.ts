/** Reads material and weight from descriptions of products, and holds the adjectives by which products are ranked. */
import { alternatives } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Product, products } from "../../apps/shop/tables.ts";

export const findProduct = ({ product }: { readonly product: number }, db: Reader): Product =>
  db.get(products, product)!;

/** Returns the sentence of the description about the material, such as `Made of oak.`. */
export const materialSentence = ({ description }: Product): string | null =>
  /Made of [a-z ]+\./.exec(description)?.[0] ?? null;
export const materialWords = (sentence: string) => sentence.slice("Made of ".length, -1);

export const weightInGrams = ({ description }: Product): number =>
  Number(/Weighs (\d+) g/.exec(description)?.[1] ?? 0);
/** Writes an expression for the weight in grams, from an expression for the product's id. */
export const weightCode = (product: string) =>
  `Number(/Weighs (\\d+) g/.exec(apis.shop.product({id:${product}}).description)?.[1]??0)`;

export const PRICE_SUPERLATIVES = [
  alternatives`most expensive | costliest | priciest | most expensive | costliest`,
  alternatives`cheapest | least expensive | cheapest | cheapest | least expensive`,
] as const;

export const WEIGHT_SUPERLATIVES = [
  alternatives`heaviest | heaviest | heaviest | heaviest | heaviest`,
  alternatives`lightest | lightest | lightest | lightest | lightest`,
] as const;

export const RATING_SUPERLATIVES = [
  alternatives`best-rated | highest-rated | top-rated | best-rated | highest-rated`,
  alternatives`worst-rated | lowest-rated | worst-rated | worst-rated | lowest-rated`,
] as const;
