/** What contacts bring to the goal algebra. */
import type { Parts } from "bowline/goals";
import { contactActions } from "./actions.ts";
import { giftCollection, meetingCollection, remarkCollection } from "./belongings.ts";
import { contactDeeds } from "./deeds.ts";
import { contactRelations } from "./joins.ts";
import { groupCollection, peopleCollection } from "./people.ts";
import { contactFacts, contactSources } from "./values.ts";

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
