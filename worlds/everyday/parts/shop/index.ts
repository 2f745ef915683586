/** The parts of goals that the shop app contributes. */
import type { Parts } from "bowline/goals";
import { listActions, ownLists } from "./lists.ts";
import { orderActions } from "./order-actions.ts";
import { orderCollection } from "./orders.ts";
import { productActions } from "./product-actions.ts";
import { catalogue } from "./products.ts";
import { shopRelations } from "./relations.ts";
import { reviewActions, reviewCollection } from "./reviews.ts";
import { itemsOnOwnLists, savedActions, wishes } from "./saved.ts";
import { shopDeeds, shopFacts, shopSources } from "./sources-facts-deeds.ts";
import {
  alertCollection,
  subscriptionAndAlertActions,
  subscriptionCollection,
} from "./subscriptions-and-alerts.ts";

export const shopParts: Parts = {
  collections: [
    catalogue,
    orderCollection,
    ownLists,
    itemsOnOwnLists,
    wishes,
    subscriptionCollection,
    alertCollection,
    reviewCollection,
  ],
  relations: shopRelations,
  actions: [
    ...productActions,
    ...orderActions,
    ...listActions,
    ...savedActions,
    ...subscriptionAndAlertActions,
    ...reviewActions,
  ],
  sources: shopSources,
  facts: shopFacts,
  deeds: shopDeeds,
};
