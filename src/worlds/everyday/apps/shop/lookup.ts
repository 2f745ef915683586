/** Rows of the shop by what a call names them with, and the errors when there is no such row. */
import { nearest } from "../../../../core/index.ts";
import {
  ApiError,
  type Reader,
  type Table,
  type TableRow,
  type Writer,
} from "../../../../world/index.ts";
import { dayOf, dollars, same } from "../shared.ts";
import {
  type Address,
  addresses,
  type Card,
  cards,
  type Option,
  options,
  type Product,
  products,
  reviews,
  type ShopAccount,
  shopAccount,
} from "./tables.ts";

/** An id for an example: the first row that fits, or 1 where there is none. */
export function exampleId<R extends TableRow>(
  db: Reader,
  table: Table<R>,
  fits: (row: R) => boolean = () => true,
): number {
  return db.all(table).find(fits)?.id ?? 1;
}

export function productBy(db: Reader, id: number, param = "product"): Product {
  const row = db.get(products, id);
  if (row) return row;
  throw new ApiError(404, `${param}: there is no product with id ${id}; shop.search finds some`);
}

export function nameOf(db: Reader, product: number): string {
  return db.get(products, product)?.name ?? "removed";
}

export function inStock(db: Reader, product: number): boolean {
  return db.where(options, { product }).some((option) => option.stock > 0);
}

/** The option of that name; without a name the first that is in stock, else the first. */
export function optionBy(db: Reader, product: number, name: string | undefined): Option {
  const all = db.where(options, { product });
  if (name === undefined) return all.find((option) => option.stock > 0) ?? all[0]!;
  const found = all.find((option) => same(option.name, name));
  if (found) return found;
  const known = all.map((option) => `"${option.name}"`).join(", ");
  throw new ApiError(404, `option: expected one of ${known} for product ${product}, got "${name}"`);
}

/** The owner's only account row; the population makes it. */
export function accountOf(db: Reader): ShopAccount {
  const [row] = db.all(shopAccount);
  if (!row) throw new ApiError(404, "the owner has no account in the shop");
  return row;
}

/** A card that is good on the day of `now`. */
export function cardBy(db: Reader, id: number, now: string): Card {
  const row = db.get(cards, id);
  if (!row) throw new ApiError(404, `card: there is no card with id ${id}; shop.cards lists them`);
  if (row.expires >= now.slice(0, 7)) return row;
  throw new ApiError(422, `card: expected a card that is good today, ${id} ended ${row.expires}`);
}

/** The address of that name, or the preferred one. */
export function addressBy(db: Reader, name: string | undefined): Address {
  const all = db.all(addresses);
  const found =
    name === undefined ? all.find((row) => row.preferred) : all.find((row) => same(row.name, name));
  if (found) return found;
  if (name === undefined) throw new ApiError(422, "address: expected one, the owner has none yet");
  const hint = nearest(
    name,
    all.map((row) => row.name),
  );
  const mean = hint === undefined ? "" : `; did you mean "${hint}"?`;
  throw new ApiError(404, `address: there is no address "${name}"${mean}`);
}

/** Writes the mean of the reviews that stand to the product. */
export function rate(db: Writer, product: number): void {
  const standing = db.where(reviews, { product, withdrawn: false });
  const sum = standing.reduce((total, review) => total + review.stars, 0);
  const rating = standing.length > 0 ? Math.round((10 * sum) / standing.length) : null;
  db.update(products, product, { rating });
}

/** `$12.50 or less` in messages. */
export const priceText = (cents: number) => `$${dollars(cents).toFixed(2)}`;

/** The day so many days after the one of `instant`. */
export function daysLater(instant: string, days: number): string {
  const start = Date.parse(`${dayOf(instant)}T00:00:00Z`);
  return new Date(start + days * 86_400_000).toISOString().slice(0, 10);
}
