/** Collections of newsletters, mailing lists, attachments and correspondents. */
import { atLeast, defineCollection, nouns, superlatives, titleBy } from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  type Attachment,
  attachments,
  issues,
  listMembers,
  type MailingList,
  mailingLists,
  type Newsletter,
  newsletters,
} from "../../apps/mail/tables.ts";
import { mails, type Person, people } from "../../apps/tables.ts";
import {
  findByExactNameCode,
  preferPeopleWithSeveralRows,
  senderColumn,
} from "./mails-and-columns.ts";

const memberIds = ({ id }: MailingList, db: Reader) =>
  db.where(listMembers, { list: id }).map(({ person }) => person);

const mailOfAttachment = ({ mail }: Attachment, db: Reader) => db.get(mails, mail)!;

const countMails =
  (outgoing: boolean) =>
  ({ id }: Person, db: Reader) =>
    db.where(mails, { person: id, outgoing }).filter(({ folder }) => folder !== "trash").length;
const [countSentTo, countReceivedFrom] = [countMails(true), countMails(false)];

export const otherMailCollections = [
  defineCollection<Newsletter>({
    kind: "newsletters",
    name: "mail.newsletters",
    app: "mail",
    table: newsletters,
    includes: (row) => row.subscribed,
    list: { api: "newsletters", args: "subscribed:true" },
    allowsWhole: true,
    nouns: nouns`newsletter(s) with a running subscription | subscribed newsletter(s)
      | newsletter(s) on subscription
      | newsletter(s) with a subscription of mine | newsletter(s) under a running subscription`,
    columns: ({ byArgument, atLeast, choice, number, person, text }) => ({
      name: text((row) => row.name, { item: "name", noun: "name" }),
      rhythm: choice((row) => row.rhythm, { item: "rhythm" })`that are $ | with a $ rhythm
        | which come out $ | that appear $ | whose rhythm is $`,
      editor: preferPeopleWithSeveralRows(
        person((row) => row.person, byArgument("person"))`by $ | edited by $ | that $ edits
          | whose editor is $ | with $ as editor`,
      ),
      issues: number(
        ({ id }, db) => db.where(issues, { newsletter: id }).length,
        { item: "issues", noun: "number of issues" },
        atLeast("issues")`with $ or more issues in my mail | of which at least $ issues came
          | that sent me $ issues or more
          | with no fewer than $ issues so far | of which I got $ or more issues`,
      ),
    }),
    title: titleBy<Newsletter>(
      "name",
      (title) =>
        findByExactNameCode(
          "apis.mail.newsletters({subscribed:true,size:20}).items",
          "name",
          title,
        ),
      "Letters from Nowhere | The Iron Kettle | Daily Snow",
    )`the newsletter "$" | my newsletter "$" | the newsletter called "$"
      | the newsletter with the name "$" | the newsletter named "$"`,
  }),
  defineCollection<MailingList>({
    kind: "mailingLists",
    name: "mail.lists",
    app: "mail",
    table: mailingLists,
    list: "lists",
    key: "name",
    allowsWhole: true,
    nouns: nouns`mailing list(s) | mailing list(s) of mine | mailing list(s) in my mail
      | mailing list(s) kept by me | mailing list(s) of my own`,
    columns: ({ byArgument, atLeast, number, person, text }) => ({
      name: text((row) => row.name, { item: "name", noun: "name" }),
      member: person(memberIds, byArgument("person"))`with $ on them | that $ is on
        | that have $ as a member | to which $ belongs | with $ among the members`,
      size: number(
        (row, db) => memberIds(row, db).length,
        { item: "size", noun: "number of members" },
        atLeast("size")`with $ or more members | that have at least $ members | with no fewer than $
          members | of $ members or more | on which there are at least $ people`,
      ),
    }),
    title: titleBy<MailingList>(
      "name",
      (title) => findByExactNameCode("apis.mail.lists({size:20}).items", "name", title, "name"),
      "moon watchers | left-handed painters | attic group",
    )`my mailing list "$" | the mailing list "$" | the mailing list called "$"
      | the mailing list named "$" | the mailing list of mine with the name "$"`,
  }),
  defineCollection<Attachment>({
    kind: "attachments",
    name: "mail.attachments",
    app: "mail",
    table: attachments,
    includes: (row, db) => mailOfAttachment(row, db).folder !== "trash",
    list: "attachments",
    nouns: nouns`attachment(s) in inbox and archive | attachment(s) of mails in inbox and archive
      | file(s) attached to mails in inbox and archive | attachment(s)
      of received mails outside the trash | file(s) attached to received mails outside the trash`,
    columns: (kit) => ({
      name: kit.text((row) => row.name, { item: "name", noun: "file name" }),
      kind: kit.choice((row) => row.kind, { arg: "kind" })`of the kind "$" | whose kind is "$"
        | that are of kind "$" | with "$" as their kind | which mail lists as "$"`,
      from: senderColumn(kit, (row, db) => mailOfAttachment(row, db).person),
      size: kit.number(
        (row) => row.kilobytes,
        { item: "kilobytes", noun: "size in kilobytes" },
        superlatives`largest / smallest | biggest / smallest | largest / smallest
          | biggest / smallest | largest / smallest`,
        atLeast("large")`of $ kilobytes or more | with at least $ kilobytes | that are $ kilobytes
          or larger | that have no less than $ kilobytes | whose size is at least $ kilobytes`,
      ),
    }),
  }),
  /** The people with whom the owner has exchanged mail. */
  defineCollection<Person>({
    kind: "people",
    name: "people.correspondents",
    app: "mail",
    table: people,
    includes: (row, db) => countSentTo(row, db) + countReceivedFrom(row, db) > 0,
    list: "correspondents",
    key: "handle",
    nouns: nouns`person in my mail / people in my mail outside the trash | person in my mail /
      people in my mail (trash aside) | person with whom I exchange mail / people with whom I
      exchange mail (trash aside) | person in my mail / people in my mail (leaving the trash
      aside) | correspondent of mine / correspondents of mine (leaving the trash aside)`,
    columns: ({ atLeast, withProperty, number, text }) => ({
      name: text((row) => row.name, { item: "name", noun: "name" }),
      received: number(
        countReceivedFrom,
        { item: "received", noun: "number of mails that I got" },
        atLeast("received")`who sent me $ or more mails | who have written to me at least $ times
          | from whom I got $ mails or more
          | who wrote me no fewer than $ mails | from whom at least $ mails came`,
      ),
      sent: number(
        countSentTo,
        { item: "sent" },
        atLeast("sent", { excludes: ["never-wrote"] })`to whom I sent $ or more mails
          | to whom I have written at least $ times | who got $ mails or more from me
          | to whom no fewer than $ mails went | to whom I wrote at least $ mails`,
      ),
      "never-wrote": withProperty((row, db) => countSentTo(row, db) === 0, {
        test: "x.sent===0",
      })`to whom I never
        sent a mail | to whom I have not sent any mail | who never got a mail from me
        | to whom not one mail of mine went | to whom I have sent no mail at all`,
    }),
  }),
];
