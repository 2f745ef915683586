/** What actions of the shop mean, written on tables; derived columns get values too, but no check compares them. */
import type { Reader, Writer } from "../../../../world/index.ts";
import {
  addresses,
  cartLines,
  type Option,
  options,
  orderLines,
  orders,
  products,
  shopAccount,
  subscriptions,
} from "../../apps/shop/tables.ts";
import { people } from "../../apps/tables.ts";
import { dayAfter } from "../../population/time.ts";

export const TODAY = dayAfter(0);

export const js = (value: string) => JSON.stringify(value);
/** Dollars as a JavaScript number. */
export const price = (cents: number) => String(cents / 100);

/** Nothing can be sent to whom the owner has blocked. */
export const reachable = (db: Reader, person: number) => db.get(people, person)?.blocked === false;

export function centsOf(db: Reader, product: number): number {
  return db.get(products, product)?.cents ?? 0;
}

export function nameOf(db: Reader, product: number): string {
  return db.get(products, product)?.name ?? "";
}

/** What the shop takes when no option is named. */
export function defaultOption(db: Reader, product: number): Option | undefined {
  const all = db.where(options, { product });
  return all.find(({ stock }) => stock > 0) ?? all[0];
}

export function hasStock(db: Reader, product: number, count: number): boolean {
  return (defaultOption(db, product)?.stock ?? 0) >= count;
}

export interface Piece {
  readonly product: number;
  readonly option: number;
  readonly count: number;
}

export function pieces(db: Reader, product: number, count: number): Piece[] {
  return [{ product, option: defaultOption(db, product)!.id, count }];
}

interface Placing {
  readonly person?: number;
  readonly message?: string;
  readonly address?: number;
  readonly card?: number;
  readonly voucher?: number;
}

/** Goods at today's prices plus delivery, paid from the balance unless a card is given. */
export function totalOf(db: Reader, wanted: readonly Piece[]): number {
  const goods = wanted.reduce((sum, { product, count }) => sum + count * centsOf(db, product), 0);
  return goods >= 3500 ? goods : goods + 490;
}

export function affordable(db: Reader, cents: number): boolean {
  return db.all(shopAccount)[0]!.cents >= cents;
}

function spend(db: Writer, cents: number): void {
  const account = db.all(shopAccount)[0]!;
  db.update(shopAccount, account.id, { cents: account.cents - cents });
}

export function placeOrder(db: Writer, wanted: readonly Piece[], placing: Placing = {}): void {
  const cents = totalOf(db, wanted);
  const preferred = db.where(addresses, { preferred: true })[0]!.id;
  const order = db.insert(orders, {
    status: "processing",
    person: placing.person ?? null,
    message: placing.message ?? "",
    address: placing.person === undefined ? (placing.address ?? preferred) : null,
    card: placing.card ?? null,
    voucher: placing.voucher ?? null,
    cents,
    discount: 0,
    delivery: 0,
    placed: TODAY,
    arrives: TODAY,
  });
  for (const piece of wanted) {
    const { stock } = db.get(options, piece.option)!;
    db.update(options, piece.option, { stock: stock - piece.count });
    const line = { order: order.id, ...piece, cents: centsOf(db, piece.product) };
    db.insert(orderLines, { ...line, returned: false });
  }
  if (placing.card === undefined) spend(db, cents);
}

/** Adds up with what is in the cart. */
export function addToCart(db: Writer, { product, option, count }: Piece): void {
  const [line] = db.where(cartLines, { option });
  if (line) db.update(cartLines, line.id, { count: line.count + count });
  else db.insert(cartLines, { product, option, count });
}

/** The cart would hold no more than is in stock. */
export function fitsCart(db: Reader, { option, count }: Piece): boolean {
  const there = db.where(cartLines, { option })[0]?.count ?? 0;
  return (db.get(options, option)?.stock ?? 0) >= there + count;
}

export function isSubscribed(db: Reader, product: number): boolean {
  return db.where(subscriptions, { product }).some(({ status }) => status !== "ended");
}

export function linesOf(db: Reader, order: number): Piece[] {
  return db
    .where(orderLines, { order })
    .map(({ product, option, count }) => ({ product, option, count }));
}
