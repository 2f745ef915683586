/** The parts of goals that the pay app contributes. */
import type { Parts } from "bowline/goals";
import { payDeeds } from "./deeds.ts";
import { paymentActions, paymentRelations, paymentsPart } from "./payments.ts";
import { paymentPartners, payPeopleActions } from "./people.ts";
import { planActions, planRelations, plansPart } from "./plans.ts";
import { requestActions, requestCollections, requestRelations } from "./requests.ts";
import { payFacts, paySources } from "./sources-and-facts.ts";

export const payParts: Parts = {
  collections: [paymentsPart, ...requestCollections, plansPart, ...paymentPartners],
  relations: [...paymentRelations, ...requestRelations, ...planRelations],
  actions: [...paymentActions, ...requestActions, ...planActions, ...payPeopleActions],
  sources: paySources,
  facts: payFacts,
  deeds: payDeeds,
};
