/** What split brings to the goal algebra. */
import type { Parts } from "../../../../goals/index.ts";
import { expenseActions } from "./expense-actions.ts";
import { expenseRelations, expensesPart } from "./expenses.ts";
import { groupActions, groupRelations, groupsPart } from "./groups.ts";
import { peopleActions, peopleCollections, peopleRelations } from "./people.ts";
import { splitDeeds, splitFacts, splitSources } from "./values.ts";

export const splitParts: Parts = {
  collections: [expensesPart, groupsPart, ...peopleCollections],
  relations: [...expenseRelations, ...groupRelations, ...peopleRelations],
  actions: [...expenseActions, ...groupActions, ...peopleActions],
  sources: splitSources,
  facts: splitFacts,
  deeds: splitDeeds,
};
