/** What can be done by mail with people: write, schedule, draft, a template, a mailing list. */
import type { Action } from "../../../../goals/index.ts";
import {
  drafts,
  listMembers,
  mailingLists,
  scheduledMails,
  templates,
} from "../../apps/mail/tables.ts";
import { firstName, js, reachable, TODAY } from "./words.ts";
import { sendMail } from "./writes.ts";

export const SUBJECTS = [
  "A short word",
  "One more thing",
  "For your information",
  "About the weekend",
  "Please read",
  "A question",
] as const;

const write: Action = {
  name: "write",
  kind: "people",
  app: "mail",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    const subject = draw.rng.pick(SUBJECTS);
    return {
      frames: [
        (it) => `Mail ${text.words} with the subject "${subject}" to ${it}`,
        (it) => `Send a mail with the subject "${subject}" and the text ${text.words} to ${it}`,
        (it) => `Write a mail to ${it}: subject "${subject}", text ${text.words}`,
        (it) => `Send a mail called "${subject}" that says ${text.words} to ${it}`,
        (it) => `Let a mail "${subject}" with the text ${text.words} go to ${it}`,
      ],
      permits: reachable,
      apply: (db, person) => sendMail(db, { person, subject, body: text.value, origin: null }),
      call: (x) => `apis.mail.send({to:${x},subject:${js(subject)},body:${text.code}})`,
      uses: [text],
    };
  },
};

const schedule: Action = {
  name: "schedule",
  kind: "people",
  app: "mail",
  difficulty: 2,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    if (day.value <= TODAY) return undefined;
    const [subject, body] = [draw.rng.pick(SUBJECTS), "I am thinking of you today."];
    return {
      frames: [
        (it) =>
          `Schedule a mail "${subject}" for ${day.words} at 08:00 that says "${body}" to ${it}`,
        (it) =>
          `Let a mail with the subject "${subject}" and the text "${body}" leave on ${day.words} at 08:00 to ${it}`,
        (it) =>
          `Plan a mail to ${it} for ${day.words}, 08:00: subject "${subject}", text "${body}"`,
        (it) =>
          `Set up a mail "${subject}" with the text "${body}" that leaves on ${day.words} at 08:00 for ${it}`,
        (it) =>
          `Prepare a mail that leaves by itself on ${day.words} at 08:00 with subject "${subject}" and text "${body}" for ${it}`,
      ],
      permits: reachable,
      apply: (db, person) => {
        const row = { person, subject, body, day: day.value, time: "08:00" };
        db.insert(scheduledMails, { ...row, status: "waiting" });
      },
      call: (x) =>
        `apis.mail.schedule({to:${x},subject:${js(subject)},body:${js(body)},day:${day.code},time:"08:00"})`,
      uses: [day],
    };
  },
};

const draftFor: Action = {
  name: "draft",
  kind: "people",
  app: "mail",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    const subject = draw.rng.pick(SUBJECTS);
    return {
      frames: [
        (it) => `Draft, but do not send, a mail "${subject}" that says ${text.words} to ${it}`,
        (it) => `Write a draft with the subject "${subject}" and the text ${text.words} to ${it}`,
        (it) => `Prepare a draft to ${it}: subject "${subject}", text ${text.words}`,
        (it) => `Leave a draft called "${subject}" with the text ${text.words} for ${it}`,
        (it) => `Put a draft "${subject}" saying ${text.words} into my drafts for ${it}`,
      ],
      permits: reachable,
      apply: (db, person) => {
        db.insert(drafts, { person, subject, body: text.value, origin: null });
      },
      call: (x) => `apis.mail.draft({to:${x},subject:${js(subject)},body:${text.code}})`,
      uses: [text],
    };
  },
};

const fillIn = (text: string, name: string) => text.replaceAll("{name}", name);

const sendTemplate: Action = {
  name: "template",
  kind: "people",
  app: "mail",
  difficulty: 1,
  draw: ({ rng, db }) => {
    const all = db.all(templates);
    if (all.length === 0) return undefined;
    const { id, name } = rng.pick(all);
    return {
      frames: [
        (it) => `Send my mail template "${name}" to ${it}`,
        (it) => `Use the mail template "${name}" to write to ${it}`,
        (it) => `Let the mail template "${name}" go to ${it}`,
        (it) => `Write to ${it} with my mail template "${name}"`,
        (it) => `Mail my template "${name}" to ${it}`,
      ],
      permits: reachable,
      apply: (writer, person) => {
        const { subject, body } = writer.get(templates, id)!;
        const first = firstName(writer, person);
        const letter = { subject: fillIn(subject, first), body: fillIn(body, first) };
        sendMail(writer, { person, ...letter, origin: null });
      },
      call: (x) => `apis.mail.sendTemplate({template:${js(name)},to:${x}})`,
    };
  },
};

const enlist: Action = {
  name: "enlist",
  kind: "people",
  app: "mail",
  difficulty: 1,
  draw: ({ rng, db, people }) => {
    const own = new Set(people.map(({ id }) => id));
    const lists = db
      .all(mailingLists)
      .filter(({ id }) => db.where(listMembers, { list: id }).every((row) => own.has(row.person)));
    if (lists.length === 0) return undefined;
    const { id: list, name } = rng.pick(lists);
    return {
      frames: [
        (it) => `Add ${it} to my mailing list "${name}"`,
        (it) => `Put ${it} on the mailing list "${name}"`,
        (it) => `Make ${it} part of my mailing list "${name}"`,
        (it) => `Enter ${it} into the mailing list "${name}"`,
        (it) => `Let my mailing list "${name}" include ${it}`,
      ],
      permits: (reader, person) => reader.where(listMembers, { list, person }).length === 0,
      apply: (writer, person) => void writer.insert(listMembers, { list, person }),
      call: (x) => `apis.mail.addToList({list:${js(name)},person:${x}})`,
    };
  },
};

export const mailPeopleActions: readonly Action[] = [
  write,
  schedule,
  draftFor,
  sendTemplate,
  enlist,
];
