/** Rows that setups and goals of these scenarios plant together: payments, groups that split, orders, wishes, trips. */
import type { Reader, Writer } from "bowline/world";
import {
  type Order,
  options,
  orderLines,
  orders,
  type Product,
  products,
  savedItems,
  savedLists,
} from "../../apps/shop/tables.ts";
import {
  expenseShares,
  expenses,
  type SplitGroup,
  splitGroups,
  splitMembers,
} from "../../apps/split/tables.ts";
import { type Payment, type Person, payments } from "../../apps/tables.ts";
import { companions, type Trip, trips } from "../../apps/travel/tables.ts";
import { quoted } from "../cells.ts";
import { YESTERDAY } from "../rows.ts";
import type { Draw } from "../scenario.ts";

/** `12.50` for 1250. */
export const inDollars = (cents: number): string => (cents / 100).toFixed(2);

/** A statement that looks up a handle by the full name. */
export const handleFrom = (person: Person, name = "person"): string =>
  `const ${name} = apis.contacts.find({ name: ${quoted(person.name)} })[0].handle;`;

/** What the owner pays somebody. */
export function outgoing(
  db: Writer,
  person: number,
  cents: number,
  note: string,
  request: number | null = null,
): Payment {
  return db.insert(payments, { person, outgoing: true, cents, note, request, at: YESTERDAY });
}

/** An expense; `shares` says what each bears, the owner under null. Who paid also wrote it down. */
export interface Spent {
  readonly what: string;
  readonly payer: number | null;
  readonly shares: readonly (readonly [number | null, number])[];
  readonly removed?: boolean;
}

/** A group of the owner and others with its expenses. */
export function groupThatSplits(
  db: Writer,
  name: string,
  people: readonly Person[],
  spent: readonly Spent[] = [],
): SplitGroup {
  const group = db.insert(splitGroups, { name, archived: false });
  for (const { id } of people) {
    db.insert(splitMembers, { group: group.id, person: id, left: false });
  }
  for (const [i, { what, payer, shares, removed = false }] of spent.entries()) {
    const expense = db.insert(expenses, {
      group: group.id,
      what,
      cents: shares.reduce((sum, [, cents]) => sum + cents, 0),
      payer,
      addedBy: payer,
      category: "other",
      day: `2026-03-0${i + 1}`,
      method: "exact",
      removed,
    });
    for (const [person, cents] of shares) {
      db.insert(expenseShares, { expense: expense.id, person, cents });
    }
  }
  return group;
}

/** In stock, of one make only. */
export const isPlain = (db: Reader, { id }: Product) => {
  const [option, ...more] = db.where(options, { product: id });
  return option !== undefined && more.length === 0 && option.stock > 3;
};

/** Three other plain products that were never ordered for each task. */
export function untouched(draw: Draw): [Product, Product, Product] {
  const free = draw.base
    .all(products)
    .filter((row) => isPlain(draw.base, row))
    .filter(({ id }) => draw.base.where(orderLines, { product: id }).length === 0);
  const mine = draw.common.shuffle(free).filter((_, i) => i % 3 === draw.variant);
  if (mine.length < 3) throw new Error(`expected nine products to choose from, got ${free.length}`);
  return mine as [Product, Product, Product];
}

export const bought = (db: Reader, { id }: Product) => ({
  product: id,
  option: db.where(options, { product: id })[0]!.id,
  count: 1,
});

export interface Bought {
  readonly product: number;
  readonly option: number;
  readonly count: number;
  readonly returned?: boolean;
}

/** An order of the owner at today's prices, delivered unless told otherwise. */
export function orderOf(
  db: Writer,
  bought: readonly Bought[],
  more: Partial<Omit<Order, "id">> = {},
): Order {
  const priced = bought.map((line) => ({ ...line, cents: db.get(products, line.product)!.cents }));
  const goods = priced.reduce((sum, line) => sum + line.cents * line.count, 0);
  const row = db.insert(orders, {
    status: "delivered",
    person: null,
    message: "",
    address: 1,
    card: null,
    voucher: null,
    cents: goods + (more.delivery ?? 0),
    discount: 0,
    delivery: 0,
    placed: "2026-02-20",
    arrives: "2026-02-25",
    ...more,
  });
  for (const { product, option, count, cents, returned = false } of priced) {
    db.insert(orderLines, { order: row.id, product, option, count, cents, returned });
  }
  return row;
}

/** A wish list of somebody that the owner may see. */
export function wishesOf(
  db: Writer,
  person: Person,
  wishes: readonly { readonly product: number; readonly claim: "open" | "mine" | "taken" }[],
): void {
  const name = `Birthday wishes of ${person.name}`;
  const list = db.insert(savedLists, { name, person: person.id, role: "viewer" });
  for (const wish of wishes) db.insert(savedItems, { list: list.id, ...wish });
}

/** An own trip with who comes along, and who no longer does. */
export function ownTrip(
  db: Writer,
  plan: Pick<Trip, "name" | "city" | "from" | "until">,
  along: readonly Person[],
  stayed: readonly Person[] = [],
): Trip {
  const trip = db.insert(trips, { ...plan, person: null, role: null, cancelled: false });
  for (const { id } of along) {
    db.insert(companions, { trip: trip.id, person: id, left: false });
  }
  for (const { id } of stayed) {
    db.insert(companions, { trip: trip.id, person: id, left: true });
  }
  return trip;
}
