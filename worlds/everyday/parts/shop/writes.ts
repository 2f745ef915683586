/** What actions of the shop mean on tables; derived columns get values too, which no check compares. */
import type { Reader, Writer } from "bowline/world";
import {
  addresses,
  alerts,
  cartLines,
  type Option,
  type Order,
  options,
  orderLines,
  orders,
  products,
  type Review,
  reviews,
  shopAccount,
  subscriptions,
} from "../../apps/shop/tables.ts";
import { TODAY } from "../../population/time.ts";

export const NOW = `${TODAY}T09:00:00Z`;

export const centsOf = (db: Reader, product: number) => db.get(products, product)?.cents ?? 0;

export const nameOf = (db: Reader, product: number) => db.get(products, product)?.name ?? "";

/** What the shop takes when no option is named. */
export function defaultOption(db: Reader, product: number): Option | undefined {
  const all = db.where(options, { product });
  return all.find(({ stock }) => stock > 0) ?? all[0];
}

export const hasStock = (db: Reader, product: number, count: number) =>
  (defaultOption(db, product)?.stock ?? 0) >= count;

export interface Piece {
  readonly product: number;
  readonly option: number;
  readonly count: number;
}

/** As many of one product, in the option that the shop takes. */
export const pieceOf = (db: Reader, product: number, count: number): Piece => ({
  product,
  option: defaultOption(db, product)!.id,
  count,
});

export const pieceIn = ({ product, option, count }: Piece): Piece => ({ product, option, count });

export const linesOf = (db: Reader, order: number): Piece[] =>
  db.where(orderLines, { order }).map(pieceIn);

interface Placing {
  readonly person?: number;
  readonly message?: string;
  readonly address?: number;
  readonly card?: number;
  readonly voucher?: number;
}

export const goodsCents = (db: Reader, wanted: readonly Piece[]) =>
  wanted.reduce((sum, { product, count }) => sum + count * centsOf(db, product), 0);

/** Goods at today's prices plus delivery, paid from the balance unless a card is given. */
function totalOf(db: Reader, wanted: readonly Piece[]): number {
  const goods = goodsCents(db, wanted);
  return goods >= 3500 ? goods : goods + 490;
}

/** What the balance can pay, at today's prices. */
export const affordable = (db: Reader, wanted: readonly Piece[]) =>
  db.all(shopAccount)[0]!.cents >= totalOf(db, wanted);

export function addToBalance(db: Writer, cents: number): void {
  const account = db.all(shopAccount)[0]!;
  db.update(shopAccount, account.id, { cents: account.cents + cents });
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
  if (placing.card === undefined) addToBalance(db, -cents);
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

export const isSubscribed = (db: Reader, product: number) =>
  db.where(subscriptions, { product }).some(({ status }) => status !== "ended");

/** A product without an alert, so that setting one adds a row. */
export const unwatched = (db: Reader, product: number) =>
  db.where(alerts, { product }).length === 0;

export const isOwnReview = (row: Review) =>
  row.person === null && row.author === null && !row.withdrawn;

export const isReviewed = (db: Reader, product: number) =>
  db.where(reviews, { product }).some(isOwnReview);

export function publishReview(db: Writer, product: number, stars: number, text: string): void {
  const own = { person: null, author: null, withdrawn: false, at: NOW };
  db.insert(reviews, { product, stars, text, ...own });
}

/** An order of the owner's own, at the door: what can be returned or reviewed. */
export const isReceived = ({ status, person }: Order) => status === "delivered" && person === null;

export const hasReceived = (db: Reader, product: number) =>
  db.where(orderLines, { product }).some(({ order }) => isReceived(db.get(orders, order)!));
