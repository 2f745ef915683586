/** What the shop brings to the goal algebra. */
import type { Parts } from "../algebra/parts.ts";
import { alertCollection, habitActions, subscriptionCollection } from "./shop/habits.ts";
import { shopRelations } from "./shop/joins.ts";
import { listActions, ownLists, savedOwn, wishes } from "./shop/lists.ts";
import { shopDeeds, shopFacts, shopSources } from "./shop/once.ts";
import { reviewActions, reviewCollection } from "./shop/opinions.ts";
import { orderActions, orderCollection } from "./shop/orders.ts";
import { productActions } from "./shop/product-actions.ts";
import { catalogue } from "./shop/products.ts";

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
  actions: [...productActions, ...orderActions, ...listActions, ...habitActions, ...reviewActions],
  sources: shopSources,
  facts: shopFacts,
  deeds: shopDeeds,
};
