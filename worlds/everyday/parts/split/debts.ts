/**
 * Computes debts between the owner and one person from tables, without the functions of the app, and inserts expenses
 * and repayments.
 */
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
import { insertPayment } from "../pay/insert-rows.ts";

/** Returns a participant's share of an expense in cents. */
export function shareCents(db: Reader, expense: number, person: number | null): number {
  return db.where(expenseShares, { expense, person })[0]?.cents ?? 0;
}

/** Returns the cents that a person owes the owner. A negative number means that the owner owes the person. */
export function owedCents(db: Reader, person: number, group?: number): number {
  const isInGroup = (row: { readonly group: number }) => group === undefined || row.group === group;
  const theirs = db
    .where(expenseShares, { person })
    .map((share) => ({ share, expense: db.get(expenses, share.expense)! }))
    .filter(({ expense }) => expense.payer === null && !expense.removed && isInGroup(expense))
    .reduce((sum, { share }) => sum + share.cents, 0);
  const mine = db
    .where(expenses, { payer: person, removed: false })
    .filter(isInGroup)
    .reduce((sum, expense) => sum + shareCents(db, expense.id, null), 0);
  const settled = db
    .where(settlements, { person, undone: false })
    .filter(isInGroup)
    .reduce((sum, row) => sum + (row.outgoing ? row.cents : -row.cents), 0);
  return theirs - mine + settled;
}

/** Returns the groups in which a debt between the owner and a person is open. */
export const groupsWithDebt = (db: Reader, person: number) =>
  distinctIds(db.where(splitMembers, { person }).map(({ group }) => group)).filter(
    (group) => owedCents(db, person, group) !== 0,
  );

export function memberIds(db: Reader, group: number): number[] {
  return db.where(splitMembers, { group, left: false }).map((member) => member.person);
}

export const isActiveGroup = (db: Reader, group: number) => !db.get(splitGroups, group)!.archived;

export function expensesOfGroup(db: Reader, group: number): readonly Expense[] {
  return db.where(expenses, { group, removed: false });
}

export const groupTotalCents = (db: Reader, group: number) =>
  expensesOfGroup(db, group).reduce((sum, row) => sum + row.cents, 0);

export const ownShareCents = (db: Reader, group: number) =>
  expensesOfGroup(db, group).reduce((sum, row) => sum + shareCents(db, row.id, null), 0);

/** Returns the cents that all other members together owe the owner in a group. */
export const groupBalanceCents = (db: Reader, group: number) =>
  distinctIds(db.where(splitMembers, { group }).map((member) => member.person)).reduce(
    (sum, person) => sum + owedCents(db, person, group),
    0,
  );

export function insertRepayment(db: Writer, person: number, cents: number, note = ""): void {
  insertPayment(db, person, cents, note);
}

export function insertExpense(
  db: Writer,
  expense: Pick<Expense, "group" | "what" | "payer" | "category" | "method">,
  day: string,
  participants: readonly (number | null)[],
  shares: readonly number[],
): void {
  const cents = shares.reduce((sum, part) => sum + part, 0);
  const row = { ...expense, cents, day, addedBy: null, removed: false };
  const { id } = db.insert(expenses, row);
  for (const [i, person] of participants.entries()) {
    db.insert(expenseShares, { expense: id, person, cents: shares[i]! });
  }
}
