import { describe, expect, test } from "vitest";
import { addShop } from "../../life/shop.ts";
import { appFixture, makeLifeBase } from "../../tests/app-fixture.ts";
import * as app from "./index.ts";

const { base } = makeLifeBase([app.shop], addShop);
const fixture = () => appFixture([app.shop], base);
type Fixture = ReturnType<typeof fixture>;

const balance = (open: Fixture) => Number(open.item("shop.balance")["balance"]);
const cents = (value: unknown) => Math.round(Number(value) * 100);
/** Returns a product of which many are in stock and for which `fits` returns true. */
function exampleProduct(
  open: Fixture,
  fits: (row: app.Product) => boolean = () => true,
): app.Product {
  const { db } = open;
  const many = ({ id }: app.Product) =>
    db.where(app.options, { product: id }).every(({ stock }) => stock > 5);
  return db.all(app.products).find((row) => many(row) && fits(row))!;
}
const findOrder = (open: Fixture, fits: (row: app.Order) => boolean) =>
  open.db.all(app.orders).find(fits)!.id;

describe("the catalogue", () => {
  test("products can be filtered and sorted, and search also looks at descriptions", () => {
    const open = fixture();
    const cheap = open.all("shop.products", { category: "kitchen", most: 20, sort: "cheapest" });
    const prices = cheap.map((row) => Number(row["price"]));
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    expect(Math.max(...prices)).toBeLessThanOrEqual(20);
    expect(new Set(cheap.map((row) => row["category"]))).toEqual(new Set(["kitchen"]));
    const bamboo = open.all("shop.products", { about: "MADE OF BAMBOO" });
    expect(bamboo.length).toBeGreaterThan(2);
    for (const { id } of bamboo) {
      expect(open.item("shop.product", { id })["description"]).toContain("Made of bamboo");
    }
  });

  test("the error for an unknown product name suggests the nearest name", () => {
    const open = fixture();
    const { name } = exampleProduct(open);
    expect(open.refusal("shop.named", { name: `${name}s` })).toMatchObject({
      status: 404,
      message: `name: there is no product "${name}s"; did you mean "${name}"?`,
    });
  });
});

describe("ordering", () => {
  test("the quote equals what the checkout charges, and the cart is empty afterwards", () => {
    const open = fixture();
    const before = balance(open);
    const quote = open.item("shop.quote", { voucher: "SPRING10" });
    expect(cents(quote["discount"])).toBe(Math.floor(cents(quote["goods"]) / 10));
    const order = open.item("shop.checkout", { voucher: "SPRING10", address: "office" });
    expect(order).toMatchObject({ status: "processing", total: quote["total"] });
    expect(cents(before) - cents(balance(open))).toBe(cents(quote["total"]));
    expect(open.item("shop.order", { id: order["id"] })).toMatchObject({
      address: "office",
      voucher: "SPRING10",
      paid: "balance",
    });
    expect(open.refusal("shop.checkout")).toMatchObject({ status: 409 });
  });

  test("delivery is free for goods of $35 or more", () => {
    const open = fixture();
    const small = exampleProduct(open, (row) => row.cents < 3000);
    const large = exampleProduct(open, (row) => row.cents >= 3500);
    const delivery = (id: number) => {
      const order = open.item("shop.buy", { product: id });
      return open.item("shop.order", { id: order["id"] })["delivery"];
    };
    expect([delivery(small.id), delivery(large.id)]).toEqual([4.9, 0]);
  });

  test("a voucher can be used once, before its end and for enough goods, and again after the order is cancelled", () => {
    const open = fixture();
    const tool = exampleProduct(open, (row) => row.category === "garden").id;
    const toy = exampleProduct(open, (row) => row.category === "toys").id;
    const buy = (id: number, voucher: string) =>
      open.refusal("shop.buy", { product: id, voucher }).message;
    expect(buy(tool, "WINTER10")).toMatch(/^voucher: "WINTER10" was used already/);
    expect(buy(tool, "BIG40")).toMatch(/^voucher: "BIG40" needs goods for at least \$200.00/);
    expect(buy(tool, "SPRING1")).toContain('did you mean "SPRING10"?');
    const order = open.item("shop.buy", { product: tool, voucher: "GARDEN15" });
    expect(buy(tool, "garden15")).toMatch(/used already/);
    open.call("shop.cancelOrder", { id: order["id"] });
    open.call("shop.buy", { product: tool, voucher: "garden15" });
    expect(buy(toy, "BOOKS3")).toMatch(/^voucher: "BOOKS3" needs books for at least \$15.00/);
    expect(buy(toy, "KITCHEN20")).toMatch(/^voucher: "KITCHEN20" needs kitchen/);
  });

  test("a low balance, an expired card and sold-out goods are refused without any change", () => {
    const open = fixture();
    const { id } = exampleProduct(open);
    open.db.update(app.shopAccount, 1, { cents: 100 });
    const refused = (args: object) => open.refusal("shop.buy", { product: id, ...args });
    expect(refused({}).message).toMatch(/^card: expected a total of at most the balance of \$1.00/);
    const expiredCard = open.db.where(app.cards, {}).find((card) => card.expires < "2026-03")!.id;
    expect(refused({ card: expiredCard }).message).toMatch(
      /^card: expected a card that is good today/,
    );
    const option = open.db.where(app.options, { product: id })[0]!;
    open.db.update(app.options, option.id, { stock: 1 });
    const many = { option: option.name, count: 2 };
    expect(refused(many)).toMatchObject({
      status: 409,
      message: expect.stringMatching(/^count: /),
    });
    expect(open.db.all(app.orders)).toEqual(fixture().db.all(app.orders));
  });

  test("an order can be cancelled only while it is processing, and gives back money and stock", () => {
    const open = fixture();
    const { id } = exampleProduct(open);
    const stock = () => open.db.where(app.options, { product: id }).map((row) => row.stock);
    const [money, goods] = [balance(open), stock()];
    const order = open.item("shop.buy", { product: id, count: 2 });
    expect(stock()).not.toEqual(goods);
    open.call("shop.cancelOrder", { id: order["id"] });
    expect([balance(open), stock()]).toEqual([money, goods]);
    const sent = findOrder(open, ({ status }) => status === "shipped");
    expect(open.refusal("shop.cancelOrder", { id: sent })).toMatchObject({
      status: 409,
      message: `id: expected an order that is processing, ${sent} is shipped`,
    });
  });

  test("only own delivered products can be returned, within 30 days and only once", () => {
    const open = fixture();
    const isOwn = (row: app.Order) => row.status === "delivered" && row.person === null;
    const fresh = findOrder(open, (row) => isOwn(row) && row.arrives > "2026-03-01");
    const [line] = open.db.where(app.orderLines, { order: fresh, returned: false });
    const before = cents(balance(open));
    const { card } = open.db.get(app.orders, fresh)!;
    open.call("shop.returnItem", { id: fresh, product: line!.product });
    const refund = card === null ? line!.cents * line!.count : 0;
    expect(cents(balance(open)) - before).toBe(refund);
    const give = (id: number) => open.refusal("shop.returnItem", { id, product: line!.product });
    expect(give(fresh).message).toMatch(/went back already/);
    expect(
      give(findOrder(open, (row) => isOwn(row) && row.arrives < "2026-02-01")).message,
    ).toMatch(/^id: expected an order that arrived at most 30 days ago/);
    expect(give(findOrder(open, (row) => row.person !== null)).status).toBeGreaterThan(400);
  });
});

describe("lists and opinions", () => {
  test("as a viewer of a contact's wish list, the owner may claim an item but not change the list", () => {
    const open = fixture();
    const { db } = open;
    const list = db.all(app.savedLists).find(({ role }) => role === "viewer")!;
    const { id } = exampleProduct(open);
    expect(open.refusal("shop.save", { list: list.id, product: id })).toMatchObject({
      status: 403,
      message: expect.stringMatching(/^list: .*only a viewer/),
    });
    expect(open.refusal("shop.shareList", { list: list.id, person: "x" }).status).toBe(403);
    const item = db
      .all(app.savedItems)
      .find((row) => row.claim === "open" && db.get(app.savedLists, row.list)?.person)!;
    open.call("shop.claim", { id: item.id });
    expect(open.refusal("shop.claim", { id: item.id }).message).toContain("is mine");
    const ownList = db.where(app.savedLists, { person: null })[0]!;
    const [ownItem] = db.where(app.savedItems, { list: ownList.id });
    expect(open.refusal("shop.claim", { id: ownItem!.id }).status).toBe(422);
  });

  test("a share that has ended is kept, and sharing again makes a new row", () => {
    const open = fixture();
    const share = open.db.where(app.listShares, { ended: false })[0]!;
    const handle = open.all("shop.sharedWith", { list: share.list })[0]!["handle"];
    const rows = open.db.all(app.listShares).length;
    open.call("shop.unshareList", { list: share.list, person: handle });
    open.call("shop.shareList", { list: share.list, person: handle });
    expect(open.db.all(app.listShares)).toHaveLength(rows + 1);
  });

  test("only a delivered product can be reviewed, only once, and its rating is the mean of its reviews", () => {
    const open = fixture();
    const lines = (id: number) => open.db.where(app.orderLines, { product: id });
    const stranger = exampleProduct(open, ({ id }) => lines(id).length === 0).id;
    const text = "fine";
    expect(open.refusal("shop.review", { product: stranger, stars: 5, text }).message).toMatch(
      /^product: expected one that was delivered/,
    );
    const [ownReview] = open.all("shop.reviews", { mine: true });
    const again = open.refusal("shop.review", { product: ownReview!["product"], stars: 5, text });
    expect(again.status).toBe(409);
    const rating = () => open.item("shop.product", { id: ownReview!["product"] })["rating"];
    open.call("shop.reviseReview", { id: ownReview!["id"], stars: 1 });
    const low = Number(rating());
    open.call("shop.reviseReview", { id: ownReview!["id"], stars: 5 });
    expect(Number(rating())).toBeGreaterThan(low);
    open.call("shop.withdrawReview", { id: ownReview!["id"] });
    expect(open.refusal("shop.withdrawReview", { id: ownReview!["id"] }).status).toBe(409);
  });
});
