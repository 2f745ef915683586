/** What is done or asked once: deeds without a set, numbers of the shop as a whole, and values that stand in it. */

import type { Deed, Fact, Source } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
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
import {
  affordable,
  centsOf,
  hasStock,
  js,
  nameOf,
  pieces,
  placeOrder,
  TODAY,
  totalOf,
} from "./writes.ts";

const app = "shop";

// --- facts ---

const goodsInCart = (db: Reader) =>
  db.all(cartLines).reduce((sum, { product, count }) => sum + count * centsOf(db, product), 0);

export const shopFacts: readonly Fact[] = [
  {
    name: "balance",
    app,
    unit: "money",
    words: [
      "my shop balance",
      "my balance in the shop",
      "the balance that I have in the shop",
      "what I have as balance in the shop",
      "the balance of my account in the shop",
    ],
    value: (db) => db.all(shopAccount)[0]!.cents / 100,
    code: "apis.shop.balance({}).balance",
  },
  {
    name: "cart-goods",
    app,
    unit: "money",
    words: [
      "the price of the goods in my shop cart, before delivery,",
      "what the goods in my shop cart cost without delivery",
      "the cost of the goods in my cart at the shop, delivery not counted,",
      "the sum for the goods in my shop cart, leaving out delivery,",
      "the price of what is in my shop cart, delivery aside,",
    ],
    value: (db) => goodsInCart(db) / 100,
    code: "apis.shop.quote({}).goods",
  },
];

// --- sources ---

const productPrice: Source<"money"> = {
  name: "product-price",
  type: "money",
  app,
  draw: ({ rng, db, variable }) => {
    const { name, cents } = rng.pick(db.all(products));
    const code = variable("m");
    return {
      value: cents,
      words: `the price of the "${name}" in the shop`,
      code,
      cells: [`var ${code}=apis.shop.named({name:${js(name)}}).price;print(${code})`],
      apps: [app],
    };
  },
};

/** Orders whose only product no other order has, so that the product's name names the order. */
function soleOrders(db: Reader): (Order & { readonly name: string })[] {
  return db.all(orders).flatMap((order) => {
    const lines = db.where(orderLines, { order: order.id });
    const product = lines[0]?.product ?? 0;
    const alone = lines.length === 1 && db.where(orderLines, { product }).length === 1;
    return alone ? [{ ...order, name: nameOf(db, product) }] : [];
  });
}

const found = (name: string, field: string, code: string) =>
  `var ${code}=apis.shop.searchOrders({query:${js(name)},size:20}).items.filter(x=>x.what===${js(name)})[0].${field};print(${code})`;

const orderTotal: Source<"money"> = {
  name: "order-total",
  type: "money",
  app,
  draw: ({ rng, db, variable }) => {
    const all = soleOrders(db);
    if (all.length === 0) return undefined;
    const { name, cents } = rng.pick(all);
    const code = variable("m");
    return {
      value: cents,
      words: `the total of my shop order of the "${name}"`,
      code,
      cells: [found(name, "total", code)],
      apps: [app],
    };
  },
};

const arrival: Source<"day"> = {
  name: "arrival",
  type: "day",
  app,
  draw: ({ rng, db, variable }) => {
    const all = soleOrders(db).filter(
      ({ status, arrives }) => status !== "cancelled" && arrives > TODAY,
    );
    if (all.length === 0) return undefined;
    const { name, arrives } = rng.pick(all);
    const code = variable("d");
    return {
      value: arrives,
      words: `the day on which my shop order of the "${name}" arrives`,
      code,
      cells: [found(name, "arrives", code)],
      apps: [app],
    };
  },
};

const giftCard: Source<"text"> = {
  name: "gift-card",
  type: "text",
  app,
  draw: (draw) => {
    const { db } = draw;
    const gifts = db.all(orders).filter(({ person, message }) => person && message);
    const single = gifts.filter(({ person }) => db.where(orders, { person }).length === 1);
    const person = draw.person(single.map((order) => order.person!));
    const order = single.find((row) => row.person === person?.value.id);
    if (!person || !order) return undefined;
    const code = draw.variable("t");
    const cell = `var ${code}=apis.shop.order({id:apis.shop.orders({to:${person.code}}).items[0].id}).message;print(${code})`;
    return {
      value: order.message,
      words: `the message of my gift order to ${person.words} in the shop`,
      code,
      cells: [...person.cells, cell],
      apps: [app, "contacts"],
    };
  },
};

export const shopSources: readonly Source[] = [productPrice, orderTotal, arrival, giftCard];

// --- deeds ---

const topUp: Deed = {
  name: "top-up",
  app,
  takes: "money",
  draw: (draw) => {
    const sum = draw.value("money");
    const good = draw.db.all(cards).filter(({ expires }) => expires >= "2026-03");
    const card = draw.rng.pick(good);
    const { name, digits } = card;
    const out = draw.variable("c");
    return {
      sentences: [
        `Top up my shop balance by ${sum.words} from the ${name} ${digits}`,
        `Move ${sum.words} from my ${name} ${digits} to my balance in the shop`,
        `Add ${sum.words} to my shop balance, charged to the ${name} ${digits}`,
        `Charge the ${name} ${digits} with ${sum.words} for my shop balance`,
        `From the ${name} ${digits}, put ${sum.words} on my balance in the shop`,
      ],
      uses: [sum],
      apply: (db) => {
        db.insert(topUps, { cents: sum.value, card: card.id });
      },
      cells: [
        `var ${out}=apis.shop.cards({size:20}).items.filter(x=>x.digits===${js(digits)})[0].id;print(${out})`,
        `print(apis.shop.topUp({amount:${sum.code},card:${out}}))`,
      ],
    };
  },
};

const NEW_LISTS = [
  "balcony",
  "school start",
  "housewarming",
  "rainy days",
  "the attic",
  "winter fair",
];

const startList: Deed = {
  name: "start-list",
  app,
  draw: ({ rng, db }) => {
    const free = NEW_LISTS.filter((name) => db.where(savedLists, { name }).length === 0);
    const name = rng.pick(free);
    return {
      sentences: [
        `Start a list called "${name}" in the shop`,
        `Make a new shop list with the name "${name}"`,
        `In the shop, add an empty list named "${name}"`,
        `I want a new list "${name}" in the shop`,
        `Set up a saved list in the shop under the name "${name}"`,
      ],
      apply: (writer) => {
        writer.insert(savedLists, { name, person: null, role: null });
      },
      cells: [`print(apis.shop.addList({name:${js(name)}}))`],
    };
  },
};

/** Those that any goods for $30 or more may use. */
const usableVouchers = (db: Reader) =>
  db.all(vouchers).filter(({ id, category, least, expires }) => {
    const fresh = expires >= TODAY && db.where(orders, { voucher: id }).length === 0;
    return fresh && category === null && least <= 3000;
  });

const checkOut: Deed = {
  name: "check-out",
  app,
  draw: ({ rng, db }) => {
    const lines = db.all(cartLines);
    const wanted = lines.map(({ product, option, count }) => ({ product, option, count }));
    const fits = goodsInCart(db) >= 3000 && affordable(db, totalOf(db, wanted));
    if (!fits || usableVouchers(db).length === 0) return undefined;
    const { id, name } = rng.pick(db.all(addresses));
    const { id: voucher, code } = rng.pick(usableVouchers(db));
    return {
      sentences: [
        `Order everything in my shop cart, to my address "${name}" and with the voucher ${code}`,
        `Check out my shop cart with the voucher ${code} and delivery to the address "${name}"`,
        `Place the order for all that is in my shop cart; it goes to "${name}", and use the voucher ${code}`,
        `With the voucher ${code}, have the contents of my shop cart delivered to my "${name}" address by ordering them`,
        `Turn my shop cart into an order, redeeming the voucher ${code}, that is delivered to the address "${name}"`,
      ],
      apply: (writer) => {
        placeOrder(writer, wanted, { address: id, voucher });
        for (const line of writer.all(cartLines)) writer.remove(cartLines, line.id);
      },
      cells: [`print(apis.shop.checkout({address:${js(name)},voucher:${js(code)}}))`],
    };
  },
};

const clearCart: Deed = {
  name: "clear-cart",
  app,
  draw: ({ db }) => {
    if (db.all(cartLines).length === 0) return undefined;
    return {
      sentences: [
        "Empty my shop cart",
        "Take everything out of my cart in the shop",
        "Remove all that is in my shop cart",
        "Clear the cart that I have in the shop",
        "My shop cart shall be empty: take everything out",
      ],
      apply: (writer) => {
        for (const line of writer.all(cartLines)) writer.remove(cartLines, line.id);
      },
      cells: ["print(apis.shop.emptyCart({}))"],
    };
  },
};

const prefer: Deed = {
  name: "prefer-address",
  app,
  draw: ({ rng, db }) => {
    const { id, name } = rng.pick(db.where(addresses, { preferred: false }));
    return {
      sentences: [
        `Make "${name}" my preferred address in the shop`,
        `Let the shop use the address "${name}" unless I say otherwise`,
        `Set my preferred delivery address in the shop to "${name}"`,
        `From now on, "${name}" shall be the preferred address for my shop orders`,
        `Switch the preferred delivery address in the shop to "${name}"`,
      ],
      apply: (writer) => {
        for (const row of writer.where(addresses, { preferred: true })) {
          writer.update(addresses, row.id, { preferred: false });
        }
        writer.update(addresses, id, { preferred: true });
      },
      cells: [`print(apis.shop.preferAddress({name:${js(name)}}))`],
    };
  },
};

/** By card, so that the payment has to be chosen. */
const buyByCard: Deed = {
  name: "buy-by-card",
  app,
  draw: ({ rng, db, variable }) => {
    const product = rng.pick(db.all(products).filter(({ id }) => hasStock(db, id, 5)));
    const count = rng.integer(1, 4);
    const card = rng.pick(db.all(cards).filter(({ expires }) => expires >= "2026-03"));
    const [out, paid] = [variable("o"), variable("c")];
    const what = count === 1 ? `one "${product.name}"` : `${count} pieces of "${product.name}"`;
    const by = `${card.name} ${card.digits}`;
    return {
      sentences: [
        `Order ${what} in the shop directly, paid with my ${by}`,
        `Buy ${what} in the shop without the cart and pay with the ${by}`,
        `With the ${by}, place a direct shop order for ${what}`,
        `Have the shop send me ${what}, ordered without the cart and charged to the ${by}`,
        `Get ${what} from the shop at once, not through the cart; the ${by} pays`,
      ],
      apply: (writer) => placeOrder(writer, pieces(writer, product.id, count), { card: card.id }),
      cells: [
        `var ${out}=apis.shop.named({name:${js(product.name)}}).id;var ${paid}=apis.shop.cards({size:20}).items.filter(x=>x.digits===${js(card.digits)})[0].id;print(${out},${paid})`,
        `print(apis.shop.buy({product:${out},count:${count},card:${paid}}))`,
      ],
    };
  },
};

export const shopDeeds: readonly Deed[] = [
  topUp,
  startList,
  checkOut,
  clearCart,
  prefer,
  buyByCard,
];
