/**
 * Defines the APIs between the wallet and the bank: linked cards, topping up the wallet, and withdrawing from it. The
 * bank account changes by the same amount as the wallet.
 */

import { idParam, refuseUnless, resource } from "bowline/resources";
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
import { requireWallet } from "./payments.ts";
import { type LinkedCard, linkedCards, type TopUp, topUps } from "./tables.ts";

/** The name of the payee in the bank's transactions with the wallet. */
export const WALLET_PAYEE = "Pay wallet";

const isLinked = (db: Reader, card: number) => db.where(linkedCards, { card }).length > 0;

function requireLinkedCard(db: Reader, card: number, param: string): LinkedCard {
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
  find: ({ id }, { db }) => requireLinkedCard(db, id, "id"),
  example: (db, fits) => ({ id: db.all(linkedCards).find(fits)!.card }),
});

const isNotPreferred = ({ preferred }: LinkedCard) => !preferred;

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
    isExample: isNotPreferred,
    checkRow: ({ preferred }, { id }, { db }) => {
      const canUnlink = !preferred || db.all(linkedCards).length === 1;
      refuseUnless(canUnlink, 409, `id: card ${id} is preferred; pay.preferCard another one first`);
    },
  }),
  preferCard: link.change("Make a linked card the one that is used when none is named.", {
    isExample: isNotPreferred,
    set: (_, __, { db }) => {
      for (const { id } of db.where(linkedCards, { preferred: true })) {
        db.update(linkedCards, id, { preferred: false });
      }
      return { preferred: true };
    },
  }),
};

/**
 * Returns the linked card that was named, or the preferred one when none was named. Throws a 404, 409 or 422 when it
 * cannot pay.
 */
function requireChosenCard(db: Reader, card: number | undefined): Card {
  const link =
    card === undefined
      ? db.where(linkedCards, { preferred: true })[0]
      : requireLinkedCard(db, card, "card");
  refuseUnless(link, 422, "card: expected a linked card, there is none; pay.linkCard");
  return requireWorkingCard(db, link.card);
}

const kind = z.enum(["top-up", "withdrawal"]);
const topUpKind = ({ cents }: TopUp) => (cents > 0 ? "top-up" : "withdrawal");

const topUp = resource({
  noun: "top-up",
  item: topUps.item({
    id: z.int(),
    kind: [kind, topUpKind],
    amount: [z.number(), ({ cents }) => toDollars(Math.abs(cents))],
    card: z.int(),
    day: dayField,
  }),
});

const params = { amount, card: idParam("linked card; the preferred one by default").optional() };
const BANK_ENTRY = { payee: WALLET_PAYEE, category: "transfers", note: "" } as const;

export const fundApis = {
  ...linkApis,
  topUp: topUp.add("Fill the wallet from a bank card, within the card's limit.", {
    params,
    row: ({ amount, card }, context) => {
      const { db, now } = context;
      const source = requireChosenCard(db, card);
      const cents = toCents(amount);
      payByCard(context, source, { cents: -cents, ...BANK_ENTRY });
      const { id, cents: balance } = requireWallet(db);
      db.update(wallet, id, { cents: balance + cents });
      return { card: source.id, cents, at: now };
    },
    example: { amount: 5 },
  }),
  withdraw: topUp.add("Take money out of the wallet, to the account of a linked card.", {
    params,
    row: ({ amount, card }, { db, now }) => {
      const target = requireChosenCard(db, card);
      const cents = toCents(amount);
      const { id, cents: balance } = requireWallet(db);
      const balanceInDollars = toDollars(balance);
      refuseUnless(
        cents <= balance,
        422,
        `amount: expected at most the balance of ${balanceInDollars}, got ${amount}`,
      );
      db.update(wallet, id, { cents: balance - cents });
      bookTransaction(db, now, { cents, ...BANK_ENTRY, card: null, account: target.account });
      return { card: target.id, cents: -cents, at: now };
    },
    example: { amount: 20 },
  }),
};
