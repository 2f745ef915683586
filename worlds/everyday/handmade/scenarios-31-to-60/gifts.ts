/** Scenarios about gifts: from wish list to order, and what gifts have cost. */
import type { Reader } from "bowline/world";
import {
  type Order,
  orderLines,
  orders,
  type Product,
  products,
  savedItems,
  savedLists,
} from "../../apps/shop/tables.ts";
import { defineScenario, type HandmadeScenario, pickForTask } from "../scenario.ts";
import { FINISH_CODE, GIVE_UP_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import {
  answerEqualsNumber,
  Changes,
  haveSameMembers,
  haveSameWords,
  isDone,
  reportsImpossible,
} from "../verdicts.ts";
import {
  findHandleCode,
  formatDollars,
  hasOneOptionInStock,
  insertOrder,
  insertWishList,
  pickUnorderedProducts,
  toOrderedProduct,
} from "./insert-scenario-rows.ts";

/** In one of the three tasks, somebody else already gives every wish, so no gift can be ordered. */
const giftFromWishes = defineScenario("gift-from-wishes", 2, (draw) => {
  const wishers = draw.people.filter(
    ({ id }) => draw.base.where(savedLists, { person: id }).length === 0,
  );
  const person = draw.rng.pick(wishers);
  const message = pickForTask(draw, [
    "Have a great day!",
    "To many more years!",
    "With love from all of us",
  ]);
  const plain = draw.base.all(products).filter((row) => hasOneOptionInStock(draw.base, row));
  const [taken, best, mine, dear] = draw.rng
    .sample(plain, 4)
    .toSorted((a, b) => a.cents - b.cents) as [Product, Product, Product, Product];
  const nothingLeft = draw.variant === pickForTask({ ...draw, variant: 0 }, [0, 1, 2]);
  const claim = nothingLeft ? "taken" : "open";
  const begin = `${logInCell("shop")}\n${findHandleCode(person)}`;
  return {
    instruction: `Look at the wish list of ${person.name} in the shop: promise the cheapest thing there that nobody gives yet, and order it for them as a gift from my shop balance, with a gift card that says "${message}". If all of it is given by somebody already, report that it is impossible.`,
    setup(db) {
      insertWishList(db, person, [
        { product: dear.id, claim },
        { product: taken.id, claim: "taken" },
        { product: best.id, claim },
        { product: mine.id, claim: "mine" },
      ]);
    },
    goal(db) {
      if (nothingLeft) return { impossible: true };
      const [list] = db.where(savedLists, { person: person.id });
      const [item] = db.where(savedItems, { list: list!.id, product: best.id });
      db.update(savedItems, item!.id, { claim: "mine" });
      const gift = { status: "processing", person: person.id, message, address: null } as const;
      insertOrder(db, [toOrderedProduct(db, best)], gift);
      return undefined;
    },
    *solution() {
      yield `${begin}\n${readAllPagesCode("wishes", (page) => `apis.shop.saved({ person, claim: "open", ${page} })`)}`;
      yield `const [wish] = wishes.sort((a, b) => a.price - b.price);
if (!wish) ${GIVE_UP_CODE}
else {
  apis.shop.claim({ id: wish.id });
  apis.shop.gift({ product: wish.product, to: person, message: ${quote(message)} });
  ${FINISH_CODE}
}`;
    },
    alternatives: [
      function* () {
        yield `${begin}\nconst [list] = apis.shop.lists({ person }).items;
${readAllPagesCode("wishes", (page) => `apis.shop.saved({ list: list.id, ${page} })`)}
const open = wishes.filter((wish) => wish.claim === "open");\nprint(open);`;
        yield `if (open.length === 0) ${GIVE_UP_CODE}
else {
  const best = open.reduce((a, b) => (b.price < a.price ? b : a));
  apis.shop.gift({ product: best.product, to: person, message: ${quote(message)} });
  apis.shop.claim({ id: best.id });
  ${FINISH_CODE}
}`;
      },
    ],
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      if (nothingLeft) return reportsImpossible(finish) && changes.rowCount === 0;
      const [promise, ...more] = changes.changedRows(savedItems);
      const [order] = changes.addedRows(orders);
      if (!isDone(finish) || changes.rowCount !== 3 || !promise || !order || more.length > 0)
        return false;
      const owner = end.get(savedLists, promise.after.list)?.person;
      const priceOf = (id: number) => end.get(products, id)!.cents;
      const left = end.where(savedItems, { list: promise.after.list, claim: "open" });
      const cheapest = left.every((row) => priceOf(row.product) > priceOf(promise.after.product));
      const promised = promise.before.claim === "open" && promise.after.claim === "mine";
      const lines = end.where(orderLines, { order: order.id });
      const goods = lines.map(({ product, count }) => [product, count]);
      const sent = order.person === person.id && order.card === null && order.voucher === null;
      const right = sent && haveSameMembers(goods, [[promise.after.product, 1]]);
      return (
        owner === person.id &&
        cheapest &&
        promised &&
        right &&
        haveSameWords(order.message, message)
      );
    },
  };
});

const spentOnGifts = defineScenario("spent-on-gifts", 2, (draw) => {
  const person = draw.rng.pick(draw.people);
  const [first, second, third] = pickUnorderedProducts(draw);
  const gift = { person: person.id, address: null, message: "For you!" } as const;
  const sumOrders = (
    db: Reader,
    isIncluded: (order: Order) => boolean,
    centsOf: (order: Order) => number,
  ) =>
    db
      .where(orders, { person: person.id })
      .reduce((all, row) => all + (isIncluded(row) ? centsOf(row) : 0), 0);
  return {
    instruction: `How many dollars have I paid in the shop for gifts to ${person.name} so far, with delivery? Leave out what I cancelled.`,
    setup(db) {
      insertOrder(db, [toOrderedProduct(db, first)], { ...gift, delivery: 490 });
      insertOrder(db, [toOrderedProduct(db, second)], {
        ...gift,
        status: "cancelled",
        delivery: 490,
      });
      insertOrder(db, [toOrderedProduct(db, third)], { ...gift, status: "shipped", delivery: 490 });
      insertOrder(db, [toOrderedProduct(db, second)]);
    },
    goal(db) {
      const isKept = ({ status }: Order) => status !== "cancelled";
      const cents = sumOrders(db, isKept, (row) => row.cents);
      const all = sumOrders(
        db,
        () => true,
        (row) => row.cents,
      );
      const bare = sumOrders(db, isKept, (row) => row.cents - row.delivery);
      return { answer: cents / 100, guesses: [all / 100, bare / 100, first.cents / 100] };
    },
    *solution() {
      yield `${logInCell("shop")}\n${findHandleCode(person, "to")}
${readAllPagesCode("gifts", (page) => `apis.shop.orders({ to, ${page} })`)}\nprint(gifts);`;
      yield `const paid = gifts.filter(({ status }) => status !== "cancelled");
const cents = paid.reduce((sum, { total }) => sum + Math.round(total * 100), 0);
apis.me.finishTask({ answer: cents / 100 });`;
    },
    verdict(end, start, finish) {
      let dollars = 0;
      for (const row of end.where(orders, { person: person.id }))
        if (row.status !== "cancelled") dollars += Number(formatDollars(row.cents));
      return new Changes(start, end).rowCount === 0 && answerEqualsNumber(finish, dollars);
    },
  };
});

export const giftScenarios: readonly HandmadeScenario[] = [giftFromWishes, spentOnGifts];
