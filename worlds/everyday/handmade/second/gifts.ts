/** Gifts: from a wish list to the parcel, and what such gifts have cost. */
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
import { DONE, IMPOSSIBLE, logIn, pages, quoted } from "../cells.ts";
import { Changes, gaveUp, saidNumber, sameMembers, sameWords, silent } from "../changes.ts";
import { errand, type HandmadeScenario, turn } from "../scenario.ts";
import { bought, handleFrom, inDollars, isPlain, orderOf, untouched, wishesOf } from "./plants.ts";

/** In one of the three nothing is left to give. */
const giftFromWishes = errand("gift-from-wishes", 2, (draw) => {
  const wishers = draw.people.filter(
    ({ id }) => draw.base.where(savedLists, { person: id }).length === 0,
  );
  const person = draw.rng.pick(wishers);
  const message = turn(draw, [
    "Have a great day!",
    "To many more years!",
    "With love from all of us",
  ]);
  const plain = draw.base.all(products).filter((row) => isPlain(draw.base, row));
  const [taken, best, mine, dear] = draw.rng
    .sample(plain, 4)
    .toSorted((a, b) => a.cents - b.cents) as [Product, Product, Product, Product];
  const dry = draw.variant === turn({ ...draw, variant: 0 }, [0, 1, 2]);
  const claim = dry ? "taken" : "open";
  const begin = `${logIn("shop")}\n${handleFrom(person)}`;
  return {
    instruction: `Look at the wish list of ${person.name} in the shop: promise the cheapest thing there that nobody gives yet, and order it for them as a gift from my shop balance, with a gift card that says "${message}". If all of it is given by somebody already, report that it is impossible.`,
    setup(db) {
      wishesOf(db, person, [
        { product: dear.id, claim },
        { product: taken.id, claim: "taken" },
        { product: best.id, claim },
        { product: mine.id, claim: "mine" },
      ]);
    },
    goal(db) {
      if (dry) return { impossible: true };
      const [list] = db.where(savedLists, { person: person.id });
      const [item] = db.where(savedItems, { list: list!.id, product: best.id });
      db.update(savedItems, item!.id, { claim: "mine" });
      const gift = { status: "processing", person: person.id, message, address: null } as const;
      orderOf(db, [bought(db, best)], gift);
      return undefined;
    },
    *solution() {
      yield `${begin}\n${pages("wishes", (page) => `apis.shop.saved({ of: person, claim: "open", ${page} })`)}`;
      yield `const [wish] = wishes.sort((a, b) => a.price - b.price);
if (!wish) ${IMPOSSIBLE}
else {
  apis.shop.claim({ id: wish.id });
  apis.shop.gift({ product: wish.product, to: person, message: ${quoted(message)} });
  ${DONE}
}`;
    },
    alternatives: [
      function* () {
        yield `${begin}\nconst [list] = apis.shop.lists({ of: person }).items;
${pages("wishes", (page) => `apis.shop.saved({ list: list.id, ${page} })`)}
const open = wishes.filter((wish) => wish.claim === "open");\nprint(open);`;
        yield `if (open.length === 0) ${IMPOSSIBLE}
else {
  const best = open.reduce((a, b) => (b.price < a.price ? b : a));
  apis.shop.gift({ product: best.product, to: person, message: ${quoted(message)} });
  apis.shop.claim({ id: best.id });
  ${DONE}
}`;
      },
    ],
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      if (dry) return gaveUp(finish) && seen.count === 0;
      const [promise, ...more] = seen.changed(savedItems);
      const [order] = seen.added(orders);
      if (!silent(finish) || seen.count !== 3 || !promise || !order || more.length > 0)
        return false;
      const owner = end.get(savedLists, promise.after.list)?.person;
      const price = (id: number) => end.get(products, id)!.cents;
      const left = end.where(savedItems, { list: promise.after.list, claim: "open" });
      const cheapest = left.every((row) => price(row.product) > price(promise.after.product));
      const promised = promise.before.claim === "open" && promise.after.claim === "mine";
      const lines = end.where(orderLines, { order: order.id });
      const goods = lines.map(({ product, count }) => [product, count]);
      const sent = order.person === person.id && order.card === null && order.voucher === null;
      const right = sent && sameMembers(goods, [[promise.after.product, 1]]);
      return (
        owner === person.id && cheapest && promised && right && sameWords(order.message, message)
      );
    },
  };
});

const spentOnGifts = errand("spent-on-gifts", 2, (draw) => {
  const person = draw.rng.pick(draw.people);
  const [first, second, third] = untouched(draw);
  const gift = { person: person.id, address: null, message: "For you!" } as const;
  const sum = (db: Reader, fits: (order: Order) => boolean, of: (order: Order) => number) =>
    db
      .where(orders, { person: person.id })
      .reduce((all, row) => all + (fits(row) ? of(row) : 0), 0);
  return {
    instruction: `How many dollars have I paid in the shop for gifts to ${person.name} so far, with delivery? Leave out what I cancelled.`,
    setup(db) {
      orderOf(db, [bought(db, first)], { ...gift, delivery: 490 });
      orderOf(db, [bought(db, second)], { ...gift, status: "cancelled", delivery: 490 });
      orderOf(db, [bought(db, third)], { ...gift, status: "shipped", delivery: 490 });
      orderOf(db, [bought(db, second)]);
    },
    goal(db) {
      const kept = ({ status }: Order) => status !== "cancelled";
      const cents = sum(db, kept, (row) => row.cents);
      const all = sum(
        db,
        () => true,
        (row) => row.cents,
      );
      const bare = sum(db, kept, (row) => row.cents - row.delivery);
      return { answer: cents / 100, guesses: [all / 100, bare / 100, first.cents / 100] };
    },
    *solution() {
      yield `${logIn("shop")}\n${handleFrom(person, "to")}
${pages("gifts", (page) => `apis.shop.orders({ to, ${page} })`)}\nprint(gifts);`;
      yield `const paid = gifts.filter(({ status }) => status !== "cancelled");
const cents = paid.reduce((sum, { total }) => sum + Math.round(total * 100), 0);
apis.me.finishTask({ answer: cents / 100 });`;
    },
    verdict(end, start, finish) {
      let dollars = 0;
      for (const row of end.where(orders, { person: person.id }))
        if (row.status !== "cancelled") dollars += Number(inDollars(row.cents));
      return new Changes(start, end).count === 0 && saidNumber(finish, dollars);
    },
  };
});

export const gifts: readonly HandmadeScenario[] = [giftFromWishes, spentOnGifts];
