import { describe, expect, test } from "vitest";
import { bank } from "../apps/bank/index.ts";
import { fullPay } from "../apps/pay/full.ts";
import { balances, netOfMembers } from "../apps/split/debts.ts";
import * as app from "../apps/split/index.ts";
import { payments, people } from "../apps/tables.ts";
import { partOfName } from "../population/name-pools.ts";
import { appFixture, makeLifeBase } from "../tests/app-fixture.ts";
import { addBank } from "./bank.ts";
import { addPay } from "./pay.ts";
import { addSplit, computeDebts } from "./split.ts";

const apps = [bank, fullPay, app.split];
const { base, life } = makeLifeBase(apps, addBank, addPay, addSplit);
const { db } = appFixture(apps, base);

describe("split in the owner's life", () => {
  test("each expense is the sum of its shares, and the balances of each group add up to zero", () => {
    expect(db.all(app.expenses).length).toBeGreaterThan(120);
    for (const { id, cents } of db.all(app.expenses)) {
      const shares = db.where(app.expenseShares, { expense: id });
      expect(shares.reduce((sum, share) => sum + share.cents, 0)).toBe(cents);
    }
    for (const { id } of db.all(app.splitGroups)) {
      expect([...netOfMembers(db, id).values()].reduce((sum, cents) => sum + cents, 0)).toBe(0);
    }
  });

  test("the costs of a happening are the expenses of its group", () => {
    for (const { title, costs, people: participants } of life.happenings) {
      const [group] = db.where(app.splitGroups, { name: title });
      expect(group === undefined).toBe(costs.length === 0);
      if (!group) continue;
      const rows = db.where(app.expenses, { group: group.id, removed: false });
      const wanted = costs.map(({ what, cents, payer }) => ({
        what,
        cents,
        payer: payer?.id ?? null,
      }));
      expect(rows).toMatchObject(wanted);
      const members = db.where(app.splitMembers, { group: group.id });
      expect(members.map((member) => member.person)).toEqual(participants.map(({ id }) => id));
    }
  });

  test("a debt that was paid back has a settlement with its payment, and open debts make up the balances", () => {
    for (const { happening, person, cents, paidAt } of computeDebts(life)) {
      const group = db.where(app.splitGroups, { name: happening.title })[0]!.id;
      expect(balances(db, group).get(person.id)).toBe(paidAt ? undefined : cents);
      const [row] = db.where(app.settlements, { group, person: person.id });
      const payment = row?.payment ? db.get(payments, row.payment) : undefined;
      if (!paidAt) expect(row).toBeUndefined();
      else expect(payment).toMatchObject({ person: person.id, cents: Math.abs(cents), at: paidAt });
    }
  });

  test("the people of a group are of one part of the population", () => {
    for (const { id } of db.all(app.splitGroups)) {
      const members = db.where(app.splitMembers, { group: id });
      expect(new Set(members.map((m) => partOfName(db.get(people, m.person)!.name))).size).toBe(1);
    }
  });
});
