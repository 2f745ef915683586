/** What the shop brings to the goal algebra. */
import type { Parts } from "bowline/goals";
import { alertCollection, habitActions, subscriptionCollection } from "./habits.ts";
import { shopRelations } from "./joins.ts";
import { listActions, ownLists } from "./lists.ts";
import { shopDeeds, shopFacts, shopSources } from "./once.ts";
import { reviewActions, reviewCollection } from "./opinions.ts";
import { orderActions } from "./order-actions.ts";
import { orderCollection } from "./orders.ts";
import { productActions } from "./product-actions.ts";
import { catalogue } from "./products.ts";
import { savedActions, savedOwn, wishes } from "./saved.ts";

export const shopParts: Parts = {
  collections: [
    catalogue,
    orderCollection,
    ownLists,
    savedOwn,
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
    ...habitActions,
    ...reviewActions,
  ],
  sources: shopSources,
  facts: shopFacts,
  deeds: shopDeeds,
};
