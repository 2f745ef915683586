/** What contacts bring to the goal algebra. */
import type { Parts } from "../../../../goals/index.ts";
import { belongingActions } from "./belonging-actions.ts";
import { giftCollection, meetingCollection, remarkCollection } from "./belongings.ts";
import { contactDeeds } from "./deeds.ts";
import { contactRelations } from "./joins.ts";
import { groupCollection, peopleCollection } from "./people.ts";
import { peopleActions } from "./people-actions.ts";
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
  actions: [...peopleActions, ...belongingActions],
  sources: contactSources,
  facts: contactFacts,
  deeds: contactDeeds,
};
