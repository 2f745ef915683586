/** Collections of drafts, and of scheduled, sent, waiting and snoozed mails. */
import {
  atLeast,
  atMost,
  defineCollection,
  jsLiteral,
  nouns,
  superlatives,
  titleBy,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  type Draft,
  drafts,
  followUps,
  type ScheduledMail,
  scheduledMails,
  snoozes,
} from "../../apps/mail/tables.ts";
import { dayOf } from "../../apps/shared.ts";
import type { Mail } from "../../apps/tables.ts";
import {
  idsOfCopyReceivers,
  mailCollectionOptions,
  receiverAndSubjectColumns,
  subjectStartColumn,
  withoutLabelColumn,
} from "./mails-and-columns.ts";

const followUpDay = ({ id }: Mail, db: Reader) => db.where(followUps, { mail: id })[0]?.day ?? null;

const snoozedUntil = ({ id }: Mail, db: Reader) =>
  db.where(snoozes, { mail: id })[0]?.until ?? null;

export const sentAndUnsentCollections = [
  defineCollection<Mail>({
    ...mailCollectionOptions("sentMails", "sent"),
    includes: (row) => row.outgoing,
    list: "sent",
    nouns: nouns`sent mail(s) | mail(s) in my sent folder | sent e-mail(s) | sent mail(s) of mine
      | e-mail(s) in my sent folder`,
    columns: (kit) => ({
      ...receiverAndSubjectColumns(kit),
      copied: kit.person(
        (row, db) => idsOfCopyReceivers(db, row.id),
        (handle) => ({ test: `apis.mail.showSent({id:x.id}).copies.includes(${handle})` }),
      )`of which $ got a copy | that were copied to $ | with $ among those who got a copy
        | of which I sent $ a copy | that $ got as a copy`,
      copies: kit.number((row, db) => idsOfCopyReceivers(db, row.id).length, {
        code: "apis.mail.showSent({id:x.id}).copies.length",
        noun: "number of people with a copy",
      }),
      "subject-start": subjectStartColumn(kit, ["Re: Invitation", "Receipt", "Re:"]),
      day: kit.day(
        (row) => dayOf(row.at),
        { code: "apis.mail.showSent({id:x.id}).day" },
        atLeast("since")`that I sent on $ or later | sent on or after $ | sent no earlier than $
          | that left me on $ or after that day | that went out on $ at the earliest`,
      ),
    }),
  }),
  defineCollection<Mail>({
    ...mailCollectionOptions("waitingMails", "waiting"),
    includes: (row, db) => row.outgoing && followUpDay(row, db) !== null,
    list: "followUps",
    allowsWhole: true,
    nouns: nouns`sent mail(s) on my follow-up list | sent mail(s) marked for follow-up
      | sent mail(s) with a follow-up day
      | sent e-mail(s) with a follow-up day | sent e-mail(s) marked for follow-up`,
    columns: (kit) => ({
      ...receiverAndSubjectColumns(kit),
      by: kit.day(
        followUpDay,
        { item: "by", noun: "follow-up day" },
        superlatives`latest (by follow-up day) / earliest (by follow-up day)
          | latest (by follow-up day) / earliest (by follow-up day)
          | latest (by follow-up day) / earliest (by follow-up day)
          | latest (by follow-up day) / earliest (by follow-up day)
          | latest (by follow-up day) / earliest (by follow-up day)`,
        atMost("by", { excludes: ["from-day"] })`that should be answered by $
          | whose follow-up day is $ or earlier | with a follow-up day no later than $
          | to be followed up on or before $ | with $ or an earlier day for following up`,
        atLeast("from-day")`whose follow-up day is $ or later
          | with a follow-up day no earlier than $ | to be followed up on or after $
          | that wait until $ at least | with $ or a later day for following up`,
      ),
    }),
  }),
  defineCollection<Mail>({
    ...mailCollectionOptions("snoozedMails", "snoozed"),
    includes: (row, db) =>
      !row.outgoing && row.folder === "archive" && snoozedUntil(row, db) !== null,
    list: "snoozed",
    allowsWhole: true,
    nouns: nouns`snoozed mail(s) | mail(s) on snooze | mail(s) put on snooze | snoozed e-mail(s)
      | e-mail(s) on snooze`,
    columns: (kit) => ({
      subject: kit.text((row) => row.subject, { item: "subject", noun: "subject" }),
      until: kit.day(
        snoozedUntil,
        { item: "until", noun: "day on which it is due again" },
        superlatives`latest (by end of snooze) / earliest (by end of snooze)
          | latest (by end of snooze) / earliest (by end of snooze)
          | latest (by end of snooze) / earliest (by end of snooze)
          | latest (by end of snooze) / earliest (by end of snooze)
          | latest (by end of snooze) / earliest (by end of snooze)`,
        atMost("until", { arg: "until", excludes: ["later"] })`that are due again on $ or earlier
          | whose snooze ends by $ | which wait until $ or an earlier day
          | that come back on or before $ | whose snooze is over on $ at the latest`,
        atLeast("later")`that are due again on $ or later | whose snooze ends on $ or after
          | which wait until $ or a later day
          | that come back no earlier than $ | whose snooze is over on $ at the earliest`,
      ),
      unlabelled: withoutLabelColumn(kit),
    }),
  }),
  defineCollection<Draft>({
    kind: "drafts",
    name: "mails.drafts",
    app: "mail",
    table: drafts,
    list: "drafts",
    nouns: nouns`draft(s) | mail draft(s) | unsent draft(s) | draft(s) of mine
      | draft(s) in my mail`,
    columns: (kit) => ({
      ...receiverAndSubjectColumns(kit),
      "no-receiver": kit.withProperty(
        (row) => row.person === null,
        { test: "x.to===null" },
        { excludes: ["to", "answers"] },
      )`without a receiver | that have no receiver yet | whose receiver is still missing
        | that are not addressed to anyone | which lack a receiver`,
      answers: kit.withProperty((row) => row.origin !== null, {
        test: "apis.mail.showDraft({id:x.id}).answers!==null",
      })`that answer a mail | which are replies | that reply to a mail | written in reply to a mail
        | which answer a mail that I got`,
    }),
    title: {
      ...titleBy<Draft>(
        "subject",
        String,
        "The ship in the bottle | Answer to the mayor | Three wishes",
      )`my draft "$" | the draft "$" | my draft with the subject "$" | the draft of mine called "$"
        | the unsent draft whose subject is "$"`,
      cells: (title, out) => [
        `var ${out}=[],p=1,r;do{r=apis.mail.drafts({size:20,page:p++});${out}.push(...r.items)}while(r.more);${out}=${out}.filter(x=>x.subject===${jsLiteral(title)}).map(x=>x.id);print(${out})`,
      ],
    },
  }),
  defineCollection<ScheduledMail>({
    kind: "scheduledMails",
    name: "mails.scheduled",
    app: "mail",
    table: scheduledMails,
    includes: (row) => row.status === "waiting",
    list: "scheduled",
    allowsWhole: true,
    nouns: nouns`scheduled mail(s) | mail(s) scheduled for later | scheduled e-mail(s)
      | mail(s) scheduled for a later day | e-mail(s) scheduled for later`,
    columns: (kit) => ({
      ...receiverAndSubjectColumns(kit),
      day: kit.day(
        (row) => row.day,
        { item: "day", noun: "day of sending" },
        superlatives`latest / earliest | last / first | latest / next | last / first
          | latest / earliest`,
        atMost("until", { excludes: ["since"] })`that leave on $ or earlier | to be sent by $
          | that go out on or before $ | set for $ or a day before | whose day is $ at the latest`,
        atLeast("since")`that leave on $ or later | to be sent on $ at the earliest
          | that go out on or after $ | set for $ or a day after | whose day is no earlier than $`,
      ),
      morning: kit.withProperty((row) => row.time < "12:00", {
        test: 'x.time<"12:00"',
      })`that leave before noon | that go out in the morning, before 12:00
        | with a time before 12:00 | which are to be sent before noon | set to leave before noon`,
    }),
  }),
];
