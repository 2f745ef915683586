/** Cards: frozen for a while, cancelled for good, limited by month. */
import { z } from "zod";
import { either, itemOf, must, type Reader, resource, rowById } from "../../../../world/index.ts";
import { amount, centsOf, dollars, idOf, line } from "../shared.ts";
import { first, firstOwn, paidByCard, spendable } from "./book.ts";
import { cards } from "./tables.ts";

const card = resource({
  table: cards,
  noun: "card",
  item: itemOf(cards, {
    label: z.string(),
    id: z.int(),
    digits: z.string(),
    account: z.int(),
    limit: [z.number(), ({ limit }) => dollars(limit)],
    spent: [z.number(), ({ id }, { db, now }) => dollars(paidByCard(db, id, now))],
    frozen: z.boolean(),
  }),
  /** A card that is not cancelled and pays from an account of which the owner may spend. */
  find: ({ id }, { db }) => {
    const row = rowById(db, cards, id, { noun: "card" });
    must(!row.cancelled, 409, `id: expected a card in use, ${id} is cancelled`);
    spendable(db, row.account, "id");
    return row;
  },
  example: first(cards, ({ cancelled }) => !cancelled),
});

/** The bank counts its cards in steps of 1237. */
function nextDigits(db: Reader): string {
  const last = db.all(cards).at(-1)?.digits ?? "3000";
  return String(1000 + ((Number(last) - 1000 + 1237) % 9000));
}

export const cardApis = {
  cards: card.list("List cards with what each paid this month; cancelled ones are left out.", {
    rows: { cancelled: false },
    filters: {
      account: idOf("account"),
      frozen: either("only frozen ones, or only working ones"),
    },
    example: { frozen: false },
  }),
  orderCard: card.add(
    "Order a card for an account; it comes with a limit of 1000 dollars a month.",
    {
      params: { account: idOf("account"), label: line("what to call the card") },
      row: ({ account, label }, { db }) => {
        spendable(db, account);
        const working = { limit: 100_000, frozen: false, cancelled: false };
        return { label, account, ...working, digits: nextDigits(db) };
      },
      example: (db) => ({ account: firstOwn(db).id, label: "Spare card" }),
    },
  ),
  freeze: card.change("Freeze a card, so that it pays nothing.", {
    set: { frozen: true },
    already: "is frozen already",
  }),
  unfreeze: card.change("Let a frozen card pay again.", {
    set: { frozen: false },
    already: "is not frozen",
  }),
  setCardLimit: card.change("Set how much a card may pay in a month.", {
    params: { amount },
    set: (_, { amount }) => ({ limit: centsOf(amount) }),
    example: { amount: 800 },
  }),
  cancelCard: card.change("Cancel a card for good.", { set: { cancelled: true } }),
};
