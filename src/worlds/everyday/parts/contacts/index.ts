/** What contacts bring to the goal algebra. */
import type { Parts } from "../../algebra/parts.ts";
import { contactActions } from "./actions.ts";
import {
  belongingRelations,
  giftsPart,
  groupsPart,
  meetingsPart,
  remarksPart,
} from "./belongings.ts";
import { contactDeeds } from "./deeds.ts";
import { partners, peoplePart } from "./people.ts";
import { contactFacts, contactSources } from "./values.ts";

export const contactsParts: Parts = {
  collections: [peoplePart, giftsPart, meetingsPart, remarksPart, groupsPart],
  relations: [partners, ...belongingRelations],
  actions: contactActions,
  sources: contactSources,
  facts: contactFacts,
  deeds: contactDeeds,
};
