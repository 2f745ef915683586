import { describe, expect, test } from "vitest";
import { addBank } from "../../life/bank.ts";
import { addPay } from "../../life/pay.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../../tests/app-fixture.ts";
import { accounts, bank, cards } from "../bank/index.ts";
import { payments, people, requests, wallet } from "../tables.ts";
import { splitEqually } from "./equal-parts.ts";
import { fullPay, likes, linkedCards, refunds } from "./full.ts";

const apps = [bank, fullPay];
const { base } = makeLifeBase(apps, addBank, addPay);
const fixture = () => appFixture(apps, base);

test("every example in the documentation of pay works as a first call", () => {
  expect(findFailingExamples(fullPay, apps, base)).toEqual([]);
  expect(Object.keys(fullPay.apis).length).toBeGreaterThanOrEqual(22);
});

describe("splitting a request", () => {
  test("when an amount is split, cents that remain go one by one to the owner and then to the first people", () => {
    expect(splitEqually(1000, 3)).toEqual([334, 333, 333]);
    const open = fixture();
    const from = open.db
      .all(people)
      .slice(0, 3)
      .map((person) => person.handle);
    const amounts = (args: object) =>
      (open.call("pay.splitRequest", { from, ...args }) as { amount: number }[]).map(
        (r) => r.amount,
      );
    expect(amounts({ amount: 10.01 })).toEqual([2.5, 2.5, 2.5]);
    expect(amounts({ amount: 10.02 })).toEqual([2.51, 2.5, 2.5]);
    expect(amounts({ amount: 10, includeMe: false })).toEqual([3.34, 3.33, 3.33]);
  });

  test("a split that asks a person twice, or asks for no money, is refused and makes no request", () => {
    const open = fixture();
    const before = open.db.all(requests).length;
    const [one, two] = open.db.all(people).map((person) => person.handle);
    const twice = open.refusal("pay.splitRequest", { from: [one, one], amount: 9 });
    expect(twice.message).toMatch(/^from: expected each person once/);
    const little = open.refusal("pay.splitRequest", { from: [one, two], amount: 0.02 });
    expect(little.message).toMatch(/^amount: /);
    expect(open.db.all(requests)).toHaveLength(before);
  });
});

describe("the wallet and the bank", () => {
  const sum = ({ db }: ReturnType<typeof fixture>) =>
    [...db.all(wallet), ...db.all(accounts)].reduce((all, row) => all + row.cents, 0);

  test("topping up the wallet and withdrawing from it change the bank account by the same amount", () => {
    const open = fixture();
    const before = sum(open);
    const balance = open.item("pay.balance")["balance"] as number;
    open.call("pay.topUp", { amount: 30.5 });
    open.call("pay.withdraw", { amount: 10 });
    expect(sum(open)).toBe(before);
    expect(open.item("pay.balance")["balance"]).toBeCloseTo(balance + 20.5);
  });

  test("a card that is frozen, over its limit or not linked cannot top up the wallet", () => {
    const open = fixture();
    const card = open.db.all(linkedCards).find((row) => !row.preferred)!.card;
    const limit = open.db.get(cards, card)!.limit / 100;
    expect(open.refusal("pay.topUp", { amount: limit + 1, card }).message).toMatch(/limit/);
    open.call("bank.freeze", { id: card });
    expect(open.refusal("pay.topUp", { amount: 1, card }).status).toBe(409);
    open.call("bank.unfreeze", { id: card });
    open.call("pay.unlinkCard", { id: card });
    expect(open.refusal("pay.topUp", { amount: 1, card }).message).toMatch(/^card: .*linked/);
  });
});

test("a received payment is refunded only once and in full", () => {
  const open = fixture();
  const refunded = new Set(open.db.all(refunds).map((row) => row.payment));
  const got = open.db.where(payments, { outgoing: false }).find((row) => !refunded.has(row.id))!;
  const refund = open.item("pay.refund", { id: got.id });
  expect(refund).toMatchObject({
    amount: got.cents / 100,
    kind: "sent",
    note: `refund: ${got.note}`,
  });
  expect(open.refusal("pay.refund", { id: got.id }).status).toBe(409);
  expect(open.refusal("pay.refund", { id: refund["id"] }).message).toMatch(/^id: .*received/);
});

test("planned payments can be paused, resumed and stopped for good, and cannot be planned for a past day", () => {
  const open = fixture();
  const to = open.db.all(people)[0]!.handle;
  const { id } = open.item("pay.plan", { to, amount: 5, day: "2026-03-20", repeat: "week" });
  open.call("pay.pausePlan", { id });
  expect(open.refusal("pay.pausePlan", { id }).status).toBe(409);
  open.call("pay.resumePlan", { id });
  open.call("pay.stopPlan", { id });
  expect(open.refusal("pay.changePlan", { id, amount: 6 }).message).toMatch(/stopped/);
  const late = open.refusal("pay.plan", { to, amount: 5, day: "2026-03-11" });
  expect(late.message).toMatch(/^day: expected today/);
});

test("the monthly sums add up to all payments, and likes can be listed", () => {
  const open = fixture();
  const sent = open.all("pay.months").reduce((sum, row) => sum + (row["sent"] as number), 0);
  const rows = open.all("pay.history", { kind: "sent", size: 20 });
  expect(sent).toBeCloseTo(rows.reduce((sum, row) => sum + (row["amount"] as number), 0));
  expect(open.all("pay.history", { liked: true })).toHaveLength(open.db.all(likes).length);
});
