/** The parts of goals that the contacts app contributes. */
import type { Parts } from "bowline/goals";
import { contactActions } from "./actions.ts";
import { giftCollection, meetingCollection, remarkCollection } from "./belongings.ts";
import { contactDeeds } from "./deeds.ts";
import { groupCollection, peopleCollection } from "./people.ts";
import { contactRelations } from "./relations.ts";
import { contactFacts, contactSources } from "./sources-and-facts.ts";

export const contactsParts: Parts = {
  collections: [
    peopleCollection,
    giftCollection,
    meetingCollection,
    remarkCollection,
    groupCollection,
  ],
  relations: contactRelations,
  actions: contactActions,
  sources: contactSources,
  facts: contactFacts,
  deeds: contactDeeds,
};
