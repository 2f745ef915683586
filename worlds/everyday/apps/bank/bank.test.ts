import { describe, expect, test } from "vitest";
import { addBank } from "../../life/bank.ts";
import { appFixture, failingExamples, livedBase } from "../../tests/app-fixture.ts";
import { people } from "../tables.ts";
import { accounts, bank, cards, goals, transactions } from "./index.ts";

const { base } = livedBase([bank], addBank);
const fixture = () => appFixture([bank], base);
const idOf = (name: string) => fixture().db.where(accounts, { name })[0]!.id;
const total = (db: ReturnType<typeof fixture>["db"]) =>
  db.all(accounts).reduce((sum, row) => sum + row.cents, 0);

test("every example works as a first call", () => {
  expect(failingExamples(bank, [bank], base)).toEqual([]);
  expect(Object.keys(bank.apis).length).toBeGreaterThanOrEqual(26);
});

describe("money", () => {
  test("moving it between accounts keeps the sum and books both sides", () => {
    const open = fixture();
    const before = total(open.db);
    open.call("bank.move", { from: idOf("Everyday"), to: idOf("Household"), amount: 12.34 });
    expect(total(open.db)).toBe(before);
    expect(open.db.all(transactions).slice(-2)).toMatchObject([
      { payee: "Everyday", cents: 1234 },
      { payee: "Household", cents: -1234 },
    ]);
  });

  test("what a goal holds is not available until it is taken out", () => {
    const open = fixture();
    const from = idOf("Travel fund");
    const { available, balance } = open.item("bank.account", { id: from });
    expect(available).toBeLessThan(balance as number);
    const move = { from, to: idOf("Everyday"), amount: (available as number) + 1 };
    expect(open.refusal("bank.move", move).message).toMatch(/^amount: expected at most/);
    const goal = open.db.where(goals, { account: from })[0]!.id;
    open.call("bank.drainGoal", { id: goal, amount: 1 });
    open.call("bank.move", move);
  });

  test("a statement starts where the last one ended", () => {
    const open = fixture();
    const account = idOf("Everyday");
    const [february, march] = ["2026-02", "2026-03"].map((month) =>
      open.item("bank.statement", { account, month }),
    );
    expect(february!["closing"]).toBe(march!["opening"]);
    expect(march!["closing"]).toBe(open.item("bank.account", { id: account })["balance"]);
  });
});

describe("what the owner may not do", () => {
  test("spend from, or write on, an account that is only shown", () => {
    const open = fixture();
    const from = idOf("Garden club");
    const refused = open.refusal("bank.move", { from, to: idOf("Everyday"), amount: 1 });
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.message).toMatch(/^from: .*only for viewing/);
    const [row] = open.db.where(transactions, { account: from });
    expect(open.refusal("bank.annotate", { id: row!.id, note: "x" }).status).toBe(403);
  });

  test("share or rename an account of somebody else, though spending is allowed", () => {
    const open = fixture();
    const id = idOf("Allotment");
    const person = open.db.all(people)[0]!.handle;
    open.call("bank.move", { from: id, to: idOf("Everyday"), amount: 1 });
    expect(open.refusal("bank.share", { id, person, role: "view" }).status).toBe(403);
    expect(open.refusal("bank.renameAccount", { id, name: "Mine" }).message).toMatch(/^id: /);
  });

  test("close an account in use, pay a removed payee, dispute a transfer", () => {
    const open = fixture();
    expect(open.refusal("bank.closeAccount", { id: idOf("Everyday") }).status).toBe(409);
    const { id } = open.item("bank.addPayee", { name: "Corner bakery", number: "20417733" });
    open.call("bank.removePayee", { id });
    const transfer = { from: idOf("Everyday"), payee: id, amount: 1 };
    expect(open.refusal("bank.transfer", transfer).message).toMatch(/^payee: there is no payee/);
    const plain = open.db.all(transactions).find((row) => row.card === null && row.cents < 0)!;
    expect(open.refusal("bank.dispute", { id: plain.id, reason: "?" }).status).toBe(422);
  });

  test("use a cancelled card, freeze it twice, or end an order twice", () => {
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

test("a budget counts what went out this month from accounts that the owner may spend from", () => {
  const open = fixture();
  const [before] = open.all("bank.budgets", { category: "transport" });
  const [payee] = open.all("bank.payees", { name: "Clearwater" });
  const args = { from: idOf("Everyday"), payee: payee!["id"], amount: 10, category: "transport" };
  open.call("bank.transfer", args);
  const [after] = open.all("bank.budgets", { category: "transport" });
  expect(after!["left"]).toBeCloseTo((before!["left"] as number) - 10);
});
