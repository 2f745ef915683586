/** Debts between the owner and one person, read off the tables without the app's own sums; and what is written. */
import { distinctIds } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import {
  type Expense,
  expenseShares,
  expenses,
  settlements,
  splitGroups,
  splitMembers,
} from "../../apps/split/tables.ts";
import { writePayment } from "../pay/writes.ts";

/** What a participant bears of an expense. */
export function shareOf(db: Reader, expense: number, person: number | null): number {
  return db.where(expenseShares, { expense, person })[0]?.cents ?? 0;
}

/** Cents that the person owes the owner; negative: the owner owes them. */
export function owed(db: Reader, person: number, group?: number): number {
  const inside = (row: { readonly group: number }) => group === undefined || row.group === group;
  const theirs = db
    .where(expenseShares, { person })
    .map((share) => ({ share, expense: db.get(expenses, share.expense)! }))
    .filter(({ expense }) => expense.payer === null && !expense.removed && inside(expense))
    .reduce((sum, { share }) => sum + share.cents, 0);
  const mine = db
    .where(expenses, { payer: person, removed: false })
    .filter(inside)
    .reduce((sum, expense) => sum + shareOf(db, expense.id, null), 0);
  const settled = db
    .where(settlements, { person, undone: false })
    .filter(inside)
    .reduce((sum, row) => sum + (row.outgoing ? row.cents : -row.cents), 0);
  return theirs - mine + settled;
}

/** Groups in which they are not even. */
export const groupsBetween = (db: Reader, person: number) =>
  distinctIds(db.where(splitMembers, { person }).map(({ group }) => group)).filter(
    (group) => owed(db, person, group) !== 0,
  );

export function peopleIn(db: Reader, group: number): number[] {
  return db.where(splitMembers, { group, left: false }).map((member) => member.person);
}

export const isActive = (db: Reader, group: number) => !db.get(splitGroups, group)!.archived;

export function expensesOf(db: Reader, group: number): readonly Expense[] {
  return db.where(expenses, { group, removed: false });
}

export const totalOf = (db: Reader, group: number) =>
  expensesOf(db, group).reduce((sum, row) => sum + row.cents, 0);

export const ownShareOf = (db: Reader, group: number) =>
  expensesOf(db, group).reduce((sum, row) => sum + shareOf(db, row.id, null), 0);

/** What all others together owe the owner in the group. */
export const balanceIn = (db: Reader, group: number) =>
  distinctIds(db.where(splitMembers, { group }).map((member) => member.person)).reduce(
    (sum, person) => sum + owed(db, person, group),
    0,
  );

export function payBack(db: Writer, person: number, cents: number, note = ""): void {
  writePayment(db, person, cents, note);
}

export function writeExpense(
  db: Writer,
  expense: Pick<Expense, "group" | "what" | "payer" | "category" | "method">,
  day: string,
  sides: readonly (number | null)[],
  parts: readonly number[],
): void {
  const cents = parts.reduce((sum, part) => sum + part, 0);
  const row = { ...expense, cents, day, addedBy: null, removed: false };
  const { id } = db.insert(expenses, row);
  for (const [i, person] of sides.entries()) {
    db.insert(expenseShares, { expense: id, person, cents: parts[i]! });
  }
}
