/** What can be done with drafts, mail on schedule, snoozed and waiting mail, newsletters and mailing lists. */
import { type Action, actions, js } from "../../../../goals/index.ts";
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
import { SUBJECTS } from "./people-actions.ts";
import { reachable, sendMail, TODAY } from "./words.ts";

const draftActions = actions({ kind: "drafts", app: "mail", table: drafts }, (kit) => ({
  "send-draft": kit.does(
    (db, { id, person, subject, body, origin }) => {
      db.remove(drafts, id);
      sendMail(db, { person: person!, subject, body, origin });
    },
    { when: ({ person }, db) => person !== null && reachable(db, person), api: "sendDraft" },
  )`Send # | Send off # | Let # go out now | Have # sent | Finally send #`,
  "discard-draft": kit.removes({ when: () => true, api: "discardDraft" })`Discard # | Throw away #
    | Get rid of # | Delete # without sending | Have # discarded`,
  "address-draft": kit.hard(
    kit.drawn((draw) => {
      const someone = draw.person();
      if (!someone) return undefined;
      const person = someone.value.id;
      return kit.sets(
        { person },
        {
          when: (row, db) => row.origin === null && row.person !== person && reachable(db, person),
          api: "editDraft",
          args: `to:${someone.code}`,
          uses: [someone],
        },
      )`Make ${someone.words} the receiver of #, without sending
        | Address # to ${someone.words}, but do not send yet
        | Set ${someone.words} as the receiver of # and send nothing
        | Change the receiver of # to ${someone.words}; nothing is to be sent
        | Let ${someone.words} be the receiver of #, still unsent`;
    }),
  ),
  "rewrite-draft": kit.taking(
    "text",
    ({ value, words, code }) =>
      kit.sets({ body: value }, { when: () => true, api: "editDraft", args: `body:${code}` })`
        Replace the text of # by ${words} | Change the text of # to ${words}
        | Rewrite the text of # so that it is ${words} | Let the text of # be ${words} from now on
        | Make ${words} the text of #`,
  ),
}));

const waits = ({ status }: ScheduledMail) => status === "waiting";

const scheduleActions = actions(
  { kind: "scheduledMails", app: "mail", table: scheduledMails },
  ({ sets, taking }) => ({
    "cancel-scheduled": sets({ status: "cancelled" }, { when: waits, api: "cancelScheduled" })`
      Cancel # | Call off # | Stop # from going out | Prevent the sending of # | Have # cancelled`,
    reschedule: taking("day", ({ value: day, words, code }) => {
      if (day <= TODAY) return undefined;
      const when = (row: ScheduledMail) => waits(row) && row.day !== day;
      return sets(
        { day },
        { when, api: "reschedule", args: `day:${code}` },
      )`Reschedule # for ${words} | Let # leave on ${words} instead, at the same time of day
        | Move the sending of # to ${words} at an unchanged hour
        | Change the day of sending to ${words} for # | Have # sent on ${words} instead`;
    }),
  }),
);

const snoozeOf = (db: Reader, { id }: Mail) => db.where(snoozes, { mail: id })[0];

const snoozeActions = actions(
  { kind: "snoozedMails", app: "mail", table: mails },
  ({ does, taking }) => ({
    wake: does(
      (db, row) => {
        db.remove(snoozes, snoozeOf(db, row)!.id);
        db.update(mails, row.id, { folder: "inbox" });
      },
      { when: (row, db) => snoozeOf(db, row) !== undefined, api: "wake" },
    )`End the snooze of #, so that each is back in the inbox
      | Wake # and have each in the inbox again | Bring # back to the inbox by ending the snooze
      | Stop snoozing # and bring each back to the inbox | Return # from snooze to the inbox`,
    "snooze-again": taking("day", ({ value: until, words, code }) => {
      if (until < TODAY) return undefined;
      return does((db, row) => void db.update(snoozes, snoozeOf(db, row)!.id, { until }), {
        when: (row, db) => (snoozeOf(db, row)?.until ?? until) !== until,
        api: "snooze",
        args: `until:${code}`,
      })`Change the snooze of # so that it ends on ${words} | Snooze # until ${words} instead
        | Let the snooze of # last until ${words} | Set a new end of the snooze, ${words}, for #
        | Make ${words} the end of the snooze of #`;
    }),
  }),
);

// --- sent mail that waits for an answer ---

const followUpOf = (db: Reader, { id }: Mail) => db.where(followUps, { mail: id })[0];

const settling = actions({ kind: "waitingMails", app: "mail", table: mails }, ({ does }) => ({
  settle: does((db, row) => db.remove(followUps, followUpOf(db, row)!.id), {
    when: (row, db) => followUpOf(db, row) !== undefined,
    api: "settle",
  })`Settle #, so that no answer is waited for | Stop waiting for answers to #
    | Take the follow-up off # | Remove the follow-up day from # | End the follow-up of #`,
}));

const followUp = (kind: "sentMails" | "waitingMails") =>
  actions({ kind, app: "mail", table: mails }, ({ does, taking }) => ({
    "follow-up": taking("day", ({ value: day, words, code }) => {
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
      )`Set the follow-up day to ${words} for # | Mark # for follow-up by ${words}
        | Make ${words} the follow-up day of # | Note ${words} as the day for following up on #
        | Give # the follow-up day ${words}`;
    }),
  }));

// --- newsletters and mailing lists ---

const newsletterActions = actions(
  { kind: "newsletters", app: "mail", table: newsletters },
  ({ sets }) => ({
    unsubscribe: sets(
      { subscribed: false },
      { when: ({ subscribed }) => subscribed, api: "unsubscribe" },
    )`Unsubscribe from # | End my subscription to # | Cancel my subscription to #
      | Sign me off from # | Take me off as a subscriber of #`,
  }),
);

const membersOf = (db: Reader, list: number) =>
  db.where(listMembers, { list }).map(({ person }) => person);

const listActions = actions(
  { kind: "mailingLists", app: "mail", table: mailingLists, key: "list" },
  ({ does, adds, drawn, taking, hard }) => ({
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
    "add-member": hard(
      drawn((draw) => {
        const someone = draw.person();
        if (!someone) return undefined;
        const person = someone.value.id;
        return adds(listMembers, ({ id }) => ({ list: id, person }), {
          when: ({ id }, db) => !membersOf(db, id).includes(person),
          api: "addToList",
          args: `person:${someone.code}`,
          uses: [someone],
        })`Add ${someone.words} to # | Put ${someone.words} on #
          | Make ${someone.words} a member of # | Let ${someone.words} join #
          | Enter ${someone.words} as a member of #`;
      }),
    ),
  }),
);

export const moreMailActions: readonly Action[] = [
  ...draftActions,
  ...scheduleActions,
  ...snoozeActions,
  ...settling,
  ...followUp("sentMails"),
  ...followUp("waitingMails"),
  ...newsletterActions,
  ...listActions,
];
