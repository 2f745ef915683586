/** The parts of goals that the mail app contributes. */
import type { Parts } from "bowline/goals";
import { mailActions } from "./mail/mail-actions.ts";
import { moreMailActions } from "./mail/more-actions.ts";
import { otherMailCollections } from "./mail/other-collections.ts";
import { mailPeopleActions } from "./mail/people-actions.ts";
import { receivedMailCollections } from "./mail/received.ts";
import { mailRelations } from "./mail/relations.ts";
import { sentAndUnsentCollections } from "./mail/sent.ts";
import { mailDeeds, mailFacts, mailSources } from "./mail/sources-facts-deeds.ts";

export const mailParts: Parts = {
  collections: [...receivedMailCollections, ...sentAndUnsentCollections, ...otherMailCollections],
  relations: mailRelations,
  actions: [...mailActions, ...moreMailActions, ...mailPeopleActions],
  sources: mailSources,
  facts: mailFacts,
  deeds: mailDeeds,
};
