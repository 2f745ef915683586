/** The parts of goals that the mail app contributes. */
import type { Parts } from "bowline/goals";
import { aroundMail } from "./mail/around.ts";
import { mailRelations } from "./mail/joins.ts";
import { mailActions } from "./mail/mail-actions.ts";
import { moreMailActions } from "./mail/more-actions.ts";
import { mailDeeds, mailFacts, mailSources } from "./mail/once.ts";
import { mailPeopleActions } from "./mail/people-actions.ts";
import { receivedMail } from "./mail/received.ts";
import { sentAndUnsent } from "./mail/sent.ts";

export const mailParts: Parts = {
  collections: [...receivedMail, ...sentAndUnsent, ...aroundMail],
  relations: mailRelations,
  actions: [...mailActions, ...moreMailActions, ...mailPeopleActions],
  sources: mailSources,
  facts: mailFacts,
  deeds: mailDeeds,
};
