/** What can be done with drafts, mail on schedule, snoozed mail, newsletters and mailing lists. */
import type { Action } from "../../../../goals/index.ts";
import {
  drafts,
  followUps,
  listMembers,
  newsletters,
  scheduledMails,
  snoozes,
} from "../../apps/mail/tables.ts";
import { mails } from "../../apps/tables.ts";
import { SUBJECTS } from "./people-actions.ts";
import { js, reachable, TODAY } from "./words.ts";
import { sendMail } from "./writes.ts";

const sendDraft: Action = {
  name: "send-draft",
  kind: "drafts",
  app: "mail",
  difficulty: 1,
  draw: () => ({
    frames: [
      (it) => `Send ${it}`,
      (it) => `Send off ${it}`,
      (it) => `Let ${it} go out now`,
      (it) => `Have ${it} sent`,
      (it) => `Finally send ${it}`,
    ],
    permits: (db, id) => {
      const person = db.get(drafts, id)?.person;
      return typeof person === "number" && reachable(db, person);
    },
    apply: (db, id) => {
      const { person, subject, body, origin } = db.get(drafts, id)!;
      db.remove(drafts, id);
      sendMail(db, { person: person!, subject, body, origin });
    },
    call: (x) => `apis.mail.sendDraft({id:${x}})`,
  }),
};

const discardDraft: Action = {
  name: "discard-draft",
  kind: "drafts",
  app: "mail",
  difficulty: 1,
  draw: () => ({
    frames: [
      (it) => `Discard ${it}`,
      (it) => `Throw away ${it}`,
      (it) => `Get rid of ${it}`,
      (it) => `Delete ${it} without sending`,
      (it) => `Have ${it} discarded`,
    ],
    permits: (db, id) => db.get(drafts, id) !== undefined,
    apply: (db, id) => db.remove(drafts, id),
    call: (x) => `apis.mail.discardDraft({id:${x}})`,
  }),
};

const addressDraft: Action = {
  name: "address-draft",
  kind: "drafts",
  app: "mail",
  difficulty: 2,
  draw: (draw) => {
    const person = draw.person();
    if (!person) return undefined;
    const { id: receiver } = person.value;
    return {
      frames: [
        (it) => `Make ${person.words} the receiver of ${it}, without sending`,
        (it) => `Address ${it} to ${person.words}, but do not send yet`,
        (it) => `Set ${person.words} as the receiver of ${it} and send nothing`,
        (it) => `Change the receiver of ${it} to ${person.words}; nothing is to be sent`,
        (it) => `Let ${person.words} be the receiver of ${it}, still unsent`,
      ],
      permits: (db, id) => {
        const row = db.get(drafts, id);
        return row?.origin === null && row.person !== receiver && reachable(db, receiver);
      },
      apply: (db, id) => void db.update(drafts, id, { person: receiver }),
      call: (x) => `apis.mail.editDraft({id:${x},to:${person.code}})`,
      uses: [person],
    };
  },
};

const rewriteDraft: Action = {
  name: "rewrite-draft",
  kind: "drafts",
  app: "mail",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (it) => `Replace the text of ${it} by ${text.words}`,
        (it) => `Change the text of ${it} to ${text.words}`,
        (it) => `Rewrite the text of ${it} so that it is ${text.words}`,
        (it) => `Let the text of ${it} be ${text.words} from now on`,
        (it) => `Make ${text.words} the text of ${it}`,
      ],
      permits: (db, id) => db.get(drafts, id) !== undefined,
      apply: (db, id) => void db.update(drafts, id, { body: text.value }),
      call: (x) => `apis.mail.editDraft({id:${x},body:${text.code}})`,
      uses: [text],
    };
  },
};

const cancelScheduled: Action = {
  name: "cancel-scheduled",
  kind: "scheduledMails",
  app: "mail",
  difficulty: 1,
  draw: () => ({
    frames: [
      (it) => `Cancel ${it}`,
      (it) => `Call off ${it}`,
      (it) => `Stop ${it} from going out`,
      (it) => `Prevent the sending of ${it}`,
      (it) => `Have ${it} cancelled`,
    ],
    permits: (db, id) => db.get(scheduledMails, id)!.status === "waiting",
    apply: (db, id) => void db.update(scheduledMails, id, { status: "cancelled" }),
    call: (x) => `apis.mail.cancelScheduled({id:${x}})`,
  }),
};

const reschedule: Action = {
  name: "reschedule",
  kind: "scheduledMails",
  app: "mail",
  difficulty: 1,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    if (day.value <= TODAY) return undefined;
    return {
      frames: [
        (it) => `Reschedule ${it} for ${day.words}`,
        (it) => `Let ${it} leave on ${day.words} instead, at the same time of day`,
        (it) => `Move the sending of ${it} to ${day.words} at an unchanged hour`,
        (it) => `Change the day of sending to ${day.words} for ${it}`,
        (it) => `Have ${it} sent on ${day.words} instead`,
      ],
      permits: (db, id) => {
        const row = db.get(scheduledMails, id)!;
        return row.status === "waiting" && row.day !== day.value;
      },
      apply: (db, id) => void db.update(scheduledMails, id, { day: day.value }),
      call: (x) => `apis.mail.reschedule({id:${x},day:${day.code}})`,
      uses: [day],
    };
  },
};

const wake: Action = {
  name: "wake",
  kind: "snoozedMails",
  app: "mail",
  difficulty: 1,
  draw: () => ({
    frames: [
      (it) => `End the snooze of ${it}, so that each is back in the inbox`,
      (it) => `Wake ${it} and have each in the inbox again`,
      (it) => `Bring ${it} back to the inbox by ending the snooze`,
      (it) => `Stop snoozing ${it} and bring each back to the inbox`,
      (it) => `Return ${it} from snooze to the inbox`,
    ],
    permits: (db, id) => db.where(snoozes, { mail: id }).length > 0,
    apply: (db, id) => {
      db.remove(snoozes, db.where(snoozes, { mail: id })[0]!.id);
      db.update(mails, id, { folder: "inbox" });
    },
    call: (x) => `apis.mail.wake({id:${x}})`,
  }),
};

const snoozeLonger: Action = {
  name: "snooze-again",
  kind: "snoozedMails",
  app: "mail",
  difficulty: 1,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    if (day.value < TODAY) return undefined;
    return {
      frames: [
        (it) => `Change the snooze of ${it} so that it ends on ${day.words}`,
        (it) => `Snooze ${it} until ${day.words} instead`,
        (it) => `Let the snooze of ${it} last until ${day.words}`,
        (it) => `Set a new end of the snooze, ${day.words}, for ${it}`,
        (it) => `Make ${day.words} the end of the snooze of ${it}`,
      ],
      permits: (db, id) => {
        const [known] = db.where(snoozes, { mail: id });
        return known !== undefined && known.until !== day.value;
      },
      apply: (db, id) => {
        db.update(snoozes, db.where(snoozes, { mail: id })[0]!.id, { until: day.value });
      },
      call: (x) => `apis.mail.snooze({id:${x},until:${day.code}})`,
      uses: [day],
    };
  },
};

const settle: Action = {
  name: "settle",
  kind: "waitingMails",
  app: "mail",
  difficulty: 1,
  draw: () => ({
    frames: [
      (it) => `Settle ${it}, so that no answer is waited for`,
      (it) => `Stop waiting for answers to ${it}`,
      (it) => `Take the follow-up off ${it}`,
      (it) => `Remove the follow-up day from ${it}`,
      (it) => `End the follow-up of ${it}`,
    ],
    permits: (db, id) => db.where(followUps, { mail: id }).length > 0,
    apply: (db, id) => db.remove(followUps, db.where(followUps, { mail: id })[0]!.id),
    call: (x) => `apis.mail.settle({id:${x}})`,
  }),
};

function followUp(kind: string): Action {
  return {
    name: "follow-up",
    kind,
    app: "mail",
    difficulty: 1,
    takes: "day",
    draw: (draw) => {
      const day = draw.value("day");
      if (day.value < TODAY) return undefined;
      return {
        frames: [
          (it) => `Set the follow-up day to ${day.words} for ${it}`,
          (it) => `Mark ${it} for follow-up by ${day.words}`,
          (it) => `Make ${day.words} the follow-up day of ${it}`,
          (it) => `Note ${day.words} as the day for following up on ${it}`,
          (it) => `Give ${it} the follow-up day ${day.words}`,
        ],
        permits: (db, id) => {
          const [known] = db.where(followUps, { mail: id });
          return known?.day !== day.value && (known !== undefined || kind === "sentMails");
        },
        apply: (db, id) => {
          const [known] = db.where(followUps, { mail: id });
          if (known) db.update(followUps, known.id, { day: day.value });
          else db.insert(followUps, { mail: id, day: day.value });
        },
        call: (x) => `apis.mail.followUp({id:${x},by:${day.code}})`,
        uses: [day],
      };
    },
  };
}

const unsubscribe: Action = {
  name: "unsubscribe",
  kind: "newsletters",
  app: "mail",
  difficulty: 1,
  draw: () => ({
    frames: [
      (it) => `Unsubscribe from ${it}`,
      (it) => `End my subscription to ${it}`,
      (it) => `Cancel my subscription to ${it}`,
      (it) => `Sign me off from ${it}`,
      (it) => `Take me off as a subscriber of ${it}`,
    ],
    permits: (db, id) => db.get(newsletters, id)!.subscribed,
    apply: (db, id) => void db.update(newsletters, id, { subscribed: false }),
    call: (x) => `apis.mail.unsubscribe({id:${x}})`,
  }),
};

const writeToList: Action = {
  name: "send-to-list",
  kind: "mailingLists",
  app: "mail",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    const subject = draw.rng.pick(SUBJECTS);
    return {
      frames: [
        (it) => `Mail ${text.words} with the subject "${subject}" to each member of ${it}`,
        (it) =>
          `Send every member of ${it} a mail with subject "${subject}" and text ${text.words}`,
        (it) => `Write to each member of ${it} by mail: subject "${subject}", text ${text.words}`,
        (it) => `Send a mail called "${subject}" that says ${text.words} to all members of ${it}`,
        (it) => `Let each member of ${it} have a mail "${subject}" with the text ${text.words}`,
      ],
      permits: (db, list) => {
        const on = db.where(listMembers, { list });
        // Who is added in the same task would make the order of things matter.
        const before = draw.db.where(listMembers, { list }).length;
        return (
          on.length > 0 && on.length === before && on.every(({ person }) => reachable(db, person))
        );
      },
      apply: (db, list) => {
        for (const { person } of db.where(listMembers, { list })) {
          sendMail(db, { person, subject, body: text.value, origin: null });
        }
      },
      call: (x) => `apis.mail.sendToList({list:${x},subject:${js(subject)},body:${text.code}})`,
      uses: [text],
    };
  },
};

const joinList: Action = {
  name: "add-member",
  kind: "mailingLists",
  app: "mail",
  difficulty: 2,
  draw: (draw) => {
    const someone = draw.person();
    if (!someone) return undefined;
    const person = someone.value.id;
    return {
      frames: [
        (it) => `Add ${someone.words} to ${it}`,
        (it) => `Put ${someone.words} on ${it}`,
        (it) => `Make ${someone.words} a member of ${it}`,
        (it) => `Let ${someone.words} join ${it}`,
        (it) => `Enter ${someone.words} as a member of ${it}`,
      ],
      permits: (db, list) => db.where(listMembers, { list, person }).length === 0,
      apply: (db, list) => void db.insert(listMembers, { list, person }),
      call: (x) => `apis.mail.addToList({list:${x},person:${someone.code}})`,
      uses: [someone],
    };
  },
};

export const moreMailActions: readonly Action[] = [
  sendDraft,
  discardDraft,
  addressDraft,
  rewriteDraft,
  cancelScheduled,
  reschedule,
  wake,
  snoozeLonger,
  settle,
  followUp("sentMails"),
  followUp("waitingMails"),
  unsubscribe,
  writeToList,
  joinList,
];
