/** Rows of the shop by what a call names them with, the errors when there is no such row, and what many items tell of one. */

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

/** For a change of rows that are in one of these states; its example is in the first. */
export function inState<R extends { readonly id: number; readonly status: string }>(
  what: string,
  ...states: readonly R["status"][]
) {
  return {
    checkRow: ({ id, status }: R) => {
      const expected = states.join(" or ");
      const message = `id: expected ${what} that is ${expected}, ${id} is ${status}`;
      refuseUnless(states.includes(status), 409, message);
    },
    isExample: ({ status }: R) => status === states[0],
  };
}

// --- products ---

export const product = idParam("product");
export const option = shortTextParam(
  "name of the option; the first in stock when left out",
).optional();

export function productBy(db: Reader, id: number, param = "product"): tables.Product {
  return rowById(db, tables.products, id, {
    noun: "product",
    param,
    hint: "shop.search finds some",
  });
}

export function nameOf(db: Reader, product: number): string {
  return db.get(tables.products, product)?.name ?? "removed";
}

/** What one piece costs today. */
export function centsFor(db: Reader, product: number): number {
  return db.get(tables.products, product)?.cents ?? 0;
}

export function inStock(db: Reader, product: number): boolean {
  return db.where(tables.options, { product }).some((option) => option.stock > 0);
}

/** The option of that name; without a name the first that is in stock, else the first. */
export function optionBy(db: Reader, product: number, name: string | undefined): tables.Option {
  const all = db.where(tables.options, { product });
  if (name === undefined) return all.find((option) => option.stock > 0) ?? all[0]!;
  const found = all.find((option) => equalIgnoringCase(option.name, name));
  refuseUnless(found, 404, () => {
    const known = all.map((option) => `"${option.name}"`).join(", ");
    return `option: expected one of ${known} for product ${product}, got "${name}"`;
  });
  return found;
}

type OfProduct = { readonly product: number };

/** The first fields of an item that is about a product. */
export const ofProduct = {
  name: [z.string(), ({ product }: OfProduct, { db }: ViewContext) => nameOf(db, product)],
  id: z.int(),
  product: z.int(),
} as const;

export const price = [
  z.number(),
  ({ product }: OfProduct, { db }: ViewContext) => toDollars(centsFor(db, product)),
] as const;

export const optionName = textOfReferencedRow(tables.options, "option", "name", "standard");

/** Writes the mean of the reviews that stand to the product. */
export function rate(db: Writer, product: number): void {
  const standing = db.where(tables.reviews, { product, withdrawn: false });
  const sum = standing.reduce((total, review) => total + review.stars, 0);
  const rating = standing.length > 0 ? Math.round((10 * sum) / standing.length) : null;
  db.update(tables.products, product, { rating });
}

// --- the owner's ---

/** The owner's only account row; the population makes it. */
export function accountOf(db: Reader): tables.ShopAccount {
  const [row] = db.all(tables.shopAccount);
  refuseUnless(row, 404, "the owner has no account in the shop");
  return row;
}

/** A card that is good on the day of `now`. */
export function cardBy(db: Reader, id: number, now: string): tables.Card {
  const row = rowById(db, tables.cards, id, {
    noun: "card",
    param: "card",
    hint: "shop.cards lists them",
  });
  const good = row.expires >= now.slice(0, 7);
  refuseUnless(good, 422, `card: expected a card that is good today, ${id} ended ${row.expires}`);
  return row;
}

export function cardText(db: Reader, card: number | null): string {
  const row = card === null ? undefined : db.get(tables.cards, card);
  return row ? `${row.name} ${row.digits}` : "balance";
}

/** The address of that name, or the preferred one. */
export function addressBy(db: Reader, name: string | undefined): tables.Address {
  if (name !== undefined) return rowByName(db, tables.addresses, name, "address");
  const preferred = db.all(tables.addresses).find((row) => row.preferred);
  refuseUnless(preferred, 422, "address: expected one, the owner has none yet");
  return preferred;
}
