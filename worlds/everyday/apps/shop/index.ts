/**
 * Defines the shop app: a catalogue, and the owner's cart, orders, lists, reviews, subscriptions and money in the shop.
 */
import { defineApp } from "bowline/world";
import { cartApis } from "./cart.ts";
import { catalogueApis } from "./catalogue.ts";
import { addressApis, moneyApis } from "./money-and-addresses.ts";
import { orderApis } from "./orders.ts";
import { reviewAndQuestionApis } from "./reviews-and-questions.ts";
import { savedListApis } from "./saved-lists.ts";
import { subscriptionAndAlertApis } from "./subscriptions-and-alerts.ts";
import { shopTables } from "./tables.ts";

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
    ...savedListApis,
    ...reviewAndQuestionApis,
    ...subscriptionAndAlertApis,
    ...moneyApis,
    ...addressApis,
  },
});
