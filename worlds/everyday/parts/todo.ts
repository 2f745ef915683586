/** What todos bring to the goal algebra. */
import type { Parts } from "bowline/goals";
import { todoCollections } from "./todo/collections.ts";
import { todoActions } from "./todo/inside.ts";
import { todoRelations } from "./todo/links.ts";
import { todoDeeds, todoFacts, todoSources } from "./todo/values.ts";

export const todoParts: Parts = {
  collections: todoCollections,
  relations: todoRelations,
  actions: todoActions,
  sources: todoSources,
  facts: todoFacts,
  deeds: todoDeeds,
};
