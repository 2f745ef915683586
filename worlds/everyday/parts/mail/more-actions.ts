/** Actions on drafts, scheduled, snoozed and waiting mails, newsletters and mailing lists. */
import { actions, oneOf, taskValue } from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  drafts,
  followUps,
  listMembers,
  mailingLists,
  newsletters,
  type ScheduledMail,
  scheduledMails,
  snoozes,
} from "../../apps/mail/tables.ts";
import { type Mail, mails } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { isReachable } from "../reachable-people.ts";
import { insertSentMail } from "./mails-and-columns.ts";
import { SUBJECTS } from "./people-actions.ts";

const drawTodayOrLater = taskValue("day", (day) => day >= TODAY);
const drawDayAfterToday = taskValue("day", (day) => day > TODAY);
const findSnooze = (db: Reader, { id }: Mail) => db.where(snoozes, { mail: id })[0];
const memberIdsOfList = (db: Reader, list: number) =>
  db.where(listMembers, { list }).map(({ person }) => person);

const findFollowUp = (db: Reader, { id }: Mail) => db.where(followUps, { mail: id })[0];

const followUpAction = (kind: "sentMails" | "waitingMails") =>
  actions({ kind, app: "mail", table: mails }, ({ applies, actionWithOne }) => ({
    "follow-up": actionWithOne(drawTodayOrLater, ({ value: day, code }) =>
      applies(
        (db, row) => {
          const known = findFollowUp(db, row);
          if (known) db.update(followUps, known.id, { day });
          else db.insert(followUps, { mail: row.id, day });
        },
        {
          when: (row, db) => {
            const known = findFollowUp(db, row);
            return known ? known.day !== day : kind === "sentMails";
          },
          api: "followUp",
          args: `by:${code}`,
        },
      ),
    )`Set the follow-up day to $ for # | Mark # for follow-up by $ | Make $ the follow-up day of #
      | Note $ as the day for following up on # | Put the follow-up day $ on #`,
  }));

const DRAFTS_LIST = { kind: "drafts", app: "mail", table: drafts } as const;

const draftActions = actions(
  DRAFTS_LIST,
  ({ applies, actionWithValue, actionWithPerson, removesRow, sets }) => ({
    "send-draft": applies(
      (db, { id, person, subject, body, origin }) => {
        db.remove(drafts, id);
        insertSentMail(db, { person: person!, subject, body, origin });
      },
      { when: ({ person }, db) => person !== null && isReachable(db, person), api: "sendDraft" },
    )`Send # | Send off # | Let # go out now | Have # sent | Finally send #`,
    "discard-draft": removesRow({ when: {}, api: "discardDraft" })`Discard # | Throw away #
    | Get rid of # | Delete # without sending | Have # discarded`,
    "address-draft": actionWithPerson(({ value: { id: person }, code }) =>
      sets("person", person, {
        when: (row, db) => row.origin === null && row.person !== person && isReachable(db, person),
        api: "editDraft",
        args: `to:${code}`,
      }),
    )`Make $ the receiver of #, without sending | Address # to $, but do not send yet | Set $ as the
    receiver of # and send nothing | Change the receiver of # to $; nothing is to be sent
    | Let $ be the receiver of #, still unsent`,
    "rewrite-draft": actionWithValue("text", ({ value: body, code }) =>
      sets("body", body, { when: {}, api: "editDraft", args: `body:${code}` }),
    )`Replace the text of # by $ | Change the text of # to $ | Rewrite the text of # so that it is $
    | Let the text of # be $ from now on | Make $ the text of #`,
  }),
);

const SCHEDULED_LIST = {
  kind: "scheduledMails",
  app: "mail",
  table: scheduledMails,
  when: { status: "waiting" },
} as const;

const scheduledMailActions = actions<ScheduledMail>(SCHEDULED_LIST, ({ setsToDrawn, sets }) => ({
  "cancel-scheduled": sets("status", "cancelled", { api: "cancelScheduled" })`Cancel # | Call off #
    | Stop # from going out | Prevent the sending of # | Have # cancelled`,
  reschedule: setsToDrawn("day", drawDayAfterToday, {
    api: "reschedule",
  })`Reschedule # for $ | Let # leave on
    $ instead, at the same time of day | Move the sending of # to $ at an unchanged hour
    | Change the day of sending to $ for # | Have # sent on $ instead`,
}));

const snoozedMailActions = actions(
  { kind: "snoozedMails", app: "mail", table: mails },
  ({ applies, actionWithOne }) => ({
    wake: applies(
      (db, row) => {
        db.remove(snoozes, findSnooze(db, row)!.id);
        db.update(mails, row.id, { folder: "inbox" });
      },
      { when: (row, db) => findSnooze(db, row) !== undefined, api: "wake" },
    )`End the snooze of #, so that each is back in the inbox
      | Wake # and have each in the inbox again | Bring # back to the inbox by ending the snooze
      | Stop snoozing # and bring each back to the inbox | Return # from snooze to the inbox`,
    "snooze-again": actionWithOne(drawTodayOrLater, ({ value: until, code }) =>
      applies((db, row) => void db.update(snoozes, findSnooze(db, row)!.id, { until }), {
        when: (row, db) => (findSnooze(db, row)?.until ?? until) !== until,
        api: "snooze",
        args: `until:${code}`,
      }),
    )`Change the snooze of # so that it ends on $ | Snooze # until $ instead | Let the snooze of #
      last until $ | Set a new end of the snooze, $, for # | Make $ the end of the snooze of #`,
  }),
);

const waitingMailActions = actions(
  { kind: "waitingMails", app: "mail", table: mails },
  ({ applies }) => ({
    settle: applies((db, row) => db.remove(followUps, findFollowUp(db, row)!.id), {
      when: (row, db) => findFollowUp(db, row) !== undefined,
      api: "settle",
    })`Settle #, so that no answer is waited for | Stop waiting for answers to #
    | Take the follow-up off # | Remove the follow-up day from # | End the follow-up of #`,
  }),
);

const NEWSLETTERS_LIST = { kind: "newsletters", app: "mail", table: newsletters } as const;

const newsletterActions = actions(NEWSLETTERS_LIST, ({ changesTo }) => ({
  unsubscribe: changesTo("subscribed", false, { api: "unsubscribe" })`Unsubscribe from #
    | End my subscription to #
    | Cancel my subscription to # | Sign me off from # | Take me off as a subscriber of #`,
}));

const MAILING_LISTS = {
  kind: "mailingLists",
  app: "mail",
  table: mailingLists,
  key: "list",
} as const;

const mailingListActions = actions(
  MAILING_LISTS,
  ({ addsRow, applies, actionWith, actionWithPerson }) => ({
    "send-to-list": actionWith(
      { text: taskValue("text"), subject: oneOf(SUBJECTS) },
      (drawn, { db: startState }) => {
        const [{ value: body, code }, subject] = [drawn.text, drawn.subject];
        return applies(
          (db, { id }) => {
            for (const person of memberIdsOfList(db, id)) {
              insertSentMail(db, { person, subject: subject.value, body, origin: null });
            }
          },
          {
            when: ({ id }, db) => {
              const memberIds = memberIdsOfList(db, id);
              // If another action of the same task added a member to the list, the order of the two actions would
              // matter.
              const isUnchanged = memberIds.length === memberIdsOfList(startState, id).length;
              return (
                memberIds.length > 0 &&
                isUnchanged &&
                memberIds.every((person) => isReachable(db, person))
              );
            },
            api: "sendToList",
            args: `subject:${subject.code},body:${code}`,
          },
        );
      },
    )`Mail $text with the subject "$subject" to each member of # | Send every member of # a mail
      with subject "$subject" and text $text | Write to each member of # by mail: subject
      "$subject", text $text | Send a mail called "$subject" that says $text to all members of # |
      Let each member of # have a mail "$subject" with the text $text`,
    "add-member": actionWithPerson(({ value: { id: person }, code }) =>
      addsRow(listMembers, ({ id }) => ({ list: id, person }), {
        when: ({ id }, db) => !memberIdsOfList(db, id).includes(person),
        api: "addToList",
        args: `person:${code}`,
      }),
    )`Add $ to # | Put $ on # | Make $ a member of # | Let $ join # | Enter $ as a member of #`,
  }),
);

export const moreMailActions = [
  ...draftActions,
  ...scheduledMailActions,
  ...snoozedMailActions,
  ...waitingMailActions,
  ...followUpAction("sentMails"),
  ...followUpAction("waitingMails"),
  ...newsletterActions,
  ...mailingListActions,
];
