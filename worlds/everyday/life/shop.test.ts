import { describe, expect, test } from "vitest";
import * as app from "../apps/shop/index.ts";
import { people } from "../apps/tables.ts";
import { partOfName } from "../population/name-pools.ts";
import { appFixture, findFailingExamples, makeLifeBase } from "../tests/app-fixture.ts";
import { addShop } from "./shop.ts";

const { base, life } = makeLifeBase([app.shop], addShop);
const { db } = appFixture([app.shop], base);
const areDistinct = (items: readonly unknown[]) => new Set(items).size === items.length;

describe("the shop in the owner's life", () => {
  test("the shop's tables are large enough to page through", () => {
    expect(db.all(app.products).length).toBeGreaterThan(230);
    expect(db.all(app.orders).length).toBeGreaterThan(90);
    expect(db.all(app.reviews).length).toBeGreaterThan(300);
    expect(db.all(app.savedItems).length).toBeGreaterThan(80);
    for (const status of app.ORDER_STATUSES) {
      expect(db.where(app.orders, { status }).length, status).toBeGreaterThan(3);
    }
  });

  test("names and prices of products and names of lists are all different", () => {
    const all = db.all(app.products);
    expect(areDistinct(all.map(({ name }) => name.toLowerCase()))).toBe(true);
    expect(areDistinct(all.map(({ cents }) => cents))).toBe(true);
    expect(areDistinct(db.all(app.savedLists).map(({ name }) => name.toLowerCase()))).toBe(true);
  });

  test("the entries of the ledger add up to the balance, and the lines of an order add up to its total", () => {
    const [account] = db.all(app.shopAccount);
    const entries = db.where(app.entries, { card: null });
    expect(account!.cents).toBe(entries.reduce((sum, { cents }) => sum + cents, 0));
    expect(account!.cents).toBeGreaterThan(50_000);
    for (const order of db.all(app.orders)) {
      const lines = db.where(app.orderLines, { order: order.id });
      expect(areDistinct(lines.map(({ option }) => option))).toBe(true);
      const goods = lines.reduce((sum, line) => sum + line.cents * line.count, 0);
      expect(order.cents).toBe(goods - order.discount + order.delivery);
      const moved = db.where(app.entries, { order: order.id });
      expect(moved[0]).toMatchObject({ kind: "order", cents: -order.cents, card: order.card });
      const back = order.status === "cancelled" || lines.some(({ returned }) => returned);
      expect(moved).toHaveLength(back ? 2 : 1);
    }
  });

  test("each past birthday has an order of a gift for the right person", () => {
    const past = life.happenings.filter(
      ({ kind, day }) => kind === "birthday" && day <= "2026-03-12",
    );
    for (const { host, people: participants } of past) {
      const person = (host ?? participants[0]!).id;
      expect(db.where(app.orders, { person }).length).toBeGreaterThan(0);
    }
  });

  test("later orders have higher ids, and a rating is the mean of the reviews", () => {
    const placed = db.all(app.orders).map((order) => order.placed);
    expect(placed).toEqual([...placed].sort());
    for (const { id, rating } of db.all(app.products)) {
      const stars = db.where(app.reviews, { product: id }).map((review) => review.stars);
      const mean = stars.reduce((sum, one) => sum + one, 0) / stars.length;
      expect(rating).toBe(stars.length === 0 ? null : Math.round(mean * 10));
    }
  });

  test("an own list is shared with people of one part of the population", () => {
    for (const { id } of db.where(app.savedLists, { person: null })) {
      const parts = db
        .where(app.listShares, { list: id })
        .map(({ person }) => partOfName(db.get(people, person)!.name));
      expect(new Set(parts).size).toBeLessThan(2);
    }
  });

  test("every example in the documentation of the shop works as a first call", () => {
    expect(findFailingExamples(app.shop, [app.shop], base)).toEqual([]);
  });
});
