/** The parts of goals that the split app contributes. */
import type { Parts } from "bowline/goals";
import { splitDeeds } from "./deeds.ts";
import { expenseActions } from "./expense-actions.ts";
import { expenseRelations, expensesPart } from "./expenses.ts";
import { groupActions, groupRelations, groupsPart } from "./groups.ts";
import { debtorsAndCreditors, splitPeopleActions } from "./people.ts";
import { settlementActions, settlementRelations, settlementsPart } from "./settlements.ts";
import { splitFacts, splitSources } from "./sources-and-facts.ts";

export const splitParts: Parts = {
  collections: [expensesPart, groupsPart, ...debtorsAndCreditors, settlementsPart],
  relations: [...expenseRelations, ...groupRelations, ...settlementRelations],
  actions: [...expenseActions, ...groupActions, ...splitPeopleActions, ...settlementActions],
  sources: splitSources,
  facts: splitFacts,
  deeds: splitDeeds,
};
