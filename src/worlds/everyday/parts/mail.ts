/** What mail brings to the goal algebra. */
import type { Parts } from "../../../goals/index.ts";
import { attachedFiles, correspondents, ownLists, subscriptions } from "./mail/around.ts";
import { mailRelations } from "./mail/joins.ts";
import { mailActions } from "./mail/mail-actions.ts";
import { moreMailActions } from "./mail/more-actions.ts";
import { mailDeeds, mailFacts, mailSources } from "./mail/once.ts";
import { mailPeopleActions } from "./mail/people-actions.ts";
import { bills, inbox, keptMail, receipts } from "./mail/received.ts";
import { draftMails, laterMails, sentMails, snoozedMails, waitingMails } from "./mail/sent.ts";

export const mailParts: Parts = {
  collections: [
    inbox,
    keptMail,
    receipts,
    bills,
    sentMails,
    waitingMails,
    snoozedMails,
    draftMails,
    laterMails,
    subscriptions,
    ownLists,
    attachedFiles,
    correspondents,
  ],
  relations: mailRelations,
  actions: [...mailActions, ...moreMailActions, ...mailPeopleActions],
  sources: mailSources,
  facts: mailFacts,
  deeds: mailDeeds,
};
