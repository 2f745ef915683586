import type { CallContext } from "bowline/world";
import { describe, expect, test } from "vitest";
import { addBank } from "../../life/bank.ts";
import { NOW } from "../../population/time.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../../tests/app-fixture.ts";
import { people } from "../tables.ts";
import { accounts, bank, cards, goals, payees, transactions } from "./index.ts";
import { payByCard } from "./ledger.ts";

const { base } = makeLifeBase([bank], addBank);
const fixture = () => appFixture([bank], base);
const accountId = (name: string) => fixture().db.where(accounts, { name })[0]!.id;
const totalCents = (db: ReturnType<typeof fixture>["db"]) =>
  db.all(accounts).reduce((sum, row) => sum + row.cents, 0);

test("every example in the bank's documentation works as a first call", () => {
  expect(findFailingExamples(bank, [bank], base)).toEqual([]);
  expect(Object.keys(bank.apis).length).toBeGreaterThanOrEqual(26);
});

test("an example pays the first payee who is neither removed nor blocked", () => {
  const { db } = fixture();
  const examplePayeeId = () => (bank.apis["addOrder"]!.example!(db) as { payee: number }).payee;
  for (const { id } of db.all(payees)) db.update(payees, id, { removed: true });
  const row = { name: "Last", number: "20417733", removed: false };
  const [blocked, friend] = db.all(people);
  db.update(people, blocked!.id, { blocked: true });
  db.update(people, friend!.id, { blocked: false });
  db.insert(payees, { ...row, person: blocked!.id });
  const { id: company } = db.insert(payees, { ...row, person: null });
  const { id: contact } = db.insert(payees, { ...row, person: friend!.id });
  expect(examplePayeeId()).toBe(company);
  db.update(payees, company, { removed: true });
  expect(examplePayeeId()).toBe(contact);
});

describe("money", () => {
  test("moving money between accounts keeps the total, and books a transaction on both accounts", () => {
    const open = fixture();
    const before = totalCents(open.db);
    open.call("bank.move", {
      from: accountId("Everyday"),
      to: accountId("Household"),
      amount: 12.34,
    });
    expect(totalCents(open.db)).toBe(before);
    expect(open.db.all(transactions).slice(-2)).toMatchObject([
      { payee: "Everyday", cents: 1234 },
      { payee: "Household", cents: -1234 },
    ]);
  });

  test("a card counts what it paid this month, and pays up to its limit to the cent", () => {
    const open = fixture();
    const { id, account, label, digits } = open.db.where(cards, {
      cancelled: false,
      frozen: false,
    })[0]!;
    const card = open.db.insert(cards, {
      ...{ account, label: `${label} 2`, digits, limit: 5000, frozen: false, cancelled: false },
    });
    open.db.update(accounts, account, { cents: 1_000_000 });
    const spent = () => open.all("bank.cards").find((row) => row["id"] === card.id)!["spent"];
    const entry = { payee: "Kiosk", category: "leisure", note: "" } as const;
    const row = { ...entry, account, card: card.id };
    expect(spent()).toBe(0);
    open.db.insert(transactions, { ...row, cents: -4000, at: "2026-02-28T12:00:00Z" });
    open.db.insert(transactions, { ...row, cents: 700, at: NOW });
    open.db.insert(transactions, { ...row, card: id, cents: -700, at: NOW });
    open.db.insert(transactions, { ...row, cents: -1999, at: NOW });
    expect(spent()).toBe(19.99);
    const pay = (cents: number) =>
      payByCard({ db: open.db, now: NOW } as CallContext, card, { ...entry, cents: -cents });
    expect(() => pay(3002)).toThrow(/expected at most 30.01.*got 30.02/);
    pay(3001);
    expect(spent()).toBe(50);
  });

  test("money in a savings goal is not available until it is taken out", () => {
    const open = fixture();
    const from = accountId("Travel fund");
    const { available, balance } = open.item("bank.account", { id: from });
    expect(available).toBeLessThan(balance as number);
    const move = { from, to: accountId("Everyday"), amount: (available as number) + 1 };
    expect(open.refusal("bank.move", move).message).toMatch(/^amount: expected at most/);
    const goal = open.db.where(goals, { account: from })[0]!.id;
    open.call("bank.drainGoal", { id: goal, amount: 1 });
    open.call("bank.move", move);
  });

  test("a monthly statement begins with the balance at the end of the month before", () => {
    const open = fixture();
    const account = accountId("Everyday");
    const [february, march] = ["2026-02", "2026-03"].map((month) =>
      open.item("bank.statement", { account, month }),
    );
    expect(february!["closing"]).toBe(march!["opening"]);
    expect(march!["closing"]).toBe(open.item("bank.account", { id: account })["balance"]);
  });
});

describe("refused calls", () => {
  test("the owner cannot spend from an account shared for viewing only, or annotate its transactions", () => {
    const open = fixture();
    const from = accountId("Garden club");
    const refused = open.refusal("bank.move", { from, to: accountId("Everyday"), amount: 1 });
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.message).toMatch(/^from: .*only for viewing/);
    const [row] = open.db.where(transactions, { account: from });
    expect(open.refusal("bank.annotate", { id: row!.id, note: "x" }).status).toBe(403);
  });

  test("the owner cannot share or rename somebody else's account, even when allowed to spend from it", () => {
    const open = fixture();
    const id = accountId("Allotment");
    const person = open.db.all(people)[0]!.handle;
    open.call("bank.move", { from: id, to: accountId("Everyday"), amount: 1 });
    expect(open.refusal("bank.share", { id, person, role: "view" }).status).toBe(403);
    expect(open.refusal("bank.renameAccount", { id, name: "Mine" }).message).toMatch(/^id: /);
  });

  test("the owner cannot cancel, freeze, limit or order a card of somebody else's account", () => {
    const open = fixture();
    const account = accountId("Allotment");
    const { id } =
      open.db.where(cards, { account })[0] ??
      open.db.insert(cards, {
        ...{ label: "Allotment card", account, digits: "9999", limit: 10_000 },
        ...{ frozen: false, cancelled: false },
      });
    const calls: [string, object][] = [
      ["bank.cancelCard", { id }],
      ["bank.freeze", { id }],
      ["bank.unfreeze", { id }],
      ["bank.setCardLimit", { id, amount: 10 }],
      ["bank.orderCard", { account, label: "Mine" }],
    ];
    for (const [api, args] of calls) {
      const refused = open.refusal(api, args);
      expect(refused, api).toMatchObject({ status: 403 });
      expect(refused.message, api).toMatch(/^(id|account): expected an account of the owner/);
    }
    const paid = { account, cents: -500, payee: "Shed", category: "leisure", note: "", card: id };
    const payment = open.db.insert(transactions, { ...paid, at: "2026-03-10T10:00:00Z" } as never);
    expect(open.refusal("bank.dispute", { id: payment.id, reason: "?" }).status).toBe(403);
  });

  test("the owner cannot close an account in use, pay a removed payee or dispute a transfer", () => {
    const open = fixture();
    expect(open.refusal("bank.closeAccount", { id: accountId("Everyday") }).status).toBe(409);
    const { id } = open.item("bank.addPayee", { name: "Corner bakery", number: "20417733" });
    open.call("bank.removePayee", { id });
    const transfer = { from: accountId("Everyday"), payee: id, amount: 1 };
    expect(open.refusal("bank.transfer", transfer).message).toMatch(/^payee: there is no payee/);
    const plain = open.db.all(transactions).find((row) => row.card === null && row.cents < 0)!;
    expect(open.refusal("bank.dispute", { id: plain.id, reason: "?" }).status).toBe(422);
  });

  test("the owner cannot freeze a cancelled card, freeze a card twice or end a standing order twice", () => {
    const open = fixture();
    const [cancelled] = open.db.where(cards, { cancelled: true });
    expect(open.refusal("bank.freeze", { id: cancelled!.id }).status).toBe(409);
    const [working] = open.db.where(cards, { cancelled: false, frozen: false });
    open.call("bank.freeze", { id: working!.id });
    expect(open.refusal("bank.freeze", { id: working!.id }).message).toMatch(/frozen already/);
    const [order] = open.all("bank.orders", { status: "active" });
    open.call("bank.endOrder", { id: order!["id"] });
    expect(open.refusal("bank.endOrder", { id: order!["id"] }).status).toBe(409);
  });
});

test("a budget counts this month's spending from accounts that the owner may spend from", () => {
  const open = fixture();
  const [before] = open.all("bank.budgets", { category: "transport" });
  const [payee] = open.all("bank.payees", { name: "Clearwater" });
  const args = {
    from: accountId("Everyday"),
    payee: payee!["id"],
    amount: 10,
    category: "transport",
  };
  open.call("bank.transfer", args);
  const [after] = open.all("bank.budgets", { category: "transport" });
  expect(after!["left"]).toBeCloseTo((before!["left"] as number) - 10);
});
