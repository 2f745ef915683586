/** The shop balance, its ledger, stored cards, and vouchers. Dollars outside, integer cents inside. */
import { z } from "zod";
import { nearest } from "../../../../core/index.ts";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  dayOf,
  dollars,
  given,
  idOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  same,
} from "../shared.ts";
import { accountOf, cardBy, exampleId, priceText } from "./lookup.ts";
import {
  CATEGORIES,
  type Card,
  cards,
  ENTRY_KINDS,
  type Entry,
  entries,
  orders,
  shopAccount,
  topUps,
  type Voucher,
  vouchers,
} from "./tables.ts";

/** Money out (negative) or in, from or to the balance or a card; a 422 when the balance does not hold it. */
export function charge(
  { db, now }: CallContext,
  { kind, cents, order, card }: Pick<Entry, "kind" | "cents" | "order" | "card">,
): void {
  const account = accountOf(db);
  if (card === null) {
    const left = account.cents + cents;
    if (left < 0) {
      const [price, have] = [-cents, account.cents].map(priceText);
      throw new ApiError(
        422,
        `card: expected a total of at most the balance of ${have}, it is ${price}; top up, or name a card`,
      );
    }
    db.update(shopAccount, account.id, { cents: left });
  }
  db.insert(entries, { kind, cents, order, card, at: now });
}

export function cardText(db: Reader, card: number | null): string {
  const row = card === null ? undefined : db.get(cards, card);
  return row ? `${row.name} ${row.digits}` : "balance";
}

// --- vouchers ---

/** An order that was not cancelled used it. */
export function used(db: Reader, voucher: number): boolean {
  return db.where(orders, { voucher }).some((order) => order.status !== "cancelled");
}

/** The voucher of that code, if it is good today; otherwise a 404, 409 or 422. */
export function voucherBy(db: Reader, code: string, now: string): Voucher {
  const all = db.all(vouchers);
  const row = all.find((voucher) => same(voucher.code, code));
  if (!row) {
    const hint = nearest(
      code,
      all.map((voucher) => voucher.code),
    );
    const mean = hint === undefined ? "" : `; did you mean "${hint}"?`;
    throw new ApiError(404, `voucher: there is no voucher "${code}"${mean}`);
  }
  if (used(db, row.id)) throw new ApiError(409, `voucher: "${row.code}" was used already`);
  if (row.expires >= dayOf(now)) return row;
  throw new ApiError(422, `voucher: expected one good today, "${row.code}" ended ${row.expires}`);
}

/** Percentages are rounded down to the cent; an amount takes off at most what the goods cost. */
export function discountOf(voucher: Voucher, goods: number): number {
  const least = Math.max(1, voucher.least);
  if (goods < least) {
    const of = voucher.category === null ? "goods" : voucher.category;
    throw new ApiError(
      422,
      `voucher: "${voucher.code}" needs ${of} for at least ${priceText(least)}, these cost ${priceText(goods)}`,
    );
  }
  if (voucher.percent !== null) return Math.floor((goods * voucher.percent) / 100);
  return Math.min(goods, voucher.cents ?? 0);
}

const voucherItem = z.strictObject({
  code: z.string(),
  percent: z.int().nullable(),
  amount: z.number().nullable(),
  least: z.number(),
  category: z.enum(CATEGORIES).nullable(),
  expires: z.string(),
  used: z.boolean(),
});

const voucherView = (db: Reader) => (row: Voucher) => ({
  code: row.code,
  percent: row.percent,
  amount: row.cents === null ? null : dollars(row.cents),
  least: dollars(row.least),
  category: row.category,
  expires: row.expires,
  used: used(db, row.id),
});

const listVouchers = defineApi({
  summary: "List the owner's vouchers, the first to expire first.",
  params: z.strictObject({
    usable: z.boolean().optional().describe("only those good today, or only used and expired ones"),
    ...paging,
  }),
  returns: pageOf(voucherItem),
  example: () => ({ usable: true }),
  handler: ({ db, now }, { usable, ...page }) => {
    const good = (row: Voucher) => !used(db, row.id) && row.expires >= dayOf(now);
    const rows = db.all(vouchers).filter((row) => usable === undefined || good(row) === usable);
    const ordered = rows.toSorted((a, b) =>
      a.expires === b.expires ? a.id - b.id : a.expires < b.expires ? -1 : 1,
    );
    return paged(ordered, page, voucherView(db));
  },
});

// --- balance and cards ---

const balance = defineApi({
  summary: "Show how many dollars the owner has in the shop.",
  params: z.strictObject({}),
  returns: z.strictObject({ balance: z.number() }),
  example: () => ({}),
  handler: ({ db }) => ({ balance: dollars(accountOf(db).cents) }),
});

const topUp = defineApi({
  summary: "Move money from a stored card to the shop balance.",
  params: z.strictObject({ amount, card: idOf("card") }),
  returns: z.strictObject({ balance: z.number() }),
  example: (db) => ({ amount: 20, card: exampleId(db, cards) }),
  handler: (context, args) => {
    const { db, now } = context;
    const cents = centsOf(args.amount);
    const card = cardBy(db, args.card, now).id;
    db.insert(topUps, { cents, card });
    charge(context, { kind: "top-up", cents, order: null, card: null });
    return { balance: dollars(accountOf(db).cents) };
  },
});

const ledger = defineApi({
  summary:
    "List money in (positive) and out (negative) of the balance and the cards, newest first.",
  params: z.strictObject({
    kind: z.enum(ENTRY_KINDS).optional().describe("only entries of this kind"),
    ...paging,
  }),
  returns: pageOf(
    z.strictObject({
      kind: z.enum(ENTRY_KINDS),
      amount: z.number(),
      order: z.int().nullable(),
      from: z.string(),
      day: z.string(),
    }),
  ),
  example: () => ({ kind: "refund" as const }),
  handler: ({ db }, { kind, ...page }) =>
    paged(newestFirst(db.where(entries, given({ kind }))), page, (row) => ({
      kind: row.kind,
      amount: dollars(row.cents),
      order: row.order,
      from: cardText(db, row.card),
      day: dayOf(row.at),
    })),
});

const cardItem = z.strictObject({
  name: z.string(),
  id: z.int(),
  digits: z.string(),
  expires: z.string(),
});
const cardView = ({ name, id, digits, expires }: Card) => ({ name, id, digits, expires });

const listCards = defineApi({
  summary: "List stored cards; `digits` are the last four, `expires` is the last good month.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(cardItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(cards), page, cardView),
});

export const moneyApis = { balance, topUp, ledger, cards: listCards, vouchers: listVouchers };
