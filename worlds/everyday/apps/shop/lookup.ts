/**
 * Finds rows of the shop by the id, name or code that a call gives, and throws an error when there is no such row. Also
 * holds fields that several items have.
 */

import {
  equalIgnoringCase,
  idParam,
  refuseUnless,
  rowById,
  rowByName,
  shortTextParam,
  textOfReferencedRow,
  type ViewContext,
} from "bowline/resources";
import type { Reader, Writer } from "bowline/world";
import { z } from "bowline/world";
import { toDollars } from "../shared.ts";
import * as tables from "./tables.ts";

/**
 * Makes the options of an API that changes only rows whose status is one of `statuses`. The example in the
 * documentation is a row with the first of these.
 */
export function statusOptions<R extends { readonly id: number; readonly status: string }>(
  noun: string,
  ...statuses: readonly R["status"][]
) {
  return {
    checkRow: ({ id, status }: R) => {
      const expected = statuses.join(" or ");
      const message = `id: expected ${noun} that is ${expected}, ${id} is ${status}`;
      refuseUnless(statuses.includes(status), 409, message);
    },
    isExample: ({ status }: R) => status === statuses[0],
  };
}

export const product = idParam("product");
export const option = shortTextParam(
  "name of the option; the first in stock when left out",
).optional();

export function requireProduct(db: Reader, id: number, param = "product"): tables.Product {
  return rowById(db, tables.products, id, {
    noun: "product",
    param,
    hint: "shop.search finds some",
  });
}

export function productName(db: Reader, product: number): string {
  return db.get(tables.products, product)?.name ?? "removed";
}

/** Returns what one piece of the product costs today. */
export function priceInCents(db: Reader, product: number): number {
  return db.get(tables.products, product)?.cents ?? 0;
}

export function isInStock(db: Reader, product: number): boolean {
  return db.where(tables.options, { product }).some((option) => option.stock > 0);
}

/**
 * Returns the product's option with this name. Without a name it returns the first option in stock, or else the first.
 */
export function chooseOption(db: Reader, product: number, name: string | undefined): tables.Option {
  const all = db.where(tables.options, { product });
  if (name === undefined) return all.find((option) => option.stock > 0) ?? all[0]!;
  const found = all.find((option) => equalIgnoringCase(option.name, name));
  refuseUnless(found, 404, () => {
    const known = all.map((option) => `"${option.name}"`).join(", ");
    return `option: expected one of ${known} for product ${product}, got "${name}"`;
  });
  return found;
}

type ProductRow = { readonly product: number };

/** The first fields of an item that refers to a product. */
export const productFields = {
  name: [z.string(), ({ product }: ProductRow, { db }: ViewContext) => productName(db, product)],
  id: z.int(),
  product: z.int(),
} as const;

export const price = [
  z.number(),
  ({ product }: ProductRow, { db }: ViewContext) => toDollars(priceInCents(db, product)),
] as const;

export const optionName = textOfReferencedRow(tables.options, "option", "name", "standard");

/** Sets the product's rating to the mean of the reviews that were not withdrawn. */
export function updateRating(db: Writer, product: number): void {
  const activeReviews = db.where(tables.reviews, { product, withdrawn: false });
  const sum = activeReviews.reduce((total, review) => total + review.stars, 0);
  const rating = activeReviews.length > 0 ? Math.round((10 * sum) / activeReviews.length) : null;
  db.update(tables.products, product, { rating });
}

/** Returns the owner's only account row, which the population makes. Throws a 404 when there is none. */
export function requireAccount(db: Reader): tables.ShopAccount {
  const [row] = db.all(tables.shopAccount);
  refuseUnless(row, 404, "the owner has no account in the shop");
  return row;
}

/** Returns a stored card that is good on the day of `now`. Throws a 404 or 422 otherwise. */
export function requireCard(db: Reader, id: number, now: string): tables.Card {
  const row = rowById(db, tables.cards, id, {
    noun: "card",
    param: "card",
    hint: "shop.cards lists them",
  });
  const isGoodToday = row.expires >= now.slice(0, 7);
  refuseUnless(
    isGoodToday,
    422,
    `card: expected a card that is good today, ${id} ended ${row.expires}`,
  );
  return row;
}

export function describeCard(db: Reader, card: number | null): string {
  const row = card === null ? undefined : db.get(tables.cards, card);
  return row ? `${row.name} ${row.digits}` : "balance";
}

/** Returns the address with this name, or the preferred one when no name is given. */
export function chooseAddress(db: Reader, name: string | undefined): tables.Address {
  if (name !== undefined) return rowByName(db, tables.addresses, name, "address");
  const preferred = db.all(tables.addresses).find((row) => row.preferred);
  refuseUnless(preferred, 422, "address: expected one, the owner has none yet");
  return preferred;
}
