/**
 * Scenarios about the shop: an order whose address is changed, an order that is returned, and a product that is chosen
 * by its description.
 */
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
import { dayAndMonth } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask, type TaskDraw } from "../scenario.ts";
import { FINISH_CODE, GIVE_UP_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { Changes, haveSameMembers, isDone, reportsImpossible } from "../verdicts.ts";
import {
  hasOneOptionInStock,
  insertOrder,
  pickUnorderedProducts,
  toOrderedProduct,
} from "./insert-scenario-rows.ts";

/** Returns the one order of a product that has this status. */
const findOrderOfProduct = (db: Reader, product: number, status: Order["status"]): Order =>
  db
    .where(orderLines, { product })
    .map(({ order }) => db.get(orders, order)!)
    .find((order) => order.status === status)!;

const shipElsewhere = defineScenario("ship-elsewhere", 1, (draw) => {
  const [product, other] = pickUnorderedProducts(draw);
  const place = pickForTask(draw, ["office", "cabin", "parents"]);
  const where = place === "parents" ? "my parents" : `the ${place}`;
  return {
    instruction: `My newest order with a "${product.name}" has not left the shop yet. Have it sent to ${where} instead of home.`,
    setup(db) {
      const packing = {
        status: "processing",
        placed: "2026-03-11",
        arrives: "2026-03-17",
      } as const;
      insertOrder(db, [toOrderedProduct(db, product)]);
      insertOrder(db, [toOrderedProduct(db, other), toOrderedProduct(db, product)], packing);
      insertOrder(db, [toOrderedProduct(db, other)], packing);
    },
    goal(db) {
      const address = db.where(addresses, { name: place })[0]!.id;
      db.update(orders, findOrderOfProduct(db, product.id, "processing").id, { address });
    },
    *solution() {
      yield `${logInCell("shop")}\nconst { items } = apis.shop.searchOrders({ query: ${quote(product.name)} });\nprint(items);`;
      yield `const order = items.find(({ status }) => status === "processing");
apis.shop.redirectOrder({ id: order.id, address: "${place}" });\n${FINISH_CODE}`;
    },
    alternatives: [
      function* () {
        yield `${logInCell("shop")}\n${readAllPagesCode("packing", (page) => `apis.shop.orders({ status: "processing", ${page} })`)}
const all = packing.map(({ id }) => apis.shop.order({ id }));\nprint(all);`;
        yield `const order = all.find(({ lines }) => lines.some(({ name }) => name === ${quote(product.name)}));
apis.shop.redirectOrder({ id: order.id, address: "${place}" });\n${FINISH_CODE}`;
      },
    ],
    verdict(end, start, finish) {
      const [change, ...more] = new Changes(start, end).changedRows(orders);
      if (!isDone(finish) || !change || more.length > 0) return false;
      const inside = end.where(orderLines, { order: change.after.id });
      const right = inside.some((line) => line.product === product.id);
      const there = end.get(addresses, change.after.address ?? 0)?.name === place;
      return right && there && new Changes(start, end).rowCount === 1;
    },
  };
});

/** In one of the three tasks the thirty days for a return are over. They count from the arrival of the order. */
const returnIfInTime = defineScenario("return-if-in-time", 1, (draw) => {
  const [product, other] = pickUnorderedProducts(draw);
  const isLate = draw.variant === pickForTask({ ...draw, variant: 0 }, [0, 1, 2]);
  const placed = `2026-02-0${draw.rng.integer(2, 5)}`;
  const arrives = isLate ? "2026-02-08" : "2026-02-13";
  return {
    instruction: `What I ordered under the name "${product.name}" on ${dayAndMonth(placed)} is not what I need. Return it if the shop still takes it back; if the time for that is over, report that it is impossible.`,
    setup(db) {
      insertOrder(db, [toOrderedProduct(db, other), toOrderedProduct(db, product)], {
        placed,
        arrives,
      });
      const newer = { placed: "2026-03-01", arrives: "2026-03-06" };
      insertOrder(db, [toOrderedProduct(db, product)], newer);
    },
    goal(db) {
      if (isLate) return { impossible: true };
      const line = db
        .where(orderLines, { product: product.id })
        .find(({ order }) => db.get(orders, order)!.placed === placed)!;
      db.update(orderLines, line.id, { returned: true });
      return undefined;
    },
    *solution() {
      yield `${logInCell("shop")}\nconst { items } = apis.shop.searchOrders({ query: ${quote(product.name)} });
const order = items.find(({ placed }) => placed === "${placed}");\nprint(order);`;
      yield `if (order.arrives < "2026-02-10") ${GIVE_UP_CODE}
else {
  const { lines } = apis.shop.order({ id: order.id });
  const { product } = lines.find(({ name }) => name === ${quote(product.name)});
  apis.shop.returnItem({ id: order.id, product });
  ${FINISH_CODE}
}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      if (isLate) return reportsImpossible(finish) && changes.rowCount === 0;
      const back = changes.changedRows(orderLines).map(({ after }) => {
        const order = end.get(orders, after.order)!;
        return [after.product, after.returned, order.placed];
      });
      const right = haveSameMembers(back, [[product.id, true, placed]]);
      return isDone(finish) && right && changes.rowCount === 1;
    },
  };
});

const weightInGrams = ({ description }: Product) => Number(/Weighs (\d+) g/.exec(description)![1]);

/**
 * Finds, for a category and a highest price, the lightest product. It prefers cases in which a lighter product is too
 * expensive or sold out.
 */
function findLightestProducts({ base }: TaskDraw) {
  const all = base.all(products);
  const isInStock = (id: number) => base.where(options, { product: id }).some((o) => o.stock > 0);
  const found = CATEGORIES.flatMap((category: Category) =>
    [40, 30, 60, 25, 80, 35, 50, 20, 100, 70, 45, 15, 55, 90, 130].flatMap((limit) => {
      const shelf = all
        .filter((row) => row.category === category)
        .toSorted((a, b) => weightInGrams(a) - weightInGrams(b));
      const [best, next] = shelf.filter((p) => p.cents <= limit * 100 && isInStock(p.id));
      const isClear =
        best &&
        next &&
        weightInGrams(best) < weightInGrams(next) &&
        hasOneOptionInStock(base, best);
      return isClear ? [{ category, limit, best, lured: best !== shelf[0] }] : [];
    }),
  );
  const once = found
    .toSorted((a, b) => Number(b.lured) - Number(a.lured))
    .filter(({ best }, i, rest) => rest.findIndex((other) => other.best === best) === i);
  const hasLighterDecoy = once.filter((one) => one.lured);
  return hasLighterDecoy.length < 3 ? once : hasLighterDecoy;
}

const lightestOfShelf = defineScenario("lightest-of-shelf", 3, (draw) => {
  const { category, limit, best } = pickForTask(draw, findLightestProducts(draw));
  const place = pickForTask(draw, ["office", "cabin", "garage"]);
  const card = draw.rng.pick(["Blue card", "Green card"]);
  return {
    instruction: `Of everything in the shop's ${category} category that is in stock and costs at most $${limit}, buy the one that weighs least by its description. Have it sent to the ${place} and pay with my stored ${card}.`,
    goal(db) {
      const address = db.where(addresses, { name: place })[0]!.id;
      const paid = db.all(cards).find(({ name }) => name === card)!.id;
      insertOrder(db, [toOrderedProduct(db, best)], { status: "processing", address, card: paid });
    },
    *solution() {
      yield `${logInCell("shop")}\n${readAllPagesCode("shelf", (page) => `apis.shop.products({ category: "${category}", most: ${limit}, inStock: true, ${page} })`)}
const weighed = shelf.map(({ id }) => {
  const { description } = apis.shop.product({ id });
  return { id, grams: Number(/Weighs (\\d+) g/.exec(description)[1]) };
});\nprint(weighed);`;
      yield `const [best] = weighed.sort((a, b) => a.grams - b.grams);
const card = apis.shop.cards({ size: 20 }).items.find(({ name }) => name === "${card}").id;
apis.shop.buy({ product: best.id, address: "${place}", card });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [order] = changes.addedRows(orders);
      const [line] = changes.addedRows(orderLines);
      if (!isDone(finish) || changes.rowCount !== 2 || !order || line?.order !== order.id)
        return false;
      const chosen = end.get(products, line.product)!;
      const rivals = start.where(products, { category }).filter((row) => {
        const makes = start.where(options, { product: row.id });
        return row.cents <= limit * 100 && makes.some(({ stock }) => stock > 0);
      });
      const won = rivals.every(
        (row) => row.id === chosen.id || weightInGrams(row) > weightInGrams(chosen),
      );
      const where = end.get(addresses, order.address ?? 0)?.name === place;
      const paid = end.get(cards, order.card ?? 0)?.name === card && order.voucher === null;
      return won && rivals.some(({ id }) => id === chosen.id) && line.count === 1 && where && paid;
    },
  };
});

export const shopScenarios: readonly HandmadeScenario[] = [
  shipElsewhere,
  returnIfInTime,
  lightestOfShelf,
];
