/** Relations from mails, lists and newsletters to people and mails. */
import { everyoneWhoDoesToEach, relationBetween, relations } from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  attachments,
  drafts,
  issues,
  listMembers,
  newsletters,
  scheduledMails,
} from "../../apps/mail/tables.ts";
import { mails } from "../../apps/tables.ts";
import { idsOfCopyReceivers } from "./mails-and-columns.ts";

/** Writes the distinct keys for all keys `x`. `expression` gives a list of keys for one `x`. */
const distinctForEachKey = (expression: string) => (from: string) =>
  `[...new Set(${from}.flatMap(x=>${expression}))]`;

/** Mails of which one is from a company or a stranger give nobody, because such senders are not among the people. */
const sendersRelation = (from: string) =>
  relationBetween(from, "people", {
    map: (db, ids) => {
      const all = ids.map((id) => db.get(mails, id)!.person);
      return all.includes(null) ? [] : [...new Set(all as number[])];
    },
    code: distinctForEachKey("[apis.mail.head({id:x}).from]"),
  })`the senders of # | everyone who sent me one or more of # | the people who sent #
    | the people from whom I got # | whoever is the sender of #`;

const copiesRelation = (from: string) =>
  relationBetween(from, "people", {
    relatedIds: (id, db) => idsOfCopyReceivers(db, id),
    code: distinctForEachKey("apis.mail.copies({id:x,size:20}).items.map(c=>c.handle)"),
  })`everyone who got a copy of # | the people to whom # went as a copy | all who are listed with a
    copy of # | whoever received # as a copy | the people with a copy of #`;

const receiversRelation = (
  from: string,
  receiverCode: string,
  receiverId: (id: number, db: Reader) => number | null,
) =>
  relationBetween(from, "people", {
    relatedIds: receiverId,
    code: distinctForEachKey(receiverCode),
  })`the receivers of # | everyone who is the addressee of # | the people to whom I wrote #
    | whoever is the receiver of # | the people who are the addressees of #`;
const receiversOfSentRelation = (from: string) =>
  receiversRelation(from, "[apis.mail.showSent({id:x}).to]", (id, db) => db.get(mails, id)!.person);

export const mailRelations = relations("mail", {
  "senders-of-mails": sendersRelation("mails"),
  "senders-of-bills": sendersRelation("bills"),
  "senders-of-snoozedMails": sendersRelation("snoozedMails"),
  "copies-of-mails": copiesRelation("mails"),
  "copies-of-bills": copiesRelation("bills"),
  "copies-of-sentMails": copiesRelation("sentMails"),
  "receivers-of-sentMails": receiversOfSentRelation("sentMails"),
  "receivers-of-waitingMails": receiversOfSentRelation("waitingMails"),
  "receivers-of-drafts": receiversRelation(
    "drafts",
    "[apis.mail.showDraft({id:x}).to].filter(Boolean)",
    (id, db) => db.get(drafts, id)!.person,
  ),
  "receivers-of-scheduledMails": receiversRelation(
    "scheduledMails",
    "[apis.mail.showScheduled({id:x}).to]",
    (id, db) => db.get(scheduledMails, id)!.person,
  ),
  "members-of-lists": relationBetween("mailingLists", "people", {
    wordsForEach: everyoneWhoDoesToEach("is on"),
    relatedIds: (list, db) => db.where(listMembers, { list }).map(({ person }) => person),
    code: distinctForEachKey("apis.mail.listMembers({list:x,size:20}).items.map(m=>m.handle)"),
  })`the members of # | everyone on # | all the people who are on # | whoever belongs to #
    | the people who belong to #`,
  editors: relationBetween("newsletters", "people", {
    relatedIds: (id, db) => db.get(newsletters, id)!.person,
    code: distinctForEachKey(
      "apis.mail.newsletters({size:20}).items.filter(n=>n.id===x).map(n=>n.editor)",
    ),
  })`the editors of # | the people who edit # | everyone who edits # | whoever is the editor of #
    | those who are editors of #`,
  issues: relationBetween("newsletters", "mails", {
    relatedIds: (newsletter, db) =>
      db
        .where(issues, { newsletter })
        .map(({ mail }) => mail)
        .filter((mail) => db.get(mails, mail)!.folder !== "trash"),
    code: distinctForEachKey("apis.mail.issues({id:x,size:20}).items.map(m=>m.id)"),
  })`the issues of # outside the trash | all mails outside the trash that are issues of # | every
    issue of # that is not in the trash | the mails outside the trash that came as issues of #
    | those of my mails outside the trash that are issues of #`,
  "mails-of-attachments": relationBetween("attachments", "mails", {
    relatedIds: (id, db) => db.get(attachments, id)!.mail,
    cells: (from, to) => [
      `var ${to}=[],p=1,r;do{r=apis.mail.attachments({size:20,page:p++});${to}.push(...r.items)}while(r.more);${to}=[...new Set(${to}.filter(x=>${from}.includes(x.id)).map(x=>x.mail))];print(${to})`,
    ],
  })`the mails that carry # | the mails with which # came | the mails that have # attached
    | whichever mails carry # | every mail that brought me #`,
});
