/** Tests that goals and the split app, which share no code, compute the same debts. */
import { expect, test } from "vitest";
import { balanceWith } from "../../apps/split/debts.ts";
import { expenseShares, expenses, splitGroups } from "../../apps/split/tables.ts";
import { people } from "../../apps/tables.ts";
import { openEveryday } from "../../tests/full-fixture.ts";
import {
  groupBalanceCents,
  groupsWithDebt,
  groupTotalCents,
  owedCents,
  ownShareCents,
} from "./debts.ts";

const { db, item } = openEveryday();
// A removed expense that the owner paid counts for nobody.
const removed = db.where(expenses, { payer: null, removed: false })[0]!;
db.update(expenses, removed.id, { removed: true });

test("a debt with a person equals the app's balance, in each group and in all", () => {
  const groups = [undefined, ...db.all(splitGroups).map(({ id }) => id)];
  let debts = 0;
  for (const { id } of db.all(people)) {
    const open = groups.filter((group) => {
      const cents = owedCents(db, id, group);
      expect(cents).toBe(balanceWith(db, id, group));
      return group !== undefined && cents !== 0;
    });
    expect(groupsWithDebt(db, id).toSorted((a, b) => a - b)).toEqual(open);
    debts += open.length;
  }
  expect(debts).toBeGreaterThan(10);
  expect(db.where(expenseShares, { expense: removed.id }).length).toBeGreaterThan(1);
});

test("totals, the owner's share and the balance of a group equal what the app shows", () => {
  for (const { id } of db.all(splitGroups)) {
    const { total, myShare } = item("split.totals", { id });
    expect(groupTotalCents(db, id)).toBe(Math.round(100 * (total as number)));
    expect(ownShareCents(db, id)).toBe(Math.round(100 * (myShare as number)));
    const balances = db.all(people).map((person) => balanceWith(db, person.id, id));
    expect(groupBalanceCents(db, id)).toBe(balances.reduce((sum, cents) => sum + cents, 0));
  }
});
