/** From mails to people and back: senders, receivers, those with copies, members, editors. */
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
import { copiedTo } from "./words.ts";

/** `each` is an expression over the key `x` that gives a list of keys. */
const gather = (each: string) => (from: string) => `[...new Set(${from}.flatMap(x=>${each}))]`;

const senders = (from: string) =>
  relationBetween(from, "people", {
    relatedIds: (id, db) => db.get(mails, id)!.person,
    code: gather("[apis.mail.head({id:x}).from]"),
  })`the senders of # | everyone who sent me one or more of these: # | the people who sent #
    | the people from whom I got # | whoever sent me #`;

const copied = (from: string) =>
  relationBetween(from, "people", {
    relatedIds: (id, db) => copiedTo(db, id),
    code: gather("apis.mail.copies({id:x,size:20}).items.map(c=>c.handle)"),
  })`everyone who got a copy of # | the people to whom # went as a copy | all who are listed with a
    copy of # | whoever received # as a copy | the people with a copy of #`;

const receivers = (from: string, to: string, of: (id: number, db: Reader) => number | null) =>
  relationBetween(from, "people", { relatedIds: of, code: gather(to) })`the receivers of #
    | everyone who is the addressee of # | the people to whom I wrote #
    | whoever is the receiver of # | the people who are the addressees of #`;
const receiversOfSent = (from: string) =>
  receivers(from, "[apis.mail.showSent({id:x}).to]", (id, db) => db.get(mails, id)!.person);

export const mailRelations = relations("mail", {
  "senders-of-mails": senders("mails"),
  "senders-of-bills": senders("bills"),
  "senders-of-snoozedMails": senders("snoozedMails"),
  "copies-of-mails": copied("mails"),
  "copies-of-bills": copied("bills"),
  "copies-of-sentMails": copied("sentMails"),
  "receivers-of-sentMails": receiversOfSent("sentMails"),
  "receivers-of-waitingMails": receiversOfSent("waitingMails"),
  "receivers-of-drafts": receivers(
    "drafts",
    "[apis.mail.showDraft({id:x}).to].filter(Boolean)",
    (id, db) => db.get(drafts, id)!.person,
  ),
  "receivers-of-scheduledMails": receivers(
    "scheduledMails",
    "[apis.mail.showScheduled({id:x}).to]",
    (id, db) => db.get(scheduledMails, id)!.person,
  ),
  "members-of-lists": relationBetween("mailingLists", "people", {
    wordsForEach: everyoneWhoDoesToEach("is on"),
    relatedIds: (list, db) => db.where(listMembers, { list }).map(({ person }) => person),
    code: gather("apis.mail.listMembers({list:x,size:20}).items.map(m=>m.handle)"),
  })`the members of # | everyone on # | all the people who are on # | whoever belongs to #
    | the people who belong to #`,
  editors: relationBetween("newsletters", "people", {
    relatedIds: (id, db) => db.get(newsletters, id)!.person,
    code: gather("apis.mail.newsletters({size:20}).items.filter(n=>n.id===x).map(n=>n.editor)"),
  })`the editors of # | the people who edit # | everyone who edits # | whoever is the editor of #
    | the people behind # as editors`,
  issues: relationBetween("newsletters", "mails", {
    relatedIds: (newsletter, db) =>
      db
        .where(issues, { newsletter })
        .map(({ mail }) => mail)
        .filter((mail) => db.get(mails, mail)!.folder !== "trash"),
    code: gather("apis.mail.issues({id:x,size:20}).items.map(m=>m.id)"),
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
