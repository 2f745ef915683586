/** What the full world's wallet keeps beside payments and requests: plans, favourites, remarks, cards and limits. */
import { defineTable } from "../../../../world/index.ts";

export const PLAN_STATUSES = ["active", "paused", "stopped"] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];
export const REPEATS = ["once", "week", "month"] as const;
export type Repeat = (typeof REPEATS)[number];

/** A payment that the owner planned. The first one is on `day`. */
export type Plan = {
  readonly id: number;
  readonly person: number;
  readonly cents: number;
  readonly note: string;
  readonly day: string;
  readonly repeat: Repeat;
  readonly status: PlanStatus;
};
export const plans = defineTable<Plan>("pay.plans", {
  indexes: ["person", "status"],
  references: { person: "contacts.people" },
  loose: ["note"],
});

export type Favourite = {
  readonly id: number;
  readonly person: number;
};
export const favourites = defineTable<Favourite>("pay.favourites", {
  indexes: ["person"],
  references: { person: "contacts.people" },
});

/** The owner likes a payment. */
export type Like = {
  readonly id: number;
  readonly payment: number;
};
export const likes = defineTable<Like>("pay.likes", {
  indexes: ["payment"],
  references: { payment: "pay.payments" },
});

/** A remark under a payment, by the owner or by the other side. */
export type Comment = {
  readonly id: number;
  readonly payment: number;
  readonly outgoing: boolean;
  readonly text: string;
  readonly at: string;
};
export const comments = defineTable<Comment>("pay.comments", {
  indexes: ["payment"],
  classes: { at: "derived" },
  references: { payment: "pay.payments" },
  loose: ["text"],
});

/** `refund` is the payment that gave the money of `payment` back. */
export type Refund = {
  readonly id: number;
  readonly payment: number;
  readonly refund: number;
};
export const refunds = defineTable<Refund>("pay.refunds", {
  indexes: ["payment", "refund"],
  references: { payment: "pay.payments", refund: "pay.payments" },
});

/** A bank card that the wallet may be filled from. At most one is preferred. */
export type LinkedCard = {
  readonly id: number;
  readonly card: number;
  readonly preferred: boolean;
};
export const linkedCards = defineTable<LinkedCard>("pay.linkedCards", {
  indexes: ["card"],
  references: { card: "bank.cards" },
});

/** Money from a bank card into the wallet, or, negative, back to the card's account. */
export type TopUp = {
  readonly id: number;
  readonly card: number;
  readonly cents: number;
  readonly at: string;
};
export const topUps = defineTable<TopUp>("pay.topUps", {
  indexes: ["card"],
  classes: { at: "derived" },
  references: { card: "bank.cards" },
});

/** What the owner means to send in a month, to one person or (null) in all. It warns and stops nothing. */
export type Limit = {
  readonly id: number;
  readonly person: number | null;
  readonly cents: number;
};
export const limits = defineTable<Limit>("pay.limits", {
  indexes: ["person"],
  references: { person: "contacts.people" },
});

export const moreTables = [
  plans,
  favourites,
  likes,
  comments,
  refunds,
  linkedCards,
  topUps,
  limits,
] as const;
