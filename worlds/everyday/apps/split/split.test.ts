import { describe, expect, test } from "vitest";
import { addBank } from "../../life/bank.ts";
import { addPay } from "../../life/pay.ts";
import { addSplit } from "../../life/split.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../../tests/app-fixture.ts";
import { bank } from "../bank/index.ts";
import { fullPay } from "../pay/full.ts";
import { people } from "../tables.ts";
import { balances } from "./debts.ts";
import { expenses, split, splitGroups } from "./index.ts";

const apps = [bank, fullPay, split];
const { base } = makeLifeBase(apps, addBank, addPay, addSplit);

test("every example in the documentation of split works as a first call", () => {
  expect(findFailingExamples(split, apps, base)).toEqual([]);
  expect(Object.keys(split.apis).length).toBeGreaterThanOrEqual(24);
});

/** Makes a new group of the owner and two others. */
function trio() {
  const fixture = appFixture(apps, base);
  const [one, two, stranger] = fixture.db.all(people).map((person) => person.handle);
  const group = fixture.item("split.addGroup", { name: "Trio", people: [one, two] })["id"];
  const shares = (id: unknown) =>
    (fixture.item("split.expense", { id })["shares"] as { amount: number }[]).map((s) => s.amount);
  return { fixture, group, one: one!, two: two!, stranger: stranger!, shares };
}

describe("shares", () => {
  test("when an expense is shared equally, cents that remain go to the first participants", () => {
    const { fixture, group, one, two, shares } = trio();
    const { id } = fixture.item("split.add", { group, what: "soup", amount: 10.01 });
    expect(shares(id)).toEqual([3.34, 3.34, 3.33]);
    const pair = { group, what: "tea", amount: 5.01, people: [two, one], payer: one };
    expect(shares(fixture.item("split.add", pair)["id"])).toEqual([2.51, 2.5]);
    fixture.call("split.correct", { id, amount: 1 });
    expect(shares(id)).toEqual([0.34, 0.33, 0.33]);
  });

  test("exact shares must add up to the expense, and percentages must add up to 100 and are rounded down", () => {
    const { fixture, group, one, two, shares } = trio();
    const exact = (amount: number) => ({
      group,
      what: "soup",
      amount: 10,
      shares: [
        { person: "me", amount: 4 },
        { person: one, amount },
      ],
    });
    expect(fixture.refusal("split.addExact", exact(5)).message).toMatch(
      /^shares: .*add up to 10, got 9/,
    );
    expect(shares(fixture.item("split.addExact", exact(6))["id"])).toEqual([4, 6]);
    const percent = [
      { person: one, percent: 33 },
      { person: two, percent: 67 },
    ];
    const { id } = fixture.item("split.addPercent", {
      group,
      what: "tea",
      amount: 0.99,
      shares: percent,
    });
    expect(shares(id)).toEqual([0.33, 0.66]);
    const wrong = percent.slice(1);
    const args = { group, what: "tea", amount: 1, shares: wrong };
    expect(fixture.refusal("split.addPercent", args).message).toMatch(/100 percent in all, got 67/);
    expect(fixture.refusal("split.correct", { id, amount: 2 }).message).toMatch(/equal shares/);
  });
});

describe("debts", () => {
  test("expenses and settlements change balances, and undoing a settlement brings the debt back", () => {
    const { fixture, group, one } = trio();
    const owed = () => fixture.all("split.balances", { group });
    fixture.call("split.add", { group, what: "soup", amount: 30 });
    fixture.call("split.add", { group, what: "tea", amount: 6, payer: one, people: ["me", one] });
    expect(owed()).toMatchObject([
      { amount: 10, way: "owes me" },
      { person: one, amount: 7, way: "owes me" },
    ]);
    const much = fixture.refusal("split.recordReceived", { group, from: one, amount: 7.01 });
    expect(much.message).toMatch(/^amount: expected at most 7, /);
    const { id } = fixture.item("split.recordReceived", { group, from: one, amount: 7 });
    expect(owed()).toHaveLength(1);
    fixture.call("split.undoSettlement", { id });
    expect(owed()).toHaveLength(2);
  });

  test("a settlement can name only a payment with its person and amount, and each payment only once", () => {
    const { fixture, group, one, two } = trio();
    fixture.call("split.add", { group, what: "soup", amount: 20, payer: one, people: ["me", one] });
    fixture.call("split.add", { group, what: "tea", amount: 20, payer: one, people: ["me", one] });
    const payment = fixture.item("pay.send", { to: one, amount: 10 })["id"];
    const other = fixture.item("pay.send", { to: two, amount: 10 })["id"];
    const settle = { group, to: one, amount: 10 };
    expect(fixture.refusal("split.recordPaid", { ...settle, payment: other }).status).toBe(422);
    fixture.call("split.recordPaid", { ...settle, payment });
    expect(fixture.refusal("split.recordPaid", { ...settle, payment }).status).toBe(409);
  });

  test("after the planned transfers no member of a group owes anything", () => {
    const fixture = appFixture(apps, base);
    for (const { id } of fixture.db.all(splitGroups)) {
      const members = fixture.item("split.group", { id })["members"] as {
        person: string;
        balance: number;
      }[];
      const remaining = new Map(
        members.map(({ person, balance }) => [person, Math.round(balance * 100)]),
      );
      for (const move of fixture.all("split.plan", { group: id })) {
        const { from, to, amount } = move as { from: string; to: string; amount: number };
        remaining.set(from, remaining.get(from)! + Math.round(amount * 100));
        remaining.set(to, remaining.get(to)! - Math.round(amount * 100));
      }
      expect([...remaining.values()].every((cents) => cents === 0)).toBe(true);
    }
  });

  test("a reminder can be sent only to people who owe the owner", () => {
    const fixture = appFixture(apps, base);
    const creditor = [...balances(fixture.db)].find(([, cents]) => cents < 0)![0];
    const person = fixture.db.get(people, creditor)!.handle;
    expect(fixture.refusal("split.remind", { person }).message).toMatch(
      /^person: expected someone who/,
    );
  });
});

describe("permissions", () => {
  test("only the person who added an expense may change it, and balances ignore removed expenses", () => {
    const { fixture, group } = trio();
    const foreign = fixture.db.all(expenses).find((row) => row.addedBy !== null && !row.removed)!;
    expect(fixture.refusal("split.remove", { id: foreign.id }).status).toBe(403);
    const { id } = fixture.item("split.add", { group, what: "soup", amount: 30 });
    fixture.call("split.remove", { id });
    expect(fixture.all("split.balances", { group })).toEqual([]);
    fixture.call("split.restore", { id });
    expect(fixture.all("split.balances", { group })).toHaveLength(2);
  });

  test("only members can share an expense, members with debts cannot leave, and archived groups cannot be changed", () => {
    const { fixture, group, one, stranger } = trio();
    const soup = { group, what: "soup", amount: 30 };
    expect(fixture.refusal("split.add", { ...soup, people: ["me", stranger] }).status).toBe(422);
    fixture.call("split.add", soup);
    expect(fixture.refusal("split.removeMember", { id: group, person: one }).message).toMatch(
      /owes 10/,
    );
    fixture.call("split.archive", { id: group });
    expect(fixture.refusal("split.add", soup).message).toMatch(/^group: "Trio" is archived/);
  });
});
