/**
 * Defines the tables that the full pay app has besides payments and requests: planned payments, likes, comments,
 * refunds, linked cards and limits.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("pay");

export const PLAN_STATUSES = ["active", "paused", "stopped"] as const;
export const REPEATS = ["once", "week", "month"] as const;
export type Repeat = (typeof REPEATS)[number];

/** The planned payments. The first payment is on `day`. */
export const plans = app.table("plans", {
  person: ref("contacts.people").indexed,
  cents: int,
  note: text.loose,
  day: text,
  repeat: oneOf(REPEATS),
  status: oneOf(PLAN_STATUSES).indexed,
});
export type Plan = RowOf<typeof plans>;

export const favourites = app.table("favourites", {
  person: ref("contacts.people").indexed,
});

/** The payments that the owner likes. */
export const likes = app.table("likes", {
  payment: ref("pay.payments").indexed,
});
export type Like = RowOf<typeof likes>;

/** The comments under payments, by the owner or by the other side. */
export const comments = app.table("comments", {
  payment: ref("pay.payments").indexed,
  outgoing: flag,
  text: text.loose,
  at: text.derived,
});
export type Comment = RowOf<typeof comments>;

/** The refunds. `refund` is the payment that gave the money of `payment` back. */
export const refunds = app.table("refunds", {
  payment: ref("pay.payments").indexed,
  refund: ref("pay.payments").indexed,
});
export type Refund = RowOf<typeof refunds>;

/** The bank cards from which the wallet may be filled. At most one is preferred. */
export const linkedCards = app.table("linkedCards", {
  card: ref("bank.cards").indexed,
  preferred: flag,
});
export type LinkedCard = RowOf<typeof linkedCards>;

/** Money that went from a bank card into the wallet, or, when negative, back to the card's account. */
export const topUps = app.table("topUps", {
  card: ref("bank.cards").indexed,
  cents: int,
  at: text.derived,
});
export type TopUp = RowOf<typeof topUps>;

/**
 * The limits: what the owner means to send in a month, to one person or (null) in all. A limit only warns, and no
 * payment is refused because of it.
 */
export const limits = app.table("limits", {
  person: ref("contacts.people").orNull.indexed,
  cents: int,
});
export type Limit = RowOf<typeof limits>;

export const moreTables = app.tables;
