/** The wallet and the bank: linked cards, filling up, taking out. No money is made: the bank books the same amount. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { book, payByCard, spendable, workingCard } from "../bank/book.ts";
import { type Card, cards } from "../bank/tables.ts";
import {
  amount,
  centsOf,
  dayOf,
  dollars,
  idOf,
  newestFirst,
  paged,
  pageOf,
  paging,
  rowBy,
} from "../shared.ts";
import { wallet } from "../tables.ts";
import { type LinkedCard, linkedCards, type TopUp, topUps } from "./tables.ts";
import { walletOf } from "./transfer.ts";

/** The payee of the bank's transactions. */
export const WALLET_PAYEE = "Pay wallet";

const cardItem = z.strictObject({
  label: z.string(),
  id: z.int(),
  digits: z.string(),
  preferred: z.boolean(),
});

const cardView =
  (db: Reader) =>
  ({ card, preferred }: LinkedCard) => {
    const { label, digits } = rowBy(db, cards, card, "card");
    return { label, id: card, digits, preferred };
  };

const list = defineApi({
  summary: "List the bank cards that the wallet is filled from; the ids are those of bank.cards.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(cardItem),
  example: () => ({}),
  handler: ({ db }, page) => paged(db.all(linkedCards), page, cardView(db)),
});

function linkOf(db: Reader, card: number, param = "card"): LinkedCard {
  const [row] = db.where(linkedCards, { card });
  if (row) return row;
  throw new ApiError(404, `${param}: no card with id ${card} is linked; pay.linkCard first`);
}

const id = idOf("bank card");

const link = defineApi({
  summary: "Link a card of the bank; the first one is preferred.",
  params: z.strictObject({ id }),
  returns: cardItem,
  example: (db) => {
    const isNew = (card: Card) => db.where(linkedCards, { card: card.id }).length === 0;
    return { id: db.where(cards, { frozen: false, cancelled: false }).find(isNew)!.id };
  },
  handler: ({ db }, { id }) => {
    spendable(db, workingCard(db, id, "id").account, "id");
    if (db.where(linkedCards, { card: id }).length > 0) {
      throw new ApiError(409, `id: card ${id} is linked already`);
    }
    const preferred = db.all(linkedCards).length === 0;
    return cardView(db)(db.insert(linkedCards, { card: id, preferred }));
  },
});

const unlink = defineApi({
  summary: "Unlink a card; the preferred one only when it is the last.",
  params: z.strictObject({ id }),
  returns: cardItem,
  example: (db) => ({ id: db.all(linkedCards).find((row) => !row.preferred)!.card }),
  handler: ({ db }, { id }) => {
    const row = linkOf(db, id, "id");
    if (row.preferred && db.all(linkedCards).length > 1) {
      throw new ApiError(409, `id: card ${id} is preferred; pay.preferCard another one first`);
    }
    const shown = cardView(db)(row);
    db.remove(linkedCards, row.id);
    return shown;
  },
});

const prefer = defineApi({
  summary: "Make a linked card the one that is used when none is named.",
  params: z.strictObject({ id }),
  returns: cardItem,
  example: (db) => ({ id: db.all(linkedCards).find((row) => !row.preferred)!.card }),
  handler: ({ db }, { id }) => {
    const row = linkOf(db, id, "id");
    for (const other of db.all(linkedCards)) {
      if (other.preferred) db.update(linkedCards, other.id, { preferred: false });
    }
    return cardView(db)(db.update(linkedCards, row.id, { preferred: true }));
  },
});

/** The linked card that was named, or the preferred one. */
function chosen(db: Reader, card: number | undefined): Card {
  const link =
    card === undefined ? db.all(linkedCards).find((row) => row.preferred) : linkOf(db, card);
  if (!link) throw new ApiError(422, "card: expected a linked card, there is none; pay.linkCard");
  return workingCard(db, link.card);
}

const topUpItem = z.strictObject({
  id: z.int(),
  kind: z.enum(["top-up", "withdrawal"]),
  amount: z.number(),
  card: z.int(),
  day: z.string(),
});

const view = ({ id, cents, card, at }: TopUp) => ({
  id,
  kind: cents > 0 ? ("top-up" as const) : ("withdrawal" as const),
  amount: dollars(Math.abs(cents)),
  card,
  day: dayOf(at),
});

const card = idOf("linked card; the preferred one by default").optional();

const topUp = defineApi({
  summary: "Fill the wallet from a bank card, within the card's limit.",
  params: z.strictObject({ amount, card }),
  returns: topUpItem,
  example: () => ({ amount: 5 }),
  handler: (context, { amount, card }) => {
    const { db, now } = context;
    const source = chosen(db, card);
    const cents = centsOf(amount);
    const entry = { cents: -cents, payee: WALLET_PAYEE, category: "transfers", note: "" } as const;
    payByCard(context, source, entry);
    const { id, cents: old } = walletOf(db);
    db.update(wallet, id, { cents: old + cents });
    return view(db.insert(topUps, { card: source.id, cents, at: now }));
  },
});

const withdraw = defineApi({
  summary: "Take money out of the wallet, to the account of a linked card.",
  params: z.strictObject({ amount, card }),
  returns: topUpItem,
  example: () => ({ amount: 20 }),
  handler: ({ db, now }, { amount, card }) => {
    const target = chosen(db, card);
    const cents = centsOf(amount);
    const purse = walletOf(db);
    if (cents > purse.cents) {
      throw new ApiError(
        422,
        `amount: expected at most the balance of ${dollars(purse.cents)}, got ${amount}`,
      );
    }
    db.update(wallet, purse.id, { cents: purse.cents - cents });
    const entry = {
      cents,
      payee: WALLET_PAYEE,
      category: "transfers",
      note: "",
      card: null,
    } as const;
    book(db, now, { ...entry, account: target.account });
    return view(db.insert(topUps, { card: target.id, cents: -cents, at: now }));
  },
});

const history = defineApi({
  summary: "List top-ups and withdrawals, newest first.",
  params: z.strictObject({
    kind: z.enum(["top-up", "withdrawal"]).optional().describe("only these"),
    ...paging,
  }),
  returns: pageOf(topUpItem),
  example: () => ({ kind: "top-up" as const }),
  handler: ({ db }, { kind, ...page }) => {
    const rows = db.all(topUps).filter((row) => kind === undefined || view(row).kind === kind);
    return paged(newestFirst(rows), page, view);
  },
});

export const fundApis = {
  cards: list,
  linkCard: link,
  unlinkCard: unlink,
  preferCard: prefer,
  topUp,
  withdraw,
  topUps: history,
};
