/** The shop: an order that is redirected, one that goes back, and a choice by what descriptions say. */
import type { Reader } from "bowline/world";
import {
  addresses,
  CATEGORIES,
  type Category,
  cards,
  type Order,
  options,
  orderLines,
  orders,
  type Product,
  products,
} from "../../apps/shop/tables.ts";
import { DONE, IMPOSSIBLE, logIn, pages, quoted } from "../cells.ts";
import { Changes, gaveUp, sameMembers, silent } from "../changes.ts";
import { dayWords } from "../rows.ts";
import { type Draw, errand, type HandmadeScenario, turn } from "../scenario.ts";
import { bought, isPlain, orderOf, untouched } from "./plants.ts";

/** The one order of a product that is in this state. */
const orderWith = (db: Reader, product: number, status: Order["status"]): Order =>
  db
    .where(orderLines, { product })
    .map(({ order }) => db.get(orders, order)!)
    .find((order) => order.status === status)!;

const shipElsewhere = errand("ship-elsewhere", 1, (draw) => {
  const [product, other] = untouched(draw);
  const place = turn(draw, ["office", "cabin", "parents"]);
  const where = place === "parents" ? "my parents" : `the ${place}`;
  return {
    instruction: `My newest order with a "${product.name}" has not left the shop yet. Have it sent to ${where} instead of home.`,
    setup(db) {
      const packing = {
        status: "processing",
        placed: "2026-03-11",
        arrives: "2026-03-17",
      } as const;
      orderOf(db, [bought(db, product)]);
      orderOf(db, [bought(db, other), bought(db, product)], packing);
      orderOf(db, [bought(db, other)], packing);
    },
    goal(db) {
      const address = db.where(addresses, { name: place })[0]!.id;
      db.update(orders, orderWith(db, product.id, "processing").id, { address });
    },
    *solution() {
      yield `${logIn("shop")}\nconst { items } = apis.shop.searchOrders({ query: ${quoted(product.name)} });\nprint(items);`;
      yield `const order = items.find(({ status }) => status === "processing");
apis.shop.redirectOrder({ id: order.id, address: "${place}" });\n${DONE}`;
    },
    alternatives: [
      function* () {
        yield `${logIn("shop")}\n${pages("packing", (page) => `apis.shop.orders({ status: "processing", ${page} })`)}
const all = packing.map(({ id }) => apis.shop.order({ id }));\nprint(all);`;
        yield `const order = all.find(({ lines }) => lines.some(({ name }) => name === ${quoted(product.name)}));
apis.shop.redirectOrder({ id: order.id, address: "${place}" });\n${DONE}`;
      },
    ],
    verdict(end, start, finish) {
      const [change, ...more] = new Changes(start, end).changed(orders);
      if (!silent(finish) || !change || more.length > 0) return false;
      const inside = end.where(orderLines, { order: change.after.id });
      const right = inside.some((line) => line.product === product.id);
      const there = end.get(addresses, change.after.address ?? 0)?.name === place;
      return right && there && new Changes(start, end).count === 1;
    },
  };
});

/** In one of the three the thirty days are over. They count from the arrival, not from the order. */
const returnIfInTime = errand("return-if-in-time", 1, (draw) => {
  const [product, other] = untouched(draw);
  const late = draw.variant === turn({ ...draw, variant: 0 }, [0, 1, 2]);
  const placed = `2026-02-0${draw.rng.integer(2, 5)}`;
  const arrives = late ? "2026-02-08" : "2026-02-13";
  return {
    instruction: `What I ordered under the name "${product.name}" on ${dayWords(placed)} is not what I need. Return it if the shop still takes it back; if the time for that is over, report that it is impossible.`,
    setup(db) {
      orderOf(db, [bought(db, other), bought(db, product)], { placed, arrives });
      const newer = { placed: "2026-03-01", arrives: "2026-03-06" };
      orderOf(db, [bought(db, product)], newer);
    },
    goal(db) {
      if (late) return { impossible: true };
      const line = db
        .where(orderLines, { product: product.id })
        .find(({ order }) => db.get(orders, order)!.placed === placed)!;
      db.update(orderLines, line.id, { returned: true });
      return undefined;
    },
    *solution() {
      yield `${logIn("shop")}\nconst { items } = apis.shop.searchOrders({ query: ${quoted(product.name)} });
const order = items.find(({ placed }) => placed === "${placed}");\nprint(order);`;
      yield `if (order.arrives < "2026-02-10") ${IMPOSSIBLE}
else {
  const { lines } = apis.shop.order({ id: order.id });
  const { product } = lines.find(({ name }) => name === ${quoted(product.name)});
  apis.shop.returnItem({ id: order.id, product });
  ${DONE}
}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      if (late) return gaveUp(finish) && seen.count === 0;
      const back = seen.changed(orderLines).map(({ after }) => {
        const order = end.get(orders, after.order)!;
        return [after.product, after.returned, order.placed];
      });
      const right = sameMembers(back, [[product.id, true, placed]]);
      return silent(finish) && right && seen.count === 1;
    },
  };
});

const gramsOf = ({ description }: Product) => Number(/Weighs (\d+) g/.exec(description)![1]);

/** The lightest of a shelf up to a price; where it can be, a lighter one is too dear or sold out. */
function lightest({ base }: Draw) {
  const all = base.all(products);
  const stocked = (id: number) => base.where(options, { product: id }).some((o) => o.stock > 0);
  const found = CATEGORIES.flatMap((category: Category) =>
    [40, 30, 60, 25, 80, 35, 50, 20, 100, 70, 45, 15, 55, 90, 130].flatMap((limit) => {
      const shelf = all
        .filter((row) => row.category === category)
        .toSorted((a, b) => gramsOf(a) - gramsOf(b));
      const [best, next] = shelf.filter((p) => p.cents <= limit * 100 && stocked(p.id));
      const clear = best && next && gramsOf(best) < gramsOf(next) && isPlain(base, best);
      return clear ? [{ category, limit, best, lured: best !== shelf[0] }] : [];
    }),
  );
  const once = found
    .toSorted((a, b) => Number(b.lured) - Number(a.lured))
    .filter(({ best }, i, rest) => rest.findIndex((other) => other.best === best) === i);
  const lured = once.filter((one) => one.lured);
  return lured.length < 3 ? once : lured;
}

const lightestOfShelf = errand("lightest-of-shelf", 3, (draw) => {
  const { category, limit, best } = turn(draw, lightest(draw));
  const place = turn(draw, ["office", "cabin", "garage"]);
  const card = draw.rng.pick(["Blue card", "Green card"]);
  return {
    instruction: `Of everything in the shop's ${category} category that is in stock and costs at most $${limit}, buy the one that weighs least by its description. Have it sent to the ${place} and pay with my stored ${card}.`,
    goal(db) {
      const address = db.where(addresses, { name: place })[0]!.id;
      const paid = db.all(cards).find(({ name }) => name === card)!.id;
      orderOf(db, [bought(db, best)], { status: "processing", address, card: paid });
    },
    *solution() {
      yield `${logIn("shop")}\n${pages("shelf", (page) => `apis.shop.products({ category: "${category}", most: ${limit}, inStock: true, ${page} })`)}
const weighed = shelf.map(({ id }) => {
  const { description } = apis.shop.product({ id });
  return { id, grams: Number(/Weighs (\\d+) g/.exec(description)[1]) };
});\nprint(weighed);`;
      yield `const [best] = weighed.sort((a, b) => a.grams - b.grams);
const card = apis.shop.cards({ size: 20 }).items.find(({ name }) => name === "${card}").id;
apis.shop.buy({ product: best.id, address: "${place}", card });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const [order] = seen.added(orders);
      const [line] = seen.added(orderLines);
      if (!silent(finish) || seen.count !== 2 || !order || line?.order !== order.id) return false;
      const chosen = end.get(products, line.product)!;
      const rivals = start.where(products, { category }).filter((row) => {
        const makes = start.where(options, { product: row.id });
        return row.cents <= limit * 100 && makes.some(({ stock }) => stock > 0);
      });
      const won = rivals.every((row) => row.id === chosen.id || gramsOf(row) > gramsOf(chosen));
      const where = end.get(addresses, order.address ?? 0)?.name === place;
      const paid = end.get(cards, order.card ?? 0)?.name === card && order.voucher === null;
      return won && rivals.some(({ id }) => id === chosen.id) && line.count === 1 && where && paid;
    },
  };
});

export const shop: readonly HandmadeScenario[] = [shipElsewhere, returnIfInTime, lightestOfShelf];
