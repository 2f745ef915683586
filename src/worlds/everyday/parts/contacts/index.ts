/** What contacts bring to the goal algebra. */
import type { Parts } from "../../../../goals/index.ts";
import { belongingActions } from "./belonging-actions.ts";
import { contactDeeds } from "./deeds.ts";
import { giftRelations, giftsPart } from "./gifts.ts";
import { groupRelations, groupsPart } from "./groups.ts";
import { meetingRelations, meetingsPart } from "./meetings.ts";
import { partners, peoplePart } from "./people.ts";
import { peopleActions } from "./people-actions.ts";
import { remarkRelations, remarksPart } from "./remarks.ts";
import { contactFacts, contactSources } from "./values.ts";

export const contactsParts: Parts = {
  collections: [peoplePart, giftsPart, meetingsPart, remarksPart, groupsPart],
  relations: [
    partners,
    ...giftRelations,
    ...meetingRelations,
    ...remarkRelations,
    ...groupRelations,
  ],
  actions: [...peopleActions, ...belongingActions],
  sources: contactSources,
  facts: contactFacts,
  deeds: contactDeeds,
};
