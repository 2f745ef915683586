/**
 * Defines the tables of the shop: a catalogue that everyone sees, and the owner's cart, orders, lists, reviews and
 * more.
 *
 * Rows of orders, returns, reviews, questions and shares are never removed, but their status changes. Totals, stock,
 * ratings and the ledger follow from such rows, so checks ignore them. The cart, the owner's lists and alerts are seen
 * only by the owner and may be removed.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("shop");

export const CATEGORIES = [
  "books",
  "kitchen",
  "garden",
  "clothing",
  "electronics",
  "toys",
  "sports",
  "stationery",
  "home",
  "outdoors",
] as const;
export type Category = (typeof CATEGORIES)[number];

export const products = app.table("products", {
  /** The name, which is unique among products. */
  name: text.indexed,
  brand: text.indexed,
  category: oneOf(CATEGORIES).indexed,
  /** The description, which contains facts such as weight, material, pages and guarantee. */
  description: text.loose,
  cents: int,
  /** The number of days from the order to the delivery. */
  days: int,
  /** The mean of the stars in tenths, rounded, or null when there are no reviews. */
  rating: int.orNull.derived,
});
export type Product = RowOf<typeof products>;

/** The options of products. Every product has at least one, and an only option is called `standard`. */
export const options = app.table("options", {
  product: ref("shop.products").indexed,
  name: text,
  stock: int.derived,
});
export type Option = RowOf<typeof options>;

export const cartLines = app.table("cart", {
  product: ref("shop.products").indexed,
  option: ref("shop.options").indexed,
  count: int,
});

export const ORDER_STATUSES = ["processing", "shipped", "delivered", "cancelled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const orders = app.table("orders", {
  status: oneOf(ORDER_STATUSES).indexed,
  /** The person who gets the gift, or null for an own order. */
  person: ref("contacts.people").orNull.indexed,
  /** The text of the gift card, which is empty for own orders. */
  message: text.loose,
  /** The address. It is null for a gift, because the shop knows where the contact lives. */
  address: ref("shop.addresses").orNull.indexed,
  /** The card that paid, or null when the balance paid. */
  card: ref("shop.cards").orNull,
  voucher: ref("shop.vouchers").orNull.indexed,
  /** The cents that were paid: goods less discount plus delivery. */
  cents: int.derived,
  discount: int.derived,
  delivery: int.derived,
  placed: text.derived,
  /** The day on which the order arrives or arrived. */
  arrives: text.derived,
});
export type Order = RowOf<typeof orders>;

export const orderLines = app.table("orderLines", {
  order: ref("shop.orders").indexed,
  product: ref("shop.products").indexed,
  option: ref("shop.options"),
  count: int,
  /** The price of one piece when it was ordered, in cents. */
  cents: int.derived,
  returned: flag,
});
export type OrderLine = RowOf<typeof orderLines>;

/** The table has one row: the shop balance, which is the sum of the ledger's entries without a card. */
export const shopAccount = app.table("account", {
  cents: int.derived,
});
export type ShopAccount = RowOf<typeof shopAccount>;

export const ENTRY_KINDS = ["top-up", "order", "refund"] as const;

/** The ledger: money in (positive) or out. It follows from top-ups and orders. */
export const entries = app.table("entries", {
  kind: oneOf(ENTRY_KINDS).indexed.derived,
  cents: int.derived,
  order: int.orNull.indexed.derived,
  /** The card that was charged or refunded, or null for the balance. */
  card: int.orNull.derived,
  at: text.derived,
});
export type Entry = RowOf<typeof entries>;

/** The amounts that the owner moved from a card to the balance. */
export const topUps = app.table("topUps", {
  cents: int,
  card: ref("shop.cards"),
});
export type TopUp = RowOf<typeof topUps>;

export const cards = app.table("cards", {
  /** The name of the card, such as `Blue card`. */
  name: text,
  /** The last four digits of the card number. */
  digits: text,
  /** The last month in which the card is good, such as `2027-05`. */
  expires: text,
});
export type Card = RowOf<typeof cards>;

export const addresses = app.table("addresses", {
  /** The name of the address, such as `home`. */
  name: text.indexed,
  line: text.loose,
  city: text,
  /** Exactly one of the owner's addresses is preferred. */
  preferred: flag.indexed,
});
export type Address = RowOf<typeof addresses>;

/**
 * The vouchers. A voucher can be used once, until its last day, for goods that cost at least `least` cents. If it has a
 * category, only goods of this category count.
 */
export const vouchers = app.table("vouchers", {
  code: text.indexed,
  /** The percentage that it takes off, or null for a fixed amount. */
  percent: int.orNull,
  /** The cents that it takes off, or null for a percentage. */
  cents: int.orNull,
  least: int,
  category: oneOf(CATEGORIES).orNull,
  expires: text,
});
export type Voucher = RowOf<typeof vouchers>;

export const ROLES = ["viewer", "editor"] as const;
export type Role = (typeof ROLES)[number];

export const savedLists = app.table("lists", {
  name: text.indexed,
  /** The contact whose wish list it is, or null when the list is the owner's own. */
  person: ref("contacts.people").orNull.indexed,
  /** What the owner may do with a contact's list, or null for own lists. */
  role: oneOf(ROLES).orNull,
});
export type SavedList = RowOf<typeof savedLists>;

export const CLAIMS = ["open", "mine", "taken"] as const;

export const savedItems = app.table("saved", {
  list: ref("shop.lists").indexed,
  product: ref("shop.products").indexed,
  /**
   * Who will give the item of a contact's list as a gift: the owner (`mine`), somebody else (`taken`), or nobody yet
   * (`open`).
   */
  claim: oneOf(CLAIMS),
});
export type SavedItem = RowOf<typeof savedItems>;

export const listShares = app.table("listShares", {
  list: ref("shop.lists").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
  /** A share that has ended is kept. */
  ended: flag,
});
export type ListShare = RowOf<typeof listShares>;

/** The reviews, by a contact (`person`), by a stranger (`author`), or, when both are null, by the owner. */
export const reviews = app.table("reviews", {
  product: ref("shop.products").indexed,
  person: ref("contacts.people").orNull.indexed,
  author: text.orNull,
  stars: int,
  text: text.loose,
  withdrawn: flag,
  at: text.derived,
});
export type Review = RowOf<typeof reviews>;

/** The questions, by a stranger, or by the owner when `author` is null. */
export const questions = app.table("questions", {
  product: ref("shop.products").indexed,
  author: text.orNull,
  text: text.loose,
  at: text.derived,
});
export type Question = RowOf<typeof questions>;

export const questionAnswers = app.table("answers", {
  question: ref("shop.questions").indexed,
  author: text.orNull,
  text: text.loose,
  at: text.derived,
});

export const SUBSCRIPTION_STATUSES = ["active", "paused", "ended"] as const;

export const subscriptions = app.table("subscriptions", {
  product: ref("shop.products").indexed,
  option: ref("shop.options"),
  count: int,
  /** The number of weeks between two deliveries. */
  weeks: int,
  status: oneOf(SUBSCRIPTION_STATUSES).indexed,
  /** The day of the next delivery, if the subscription is active. */
  next: text.derived,
});
export type Subscription = RowOf<typeof subscriptions>;

/** The price alerts: the owner wants to know when one piece costs at most so many cents. */
export const alerts = app.table("alerts", {
  product: ref("shop.products").indexed,
  cents: int,
});
export type Alert = RowOf<typeof alerts>;

export const shopTables = app.tables;
