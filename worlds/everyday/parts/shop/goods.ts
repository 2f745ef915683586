/** What products tell in their descriptions, and the words by which goods are ranked. */
import { alternatives } from "bowline/goals";
import type { Reader } from "bowline/world";
import { type Product, products } from "../../apps/shop/tables.ts";

export const productOf = ({ product }: { readonly product: number }, db: Reader): Product =>
  db.get(products, product)!;

/** `Made of oak.`, as the description says it. */
export const madeOf = ({ description }: Product): string | null =>
  /Made of [a-z ]+\./.exec(description)?.[0] ?? null;
export const materialIn = (sentence: string) => sentence.slice("Made of ".length, -1);

export const gramsOf = ({ description }: Product): number =>
  Number(/Weighs (\d+) g/.exec(description)?.[1] ?? 0);
/** The same for an agent, from an expression for the product's id. */
export const gramsCode = (product: string) =>
  `Number(/Weighs (\\d+) g/.exec(apis.shop.product({id:${product}}).description)?.[1]??0)`;

export const BY_PRICE = [
  alternatives`most expensive | dearest | costliest | priciest | highest-priced`,
  alternatives`cheapest | least expensive | least costly | lowest-priced | least pricey`,
] as const;

export const BY_WEIGHT = [
  alternatives`heaviest | weightiest | most heavy | least light | highest-weight`,
  alternatives`lightest | least heavy | least weighty | most lightweight | lowest-weight`,
] as const;

export const BY_RATING = [
  alternatives`best-rated | highest-rated | top-rated | most highly rated | best-reviewed`,
  alternatives`worst-rated | lowest-rated | least highly rated | most poorly rated | worst-reviewed`,
] as const;
