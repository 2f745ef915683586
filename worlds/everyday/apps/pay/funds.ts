/** The wallet and the bank: linked cards, filling up, taking out. No money is made: the bank books the same amount. */

import { filterWhere, idParam, newestFirst, refuseUnless, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  bookTransaction,
  payByCard,
  requireSpendableAccount,
  requireWorkingCard,
} from "../bank/ledger.ts";
import { type Card, cards } from "../bank/tables.ts";
import { amount, dayField, requireRow, toCents, toDollars } from "../shared.ts";
import { wallet } from "../tables.ts";
import { type LinkedCard, linkedCards, type TopUp, topUps } from "./tables.ts";
import { walletOf } from "./transfer.ts";

/** The payee of the bank's transactions. */
export const WALLET_PAYEE = "Pay wallet";

const isLinked = (db: Reader, card: number) => db.where(linkedCards, { card }).length > 0;

function linkOf(db: Reader, card: number, param: string): LinkedCard {
  const [row] = db.where(linkedCards, { card });
  refuseUnless(row, 404, `${param}: no card with id ${card} is linked; pay.linkCard first`);
  return row;
}

const id = idParam("bank card");

const link = resource({
  noun: "linked card",
  item: linkedCards.item({
    label: [z.string(), ({ card }, { db }) => requireRow(db, cards, card, "card").label],
    id: [z.int(), ({ card }) => card],
    digits: [z.string(), ({ card }, { db }) => requireRow(db, cards, card, "card").digits],
    preferred: z.boolean(),
  }),
  keys: { id },
  find: ({ id }, { db }) => linkOf(db, id, "id"),
  example: (db, fits) => ({ id: db.all(linkedCards).find(fits)!.card }),
});

const other = ({ preferred }: LinkedCard) => !preferred;

const linkApis = {
  cards: link.list(
    "List the bank cards that the wallet is filled from; the ids are those of bank.cards.",
  ),
  linkCard: link.add("Link a card of the bank; the first one is preferred.", {
    params: { id },
    row: ({ id }, { db }) => {
      requireSpendableAccount(db, requireWorkingCard(db, id, "id").account, "id");
      refuseUnless(!isLinked(db, id), 409, `id: card ${id} is linked already`);
      return { card: id, preferred: db.all(linkedCards).length === 0 };
    },
    example: (db) => {
      const working = db.where(cards, { frozen: false, cancelled: false });
      return { id: working.find((card) => !isLinked(db, card.id))!.id };
    },
  }),
  unlinkCard: link.remove("Unlink a card; the preferred one only when it is the last.", {
    isExample: other,
    checkRow: ({ preferred }, { id }, { db }) => {
      const may = !preferred || db.all(linkedCards).length === 1;
      refuseUnless(may, 409, `id: card ${id} is preferred; pay.preferCard another one first`);
    },
  }),
  preferCard: link.change("Make a linked card the one that is used when none is named.", {
    isExample: other,
    set: (_, __, { db }) => {
      for (const { id } of db.where(linkedCards, { preferred: true })) {
        db.update(linkedCards, id, { preferred: false });
      }
      return { preferred: true };
    },
  }),
};

// --- top-ups and withdrawals ---

/** The linked card that was named, or the preferred one. */
function chosen(db: Reader, card: number | undefined): Card {
  const link =
    card === undefined ? db.where(linkedCards, { preferred: true })[0] : linkOf(db, card, "card");
  refuseUnless(link, 422, "card: expected a linked card, there is none; pay.linkCard");
  return requireWorkingCard(db, link.card);
}

const kind = z.enum(["top-up", "withdrawal"]);
const kindOf = ({ cents }: TopUp) => (cents > 0 ? "top-up" : "withdrawal");

const topUp = resource({
  noun: "top-up",
  item: topUps.item({
    id: z.int(),
    kind: [kind, kindOf],
    amount: [z.number(), ({ cents }) => toDollars(Math.abs(cents))],
    card: z.int(),
    day: dayField,
  }),
});

const params = { amount, card: idParam("linked card; the preferred one by default").optional() };
const LINE = { payee: WALLET_PAYEE, category: "transfers", note: "" } as const;

export const fundApis = {
  ...linkApis,
  topUp: topUp.add("Fill the wallet from a bank card, within the card's limit.", {
    params,
    row: ({ amount, card }, context) => {
      const { db, now } = context;
      const source = chosen(db, card);
      const cents = toCents(amount);
      payByCard(context, source, { cents: -cents, ...LINE });
      const { id, cents: old } = walletOf(db);
      db.update(wallet, id, { cents: old + cents });
      return { card: source.id, cents, at: now };
    },
    example: { amount: 5 },
  }),
  withdraw: topUp.add("Take money out of the wallet, to the account of a linked card.", {
    params,
    row: ({ amount, card }, { db, now }) => {
      const target = chosen(db, card);
      const cents = toCents(amount);
      const { id, cents: old } = walletOf(db);
      const most = toDollars(old);
      refuseUnless(
        cents <= old,
        422,
        `amount: expected at most the balance of ${most}, got ${amount}`,
      );
      db.update(wallet, id, { cents: old - cents });
      bookTransaction(db, now, { cents, ...LINE, card: null, account: target.account });
      return { card: target.id, cents: -cents, at: now };
    },
    example: { amount: 20 },
  }),
  topUps: topUp.list("List top-ups and withdrawals, newest first.", {
    filters: {
      kind: [kind.describe("only these"), filterWhere((row, kind) => kindOf(row) === kind)],
    },
    order: newestFirst,
    example: { kind: "top-up" },
  }),
};
