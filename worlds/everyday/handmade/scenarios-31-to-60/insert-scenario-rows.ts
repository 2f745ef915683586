/**
 * Inserts the rows that setups and goals of several scenarios need: payments, split groups, orders, wish lists and
 * trips.
 */
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
import { YESTERDAY } from "../insert-rows.ts";
import type { TaskDraw } from "../scenario.ts";
import { quote } from "../solution-code.ts";

/** Formats cents as dollars: `12.50` for 1250. */
export const formatDollars = (cents: number): string => (cents / 100).toFixed(2);

/** Writes a statement that finds a person's handle by the full name. */
export const findHandleCode = (person: Person, name = "person"): string =>
  `const ${name} = apis.contacts.find({ name: ${quote(person.name)} }).items[0].handle;`;

/** Inserts a payment from the owner to a person. */
export function insertPayment(
  db: Writer,
  person: number,
  cents: number,
  note: string,
  request: number | null = null,
): Payment {
  return db.insert(payments, { person, outgoing: true, cents, note, request, at: YESTERDAY });
}

/**
 * An expense. `shares` lists the cents of each person, with null for the owner. The payer also entered the expense.
 */
export interface ExpenseWithShares {
  readonly what: string;
  readonly payer: number | null;
  readonly shares: readonly (readonly [number | null, number])[];
  readonly removed?: boolean;
}

/** Inserts a group of the owner and other people, with its expenses. */
export function insertSplitGroup(
  db: Writer,
  name: string,
  people: readonly Person[],
  expensesWithShares: readonly ExpenseWithShares[] = [],
): SplitGroup {
  const group = db.insert(splitGroups, { name, archived: false });
  for (const { id } of people) {
    db.insert(splitMembers, { group: group.id, person: id, left: false });
  }
  for (const [i, { what, payer, shares, removed = false }] of expensesWithShares.entries()) {
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

/** Returns true when a product has only one option and more than three of it are in stock. */
export const hasOneOptionInStock = (db: Reader, { id }: Product) => {
  const [option, ...more] = db.where(options, { product: id });
  return option !== undefined && more.length === 0 && option.stock > 3;
};

/** Picks three products that were never ordered. Each task gets other products. */
export function pickUnorderedProducts(draw: TaskDraw): [Product, Product, Product] {
  const free = draw.base
    .all(products)
    .filter((row) => hasOneOptionInStock(draw.base, row))
    .filter(({ id }) => draw.base.where(orderLines, { product: id }).length === 0);
  const mine = draw.common.shuffle(free).filter((_, i) => i % 3 === draw.variant);
  if (mine.length < 3) throw new Error(`expected nine products to choose from, got ${free.length}`);
  return mine as [Product, Product, Product];
}

export const toOrderedProduct = (db: Reader, { id }: Product) => ({
  product: id,
  option: db.where(options, { product: id })[0]!.id,
  count: 1,
});

export interface OrderedProduct {
  readonly product: number;
  readonly option: number;
  readonly count: number;
  readonly returned?: boolean;
}

/** Inserts an order of the owner at today's prices. By default it has been delivered. */
export function insertOrder(
  db: Writer,
  orderedProducts: readonly OrderedProduct[],
  columns: Partial<Omit<Order, "id">> = {},
): Order {
  const priced = orderedProducts.map((line) => ({
    ...line,
    cents: db.get(products, line.product)!.cents,
  }));
  const goods = priced.reduce((sum, line) => sum + line.cents * line.count, 0);
  const row = db.insert(orders, {
    status: "delivered",
    person: null,
    message: "",
    address: 1,
    card: null,
    voucher: null,
    cents: goods + (columns.delivery ?? 0),
    discount: 0,
    delivery: 0,
    placed: "2026-02-20",
    arrives: "2026-02-25",
    ...columns,
  });
  for (const { product, option, count, cents, returned = false } of priced) {
    db.insert(orderLines, { order: row.id, product, option, count, cents, returned });
  }
  return row;
}

/** Inserts a person's wish list that the owner may see. */
export function insertWishList(
  db: Writer,
  person: Person,
  wishes: readonly { readonly product: number; readonly claim: "open" | "mine" | "taken" }[],
): void {
  const name = `Birthday wishes of ${person.name}`;
  const list = db.insert(savedLists, { name, person: person.id, role: "viewer" });
  for (const wish of wishes) db.insert(savedItems, { list: list.id, ...wish });
}

/** Inserts a trip of the owner, with companions and with people who dropped out. */
export function insertOwnTrip(
  db: Writer,
  plan: Pick<Trip, "name" | "city" | "from" | "until">,
  travellers: readonly Person[],
  droppedOut: readonly Person[] = [],
): Trip {
  const trip = db.insert(trips, { ...plan, person: null, role: null, cancelled: false });
  for (const { id } of travellers) {
    db.insert(companions, { trip: trip.id, person: id, left: false });
  }
  for (const { id } of droppedOut) {
    db.insert(companions, { trip: trip.id, person: id, left: true });
  }
  return trip;
}
