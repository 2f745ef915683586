/** Values hidden in mails, numbers about the mailbox, and what is done once. */
import {
  type Draw,
  deeds,
  done,
  doneWith,
  fact,
  facts,
  js,
  leaves,
  listOf,
  source,
  sources,
} from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  drafts,
  listMembers,
  mailingLists,
  newsletters,
  rules,
  scheduledMails,
  signatures,
  templates,
} from "../../apps/mail/tables.ts";
import { type Mail, mails } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { reachable } from "../contact.ts";
import { soleOf } from "./drawn.ts";
import { amountCode, centsIn, dayCode, dayIn, sendMail } from "./words.ts";

// --- sources ---

const findable = (draw: Draw, fits: (row: Mail) => boolean) => {
  const kept = draw.db.where(mails, { outgoing: false }).filter(({ folder }) => folder !== "trash");
  const of = { title: (row: Mail) => row.subject, people: (row: Mail) => [row.person] };
  return soleOf(draw, kept, of, fits);
};

/** What stands in a mail: `of` gives null where it does not, `code` finds it in the text. */
function inMail<T>(
  draw: Draw,
  what: string,
  of: (body: string) => T | null,
  code?: (text: string) => string,
) {
  const mail = findable(draw, ({ body }) => of(body) !== null);
  if (!mail) return undefined;
  const { subject, body } = mail;
  const show = `apis.mail.show({id:apis.mail.find({subject:${js(subject)}}).items[0].id}).body`;
  return {
    value: of(body)!,
    words: `the ${what} in the mail "${subject}"${draw.rng.chance(0.5) ? " that I received" : ""}`,
    ...(code ? { cells: [leaves("t", show)], code: code("t") } : { code: show }),
  };
}

export const mailSources = sources("mail", {
  "amount-in-mail": source.money("v", (draw) =>
    inMail(draw, "amount", (body) => centsIn(body) || null, amountCode),
  ),
  "day-in-mail": source.day("v", (draw) => {
    const ahead = (body: string) => (dayIn(body) > TODAY ? dayIn(body) : null);
    return inMail(draw, "day named", ahead, dayCode);
  }),
  "door-code-in-mail": source.text("v", (draw) =>
    inMail(
      draw,
      "door code (its four digits alone)",
      (body) => /door code is (\d{4})/.exec(body)?.[1] ?? null,
      (text) => `/door code is (\\d{4})/.exec(${text})[1]`,
    ),
  ),
  "text-of-mail": source.text("v", (draw) =>
    inMail(draw, "whole text", (body) => (body.length < 90 && !body.includes("\n") ? body : null)),
  ),
});

// --- facts ---

const lying = (match: Partial<Mail>) => (db: Reader) =>
  db.where(mails, { outgoing: false, ...match }).length;

export const mailFacts = facts("mail", {
  "inbox-size": fact("number", lying({ folder: "inbox" }), "apis.mail.counts({}).inbox")`
    the number of mails in my inbox | the count of mails in my inbox
    | the size of my inbox in mails | the number of mails that lie in my inbox
    | the number of mails my inbox holds`,
  "archive-size": fact("number", lying({ folder: "archive" }), "apis.mail.counts({}).archive")`
    the number of mails in my mail archive | the count of archived mails
    | the size of my mail archive in mails | the number of mails that I have archived
    | the number of mails the archive holds`,
  unread: fact("number", lying({ folder: "inbox", unread: true }), "apis.mail.counts({}).unread")`
    the number of unread mails in my inbox | the count of unread mails in the inbox
    | the number of inbox mails that are unread
    | the number of mails in my inbox that I have not read
    | the number of mails in the inbox I have yet to read`,
  drafts: fact("number", (db) => db.all(drafts).length, "apis.mail.counts({}).drafts")`
    the number of mail drafts | the count of my mail drafts | the number of drafts in my mail
    | the number of mails that are still drafts | the number of unsent mail drafts`,
  newsletters: fact(
    "number",
    (db) => db.where(newsletters, { subscribed: true }).length,
    "apis.mail.newsletters({subscribed:true,size:20}).items.length",
  )`the number of newsletters I am subscribed to | the count of my newsletter subscriptions
    | the number of newsletters that I subscribe to
    | the number of running newsletter subscriptions
    | the number of newsletters with a running subscription`,
});

// --- deeds ---

const SUBJECTS = listOf("Greetings | A favour | Next week | Quick question | News from me");

/** Inbox mail that an active rule is about and that does not yet look as the rule wants. */
function caught(db: Reader, id: number): readonly Mail[] {
  const { words, person, label } = db.get(rules, id)!;
  return db
    .where(mails, { outgoing: false, folder: "inbox" })
    .filter((row) => words === null || row.subject.toLowerCase().includes(words.toLowerCase()))
    .filter((row) => person === null || row.person === person)
    .filter((row) => row.label !== label);
}

export const mailDeeds = deeds("mail", {
  "write-once": doneWith("text", (text, draw) => {
    const [person, subject] = [draw.person(), draw.rng.pick(SUBJECTS)];
    if (!person || !reachable(draw.db, person.value.id)) return undefined;
    const letter = { person: person.value.id, subject, body: text.value, origin: null };
    return done({
      apply: (db) => sendMail(db, letter),
      cells: [`apis.mail.send({to:${person.code},subject:${js(subject)},body:${text.code}})`],
      uses: [person],
    })`Mail ${person.words} with the subject "${subject}" and the text ${text.words}
      | Send ${person.words} a mail called "${subject}" that says ${text.words}
      | Write a mail to ${person.words}: subject "${subject}", text ${text.words}
      | Let ${person.words} have a mail with subject "${subject}" and text ${text.words}
      | I want ${person.words} to get a mail "${subject}" with the text ${text.words}`;
  }),
  "schedule-once": doneWith("day", (day, draw) => {
    const [person, subject] = [draw.person(), draw.rng.pick(SUBJECTS)];
    if (!person || !reachable(draw.db, person.value.id) || day.value <= TODAY) return undefined;
    const body = "I will call you in the evening.";
    const row = { person: person.value.id, subject, body, day: day.value, time: "09:30" };
    return done({
      apply: (db) => void db.insert(scheduledMails, { ...row, status: "waiting" }),
      cells: [
        `apis.mail.schedule({to:${person.code},subject:${js(subject)},body:${js(body)},day:${day.code},time:"09:30"})`,
      ],
      uses: [person],
    })`
      Schedule a mail "${subject}" to ${person.words} for ${day.words} at 09:30 that says "${body}"
      | Let a mail to ${person.words} with subject "${subject}" and text "${body}" leave on
      ${day.words} at 09:30
      | Plan a mail to ${person.words} for ${day.words}, 09:30: subject "${subject}", text
      "${body}"
      | Prepare a mail that leaves on ${day.words} at 09:30 for ${person.words}, with the subject
      "${subject}" and the text "${body}"
      | I want a mail "${subject}" saying "${body}" to go to ${person.words} on ${day.words} at
      09:30, by itself`;
  }),
  "add-template": doneWith("text", (text, { rng }) => {
    const subject = rng.pick(SUBJECTS);
    const kind = rng.pick(listOf("short | spare | kind | quick"));
    const name = `${kind} ${rng.pick(listOf("word | answer | hello"))}`;
    return done({
      apply: (db) => void db.insert(templates, { name, subject, body: text.value }),
      cells: [`apis.mail.addTemplate({name:${js(name)},subject:${js(subject)},body:${text.code}})`],
    })`Add a mail template "${name}" with the subject "${subject}" and the text ${text.words}
      | Make a new mail template called "${name}": subject "${subject}", text ${text.words}
      | Create the mail template "${name}", whose subject is "${subject}" and whose text is
      ${text.words}
      | I need a mail template named "${name}" with subject "${subject}" and text ${text.words}
      | Set up a mail template by the name of "${name}" that has the subject "${subject}" and the
      text ${text.words}`;
  }),
  "edit-signature": doneWith("text", (text, { rng, db: start }) => {
    const all = start.all(signatures);
    if (all.length === 0) return undefined;
    const { id, name } = rng.pick(all);
    return done({
      apply: (db) => void db.update(signatures, id, { text: text.value }),
      cells: [`apis.mail.editSignature({signature:${js(name)},text:${text.code}})`],
    })`Change my mail signature "${name}" to ${text.words}
      | Let my mail signature "${name}" say ${text.words} from now on
      | Replace the text of the mail signature "${name}" by ${text.words}
      | Make ${text.words} the text of my mail signature "${name}"
      | My mail signature "${name}" should be ${text.words}`;
  }),
  "add-rule": (draw) => {
    const person = draw.person();
    if (!person) return undefined;
    const label = draw.rng.pick(listOf("close | club | work | house | music"));
    const name = `${label} people`;
    const row = { name, person: person.value.id, words: null, label, archives: false };
    return done({
      apply: (db) => void db.insert(rules, { ...row, active: true }),
      cells: [`apis.mail.addRule({name:${js(name)},from:${person.code},label:${js(label)}})`],
      uses: [person],
    })`Add a mail rule "${name}" that gives mail from ${person.words} the label "${label}"
      | Make a new mail rule called "${name}": mail from ${person.words} gets the label "${label}"
      | Set up a mail rule "${name}" so that whatever ${person.words} sends is labelled "${label}"
      | I need a mail rule "${name}" which labels mail from ${person.words} as "${label}"
      | Create the mail rule "${name}", by which mail of ${person.words} is given the label
      "${label}"`;
  },
  "apply-rule": ({ rng, db: start }) => {
    const useful = start
      .all(rules)
      .filter(({ id, active, archives }) => active && !archives && caught(start, id).length > 0);
    if (useful.length === 0) return undefined;
    const { id, name, label } = rng.pick(useful);
    return done({
      apply: (db) => {
        for (const row of caught(db, id)) db.update(mails, row.id, { label });
      },
      cells: [
        leaves("rules", "apis.mail.rules({size:20}).items"),
        `apis.mail.applyRule({id:rules.find(x=>x.name===${js(name)}).id})`,
      ],
    })`Apply my mail rule "${name}" to the mail that is in the inbox now
      | Let the mail rule "${name}" run on what is in my inbox
      | Run my mail rule called "${name}" over the present inbox
      | Use the mail rule "${name}" on all mail in my inbox
      | Have the mail rule "${name}" applied to my inbox as it is`;
  },
  "rename-label": ({ rng, db: start }) => {
    const known = new Set(start.all(mails).flatMap(({ label }) => label ?? []));
    const common = listOf("later | urgent | school | plans | travel");
    const old = rng.pick(common.filter((label) => known.has(label)));
    const label = rng.pick(listOf("open matters | week twelve | old things | spring"));
    return done({
      apply: (db) => {
        for (const { id } of db.where(mails, { label: old })) db.update(mails, id, { label });
      },
      cells: [`apis.mail.renameLabel({label:${js(old)},to:${js(label)}})`],
    })`Rename the mail label "${old}" to "${label}"
      | Change the mail label "${old}" into "${label}" for all mails that have it
      | Every mail with the label "${old}" should be labelled "${label}" instead
      | Replace the mail label "${old}" by "${label}" everywhere
      | I want the mail label "${old}" to be called "${label}" on all its mails`;
  },
  "add-list": (draw) => {
    const [first, second] = [draw.person(), draw.person()];
    if (!first || !second || first.value.id === second.value.id) return undefined;
    const name = draw.rng.pick(listOf("spring fair | fence project | attic sale | summer band"));
    return done({
      apply: (db) => {
        const list = db.insert(mailingLists, { name }).id;
        for (const { value } of [first, second]) db.insert(listMembers, { list, person: value.id });
      },
      cells: [`apis.mail.addList({name:${js(name)},people:[${first.code},${second.code}]})`],
      uses: [first, second],
    })`Add a mailing list "${name}" with ${first.words} and ${second.words}
      | Make a new mailing list called "${name}" whose members are ${first.words} and
      ${second.words}
      | Create the mailing list "${name}" and put ${first.words} and ${second.words} on it
      | I need a mailing list named "${name}" for ${first.words} and ${second.words}
      | Set up a mailing list "${name}" that has ${first.words} and ${second.words} as members`;
  },
});
