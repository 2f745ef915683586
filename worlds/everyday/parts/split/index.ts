/** What split brings to the goal algebra. */
import type { Parts } from "bowline/goals";
import { splitDeeds } from "./deeds.ts";
import { expenseActions } from "./expense-actions.ts";
import { expenseRelations, expensesPart } from "./expenses.ts";
import { groupActions, groupRelations, groupsPart } from "./groups.ts";
import { peopleActions, peopleCollections } from "./people.ts";
import { settlementActions, settlementRelations, settlementsPart } from "./settlements.ts";
import { splitFacts, splitSources } from "./values.ts";

export const splitParts: Parts = {
  collections: [expensesPart, groupsPart, ...peopleCollections, settlementsPart],
  relations: [...expenseRelations, ...groupRelations, ...settlementRelations],
  actions: [...expenseActions, ...groupActions, ...peopleActions, ...settlementActions],
  sources: splitSources,
  facts: splitFacts,
  deeds: splitDeeds,
};
