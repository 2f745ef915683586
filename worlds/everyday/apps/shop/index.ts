/** Shop: a catalogue, the owner's cart, orders, lists, opinions, subscriptions and money there. */
import { defineApp } from "bowline/world";
import { addressApis, moneyApis } from "./account.ts";
import { cartApis } from "./cart.ts";
import { catalogueApis } from "./catalogue.ts";
import { listApis } from "./lists.ts";
import { orderApis } from "./orders.ts";
import { opinionApis } from "./reviews.ts";
import { shopTables } from "./tables.ts";
import { watchingApis } from "./watching.ts";

export * from "./tables.ts";

export const shop = defineApp({
  name: "shop",
  summary: "A shop: products, cart, orders, gifts, lists, reviews, subscriptions.",
  tables: shopTables,
  login: true,
  apis: {
    ...catalogueApis,
    ...cartApis,
    ...orderApis,
    ...listApis,
    ...opinionApis,
    ...watchingApis,
    ...moneyApis,
    ...addressApis,
  },
});
