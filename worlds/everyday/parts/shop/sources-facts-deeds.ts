/** Single tasks in the shop, facts about it, and values that other parts can look up there. */
import {
  deeds,
  drawnDeed,
  drawnDeedWithValue,
  fact,
  facts,
  jsLiteral,
  source,
  sources,
  storeAndPrint,
  wordList,
} from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import {
  addresses,
  cards,
  cartLines,
  type Order,
  orderLines,
  orders,
  products,
  savedLists,
  shopAccount,
  topUps,
  vouchers,
} from "../../apps/shop/tables.ts";
import { TODAY } from "../../population/time.ts";
import {
  canPayFromBalance,
  goodsCents,
  hasStock,
  pieceOfDefaultOption,
  placeOrder,
  productName,
  toPiece,
} from "./shop-rows.ts";

const piecesInCart = (db: Reader) => db.all(cartLines).map(toPiece);

function emptyCart(db: Writer): void {
  for (const { id } of db.all(cartLines)) db.remove(cartLines, id);
}

export const shopFacts = facts("shop", {
  balance: fact(
    "money",
    (db) => db.all(shopAccount)[0]!.cents / 100,
    "apis.shop.balance({}).balance",
  )`my shop balance | my balance in the shop | the balance that I have in the shop | what I have as
      balance in the shop | the balance of my account in the shop`,
  "cart-goods": fact(
    "money",
    (db) => goodsCents(db, piecesInCart(db)) / 100,
    "apis.shop.quote({}).goods",
  )`the price of the goods in my shop cart, before delivery, | what the goods in my shop cart cost
      without delivery | the cost of the goods in my cart at the shop, delivery not counted, | the
      sum for the goods in my shop cart, leaving out delivery, | the price of what is in my shop
      cart, delivery aside,`,
});

/**
 * Returns the orders that have only one product, which is in no other order, so that the product's name identifies the
 * order.
 */
function ordersNamedByProduct(db: Reader): (Order & { readonly name: string })[] {
  return db.all(orders).flatMap((order) => {
    const lines = db.where(orderLines, { order: order.id });
    const product = lines[0]?.product ?? 0;
    const isOnlyOrder = lines.length === 1 && db.where(orderLines, { product }).length === 1;
    return isOnlyOrder ? [{ ...order, name: productName(db, product) }] : [];
  });
}

const orderFieldCode = (name: string, field: string) =>
  `apis.shop.searchOrders({query:${jsLiteral(name)},size:20}).items.filter(x=>x.what===${jsLiteral(name)})[0].${field}`;

export const shopSources = sources("shop", {
  "product-price": source.money("m", ({ rng, db }) => {
    const { name, cents } = rng.pick(db.all(products));
    const code = `apis.shop.named({name:${jsLiteral(name)}}).price`;
    return { value: cents, words: `the price of the "${name}" in the shop`, code };
  }),
  "order-total": source.money("m", ({ rng, db }) => {
    const all = ordersNamedByProduct(db);
    if (all.length === 0) return undefined;
    const { name, cents } = rng.pick(all);
    const words = `the total of my shop order of the "${name}"`;
    return { value: cents, words, code: orderFieldCode(name, "total") };
  }),
  arrival: source.day("d", ({ rng, db }) => {
    const all = ordersNamedByProduct(db).filter(
      ({ status, arrives }) => status !== "cancelled" && arrives > TODAY,
    );
    if (all.length === 0) return undefined;
    const { name, arrives } = rng.pick(all);
    const words = `the day on which my shop order of the "${name}" arrives`;
    return { value: arrives, words, code: orderFieldCode(name, "arrives") };
  }),
  "gift-card": source.text("t", (draw) => {
    const { db } = draw;
    const gifts = db.all(orders).filter(({ person, message }) => person && message);
    const single = gifts.filter(({ person }) => db.where(orders, { person }).length === 1);
    const person = draw.person(single.map((order) => order.person!));
    const order = single.find((row) => row.person === person?.value.id);
    if (!person || !order) return undefined;
    return {
      value: order.message,
      words: `the message of my gift order to ${person.words} in the shop`,
      code: `apis.shop.order({id:apis.shop.orders({to:${person.code}}).items[0].id}).message`,
      uses: [person],
    };
  }),
});

const NEW_LIST_NAMES = wordList(
  "balcony | school start | housewarming | rainy days | the attic | winter fair",
);

/** Returns the vouchers that can be used for any goods of $30 or more. */
const usableVouchers = (db: Reader) =>
  db.all(vouchers).filter(({ id, category, least, expires }) => {
    const fresh = expires >= TODAY && db.where(orders, { voucher: id }).length === 0;
    return fresh && category === null && least <= 3000;
  });

const validCards = (db: Reader) => db.all(cards).filter(({ expires }) => expires >= "2026-03");
const cardIdCode = (digits: string) =>
  `apis.shop.cards({size:20}).items.filter(x=>x.digits===${jsLiteral(digits)})[0].id`;

export const shopDeeds = deeds("shop", {
  "top-up": drawnDeedWithValue("money", (sum, draw) => {
    const { id, name, digits } = draw.rng.pick(validCards(draw.db));
    const cardVariable = draw.variable("c");
    const card = `${name} ${digits}`;
    return drawnDeed({
      apply: (db) => void db.insert(topUps, { cents: sum.value, card: id }),
      cells: [
        storeAndPrint(cardVariable, cardIdCode(digits)),
        `print(apis.shop.topUp({amount:${sum.code},card:${cardVariable}}))`,
      ],
    })`Top up my shop balance by ${sum.words} from the ${card} | Move ${sum.words} from my ${card}
        to my balance in the shop | Add ${sum.words} to my shop balance, charged to the ${card}
      | Charge the ${card} with ${sum.words} for my shop balance | From the ${card}, put
        ${sum.words} on my balance in the shop`;
  }),
  "start-list": ({ rng, db }) => {
    const unusedNames = NEW_LIST_NAMES.filter(
      (name) => db.where(savedLists, { name }).length === 0,
    );
    const name = rng.pick(unusedNames);
    return drawnDeed({
      apply: (writer) => void writer.insert(savedLists, { name, person: null, role: null }),
      cells: [`print(apis.shop.addList({name:${jsLiteral(name)}}))`],
    })`Start a list called "${name}" in the shop | Make a new shop list with the name "${name}" | In
        the shop, add an empty list named "${name}" | I want a new list "${name}" in the shop | Set
        up a saved list in the shop under the name "${name}"`;
  },
  "check-out": ({ rng, db }) => {
    const wanted = piecesInCart(db);
    const fits = goodsCents(db, wanted) >= 3000 && canPayFromBalance(db, wanted);
    if (!fits || usableVouchers(db).length === 0) return undefined;
    const { id, name } = rng.pick(db.all(addresses));
    const { id: voucher, code } = rng.pick(usableVouchers(db));
    return drawnDeed({
      apply: (writer) => {
        placeOrder(writer, wanted, { address: id, voucher });
        emptyCart(writer);
      },
      cells: [`print(apis.shop.checkout({address:${jsLiteral(name)},voucher:${jsLiteral(code)}}))`],
    })`Order everything in my shop cart, to my address "${name}" and with the voucher ${code}
      | Check out my shop cart with the voucher ${code} and delivery to the address "${name}"
      | Place the order for all that is in my shop cart; it goes to "${name}", and use the voucher
        ${code} | With the voucher ${code}, have the contents of my shop cart delivered to my
        "${name}" address by ordering them | Turn my shop cart into an order, redeeming the voucher
        ${code}, that is delivered to the address "${name}"`;
  },
  "clear-cart": ({ db }) => {
    if (db.all(cartLines).length === 0) return undefined;
    return drawnDeed({
      apply: emptyCart,
      cells: ["print(apis.shop.emptyCart({}))"],
    })`Empty my shop cart
      | Take everything out of my cart in the shop | Remove all that is in my shop cart | Clear the
        cart that I have in the shop | My shop cart shall be empty: take everything out`;
  },
  "prefer-address": ({ rng, db }) => {
    const { id, name } = rng.pick(db.where(addresses, { preferred: false }));
    return drawnDeed({
      apply: (writer) => {
        for (const row of writer.where(addresses, { preferred: true })) {
          writer.update(addresses, row.id, { preferred: false });
        }
        writer.update(addresses, id, { preferred: true });
      },
      cells: [`print(apis.shop.preferAddress({name:${jsLiteral(name)}}))`],
    })`Make "${name}" my preferred address in the shop | Let the shop use the address "${name}"
        unless I say otherwise | Set my preferred delivery address in the shop to "${name}" | From
        now on, "${name}" shall be the preferred address for my shop orders | Switch the preferred
        delivery address in the shop to "${name}"`;
  },
  /** In this task, the agent has to pay by card instead of with the balance. */
  "buy-by-card": ({ rng, db, variable }) => {
    const product = rng.pick(db.all(products).filter(({ id }) => hasStock(db, id, 5)));
    const count = rng.integer(1, 4);
    const card = rng.pick(validCards(db));
    const [productVariable, cardVariable] = [variable("o"), variable("c")];
    const what = count === 1 ? `one "${product.name}"` : `${count} pieces of "${product.name}"`;
    const cardWords = `${card.name} ${card.digits}`;
    return drawnDeed({
      apply: (writer) =>
        placeOrder(writer, [pieceOfDefaultOption(writer, product.id, count)], { card: card.id }),
      cells: [
        `var ${productVariable}=apis.shop.named({name:${jsLiteral(product.name)}}).id;var ${cardVariable}=${cardIdCode(card.digits)};print(${productVariable},${cardVariable})`,
        `print(apis.shop.buy({product:${productVariable},count:${count},card:${cardVariable}}))`,
      ],
    })`Order ${what} in the shop directly, paid with my ${cardWords}
        | Buy ${what} in the shop without the cart and pay with the ${cardWords}
        | With the ${cardWords}, place a direct shop order for ${what}
        | Have the shop send me ${what}, ordered without the cart and charged to the ${cardWords}
        | Get ${what} from the shop at once, not through the cart; the ${cardWords} pays`;
  },
});
