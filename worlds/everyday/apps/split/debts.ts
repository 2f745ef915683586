/**
 * Computes who owes whom, in two ways:
 *
 * - A *balance* is between the owner and one person: the person's shares of what the owner paid, less the owner's
 *   shares of what the person paid, less what they settled. When it is positive, the person owes the owner.
 * - A *plan* settles a whole group with few transfers. In each step, the member who owes most pays the member who is
 *   owed most. Of two equal members, the first one in the group is taken.
 */
import type { Reader } from "bowline/world";
import { type Expense, expenseShares, expenses, settlements, splitMembers } from "./tables.ts";

/** A member of a group: a person's id, or null for the owner. */
export type Side = number | null;

/**
 * Returns the cents that each person owes the owner, by the person's id. The number is negative when the owner owes the
 * person. People without a debt in either direction are left out.
 */
export function balances(db: Reader, group?: number): Map<number, number> {
  const sums = new Map<number, number>();
  const add = (person: number, cents: number) => sums.set(person, (sums.get(person) ?? 0) + cents);
  const match = group === undefined ? { removed: false } : { group, removed: false };
  for (const expense of db.where(expenses, match)) addExpense(db, expense, add);
  const settled = group === undefined ? { undone: false } : { group, undone: false };
  for (const { person, outgoing, cents } of db.where(settlements, settled)) {
    add(person, outgoing ? cents : -cents);
  }
  return new Map([...sums].filter(([, cents]) => cents !== 0));
}

function addExpense(db: Reader, expense: Expense, add: (person: number, cents: number) => void) {
  for (const { person, cents } of db.where(expenseShares, { expense: expense.id })) {
    if (expense.payer === null && person !== null) add(person, cents);
    if (expense.payer !== null && person === null) add(expense.payer, -cents);
  }
}

/** Returns the owner's balance with one person, over all groups or in one group. */
export function balanceWith(db: Reader, person: number, group?: number): number {
  return balances(db, group).get(person) ?? 0;
}

/** Returns the owner's share of an expense, in cents. */
export function ownShare(db: Reader, expense: number): number {
  const [share] = db.where(expenseShares, { expense, person: null });
  return share?.cents ?? 0;
}

/**
 * Returns, for each member of a group, the cents that all others together owe the member. The number is negative when
 * the member owes them. The owner comes first.
 */
export function netOfMembers(db: Reader, group: number): Map<Side, number> {
  const members = db.where(splitMembers, { group }).map((member) => member.person);
  const net = new Map<Side, number>([null, ...members].map((side) => [side, 0]));
  const add = (side: Side, cents: number) => net.set(side, (net.get(side) ?? 0) + cents);
  for (const expense of db.where(expenses, { group, removed: false })) {
    add(expense.payer, expense.cents);
    for (const share of db.where(expenseShares, { expense: expense.id })) {
      add(share.person, -share.cents);
    }
  }
  for (const { person, outgoing, cents } of db.where(settlements, { group, undone: false })) {
    add(null, outgoing ? cents : -cents);
    add(person, outgoing ? -cents : cents);
  }
  return net;
}

export interface Transfer {
  readonly from: Side;
  readonly to: Side;
  readonly cents: number;
}

/** Returns the transfers after which no member of the group owes anything. */
export function planTransfers(db: Reader, group: number): Transfer[] {
  const net = netOfMembers(db, group);
  const transfers: Transfer[] = [];
  for (;;) {
    const sides = [...net];
    const [from, owed] = sides.reduce((low, side) => (side[1] < low[1] ? side : low));
    const [to, due] = sides.reduce((high, side) => (side[1] > high[1] ? side : high));
    const cents = Math.min(-owed, due);
    if (cents <= 0) return transfers;
    transfers.push({ from, to, cents });
    net.set(from, owed + cents);
    net.set(to, due - cents);
  }
}
