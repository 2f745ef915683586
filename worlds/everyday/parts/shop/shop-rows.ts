/** Reads and inserts rows of the shop. It also sets derived columns, which no check compares. */
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

export const productCents = (db: Reader, product: number) => db.get(products, product)?.cents ?? 0;

export const productName = (db: Reader, product: number) => db.get(products, product)?.name ?? "";

/** Returns the option of a product that the shop chooses when a call names no option. */
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

/** Returns `count` pieces of a product, of the option that the shop chooses by default. */
export const pieceOfDefaultOption = (db: Reader, product: number, count: number): Piece => ({
  product,
  option: defaultOption(db, product)!.id,
  count,
});

export const toPiece = ({ product, option, count }: Piece): Piece => ({ product, option, count });

export const piecesOfOrder = (db: Reader, order: number): Piece[] =>
  db.where(orderLines, { order }).map(toPiece);

interface OrderOptions {
  readonly person?: number;
  readonly message?: string;
  readonly address?: number;
  readonly card?: number;
  readonly voucher?: number;
}

export const goodsCents = (db: Reader, pieces: readonly Piece[]) =>
  pieces.reduce((sum, { product, count }) => sum + count * productCents(db, product), 0);

/** Returns the cost of goods at today's prices and of their delivery. */
function orderTotalCents(db: Reader, pieces: readonly Piece[]): number {
  const goods = goodsCents(db, pieces);
  return goods >= 3500 ? goods : goods + 490;
}

/** Returns true when the balance can pay the goods at today's prices. */
export const canPayFromBalance = (db: Reader, pieces: readonly Piece[]) =>
  db.all(shopAccount)[0]!.cents >= orderTotalCents(db, pieces);

export function addToBalance(db: Writer, cents: number): void {
  const account = db.all(shopAccount)[0]!;
  db.update(shopAccount, account.id, { cents: account.cents + cents });
}

export function placeOrder(
  db: Writer,
  pieces: readonly Piece[],
  orderOptions: OrderOptions = {},
): void {
  const cents = orderTotalCents(db, pieces);
  const preferred = db.where(addresses, { preferred: true })[0]!.id;
  const order = db.insert(orders, {
    status: "processing",
    person: orderOptions.person ?? null,
    message: orderOptions.message ?? "",
    address: orderOptions.person === undefined ? (orderOptions.address ?? preferred) : null,
    card: orderOptions.card ?? null,
    voucher: orderOptions.voucher ?? null,
    cents,
    discount: 0,
    delivery: 0,
    placed: TODAY,
    arrives: TODAY,
  });
  for (const piece of pieces) {
    const { stock } = db.get(options, piece.option)!;
    db.update(options, piece.option, { stock: stock - piece.count });
    const line = { order: order.id, ...piece, cents: productCents(db, piece.product) };
    db.insert(orderLines, { ...line, returned: false });
  }
  if (orderOptions.card === undefined) addToBalance(db, -cents);
}

/** Adds a piece to the cart. Pieces of the same option add up. */
export function addToCart(db: Writer, { product, option, count }: Piece): void {
  const [line] = db.where(cartLines, { option });
  if (line) db.update(cartLines, line.id, { count: line.count + count });
  else db.insert(cartLines, { product, option, count });
}

/** Returns true when the cart would hold no more of the option than is in stock. */
export function fitsInCart(db: Reader, { option, count }: Piece): boolean {
  const countInCart = db.where(cartLines, { option })[0]?.count ?? 0;
  return (db.get(options, option)?.stock ?? 0) >= countInCart + count;
}

export const isSubscribed = (db: Reader, product: number) =>
  db.where(subscriptions, { product }).some(({ status }) => status !== "ended");

/** Returns true for a product without an alert, so that setting an alert adds a row. */
export const hasNoAlert = (db: Reader, product: number) =>
  db.where(alerts, { product }).length === 0;

export const isOwnReview = (row: Review) =>
  row.person === null && row.author === null && !row.withdrawn;

export const isReviewed = (db: Reader, product: number) =>
  db.where(reviews, { product }).some(isOwnReview);

export function publishReview(db: Writer, product: number, stars: number, text: string): void {
  const own = { person: null, author: null, withdrawn: false, at: NOW };
  db.insert(reviews, { product, stars, text, ...own });
}

/** Returns true for an order that has arrived at the owner, so that its products can be returned or reviewed. */
export const isReceivedOrder = ({ status, person }: Order) =>
  status === "delivered" && person === null;

export const hasReceivedProduct = (db: Reader, product: number) =>
  db.where(orderLines, { product }).some(({ order }) => isReceivedOrder(db.get(orders, order)!));
