/**
 * The shop's rows: a catalogue that everyone sees, and what the owner does in it.
 *
 * What was ordered, returned, reviewed, asked or shared stays as a row with a status. Totals, stock, ratings and the
 * ledger follow from such rows and are derived; a cart, a list and an alert are the owner's own and may vanish.
 */
import { declareTables, flag, int, oneOf, type RowOf, ref, text } from "bowline/resources";

const app = declareTables("shop");

// --- catalogue ---

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
  /** Unique. */
  name: text.indexed,
  brand: text.indexed,
  category: oneOf(CATEGORIES).indexed,
  /** Facts hide here: weight, material, pages, guarantee. */
  description: text.loose,
  cents: int,
  /** Days from order to door. */
  days: int,
  /** Mean of the stars in tenths, rounded; null without reviews. */
  rating: int.orNull.derived,
});
export type Product = RowOf<typeof products>;

/** Every product has one at least; the only one of a product is called `standard`. */
export const options = app.table("options", {
  product: ref("shop.products").indexed,
  name: text,
  stock: int.derived,
});
export type Option = RowOf<typeof options>;

// --- cart and orders ---

export const cartLines = app.table("cart", {
  product: ref("shop.products").indexed,
  option: ref("shop.options").indexed,
  count: int,
});

export const ORDER_STATUSES = ["processing", "shipped", "delivered", "cancelled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const orders = app.table("orders", {
  status: oneOf(ORDER_STATUSES).indexed,
  /** Whom a gift goes to; null for the owner's own orders. */
  person: ref("contacts.people").orNull.indexed,
  /** What the card of a gift says; empty otherwise. */
  message: text.loose,
  /** Null for gifts: the shop knows where the contact lives. */
  address: ref("shop.addresses").orNull.indexed,
  /** Null: paid from the balance. */
  card: ref("shop.cards").orNull,
  voucher: ref("shop.vouchers").orNull.indexed,
  /** What was paid: goods less discount plus delivery. */
  cents: int.derived,
  discount: int.derived,
  delivery: int.derived,
  placed: text.derived,
  /** The day on which it is or was due at the door. */
  arrives: text.derived,
});
export type Order = RowOf<typeof orders>;

export const orderLines = app.table("orderLines", {
  order: ref("shop.orders").indexed,
  product: ref("shop.products").indexed,
  option: ref("shop.options"),
  count: int,
  /** Of one piece, when it was ordered. */
  cents: int.derived,
  returned: flag,
});
export type OrderLine = RowOf<typeof orderLines>;

// --- money and addresses ---

/** One row: the shop balance, which is the sum of the ledger's entries without a card. */
export const shopAccount = app.table("account", {
  cents: int.derived,
});
export type ShopAccount = RowOf<typeof shopAccount>;

export const ENTRY_KINDS = ["top-up", "order", "refund"] as const;

/** Money in (positive) or out; it follows from top-ups and orders. */
export const entries = app.table("entries", {
  kind: oneOf(ENTRY_KINDS).indexed.derived,
  cents: int.derived,
  order: int.orNull.indexed.derived,
  /** The card that was charged or refunded; null: the balance. */
  card: int.orNull.derived,
  at: text.derived,
});
export type Entry = RowOf<typeof entries>;

/** Money that the owner moved from a card to the balance. */
export const topUps = app.table("topUps", {
  cents: int,
  card: ref("shop.cards"),
});
export type TopUp = RowOf<typeof topUps>;

export const cards = app.table("cards", {
  /** `Blue card`. */
  name: text,
  /** The last four. */
  digits: text,
  /** `2027-05`: good until the end of that month. */
  expires: text,
});
export type Card = RowOf<typeof cards>;

export const addresses = app.table("addresses", {
  /** `home`. */
  name: text.indexed,
  line: text.loose,
  city: text,
  /** Of the owner's addresses exactly one. */
  preferred: flag.indexed,
});
export type Address = RowOf<typeof addresses>;

/** Good once, until its last day, for goods of at least `least` (of its category, if it has one). */
export const vouchers = app.table("vouchers", {
  code: text.indexed,
  /** Percent off, or null for a fixed amount. */
  percent: int.orNull,
  /** Cents off, or null for a percentage. */
  cents: int.orNull,
  least: int,
  category: oneOf(CATEGORIES).orNull,
  expires: text,
});
export type Voucher = RowOf<typeof vouchers>;

// --- lists ---

export const ROLES = ["viewer", "editor"] as const;
export type Role = (typeof ROLES)[number];

export const savedLists = app.table("lists", {
  name: text.indexed,
  /** Null: the owner's own. Otherwise a contact's wish list that the owner may see. */
  person: ref("contacts.people").orNull.indexed,
  /** What the owner may do with a contact's list; null for own ones. */
  role: oneOf(ROLES).orNull,
});
export type SavedList = RowOf<typeof savedLists>;

export const CLAIMS = ["open", "mine", "taken"] as const;

export const savedItems = app.table("saved", {
  list: ref("shop.lists").indexed,
  product: ref("shop.products").indexed,
  /** On a contact's list: whether the owner (`mine`) or somebody else (`taken`) will give it. */
  claim: oneOf(CLAIMS),
});
export type SavedItem = RowOf<typeof savedItems>;

export const listShares = app.table("listShares", {
  list: ref("shop.lists").indexed,
  person: ref("contacts.people").indexed,
  role: oneOf(ROLES),
  /** Ended shares stay. */
  ended: flag,
});
export type ListShare = RowOf<typeof listShares>;

// --- opinions ---

/** By a contact (`person`), by a stranger (`author`), or, when both are null, by the owner. */
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

/** By a stranger, or, when `author` is null, by the owner. */
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

// --- what goes on by itself ---

export const SUBSCRIPTION_STATUSES = ["active", "paused", "ended"] as const;

export const subscriptions = app.table("subscriptions", {
  product: ref("shop.products").indexed,
  option: ref("shop.options"),
  count: int,
  /** Between two deliveries. */
  weeks: int,
  status: oneOf(SUBSCRIPTION_STATUSES).indexed,
  /** The next delivery, if it is active. */
  next: text.derived,
});
export type Subscription = RowOf<typeof subscriptions>;

/** Tell the owner when the price of one piece is at most this. */
export const alerts = app.table("alerts", {
  product: ref("shop.products").indexed,
  cents: int,
});
export type Alert = RowOf<typeof alerts>;

export const shopTables = app.tables;
