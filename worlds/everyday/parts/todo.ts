/** The parts of goals that the todo app contributes. */
import type { Parts } from "bowline/goals";
import { todoCollections } from "./todo/collections.ts";
import { todoRelations } from "./todo/relations.ts";
import { todoDeeds, todoFacts, todoSources } from "./todo/sources-facts-deeds.ts";
import { todoActions } from "./todo/steps-and-people.ts";

export const todoParts: Parts = {
  collections: todoCollections,
  relations: todoRelations,
  actions: todoActions,
  sources: todoSources,
  facts: todoFacts,
  deeds: todoDeeds,
};
