/** From mails to people and back: senders, receivers, those with copies, members of lists, editors. */

import { eachOf, type Forms, type Relation } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  attachments,
  copies,
  drafts,
  issues,
  listMembers,
  newsletters,
  scheduledMails,
} from "../../apps/mail/tables.ts";
import { mails } from "../../apps/tables.ts";

const distinct = (ids: readonly number[]) => [...new Set(ids)];

/** `each` is an expression over the key `x` that gives a list of keys. */
const gather = (each: string) => (from: string, to: string) => [
  `var ${to}=[...new Set(${from}.flatMap(x=>${each}))];print(${to})`,
];

function senders(kind: string): Relation {
  return {
    name: `senders-of-${kind}`,
    from: kind,
    to: "people",
    app: "mail",
    words: [
      (noun) => `the senders of ${noun}`,
      (noun) => `everyone who sent me one or more of these: ${noun}`,
      (noun) => `the people who sent ${noun}`,
      (noun) => `the people from whom I got ${noun}`,
      (noun) => `whoever sent me ${noun}`,
    ],
    map: (db, ids) => distinct(ids.map((id) => db.get(mails, id)!.person)),
    cells: gather("[apis.mail.head({id:x}).from]"),
  };
}

const COPIED: Forms<(noun: string) => string> = [
  (noun) => `everyone who got a copy of ${noun}`,
  (noun) => `the people to whom ${noun} went as a copy`,
  (noun) => `all who are listed with a copy of ${noun}`,
  (noun) => `whoever received ${noun} as a copy`,
  (noun) => `the people with a copy of ${noun}`,
];

function copied(kind: string): Relation {
  return {
    name: `copies-of-${kind}`,
    from: kind,
    to: "people",
    app: "mail",
    words: COPIED,
    map: (db, ids) =>
      distinct(ids.flatMap((mail) => db.where(copies, { mail }).map(({ person }) => person))),
    cells: gather("apis.mail.copies({id:x,size:20}).items.map(c=>c.handle)"),
  };
}

const RECEIVERS: Forms<(noun: string) => string> = [
  (noun) => `the receivers of ${noun}`,
  (noun) => `everyone who is the addressee of ${noun}`,
  (noun) => `the people to whom I wrote ${noun}`,
  (noun) => `whoever is the receiver of ${noun}`,
  (noun) => `the people who are the addressees of ${noun}`,
];

function receivers(
  kind: string,
  to: string,
  person: (db: Reader, id: number) => number | null,
): Relation {
  return {
    name: `receivers-of-${kind}`,
    from: kind,
    to: "people",
    app: "mail",
    words: RECEIVERS,
    map: (db, ids) => distinct(ids.flatMap((id) => person(db, id) ?? [])),
    cells: gather(to),
  };
}

const members: Relation = {
  name: "members-of-lists",
  from: "mailingLists",
  to: "people",
  app: "mail",
  words: [
    (noun) => `the members of ${noun}`,
    (noun) => `everyone on ${noun}`,
    (noun) => `all the people who are on ${noun}`,
    (noun) => `whoever belongs to ${noun}`,
    (noun) => `the people who belong to ${noun}`,
  ],
  each: eachOf("is on"),
  map: (db, ids) =>
    distinct(ids.flatMap((list) => db.where(listMembers, { list }).map(({ person }) => person))),
  cells: gather("apis.mail.listMembers({list:x,size:20}).items.map(m=>m.handle)"),
};

const editors: Relation = {
  name: "editors",
  from: "newsletters",
  to: "people",
  app: "mail",
  words: [
    (noun) => `the editors of ${noun}`,
    (noun) => `the people who edit ${noun}`,
    (noun) => `everyone who edits ${noun}`,
    (noun) => `whoever is the editor of ${noun}`,
    (noun) => `the people behind ${noun} as editors`,
  ],
  map: (db, ids) => distinct(ids.map((id) => db.get(newsletters, id)!.person)),
  cells: gather("apis.mail.newsletters({size:20}).items.filter(n=>n.id===x).map(n=>n.editor)"),
};

const issuesOf: Relation = {
  name: "issues",
  from: "newsletters",
  to: "mails",
  app: "mail",
  words: [
    (noun) => `the issues of ${noun} outside the trash`,
    (noun) => `all mails outside the trash that are issues of ${noun}`,
    (noun) => `every issue of ${noun} that is not in the trash`,
    (noun) => `the mails outside the trash that came as issues of ${noun}`,
    (noun) => `those of my mails outside the trash that are issues of ${noun}`,
  ],
  map: (db, ids) =>
    distinct(
      ids
        .flatMap((newsletter) => db.where(issues, { newsletter }).map(({ mail }) => mail))
        .filter((mail) => db.get(mails, mail)!.folder !== "trash"),
    ),
  cells: gather("apis.mail.issues({id:x,size:20}).items.map(m=>m.id)"),
};

const carriers: Relation = {
  name: "mails-of-attachments",
  from: "attachments",
  to: "mails",
  app: "mail",
  words: [
    (noun) => `the mails that carry ${noun}`,
    (noun) => `the mails with which ${noun} came`,
    (noun) => `the mails that have ${noun} attached`,
    (noun) => `whichever mails carry ${noun}`,
    (noun) => `every mail that brought me ${noun}`,
  ],
  map: (db, ids) => distinct(ids.map((id) => db.get(attachments, id)!.mail)),
  cells: (from, to) => [
    `var ${to}=[],p=1,r;do{r=apis.mail.attachments({size:20,page:p++});${to}.push(...r.items)}while(r.more);${to}=[...new Set(${to}.filter(x=>${from}.includes(x.id)).map(x=>x.mail))];print(${to})`,
  ],
};

export const mailRelations: readonly Relation[] = [
  senders("mails"),
  senders("bills"),
  senders("snoozedMails"),
  copied("mails"),
  copied("bills"),
  copied("sentMails"),
  receivers("sentMails", "[apis.mail.showSent({id:x}).to]", (db, id) => db.get(mails, id)!.person),
  receivers(
    "waitingMails",
    "[apis.mail.showSent({id:x}).to]",
    (db, id) => db.get(mails, id)!.person,
  ),
  receivers(
    "drafts",
    "[apis.mail.showDraft({id:x}).to].filter(Boolean)",
    (db, id) => db.get(drafts, id)!.person,
  ),
  receivers(
    "scheduledMails",
    "[apis.mail.showScheduled({id:x}).to]",
    (db, id) => db.get(scheduledMails, id)!.person,
  ),
  members,
  editors,
  issuesOf,
  carriers,
];
