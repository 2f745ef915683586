/** What pay brings to the goal algebra. */
import type { Parts } from "bowline/goals";
import { payDeeds } from "./deeds.ts";
import { paymentActions, paymentRelations, paymentsPart } from "./payments.ts";
import { peopleActions, peopleCollections } from "./people.ts";
import { planActions, planRelations, plansPart } from "./plans.ts";
import { requestActions, requestCollections, requestRelations } from "./requests.ts";
import { payFacts, paySources } from "./values.ts";

export const payParts: Parts = {
  collections: [paymentsPart, ...requestCollections, plansPart, ...peopleCollections],
  relations: [...paymentRelations, ...requestRelations, ...planRelations],
  actions: [...paymentActions, ...requestActions, ...planActions, ...peopleActions],
  sources: paySources,
  facts: payFacts,
  deeds: payDeeds,
};
