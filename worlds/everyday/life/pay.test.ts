import { describe, expect, test } from "vitest";
import { bank, transactions } from "../apps/bank/index.ts";
import * as app from "../apps/pay/full.ts";
import { WALLET_PAYEE } from "../apps/pay/wallet-and-cards.ts";
import { payments, people, requests, wallet } from "../apps/tables.ts";
import { partOfName } from "../population/name-pools.ts";
import { appFixture, makeLifeBase } from "../tests/app-fixture.ts";
import { addBank } from "./bank.ts";
import { addPay } from "./pay.ts";

const apps = [bank, app.fullPay];
const { base } = makeLifeBase(apps, addBank, addPay);
const { db } = appFixture(apps, base);

describe("pay in the owner's life", () => {
  test("there are enough payments for several pages, and each part of the population has open requests", () => {
    expect(db.all(payments).length).toBeGreaterThan(120);
    for (const outgoing of [true, false]) {
      const open = db.where(requests, { outgoing, status: "pending" });
      const parts = new Set(open.map((row) => partOfName(db.get(people, row.person)!.name)));
      expect(parts.size).toBe(5);
    }
  });

  test("the wallet's balance is what came in less what went out, and was never below zero", () => {
    const moves = [
      ...db
        .all(payments)
        .map(({ at, cents, outgoing }) => ({ at, cents: outgoing ? -cents : cents })),
      ...db.all(app.topUps),
    ].sort((a, b) => (a.at < b.at ? -1 : 1));
    let balance = 0;
    for (const { cents } of moves) {
      balance += cents;
      expect(balance).toBeGreaterThanOrEqual(0);
    }
    expect(db.all(wallet)).toMatchObject([{ cents: balance }]);
  });

  test("each top-up and withdrawal is a transaction of the bank", () => {
    const lines = db.where(transactions, { payee: WALLET_PAYEE });
    const key = ({ at, cents }: { at: string; cents: number }) => `${at} ${cents}`;
    expect(lines.map(({ at, cents }) => key({ at, cents: -cents })).sort()).toEqual(
      db.all(app.topUps).map(key).sort(),
    );
  });

  test("each paid request has its payment, and no other request has one", () => {
    for (const request of db.all(requests)) {
      const paid = db.where(payments, { person: request.person, request: request.id });
      const { cents, outgoing } = request;
      const wanted = request.status === "paid" ? [{ cents, outgoing: !outgoing }] : [];
      expect(paid).toMatchObject(wanted);
      expect(paid).toHaveLength(wanted.length);
    }
  });
});
