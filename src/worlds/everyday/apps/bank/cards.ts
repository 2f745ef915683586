/** Cards: frozen for a while, cancelled for good, limited by month. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  amount,
  centsOf,
  dollars,
  given,
  idOf,
  line,
  paged,
  pageOf,
  paging,
  rowBy,
} from "../shared.ts";
import { firstOwn } from "./accounts.ts";
import { paidByCard, spendable } from "./book.ts";
import { type Card, cards } from "./tables.ts";

const cardItem = z.strictObject({
  label: z.string(),
  id: z.int(),
  digits: z.string(),
  account: z.int(),
  limit: z.number(),
  spent: z.number(),
  frozen: z.boolean(),
});

const view =
  ({ db, now }: Pick<CallContext, "db" | "now">) =>
  ({ label, id, digits, account, limit, frozen }: Card) => ({
    label,
    id,
    digits,
    account,
    limit: dollars(limit),
    spent: dollars(paidByCard(db, id, now)),
    frozen,
  });

const id = idOf("card");

const list = defineApi({
  summary: "List cards with what each paid this month; cancelled ones are left out.",
  params: z.strictObject({
    account: idOf("account").optional(),
    frozen: z.boolean().optional().describe("only frozen ones, or only working ones"),
    ...paging,
  }),
  returns: pageOf(cardItem),
  example: () => ({ frozen: false }),
  handler: (context, { page, size, ...match }) =>
    paged(
      context.db.where(cards, given({ ...match, cancelled: false })),
      { page, size },
      view(context),
    ),
});

/** A card that is not cancelled and pays from an account of which the owner may spend. */
function cardBy(db: Reader, id: number): Card {
  const row = rowBy(db, cards, id, "card");
  if (row.cancelled) throw new ApiError(409, `id: expected a card in use, ${id} is cancelled`);
  spendable(db, row.account, "id");
  return row;
}

const order = defineApi({
  summary: "Order a card for an account; it comes with a limit of 1000 dollars a month.",
  params: z.strictObject({ account: idOf("account"), label: line("what to call the card") }),
  returns: cardItem,
  example: (db) => ({ account: firstOwn(db).id, label: "Spare card" }),
  handler: (context, { account, label }) => {
    const { db } = context;
    spendable(db, account);
    const row = { label, account, limit: 100_000, frozen: false, cancelled: false };
    return view(context)(db.insert(cards, { ...row, digits: nextDigits(db) }));
  },
});

/** The bank counts its cards in steps of 1237. */
function nextDigits(db: Reader): string {
  const last = db.all(cards).at(-1)?.digits ?? "3000";
  return String(1000 + ((Number(last) - 1000 + 1237) % 9000));
}

function frozenBy(frozen: boolean) {
  return defineApi({
    summary: frozen ? "Freeze a card, so that it pays nothing." : "Let a frozen card pay again.",
    params: z.strictObject({ id }),
    returns: cardItem,
    example: (db) => ({ id: db.where(cards, { frozen: !frozen, cancelled: false })[0]!.id }),
    handler: (context, { id }) => {
      if (cardBy(context.db, id).frozen === frozen) {
        throw new ApiError(409, `id: card ${id} is ${frozen ? "frozen already" : "not frozen"}`);
      }
      return view(context)(context.db.update(cards, id, { frozen }));
    },
  });
}

const setLimit = defineApi({
  summary: "Set how much a card may pay in a month.",
  params: z.strictObject({ id, amount }),
  returns: cardItem,
  example: (db) => ({ id: db.where(cards, { cancelled: false })[0]!.id, amount: 800 }),
  handler: (context, { id, amount }) => {
    cardBy(context.db, id);
    return view(context)(context.db.update(cards, id, { limit: centsOf(amount) }));
  },
});

const cancelCard = defineApi({
  summary: "Cancel a card for good.",
  params: z.strictObject({ id }),
  returns: cardItem,
  example: (db) => ({ id: db.where(cards, { cancelled: false })[0]!.id }),
  handler: (context, { id }) => {
    cardBy(context.db, id);
    return view(context)(context.db.update(cards, id, { cancelled: true }));
  },
});

export const cardApis = {
  cards: list,
  orderCard: order,
  freeze: frozenBy(true),
  unfreeze: frozenBy(false),
  setCardLimit: setLimit,
  cancelCard,
};
