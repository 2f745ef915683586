/** What mail brings to the goal algebra. */
import type { Parts } from "../algebra/parts.ts";
import { mailRelations } from "./mail/joins.ts";
import { mailActions } from "./mail/mail-actions.ts";
import { moreMailActions } from "./mail/more-actions.ts";
import { mailDeeds, mailFacts, mailSources } from "./mail/once.ts";
import {
  attachedFiles,
  correspondents,
  draftMails,
  laterMails,
  ownLists,
  sentMails,
  snoozedMails,
  subscriptions,
  waitingMails,
} from "./mail/other-sets.ts";
import { bills, inbox, keptMail, receipts } from "./mail/received.ts";

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
  actions: [...mailActions, ...moreMailActions],
  sources: mailSources,
  facts: mailFacts,
  deeds: mailDeeds,
};
