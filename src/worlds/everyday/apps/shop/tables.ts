/**
 * The shop's rows: a catalogue that everyone sees, and what the owner does in it.
 *
 * What was ordered, returned, reviewed, asked or shared stays as a row with a status. Totals, stock, ratings and the
 * ledger follow from such rows and are derived; a cart, a list and an alert are the owner's own and may vanish.
 */
import { defineTable } from "../../../../world/index.ts";

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

export type Product = {
  readonly id: number;
  /** Unique. */
  readonly name: string;
  readonly brand: string;
  readonly category: Category;
  /** Facts hide here: weight, material, pages, guarantee. */
  readonly description: string;
  readonly cents: number;
  /** Days from order to door. */
  readonly days: number;
  /** Mean of the stars in tenths, rounded; null without reviews. */
  readonly rating: number | null;
};
export const products = defineTable<Product>("shop.products", {
  indexes: ["name", "category", "brand"],
  classes: { rating: "derived" },
  loose: ["description"],
});

/** Every product has one at least; the only one of a product is called `standard`. */
export type Option = {
  readonly id: number;
  readonly product: number;
  readonly name: string;
  readonly stock: number;
};
export const options = defineTable<Option>("shop.options", {
  indexes: ["product"],
  classes: { stock: "derived" },
  references: { product: "shop.products" },
});

// --- cart and orders ---

export type CartLine = {
  readonly id: number;
  readonly product: number;
  readonly option: number;
  readonly count: number;
};
export const cartLines = defineTable<CartLine>("shop.cart", {
  indexes: ["product", "option"],
  references: { product: "shop.products", option: "shop.options" },
});

export const ORDER_STATUSES = ["processing", "shipped", "delivered", "cancelled"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export type Order = {
  readonly id: number;
  readonly status: OrderStatus;
  /** Whom a gift goes to; null for the owner's own orders. */
  readonly person: number | null;
  /** What the card of a gift says; empty otherwise. */
  readonly message: string;
  /** Null for gifts: the shop knows where the contact lives. */
  readonly address: number | null;
  /** Null: paid from the balance. */
  readonly card: number | null;
  readonly voucher: number | null;
  /** What was paid: goods less discount plus delivery. */
  readonly cents: number;
  readonly discount: number;
  readonly delivery: number;
  readonly placed: string;
  /** The day on which it is or was due at the door. */
  readonly arrives: string;
};
export const orders = defineTable<Order>("shop.orders", {
  indexes: ["status", "person", "voucher", "address"],
  classes: {
    cents: "derived",
    discount: "derived",
    delivery: "derived",
    placed: "derived",
    arrives: "derived",
  },
  references: {
    person: "contacts.people",
    address: "shop.addresses",
    card: "shop.cards",
    voucher: "shop.vouchers",
  },
  loose: ["message"],
});

export type OrderLine = {
  readonly id: number;
  readonly order: number;
  readonly product: number;
  readonly option: number;
  readonly count: number;
  /** Of one piece, when it was ordered. */
  readonly cents: number;
  readonly returned: boolean;
};
export const orderLines = defineTable<OrderLine>("shop.orderLines", {
  indexes: ["order", "product"],
  classes: { cents: "derived" },
  references: { order: "shop.orders", product: "shop.products", option: "shop.options" },
});

// --- money and addresses ---

/** One row: the shop balance, which is the sum of the ledger's entries without a card. */
export type ShopAccount = { readonly id: number; readonly cents: number };
export const shopAccount = defineTable<ShopAccount>("shop.account", {
  classes: { cents: "derived" },
});

export const ENTRY_KINDS = ["top-up", "order", "refund"] as const;

/** Money in (positive) or out; it follows from top-ups and orders. */
export type Entry = {
  readonly id: number;
  readonly kind: (typeof ENTRY_KINDS)[number];
  readonly cents: number;
  readonly order: number | null;
  /** The card that was charged or refunded; null: the balance. */
  readonly card: number | null;
  readonly at: string;
};
export const entries = defineTable<Entry>("shop.entries", {
  indexes: ["kind", "order"],
  classes: { kind: "derived", cents: "derived", order: "derived", card: "derived", at: "derived" },
});

/** Money that the owner moved from a card to the balance. */
export type TopUp = { readonly id: number; readonly cents: number; readonly card: number };
export const topUps = defineTable<TopUp>("shop.topUps", { references: { card: "shop.cards" } });

export type Card = {
  readonly id: number;
  /** `Blue card`. */
  readonly name: string;
  /** The last four. */
  readonly digits: string;
  /** `2027-05`: good until the end of that month. */
  readonly expires: string;
};
export const cards = defineTable<Card>("shop.cards");

export type Address = {
  readonly id: number;
  /** `home`. */
  readonly name: string;
  readonly line: string;
  readonly city: string;
  /** Of the owner's addresses exactly one. */
  readonly preferred: boolean;
};
export const addresses = defineTable<Address>("shop.addresses", {
  indexes: ["name", "preferred"],
  loose: ["line"],
});

/** Good once, until its last day, for goods of at least `least` (of its category, if it has one). */
export type Voucher = {
  readonly id: number;
  readonly code: string;
  /** Percent off, or null for a fixed amount. */
  readonly percent: number | null;
  /** Cents off, or null for a percentage. */
  readonly cents: number | null;
  readonly least: number;
  readonly category: Category | null;
  readonly expires: string;
};
export const vouchers = defineTable<Voucher>("shop.vouchers", { indexes: ["code"] });

// --- lists ---

export const ROLES = ["viewer", "editor"] as const;
export type Role = (typeof ROLES)[number];

export type SavedList = {
  readonly id: number;
  readonly name: string;
  /** Null: the owner's own. Otherwise a contact's wish list that the owner may see. */
  readonly person: number | null;
  /** What the owner may do with a contact's list; null for own ones. */
  readonly role: Role | null;
};
export const savedLists = defineTable<SavedList>("shop.lists", {
  indexes: ["name", "person"],
  references: { person: "contacts.people" },
});

export const CLAIMS = ["open", "mine", "taken"] as const;

export type SavedItem = {
  readonly id: number;
  readonly list: number;
  readonly product: number;
  /** On a contact's list: whether the owner (`mine`) or somebody else (`taken`) will give it. */
  readonly claim: (typeof CLAIMS)[number];
};
export const savedItems = defineTable<SavedItem>("shop.saved", {
  indexes: ["list", "product"],
  references: { list: "shop.lists", product: "shop.products" },
});

export type ListShare = {
  readonly id: number;
  readonly list: number;
  readonly person: number;
  readonly role: Role;
  /** Ended shares stay. */
  readonly ended: boolean;
};
export const listShares = defineTable<ListShare>("shop.listShares", {
  indexes: ["list", "person"],
  references: { list: "shop.lists", person: "contacts.people" },
});

// --- opinions ---

/** By a contact (`person`), by a stranger (`author`), or, when both are null, by the owner. */
export type Review = {
  readonly id: number;
  readonly product: number;
  readonly person: number | null;
  readonly author: string | null;
  readonly stars: number;
  readonly text: string;
  readonly withdrawn: boolean;
  readonly at: string;
};
export const reviews = defineTable<Review>("shop.reviews", {
  indexes: ["product", "person"],
  classes: { at: "derived" },
  references: { product: "shop.products", person: "contacts.people" },
  loose: ["text"],
});

/** By a stranger, or, when `author` is null, by the owner. */
export type Question = {
  readonly id: number;
  readonly product: number;
  readonly author: string | null;
  readonly text: string;
  readonly at: string;
};
export const questions = defineTable<Question>("shop.questions", {
  indexes: ["product"],
  classes: { at: "derived" },
  references: { product: "shop.products" },
  loose: ["text"],
});

export type QuestionAnswer = {
  readonly id: number;
  readonly question: number;
  readonly author: string | null;
  readonly text: string;
  readonly at: string;
};
export const questionAnswers = defineTable<QuestionAnswer>("shop.answers", {
  indexes: ["question"],
  classes: { at: "derived" },
  references: { question: "shop.questions" },
  loose: ["text"],
});

// --- what goes on by itself ---

export const SUBSCRIPTION_STATUSES = ["active", "paused", "ended"] as const;

export type Subscription = {
  readonly id: number;
  readonly product: number;
  readonly option: number;
  readonly count: number;
  /** Between two deliveries. */
  readonly weeks: number;
  readonly status: (typeof SUBSCRIPTION_STATUSES)[number];
  /** The next delivery, if it is active. */
  readonly next: string;
};
export const subscriptions = defineTable<Subscription>("shop.subscriptions", {
  indexes: ["product", "status"],
  classes: { next: "derived" },
  references: { product: "shop.products", option: "shop.options" },
});

/** Tell the owner when the price of one piece is at most this. */
export type Alert = { readonly id: number; readonly product: number; readonly cents: number };
export const alerts = defineTable<Alert>("shop.alerts", {
  indexes: ["product"],
  references: { product: "shop.products" },
});

export const shopTables = [
  products,
  options,
  cartLines,
  orders,
  orderLines,
  shopAccount,
  entries,
  topUps,
  cards,
  addresses,
  vouchers,
  savedLists,
  savedItems,
  listShares,
  reviews,
  questions,
  questionAnswers,
  subscriptions,
  alerts,
];
