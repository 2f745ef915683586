/**
 * Writes the traces of the owner's life in the shop: gifts for birthdays, equipment for trips, everyday orders, wish
 * lists of friends.
 *
 * Orders are drafted, sorted by day and only then inserted, so that ids follow time. The balance is the sum of the
 * ledger.
 */
import type { Rng, Writer } from "bowline/world";
import { updateRating } from "../apps/shop/lookup.ts";
import {
  addresses,
  alerts,
  cards,
  cartLines,
  entries,
  listShares,
  type Option,
  type OrderStatus,
  options,
  orderLines,
  orders,
  type Product,
  products,
  reviews,
  savedItems,
  savedLists,
  shopAccount,
  subscriptions,
  topUps,
  type Voucher,
  vouchers,
} from "../apps/shop/tables.ts";
import type { Person } from "../apps/tables.ts";
import { PARTS } from "../population/name-pools.ts";
import { dayFromStart, drawAnyone, drawPastInstant } from "../population/time.ts";
import type { Life } from "./life.ts";
import { addGoods, addQuestions, PEN_NAMES } from "./shop-goods.ts";

const FREE_DELIVERY_FROM = 3500;
const DELIVERY = 490;
/** The cents that the owner has in the shop. */
const BALANCE = 918_645;

export function addShop(db: Writer, rng: Rng, life: Life): void {
  const scale = (count: number) => Math.max(1, Math.round(count * life.density));
  const goods = addGoods(db, rng.child("goods"));
  const stocked = goods.filter((row) => findOptionInStock(db, row.id, 4));
  addAddressesAndVouchers(db);
  const drafts = [
    ...draftGifts(rng.child("gifts"), life, stocked),
    ...draftTripOrders(rng.child("gear"), life, stocked),
    ...draftEverydayOrders(rng.child("everyday"), stocked, scale(80)),
    ...draftSurpriseGifts(rng.child("surprises"), life, stocked, scale(18)),
  ].filter((draft) => draft.placed <= dayFromStart(0));
  addOrders(db, rng.child("orders"), drafts);
  addReviews(db, rng.child("reviews"), life, goods);
  addQuestions(db, rng.child("questions"), goods, scale(70));
  addLists(db, rng.child("lists"), life, goods);
  addCartAndSubscriptions(db, rng.child("habits"), stocked);
}

/** Returns the first option of the product of which at least so many pieces are in stock. */
function findOptionInStock(db: Writer, product: number, minimum: number): Option | undefined {
  return db.where(options, { product }).find((option) => option.stock >= minimum);
}

function addAddressesAndVouchers(db: Writer): void {
  const rows = [
    ["home", "14 Canal Street", "Delft"],
    ["office", "3 Tower Square", "Delft"],
    ["cabin", "77 Lake Road", "Delft"],
    ["parents", "21 Orchard Lane", "Delft"],
    // No order was sent to this address.
    ["garage", "2 Mill Lane", "Delft"],
  ] as const;
  for (const [name, line, city] of rows) {
    db.insert(addresses, { name, line, city, preferred: name === "home" });
  }
  db.insert(cards, { name: "Blue card", digits: "4412", expires: "2028-09" });
  db.insert(cards, { name: "Green card", digits: "0937", expires: "2026-11" });
  db.insert(cards, { name: "Old card", digits: "7756", expires: "2025-12" });
  const voucher = (row: Partial<Voucher> & Pick<Voucher, "code" | "expires">) =>
    db.insert(vouchers, { percent: null, cents: null, least: 0, category: null, ...row });
  voucher({ code: "SPRING10", percent: 10, expires: "2026-04-30" });
  voucher({ code: "GARDEN15", percent: 15, category: "garden", expires: "2026-05-31" });
  voucher({ code: "HELLO5", cents: 500, least: 2000, expires: "2026-03-31" });
  voucher({ code: "KITCHEN20", percent: 20, category: "kitchen", expires: "2026-03-20" });
  voucher({ code: "BOOKS3", cents: 300, category: "books", least: 1500, expires: "2026-06-30" });
  voucher({ code: "BIG40", cents: 4000, least: 20_000, expires: "2026-12-31" });
  voucher({ code: "WINTER10", percent: 10, expires: "2026-02-28" });
  voucher({ code: "THANKS8", cents: 800, least: 3000, expires: "2026-04-15" });
}

interface OrderDraft {
  readonly placed: string;
  readonly goods: readonly Product[];
  readonly person: Person | null;
  readonly message: string;
}

const addDaysTo = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/**
 * Drafts the gifts for birthdays. The gift is for the host or, when the owner gives the party, for the first guest.
 */
function draftGifts(rng: Rng, { happenings }: Life, goods: readonly Product[]): OrderDraft[] {
  return happenings
    .filter(({ kind }) => kind === "birthday")
    .map(({ host, people, day, title }) => {
      const own = rng.child(title);
      return {
        placed: addDaysTo(day, -own.integer(4, 12)),
        goods: own.sample(goods, own.integer(1, 2)),
        person: host ?? people[0]!,
        message: own.pick(["Happy birthday!", "All the best for the new year of life!"]),
      };
    });
}

/** Drafts orders of outdoor products before trips. */
function draftTripOrders(rng: Rng, { happenings }: Life, goods: readonly Product[]): OrderDraft[] {
  const outdoors = goods.filter(({ category }) => category === "outdoors");
  return happenings
    .filter(({ kind }) => kind === "trip")
    .map(({ day, title }) => {
      const own = rng.child(title);
      const placed = addDaysTo(day, -own.integer(6, 20));
      const things = own.sample(outdoors, own.integer(1, 3));
      return { placed, goods: things, person: null, message: "" };
    });
}

function draftEverydayOrders(rng: Rng, goods: readonly Product[], count: number): OrderDraft[] {
  return Array.from({ length: count }, (_, i) => ({
    placed: dayFromStart(i < 12 ? -rng.integer(0, 6) : -rng.integer(3, 110)),
    goods: rng.sample(goods, rng.pick([1, 1, 2, 2, 3, 4])),
    person: null,
    message: "",
  }));
}

function draftSurpriseGifts(
  rng: Rng,
  life: Life,
  goods: readonly Product[],
  count: number,
): OrderDraft[] {
  return Array.from({ length: count }, (_, i) => ({
    placed: dayFromStart(-(i % 3 === 0 ? rng.integer(0, 4) : rng.integer(4, 100))),
    goods: rng.sample(goods, 1),
    person: drawAnyone(rng, life.everyone),
    message: rng.pick(["Thank you for everything!", "Get well soon!", "For your new home.", ""]),
  }));
}

function addOrders(db: Writer, rng: Rng, drafts: readonly OrderDraft[]): void {
  const account = db.insert(shopAccount, { cents: 0 });
  const [blue, green] = db.all(cards);
  let balance = 0;
  const addEntry = (
    kind: "order" | "refund",
    cents: number,
    order: number,
    day: string,
    card: number | null,
  ) => {
    db.insert(entries, { kind, cents, order, card, at: `${day}T10:00:00Z` });
    if (card === null) balance += cents;
  };
  const addTopUp = (cents: number, day: string, card: number) => {
    db.insert(topUps, { cents, card });
    db.insert(entries, { kind: "top-up", cents, order: null, card: null, at: `${day}T08:00:00Z` });
    balance += cents;
  };
  const sorted = drafts.toSorted((a, b) =>
    a.placed < b.placed ? -1 : a.placed > b.placed ? 1 : 0,
  );
  for (const [i, draft] of sorted.entries()) {
    const own = rng.child(i);
    const card = own.chance(0.35) ? own.pick([blue!, green!]).id : null;
    const order = insertOrder(db, own, draft, card);
    addEntry("order", -order.cents, order.id, order.placed, card);
    if (order.status === "cancelled") addEntry("refund", order.cents, order.id, order.placed, card);
    if (order.refund > 0)
      addEntry("refund", order.refund, order.id, addDaysTo(order.arrives, 2), card);
  }
  const missing = BALANCE - balance;
  const [half, third] = [Math.ceil(missing / 2), Math.floor(missing / 3)];
  addTopUp(half, dayFromStart(-128), blue!.id);
  addTopUp(third, dayFromStart(-127), green!.id);
  addTopUp(missing - half - third, dayFromStart(-126), blue!.id);
  db.update(shopAccount, account.id, { cents: balance });
}

/** Returns the voucher of the winter when no order has used it yet and the order was placed in its last weeks. */
function findWinterVoucher(db: Writer, placed: string): Voucher | undefined {
  const voucher = db.where(vouchers, { code: "WINTER10" })[0]!;
  const isInTime = placed >= dayFromStart(-40) && placed <= voucher.expires;
  return isInTime && db.where(orders, { voucher: voucher.id }).length === 0 ? voucher : undefined;
}

function insertOrder(db: Writer, rng: Rng, draft: OrderDraft, card: number | null) {
  const { placed, goods, person, message } = draft;
  const lines = goods.map((product) => {
    const cents = rng.chance(0.2)
      ? Math.round((product.cents * rng.integer(80, 120)) / 100)
      : product.cents;
    const option = findOptionInStock(db, product.id, 1)!.id;
    const count = person || rng.chance(0.7) ? 1 : rng.integer(2, 3);
    return { product: product.id, option, count, cents };
  });
  const arrives = addDaysTo(placed, Math.max(...goods.map(({ days }) => days)));
  const status = drawStatus(rng, placed, arrives);
  const price = lines.reduce((sum, line) => sum + line.cents * line.count, 0);
  const delivery = price >= FREE_DELIVERY_FROM ? 0 : DELIVERY;
  const voucher = person ? undefined : findWinterVoucher(db, placed);
  const discount = voucher ? Math.floor((price * voucher.percent!) / 100) : 0;
  const cents = price - discount + delivery;
  const isNeverReturned = person !== null || voucher !== undefined;
  const isReturned =
    status === "delivered" && !isNeverReturned && arrives < dayFromStart(-3) && rng.chance(0.12);
  const home = db.where(addresses, { preferred: true })[0]!.id;
  const address = rng.chance(0.25) ? rng.pick(db.all(addresses).slice(0, -1)).id : home;
  const order = db.insert(orders, {
    status,
    person: person?.id ?? null,
    message,
    address: person ? null : address,
    card,
    voucher: voucher?.id ?? null,
    cents,
    discount,
    delivery,
    placed,
    arrives,
  });
  for (const [i, line] of lines.entries()) {
    db.insert(orderLines, { order: order.id, ...line, returned: isReturned && i === 0 });
  }
  return { ...order, refund: isReturned ? lines[0]!.cents * lines[0]!.count : 0 };
}

/** Draws the status of an order. Some orders of the last days are still processing, and a few were cancelled. */
function drawStatus(rng: Rng, placed: string, arrives: string): OrderStatus {
  if (rng.chance(0.07)) return "cancelled";
  if (arrives < dayFromStart(0)) return "delivered";
  return placed >= dayFromStart(-3) || rng.chance(0.3) ? "processing" : "shipped";
}

const PRAISE = ["Just what I wanted.", "Well made.", "Worth the money.", "I use it every day."];
const COMPLAINTS = [
  "It came with a scratch.",
  "Thinner than I thought.",
  "The smell took a week to go.",
];
const FACTS = [
  (n: number) => `It arrived after ${n % 9} days.`,
  (n: number) => `The box alone is ${20 + n} cm long.`,
  (n: number) => `I have had it for ${1 + (n % 20)} months.`,
  (n: number) => `My ${n % 2 ? "sister" : "neighbour"} has the same one.`,
];

function makeReviewText(rng: Rng, stars: number): string {
  const mood = rng.pick(stars > 3 ? PRAISE : stars < 3 ? COMPLAINTS : [...PRAISE, ...COMPLAINTS]);
  return `${mood} ${rng.pick(FACTS)(rng.integer(1, 40))}`;
}

function addReviews(db: Writer, rng: Rng, life: Life, goods: readonly Product[]): void {
  const addReview = (
    reviewRng: Rng,
    product: number,
    by: { person?: Person; author?: string },
    liking: number,
  ) => {
    const stars = Math.max(1, Math.min(5, liking + reviewRng.integer(-1, 1)));
    const withdrawn = false;
    const author = { person: by.person?.id ?? null, author: by.author ?? null };
    const text = makeReviewText(reviewRng, stars);
    db.insert(reviews, {
      product,
      ...author,
      stars,
      text,
      withdrawn,
      at: drawPastInstant(reviewRng),
    });
  };
  for (const product of goods) {
    const own = rng.child(product.id);
    const liking = own.pick([2, 3, 4, 4, 5, 5]);
    for (const author of own.sample(PEN_NAMES, own.integer(1, 4))) {
      addReview(own, product.id, { author }, liking);
    }
    if (own.chance(0.2))
      addReview(own, product.id, { person: drawAnyone(own, life.everyone) }, liking);
  }
  const received = deliveredToOwner(db);
  const ownCount = Math.min(26, Math.floor(received.length / 2));
  for (const product of rng.sample(received, ownCount)) addReview(rng, product, {}, 4);
  for (const product of goods) updateRating(db, product.id);
}

function deliveredToOwner(db: Writer): number[] {
  const own = db.where(orders, { status: "delivered" }).filter((row) => row.person === null);
  const lines = own.flatMap((order) => db.where(orderLines, { order: order.id }));
  return [...new Set(lines.map((line) => line.product))];
}

const OWN_LISTS = ["garden plans", "kitchen wishes", "birthday ideas", "for the cabin", "someday"];

/**
 * Adds saved lists. Each own list is shared with people of one part of the population. Some contacts of each part have
 * wish lists.
 */
function addLists(db: Writer, rng: Rng, life: Life, goods: readonly Product[]): void {
  for (const [i, name] of OWN_LISTS.entries()) {
    const list = db.insert(savedLists, { name, person: null, role: null }).id;
    for (const product of rng.sample(goods, rng.integer(5, 12))) {
      db.insert(savedItems, { list, product: product.id, claim: "open" });
    }
    for (const person of rng.sample(life.everyone[PARTS[i]!], rng.integer(1, 4))) {
      const role = rng.chance(0.4) ? "editor" : "viewer";
      db.insert(listShares, { list, person: person.id, role, ended: rng.chance(0.15) });
    }
  }
  const peopleWithWishes = PARTS.flatMap((part) =>
    rng.sample(life.everyone[part], part === "train" ? 14 : 6),
  );
  for (const person of rng.shuffle(peopleWithWishes)) {
    const role = rng.chance(0.3) ? "editor" : "viewer";
    const name = `Wishes of ${person.name}`;
    const list = db.insert(savedLists, { name, person: person.id, role }).id;
    for (const product of rng.sample(goods, rng.integer(2, 6))) {
      const claim = rng.pick(["open", "open", "open", "mine", "taken"] as const);
      db.insert(savedItems, { list, product: product.id, claim });
    }
  }
}

function addCartAndSubscriptions(db: Writer, rng: Rng, goods: readonly Product[]): void {
  for (const product of rng.sample(goods, 4)) {
    const option = findOptionInStock(db, product.id, 4)!.id;
    db.insert(cartLines, { product: product.id, option, count: rng.integer(1, 2) });
  }
  for (const [i, product] of rng.sample(goods, 18).entries()) {
    const weeks = rng.pick([2, 3, 4, 4, 6, 8, 12]);
    db.insert(subscriptions, {
      product: product.id,
      option: findOptionInStock(db, product.id, 4)!.id,
      count: rng.integer(1, 3),
      weeks,
      status: i % 6 === 5 ? "ended" : i % 3 === 2 ? "paused" : "active",
      next: dayFromStart(rng.integer(1, 7 * weeks)),
    });
  }
  for (const [i, { id, cents }] of rng.sample(db.all(products), 16).entries()) {
    const share = i % 3 === 0 ? rng.integer(101, 120) : rng.integer(60, 95);
    db.insert(alerts, { product: id, cents: Math.round((cents * share) / 100) });
  }
}
