/**
 * Writes shared expenses: a group for each past happening that cost something, and one long-lived group for each part
 * of the population.
 *
 * `computeDebts` returns the debts that arose at happenings, and whether they were paid back. Pay records the same
 * debts as payments and requests (`life/pay.ts`), so that settlements here agree with payments there.
 */

import type { Writer } from "bowline/world";
import { hash32, type Rng } from "bowline/world";
import { splitEqually } from "../apps/pay/equal-parts.ts";
import { splitByPercent } from "../apps/split/changing-expenses.ts";
import { balances } from "../apps/split/debts.ts";
import {
  type ExpenseCategory,
  expenseComments,
  expenseShares,
  expenses,
  type Method,
  nudges,
  settlements,
  splitGroups,
  splitMembers,
} from "../apps/split/tables.ts";
import { type Payment, type Person, payments } from "../apps/tables.ts";
import { PARTS, type Part } from "../population/name-pools.ts";
import { dayFromStart, NOW } from "../population/time.ts";
import type { Happening, Life } from "./life.ts";

export interface Debt {
  readonly happening: Happening;
  readonly person: Person;
  /** The amount. When it is positive, the person owes the owner. */
  readonly cents: number;
  /** The time when it was paid back, or null when it was not. */
  readonly paidAt: string | null;
}

/**
 * Computes the debts after happenings. Each cost is shared equally; cents that remain go one by one to the owner, and
 * then to people in the order of the happening.
 */
export function computeDebts(life: Life): Debt[] {
  return life.happenings.flatMap((happening) =>
    happening.people.flatMap((person, i): Debt[] => {
      const cents = happening.costs.reduce((sum, cost) => {
        const parts = splitEqually(cost.cents, happening.people.length + 1);
        if (cost.payer === null) return sum + parts[i + 1]!;
        return cost.payer === person ? sum - parts[0]! : sum;
      }, 0);
      if (cents === 0) return [];
      return [{ happening, person, cents, paidAt: drawPaidAt(happening, person) }];
    }),
  );
}

/**
 * Returns the time when a debt was paid back, or null when it was not. About three of five debts are paid back, within
 * a week.
 */
function drawPaidAt({ title, day }: Happening, person: Person): string | null {
  const hash = hash32(`${title} ${person.name}`);
  if (hash % 5 >= 3) return null;
  const days = 1 + (hash % 6);
  const minutes = 8 * 60 + (hash % 720);
  const date = new Date(Date.parse(`${day}T00:00:00Z`) + (days * 1440 + minutes) * 60_000);
  const at = `${date.toISOString().slice(0, 19)}Z`;
  return at < NOW ? at : null;
}

export function addSplit(db: Writer, rng: Rng, life: Life): void {
  const debts = computeDebts(life);
  for (const happening of life.happenings) {
    if (happening.costs.length === 0) continue;
    const own = debts.filter((debt) => debt.happening === happening);
    addHappening(db, rng.child(happening.title), happening, own);
  }
  for (const part of PARTS) addHousehold(db, rng.child(part), life, part);
  addReminders(db, rng.child("reminders"));
}

const CATEGORY_OF: { readonly [what: string]: ExpenseCategory } = {
  dinner: "food",
  groceries: "food",
  cake: "food",
  wine: "drinks",
  drinks: "drinks",
  taxi: "transport",
  fuel: "transport",
  "train fare": "transport",
  lodge: "lodging",
  tickets: "tickets",
  fee: "tickets",
  gift: "gifts",
  flowers: "gifts",
  parking: "transport",
  cleaning: "household",
  "light bulbs": "household",
  "water bill": "household",
  "new kettle": "household",
  "window repair": "household",
  rent: "lodging",
};

interface NewExpense {
  readonly group: number;
  readonly what: string;
  readonly cents: number;
  readonly payer: number | null;
  readonly addedBy: number | null;
  readonly day: string;
  readonly method: Method;
  readonly removed: boolean;
}

function insertExpense(
  db: Writer,
  expense: NewExpense,
  sides: readonly (number | null)[],
  parts: readonly number[],
): number {
  const category = CATEGORY_OF[expense.what] ?? "other";
  const { id } = db.insert(expenses, { category, ...expense });
  for (const [i, person] of sides.entries()) {
    db.insert(expenseShares, { expense: id, person, cents: parts[i]! });
  }
  return id;
}

function addHappening(db: Writer, rng: Rng, happening: Happening, debts: readonly Debt[]): void {
  const { title, people, costs, day } = happening;
  const settled = debts.every((debt) => debt.paidAt !== null);
  const archived = settled && day < dayFromStart(-30);
  const group = db.insert(splitGroups, { name: title, archived }).id;
  for (const { id } of people) db.insert(splitMembers, { group, person: id, left: false });
  const sides = [null, ...people.map(({ id }) => id)];
  const columns = { group, day, method: "equal", removed: false } as const;
  for (const { what, cents, payer: paidBy } of costs) {
    const payer = paidBy?.id ?? null;
    const addedBy = rng.chance(0.75) ? payer : null;
    const newExpense = { ...columns, what, cents, payer, addedBy };
    const parts = splitEqually(cents, sides.length);
    const expense = insertExpense(db, newExpense, sides, parts);
    if (rng.chance(0.5)) addRemarks(db, rng, expense, payer, people, day);
    // In some cases, somebody added the expense a second time and removed it again.
    if (rng.chance(0.06)) insertExpense(db, { ...newExpense, removed: true }, sides, parts);
  }
  for (const debt of debts) if (debt.paidAt) addSettlement(db, group, debt, debt.paidAt);
}

function addSettlement(db: Writer, group: number, { person, cents }: Debt, at: string): void {
  const outgoing = cents < 0;
  const paid = db
    .where(payments, { person: person.id, outgoing })
    .find((row: Payment) => row.cents === Math.abs(cents) && row.at === at);
  db.insert(settlements, {
    group,
    person: person.id,
    outgoing,
    cents: Math.abs(cents),
    payment: paid?.id ?? null,
    undone: false,
    at,
  });
}

const REMARKS = [
  "The receipt is in the drawer.",
  "That was cheaper than I thought.",
  "Without the tip.",
  "Thanks for paying first!",
  "I can send the receipt.",
  "Does this include the deposit?",
  "We should go there again.",
  "Please check the amount.",
] as const;

function addRemarks(
  db: Writer,
  rng: Rng,
  expense: number,
  payer: number | null,
  people: readonly Person[],
  day: string,
): void {
  const writers = [payer, rng.chance(0.4) ? null : rng.pick(people).id];
  for (const [i, person] of writers.slice(0, rng.integer(1, 2)).entries()) {
    const at = `${day}T${21 + i}:${rng.integer(10, 59)}:00Z`;
    db.insert(expenseComments, { expense, person, text: rng.pick(REMARKS), removed: false, at });
  }
}

const HOUSEHOLDS: { readonly [P in Part]: string } = {
  train: "Tuesday lunches",
  dev: "Car share",
  "test-normal": "Garden plot",
  "test-challenge": "Studio rent",
  circle: "House upstairs",
};

const EXPENSES = [
  "cleaning",
  "coffee beans",
  "light bulbs",
  "printer paper",
  "window repair",
  "rent",
  "water bill",
  "new kettle",
  "fuel",
  "groceries",
  "garden hose",
  "parking",
] as const;

/**
 * Adds a long-lived group with six people and expenses that are split in all three ways. The last member joined
 * recently and has no share yet.
 */
function addHousehold(db: Writer, rng: Rng, { everyone }: Life, part: Part): void {
  const people = rng.sample(everyone[part], 6).map(({ id }) => id);
  const group = db.insert(splitGroups, { name: HOUSEHOLDS[part], archived: false }).id;
  for (const person of people) db.insert(splitMembers, { group, person, left: false });
  const all = [null, ...people.slice(0, -1)];
  for (const [i, what] of rng.shuffle(EXPENSES).entries()) {
    const sides = rng.sample(all, rng.integer(2, 6));
    const payer = rng.chance(0.45) ? null : rng.pick(all);
    const addedBy = rng.chance(0.5) ? payer : null;
    const cents = rng.integer(700, 21_000);
    const method = (["equal", "exact", "equal", "percent"] as const)[i % 4]!;
    const day = dayFromStart(-rng.integer(2, 70));
    const newExpense = { group, what, cents, payer, addedBy, day, method, removed: i === 11 };
    const overrides = i === 11 ? { addedBy: null, payer: null } : {};
    insertExpense(
      db,
      { ...newExpense, ...overrides },
      sides,
      splitByMethod(method, cents, sides.length, rng),
    );
  }
  addSettlementsWithoutPay(db, rng, group);
}

function splitByMethod(method: Method, cents: number, count: number, rng: Rng): number[] {
  if (method === "equal") return splitEqually(cents, count);
  const percents = splitEqually(100, count);
  const shift = rng.integer(1, 10);
  const uneven = percents.map((p, i) => p + (i === 0 ? shift : i === 1 ? -shift : 0));
  return splitByPercent(cents, uneven);
}

/** Adds settlements in which people gave back a part of their debt without pay. */
function addSettlementsWithoutPay(db: Writer, rng: Rng, group: number): void {
  for (const [person, cents] of [...balances(db, group)].slice(0, 3)) {
    const part = Math.floor(Math.abs(cents) / 2);
    if (part === 0) continue;
    const row = { group, person, outgoing: cents < 0, cents: part, payment: null, undone: false };
    const at = `${dayFromStart(-1)}T1${rng.integer(0, 9)}:00:00Z`;
    db.insert(settlements, { ...row, at });
  }
}

const REMINDER_TEXTS = [
  "Whenever it suits you.",
  "A small reminder.",
  "You may also bring it on Sunday.",
  "No hurry at all.",
] as const;

function addReminders(db: Writer, rng: Rng): void {
  const debtors = [...balances(db)].filter(([, cents]) => cents > 2000).map(([person]) => person);
  for (const person of rng.sample(debtors, 20)) {
    const at = `${dayFromStart(-rng.integer(1, 12))}T10:00:00Z`;
    db.insert(nudges, { person, text: rng.pick(REMINDER_TEXTS), at });
  }
}
