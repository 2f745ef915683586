import { describe, expect, test } from "vitest";
import * as app from "../apps/bank/index.ts";
import { availableCents } from "../apps/bank/ledger.ts";
import { appFixture, makeLifeBase } from "../tests/app-fixture.ts";
import { addBank } from "./bank.ts";

const { base, life } = makeLifeBase([app.bank], addBank);
const { db } = appFixture([app.bank], base);

describe("the bank in the owner's life", () => {
  test("the bank's tables are large enough to page through", () => {
    expect(db.all(app.transactions).length).toBeGreaterThan(180);
    expect(db.all(app.payees).length).toBeGreaterThan(30);
    expect(db.all(app.orders).length).toBeGreaterThan(15);
  });

  test("each balance is the opening balance plus all transactions, and savings goals hold no more than the balance", () => {
    for (const account of db.all(app.accounts)) {
      const rows = db.where(app.transactions, { account: account.id });
      expect(account.cents).toBe(rows.reduce((sum, row) => sum + row.cents, account.opening));
      expect(account.cents).toBeGreaterThanOrEqual(0);
      expect(availableCents(db, account)).toBeGreaterThanOrEqual(0);
    }
  });

  test("each cost that the owner paid at a happening is a transaction with the happening's day and place", () => {
    for (const { place, day, costs } of life.happenings) {
      const paid = costs.filter(({ payer }) => payer === null).map(({ cents }) => -cents);
      const rows = db.where(app.transactions, { payee: place });
      expect(rows.map((row) => row.cents).sort()).toEqual(paid.sort());
      for (const row of rows) expect(row.at.slice(0, 10)).toBe(day);
    }
  });

  test("transactions are in order of time and lie in the past", () => {
    const times = db.all(app.transactions).map((row) => row.at);
    expect(times).toEqual(times.toSorted());
    expect(times.at(-1)! < "2026-03-12T09:00:00Z").toBe(true);
  });
});
