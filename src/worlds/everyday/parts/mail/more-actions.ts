/** What can be done with mail that is drafted, scheduled, snoozed, waiting; newsletters, lists. */
import { actions, giving, js, naming } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
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
import { reachable } from "../contact.ts";
import { SUBJECTS } from "./people-actions.ts";
import { sendMail } from "./words.ts";

const waits = ({ status }: ScheduledMail) => status === "waiting";
const snoozeOf = (db: Reader, { id }: Mail) => db.where(snoozes, { mail: id })[0];
const membersOf = (db: Reader, list: number) =>
  db.where(listMembers, { list }).map(({ person }) => person);

const followUpOf = (db: Reader, { id }: Mail) => db.where(followUps, { mail: id })[0];

const followUp = (kind: "sentMails" | "waitingMails") =>
  actions({ kind, app: "mail", table: mails }, ({ does, giving }) => ({
    "follow-up": giving("day", ({ value: day, code }) => {
      if (day < TODAY) return undefined;
      return does(
        (db, row) => {
          const known = followUpOf(db, row);
          if (known) db.update(followUps, known.id, { day });
          else db.insert(followUps, { mail: row.id, day });
        },
        {
          when: (row, db) => {
            const known = followUpOf(db, row);
            return known ? known.day !== day : kind === "sentMails";
          },
          api: "followUp",
          args: `by:${code}`,
        },
      );
    })`Set the follow-up day to $ for # | Mark # for follow-up by $ | Make $ the follow-up day of #
      | Note $ as the day for following up on # | Give # the follow-up day $`,
  }));

export const moreMailActions = [
  ...actions({ kind: "drafts", app: "mail", table: drafts }, ({ does, sets, removes }) => ({
    "send-draft": does(
      (db, { id, person, subject, body, origin }) => {
        db.remove(drafts, id);
        sendMail(db, { person: person!, subject, body, origin });
      },
      { when: ({ person }, db) => person !== null && reachable(db, person), api: "sendDraft" },
    )`Send # | Send off # | Let # go out now | Have # sent | Finally send #`,
    "discard-draft": removes({ when: () => true, api: "discardDraft" })`Discard # | Throw away #
      | Get rid of # | Delete # without sending | Have # discarded`,
    "address-draft": naming(({ value: { id: person }, code }) =>
      sets("person", person, {
        when: (row, db) => row.origin === null && row.person !== person && reachable(db, person),
        api: "editDraft",
        args: `to:${code}`,
      }),
    )`Make $ the receiver of #, without sending | Address # to $, but do not send yet
      | Set $ as the receiver of # and send nothing
      | Change the receiver of # to $; nothing is to be sent
      | Let $ be the receiver of #, still unsent`,
    "rewrite-draft": giving("text", ({ value: body, code }) =>
      sets("body", body, { when: () => true, api: "editDraft", args: `body:${code}` }),
    )`Replace the text of # by $ | Change the text of # to $
      | Rewrite the text of # so that it is $ | Let the text of # be $ from now on
      | Make $ the text of #`,
  })),
  ...actions({ kind: "scheduledMails", app: "mail", table: scheduledMails }, ({ sets }) => ({
    "cancel-scheduled": sets("status", "cancelled", { when: waits, api: "cancelScheduled" })`
      Cancel # | Call off # | Stop # from going out | Prevent the sending of # | Have # cancelled`,
    reschedule: giving("day", ({ value: day, code }) => {
      if (day <= TODAY) return undefined;
      const when = (row: ScheduledMail) => waits(row) && row.day !== day;
      return sets("day", day, { when, api: "reschedule", args: `day:${code}` });
    })`Reschedule # for $ | Let # leave on $ instead, at the same time of day
      | Move the sending of # to $ at an unchanged hour | Change the day of sending to $ for #
      | Have # sent on $ instead`,
  })),
  ...actions({ kind: "snoozedMails", app: "mail", table: mails }, ({ does, giving }) => ({
    wake: does(
      (db, row) => {
        db.remove(snoozes, snoozeOf(db, row)!.id);
        db.update(mails, row.id, { folder: "inbox" });
      },
      { when: (row, db) => snoozeOf(db, row) !== undefined, api: "wake" },
    )`End the snooze of #, so that each is back in the inbox
      | Wake # and have each in the inbox again | Bring # back to the inbox by ending the snooze
      | Stop snoozing # and bring each back to the inbox | Return # from snooze to the inbox`,
    "snooze-again": giving("day", ({ value: until, code }) => {
      if (until < TODAY) return undefined;
      return does((db, row) => void db.update(snoozes, snoozeOf(db, row)!.id, { until }), {
        when: (row, db) => (snoozeOf(db, row)?.until ?? until) !== until,
        api: "snooze",
        args: `until:${code}`,
      });
    })`Change the snooze of # so that it ends on $ | Snooze # until $ instead
      | Let the snooze of # last until $ | Set a new end of the snooze, $, for #
      | Make $ the end of the snooze of #`,
  })),
  ...actions({ kind: "waitingMails", app: "mail", table: mails }, ({ does }) => ({
    settle: does((db, row) => db.remove(followUps, followUpOf(db, row)!.id), {
      when: (row, db) => followUpOf(db, row) !== undefined,
      api: "settle",
    })`Settle #, so that no answer is waited for | Stop waiting for answers to #
      | Take the follow-up off # | Remove the follow-up day from # | End the follow-up of #`,
  })),
  ...followUp("sentMails"),
  ...followUp("waitingMails"),
  ...actions({ kind: "newsletters", app: "mail", table: newsletters }, ({ sets }) => ({
    unsubscribe: sets("subscribed", false, {
      when: ({ subscribed }) => subscribed,
      api: "unsubscribe",
    })`Unsubscribe from # | End my subscription to # | Cancel my subscription to #
      | Sign me off from # | Take me off as a subscriber of #`,
  })),
  ...actions(
    { kind: "mailingLists", app: "mail", table: mailingLists, key: "list" },
    ({ adds, does, naming, taking }) => ({
      "send-to-list": taking("text", (text, draw) => {
        const subject = draw.rng.pick(SUBJECTS);
        return does(
          (db, { id }) => {
            for (const person of membersOf(db, id)) {
              sendMail(db, { person, subject, body: text.value, origin: null });
            }
          },
          {
            when: ({ id }, db) => {
              const on = membersOf(db, id);
              // Who is added in the same task would make the order of things matter.
              const same = on.length === membersOf(draw.db, id).length;
              return on.length > 0 && same && on.every((person) => reachable(db, person));
            },
            api: "sendToList",
            args: `subject:${js(subject)},body:${text.code}`,
          },
        )`Mail ${text.words} with the subject "${subject}" to each member of #
          | Send every member of # a mail with subject "${subject}" and text ${text.words}
          | Write to each member of # by mail: subject "${subject}", text ${text.words}
          | Send a mail called "${subject}" that says ${text.words} to all members of #
          | Let each member of # have a mail "${subject}" with the text ${text.words}`;
      }),
      "add-member": naming(({ value: { id: person }, code }) =>
        adds(listMembers, ({ id }) => ({ list: id, person }), {
          when: ({ id }, db) => !membersOf(db, id).includes(person),
          api: "addToList",
          args: `person:${code}`,
        }),
      )`Add $ to # | Put $ on # | Make $ a member of # | Let $ join # | Enter $ as a member of #`,
    }),
  ),
];
