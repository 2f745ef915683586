/** What can be done with received mail; the same for plain mails and for those that speak of money. */

import type { Action, Effect } from "../../../../goals/index.ts";
import { snoozes } from "../../apps/mail/tables.ts";
import {
  type Folder,
  type Mail,
  mails,
  notes,
  payments,
  todoLists,
  todos,
} from "../../apps/tables.ts";
import { NOW } from "../../population/time.ts";
import { contactOf } from "../contact.ts";
import { amountCode, centsIn, dayCode, dayIn, js, reachable, TODAY } from "./words.ts";
import { copiedTo, sendMail } from "./writes.ts";

const LABELS = ["to read", "done", "house", "money", "someday", "project", "ask again"] as const;

function changing(
  name: string,
  frames: Effect["frames"],
  patch: Partial<Mail>,
  permits: (row: Mail) => boolean,
  call: string,
): Omit<Action, "kind"> {
  return {
    name,
    app: "mail",
    difficulty: 1,
    draw: () => ({
      frames,
      permits: (db, id) => permits(db.get(mails, id)!),
      apply: (db, id) => void db.update(mails, id, patch),
      call: () => call,
    }),
  };
}

/** Only onwards, from inbox to archive to trash: so two moves of one mail are never both legal. */
function moving(name: string, folder: Folder, frames: Effect["frames"], call: string) {
  const permits = (row: Mail) =>
    row.folder === "inbox" || (folder === "trash" && row.folder === "archive");
  return changing(name, frames, { folder }, permits, call);
}

const label: Omit<Action, "kind"> = {
  name: "label",
  app: "mail",
  difficulty: 1,
  draw: ({ rng }) => {
    const text = rng.pick(LABELS);
    return {
      frames: [
        (it) => `Label ${it} as "${text}"`,
        (it) => `Give the label "${text}" to ${it}`,
        (it) => `Put the label "${text}" on ${it}`,
        (it) => `Use the label "${text}" for ${it}`,
        (it) => `Set the label to "${text}" for ${it}`,
      ],
      permits: (db, id) => db.get(mails, id)!.label !== text,
      apply: (db, id) => void db.update(mails, id, { label: text }),
      call: (x) => `apis.mail.label({id:${x},label:${js(text)}})`,
    };
  },
};

const forward: Omit<Action, "kind"> = {
  name: "forward",
  app: "mail",
  difficulty: 2,
  draw: (draw) => {
    const person = draw.person();
    if (!person || contactOf(draw.db, person.value).blocked) return undefined;
    return {
      frames: [
        (it) => `Forward ${it} to ${person.words}`,
        (it) => `Send ${it} on to ${person.words} by forwarding`,
        (it) => `Let ${person.words} have ${it} as forwarded mail`,
        (it) => `Pass ${it} on to ${person.words} as forwarded mail`,
        (it) => `Use forwarding to send ${it} to ${person.words}`,
      ],
      permits: (db) => reachable(db, person.value.id),
      apply: (db, id) => {
        const { subject, body } = db.get(mails, id)!;
        sendMail(db, { person: person.value.id, subject: `Fwd: ${subject}`, body, origin: id });
      },
      call: (x) => `apis.mail.forward({id:${x},to:${person.code}})`,
      uses: [person],
    };
  },
};

const reply: Omit<Action, "kind"> = {
  name: "reply",
  app: "mail",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (it) => `Reply to ${it} with the text ${text.words}`,
        (it) => `Answer ${it} by mail with ${text.words}`,
        (it) => `Send ${text.words} as a reply to ${it}`,
        (it) => `Write ${text.words} in reply to ${it}`,
        (it) => `Use ${text.words} as the answer to ${it}`,
      ],
      permits: (db, id) => reachable(db, db.get(mails, id)!.person),
      apply: (db, id) => {
        const { person, subject } = db.get(mails, id)!;
        sendMail(db, { person, subject: `Re: ${subject}`, body: text.value, origin: id });
      },
      call: (x) => `apis.mail.reply({id:${x},body:${text.code}})`,
      uses: [text],
    };
  },
};

const replyAll: Omit<Action, "kind"> = {
  name: "reply-all",
  app: "mail",
  difficulty: 2,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (it) => `Reply with ${text.words} to the sender of and everyone with a copy of ${it}`,
        (it) => `Answer ${it} with ${text.words}, as a reply to all`,
        (it) => `Write a reply to all that says ${text.words} to ${it}`,
        (it) => `Reply to all of those who got ${it}, and let the text be ${text.words}`,
        (it) => `Send a reply to all with the text ${text.words} for ${it}`,
      ],
      permits: (db, id) =>
        reachable(db, db.get(mails, id)!.person) &&
        copiedTo(db, id).length > 0 &&
        copiedTo(db, id).every((person) => reachable(db, person)),
      apply: (db, id) => {
        const { person, subject } = db.get(mails, id)!;
        const letter = { person, subject: `Re: ${subject}`, body: text.value, origin: id };
        sendMail(db, letter, copiedTo(db, id));
      },
      call: (x) => `apis.mail.replyAll({id:${x},body:${text.code}})`,
      uses: [text],
    };
  },
};

const snooze: Omit<Action, "kind"> = {
  name: "snooze",
  app: "mail",
  difficulty: 1,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    if (day.value < TODAY) return undefined;
    return {
      frames: [
        (it) => `Snooze ${it} until ${day.words}`,
        (it) => `Put ${it} on snooze until ${day.words}`,
        (it) => `Let ${it} sleep until ${day.words} by snoozing`,
        (it) => `Use snooze to hide ${it} until ${day.words}`,
        (it) => `Set a snooze until ${day.words} for ${it}`,
      ],
      permits: (db, id) =>
        db.get(mails, id)!.folder === "inbox" && db.where(snoozes, { mail: id }).length === 0,
      apply: (db, id) => {
        db.insert(snoozes, { mail: id, until: day.value });
        db.update(mails, id, { folder: "archive" });
      },
      call: (x) => `apis.mail.snooze({id:${x},until:${day.code}})`,
      uses: [day],
    };
  },
};

/** Keeps a mail's own text where it is found more easily. */
const note: Omit<Action, "kind"> = {
  name: "note-from-mail",
  app: "notes",
  difficulty: 2,
  draw: () => ({
    frames: [
      (it) => `Copy into notes, with the subject as title and the body as text, ${it}`,
      (it) =>
        `One by one, save as a note with the subject as its title and the body as its text ${it}`,
      (it) => `Make notes, each with a mail's subject as title and its body as text, of ${it}`,
      (it) =>
        `Write into my notes, the subject as the title and the body as the text, one by one ${it}`,
      (it) => `Turn into notes, subject becoming title and body becoming text, ${it}`,
    ],
    apply: (db, id) => {
      const { subject, body } = db.get(mails, id)!;
      db.insert(notes, { title: subject, text: body, tag: null, pinned: false });
    },
    call: (x) => `const m=apis.mail.show({id:${x}});apis.notes.add({title:m.subject,text:m.body})`,
  }),
};

/** What holds for every kind of received mail. */
const COMMON: readonly Omit<Action, "kind">[] = [
  moving(
    "archive",
    "archive",
    [
      (it) => `Archive ${it}`,
      (it) => `Move ${it} to the archive`,
      (it) => `Put ${it} into the archive`,
      (it) => `Send ${it} to the archive folder`,
      (it) => `Have ${it} moved into the archive`,
    ],
    "apis.mail.archive({id:x})",
  ),
  moving(
    "trash",
    "trash",
    [
      (it) => `Move ${it} to the trash`,
      (it) => `Throw ${it} into the trash`,
      (it) => `Put ${it} into the trash`,
      (it) => `Send ${it} to the trash folder`,
      (it) => `Have ${it} moved into the trash`,
    ],
    "apis.mail.remove({id:x})",
  ),
  changing(
    "star",
    [
      (it) => `Star ${it}`,
      (it) => `Put a star on ${it}`,
      (it) => `Mark ${it} with a star`,
      (it) => `Give a star to ${it}`,
      (it) => `Add a star to ${it}`,
    ],
    { starred: true },
    (row) => !row.starred,
    "apis.mail.star({id:x})",
  ),
  label,
  forward,
  reply,
  snooze,
  note,
];

/** Bills and receipts are done with by what they say. */
const pay: Omit<Action, "kind"> = {
  name: "pay-amount-of-mail",
  app: "pay",
  difficulty: 2,
  draw: () => ({
    frames: [
      (it) =>
        `Pay each sender the amount in the mail, with the mail's subject as the note, for ${it}`,
      (it) =>
        `Settle, by paying each sender the amount in the text with the subject as the note, ${it}`,
      (it) =>
        `One by one, pay the sender the amount named in the text and note the subject, for ${it}`,
      (it) =>
        `Pay what the text names to the sender, with the subject of the mail as the note, for ${it}`,
      (it) =>
        `Send each sender by pay the amount that the mail names, the note being its subject, for ${it}`,
    ],
    permits: (db, id) => {
      const { person, body } = db.get(mails, id)!;
      return centsIn(body) > 0 && reachable(db, person);
    },
    apply: (db, id) => {
      const { person, subject, body } = db.get(mails, id)!;
      const row = { person, outgoing: true, cents: centsIn(body), note: subject, request: null };
      db.insert(payments, { ...row, at: NOW });
    },
    call: (x) =>
      `const m=apis.mail.show({id:${x}});apis.pay.send({to:m.from,amount:${amountCode("m.body")},note:m.subject})`,
  }),
};

const plan: Omit<Action, "kind"> = {
  name: "todo-of-mail",
  app: "todo",
  difficulty: 2,
  draw: () => ({
    frames: [
      (it) => `Add a todo titled like the subject and due on the day in the text for ${it}`,
      (it) =>
        `One by one, add a todo with the subject as title and the day in the text as due day for ${it}`,
      (it) =>
        `Make todos, each titled by a mail's subject and due on the day in its text, of ${it}`,
      (it) =>
        `Put on my todo list, titled like the subject and due on the day that the text names, ${it}`,
      (it) =>
        `Turn into todos, with the subject as title and the day in the text as the due day, ${it}`,
    ],
    permits: (db, id) =>
      dayIn(db.get(mails, id)!.body) >= TODAY && db.where(todoLists, { name: "inbox" }).length > 0,
    apply: (db, id) => {
      const { subject, body } = db.get(mails, id)!;
      const list = db.where(todoLists, { name: "inbox" })[0]!.id;
      db.insert(todos, { title: subject, list, due: dayIn(body), done: false });
    },
    call: (x) =>
      `const m=apis.mail.show({id:${x}});apis.todo.add({title:m.subject,due:${dayCode("m.body")}})`,
  }),
};

const ask: Omit<Action, "kind"> = {
  name: "answer-amount",
  app: "mail",
  difficulty: 2,
  draw: () => ({
    frames: [
      (it) => `Reply with "got it: " and the amount in the mail, as in "got it: $12.50", to ${it}`,
      (it) =>
        `One by one, reply with "got it: " and the amount in the text, as in "got it: $12.50", to ${it}`,
      (it) => `Confirm by a reply of "got it: " and the amount, as in "got it: $12.50", ${it}`,
      (it) =>
        `Answer by mail with "got it: " and the amount that the text names, as in "got it: $12.50", ${it}`,
      (it) => `Write "got it: " and the amount, as in "got it: $12.50", in reply to ${it}`,
    ],
    permits: (db, id) => {
      const { person, body } = db.get(mails, id)!;
      return centsIn(body) > 0 && reachable(db, person);
    },
    apply: (db, id) => {
      const { person, subject, body } = db.get(mails, id)!;
      const text = `got it: $${(centsIn(body) / 100).toFixed(2)}`;
      sendMail(db, { person, subject: `Re: ${subject}`, body: text, origin: id });
    },
    call: (x) =>
      `const m=apis.mail.show({id:${x}});apis.mail.reply({id:${x},body:"got it: $"+${amountCode("m.body")}.toFixed(2)})`,
  }),
};

const of = (kind: string, actions: readonly Omit<Action, "kind">[]): Action[] =>
  actions.map((action) => ({ ...action, kind }));

export const mailActions: readonly Action[] = [
  ...of("mails", [...COMMON, replyAll]),
  ...of("bills", [...COMMON, pay, plan, ask]),
];
