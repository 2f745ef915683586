/** Values that other parts can look up in mails, facts about the mailbox, and single tasks. */
import {
  customIngredient,
  type DrawContext,
  deeds,
  facts,
  type Ingredient,
  jsLiteral,
  oneOf,
  someone,
  sources,
  storeAndPrint,
  wordList,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  drafts,
  listMembers,
  mailingLists,
  newsletters,
  type Rule,
  rules,
  scheduledMails,
  signatures,
  templates,
} from "../../apps/mail/tables.ts";
import { type Mail, mails } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { isReachable } from "../reachable-people.ts";
import { drawSoleRow } from "./draw-sole-row.ts";
import {
  amountCode,
  centsInText,
  dayCode,
  dayInText,
  insertSentMail,
} from "./mails-and-columns.ts";

const drawFindableMail = (draw: DrawContext, fits: (row: Mail) => boolean) => {
  const notTrashed = draw.db
    .where(mails, { outgoing: false })
    .filter(({ folder }) => folder !== "trash");
  const of = {
    title: (row: Mail) => row.subject,
    people: ({ person }: Mail) => (person === null ? [] : [person]),
  };
  return drawSoleRow(draw, notTrashed, of, fits);
};

/**
 * Draws a mail whose body contains a value. `readValue` reads the value from a body, or returns null when there is
 * none. `code` reads it from the text in code.
 */
function valueInMail<T>(
  draw: DrawContext,
  what: string,
  readValue: (body: string) => T | null,
  code?: (text: string) => string,
) {
  const mail = drawFindableMail(draw, ({ body }) => readValue(body) !== null);
  if (!mail) return undefined;
  const { subject, body } = mail;
  const show = `apis.mail.show({id:apis.mail.list({subject:${jsLiteral(subject)}}).items[0].id}).body`;
  return {
    value: readValue(body)!,
    words: `the ${what} in the mail "${subject}"${draw.rng.chance(0.5) ? " that I received" : ""}`,
    ...(code ? { cells: [storeAndPrint("t", show)], code: code("t") } : { code: show }),
  };
}

export const mailSources = sources("mail", ({ source }) => ({
  "amount-in-mail": source.money("v", (draw) =>
    valueInMail(draw, "amount", (body) => centsInText(body) || null, amountCode),
  ),
  "day-in-mail": source.day("v", (draw) => {
    const futureDayInBody = (body: string) => (dayInText(body) > TODAY ? dayInText(body) : null);
    return valueInMail(draw, "day named", futureDayInBody, dayCode);
  }),
  "door-code-in-mail": source.text("v", (draw) =>
    valueInMail(
      draw,
      "door code (its four digits alone)",
      (body) => /door code is (\d{4})/.exec(body)?.[1] ?? null,
      (text) => `/door code is (\\d{4})/.exec(${text})[1]`,
    ),
  ),
  "text-of-mail": source.text("v", (draw) =>
    valueInMail(draw, "whole text", (body) =>
      body.length < 90 && !body.includes("\n") ? body : null,
    ),
  ),
}));

const countReceived = (match: Partial<Mail>) => (db: Reader) =>
  db.where(mails, { outgoing: false, ...match }).length;

export const mailFacts = facts("mail", ({ fact }) => ({
  "inbox-size": fact("number", countReceived({ folder: "inbox" }), "apis.mail.counts({}).inbox")`
    the number of mails in my inbox | the count of mails in my inbox | the size of my inbox in mails
    | the number of mails that lie in my inbox | the number of mails my inbox holds`,
  "archive-size": fact(
    "number",
    countReceived({ folder: "archive" }),
    "apis.mail.counts({}).archive",
  )`the
    number of mails in my mail archive | the count of archived mails | the size of my mail archive
    in mails | the number of mails that I have archived | the number of mails the archive holds`,
  unread: fact(
    "number",
    countReceived({ folder: "inbox", unread: true }),
    "apis.mail.counts({}).unread",
  )`the number of unread mails in my inbox | the count of unread mails in the inbox
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
    | the number of newsletters that I subscribe to | the number of running newsletter subscriptions
    | the number of newsletters with a running subscription`,
}));

const SUBJECTS = wordList("Greetings | A favour | Next week | Quick question | News from me");

const RULE_LABELS = wordList("close | club | work | house | music");

/** Returns the inbox mails to which an active rule applies and which do not have its label yet. */
function mailsForRule(db: Reader, id: number): readonly Mail[] {
  const { words, person, label } = db.get(rules, id)!;
  return db
    .where(mails, { outgoing: false, folder: "inbox" })
    .filter((row) => words === null || row.subject.toLowerCase().includes(words.toLowerCase()))
    .filter((row) => person === null || row.person === person)
    .filter((row) => row.label !== label);
}

/** Draws one of the rows. The instruction calls the row by its name. */
const drawByName = <R extends { readonly name: string }>(
  rows: (db: Reader) => readonly R[],
): Ingredient<R> =>
  customIngredient(
    ({ rng, db }) => {
      const all = rows(db);
      return all.length > 0 ? rng.pick(all) : undefined;
    },
    ({ name }) => name,
    ({ name }) => jsLiteral(name),
  );

const drawSignature = drawByName((db) => db.all(signatures));
const drawUsefulRule = drawByName((db) => {
  const isUseful = (row: Rule) =>
    row.active && !row.archives && mailsForRule(db, row.id).length > 0;
  return db.all(rules).filter(isUseful);
});

const drawKnownLabel: Ingredient<string> = customIngredient(({ rng, db }) => {
  const known = new Set(db.all(mails).flatMap(({ label }) => label ?? []));
  const possibleLabels = wordList("later | urgent | school | plans | travel");
  return rng.pick(possibleLabels.filter((label) => known.has(label)));
});

const TEMPLATE_ADJECTIVES = ["short", "spare", "kind", "quick"];
const drawTemplateName = customIngredient(
  ({ rng }) => `${rng.pick(TEMPLATE_ADJECTIVES)} ${rng.pick(["word", "answer", "hello"])}`,
);

const TWO_PEOPLE = { first: someone(), second: someone() };
const LIST_NAMES = wordList("spring fair | fence project | attic sale | summer band");
const NEW_LABELS = wordList("open matters | week twelve | old things | spring");

const [CALL_TEXT, MORNING_TIME] = ["I will call you in the evening.", "09:30"];
const drawSubject = oneOf(SUBJECTS);

export const mailDeeds = deeds(
  "mail",
  ({ storeAndPrint, deedWithOne, deed, taskValue, oneOf, someone }) => ({
    "write-once": deed(
      { text: taskValue("text"), person: someone(), subject: drawSubject },
      ({ text, person, subject }, draw) => {
        const letter = { person: person.value.id, subject: subject.value, body: text.value };
        if (!isReachable(draw.db, letter.person)) return undefined;
        return {
          apply: (db) => insertSentMail(db, { ...letter, origin: null }),
          call: `apis.mail.send({to:${person.code},subject:${subject.code},body:${text.code}})`,
        };
      },
    )`Mail $person with the subject "$subject" and the text $text | Send $person a mail called
    "$subject" that says $text | Write a mail to $person: subject "$subject", text $text
    | Let $person have a mail with subject "$subject" and text $text
    | I want $person to get a mail "$subject" with the text $text`,
    "schedule-once": deed(
      { day: taskValue("day"), person: someone(), subject: drawSubject },
      ({ day, person, subject }, draw) => {
        const letter = { person: person.value.id, subject: subject.value, body: CALL_TEXT };
        if (!isReachable(draw.db, letter.person) || day.value <= TODAY) return undefined;
        const when = { day: day.value, time: MORNING_TIME };
        return {
          apply: (db) => void db.insert(scheduledMails, { ...letter, ...when, status: "waiting" }),
          call: `apis.mail.schedule({to:${person.code},subject:${subject.code},body:${jsLiteral(CALL_TEXT)},day:${day.code},time:"09:30"})`,
        };
      },
    )`Schedule a mail "$subject" to $person for $day at 09:30 that says "${CALL_TEXT}" | Let a
      mail to $person with subject "$subject" and text "${CALL_TEXT}" leave on $day at 09:30 |
      Plan a mail to $person for $day, 09:30: subject "$subject", text "${CALL_TEXT}" | Prepare a
      mail that leaves on $day at 09:30 for $person, with the subject "$subject" and the text
      "${CALL_TEXT}" | I want a mail "$subject" saying "${CALL_TEXT}" to go to $person
      automatically on $day at 09:30`,
    "add-template": deed(
      { text: taskValue("text"), subject: drawSubject, name: drawTemplateName },
      (drawn) => {
        const [text, subject, name] = [drawn.text, drawn.subject, drawn.name];
        const row = { name: name.value, subject: subject.value, body: text.value };
        return {
          apply: (db) => void db.insert(templates, row),
          call: `apis.mail.addTemplate({name:${name.code},subject:${subject.code},body:${text.code}})`,
        };
      },
    )`Add a mail template "$name" with the subject "$subject" and the text $text
    | Make a new mail template called "$name": subject "$subject", text $text
    | Create the mail template "$name", whose subject is "$subject" and whose text is $text
    | I need a mail template named "$name" with subject "$subject" and text $text | Set
    up a mail template by the name of "$name" that has the subject "$subject" and the text $text`,
    "edit-signature": deed({ text: taskValue("text"), name: drawSignature }, ({ text, name }) => ({
      apply: (db) => void db.update(signatures, name.value.id, { text: text.value }),
      call: `apis.mail.editSignature({signature:${name.code},text:${text.code}})`,
    }))`Change my mail signature "$name" to $text | Let my mail signature "$name" say $text from now
    on | Replace the text of the mail signature "$name" by $text
    | Make $text the text of my mail signature "$name" | My mail signature "$name" should be $text`,
    "add-rule": deed(
      { person: someone(), label: oneOf(RULE_LABELS) },
      ({ person, label: { value: label } }) => {
        const name = `${label} people`;
        const row = { name, person: person.value.id, words: null, label, archives: false };
        return {
          apply: (db) => void db.insert(rules, { ...row, active: true }),
          call: `apis.mail.addRule({name:${jsLiteral(name)},from:${person.code},label:${jsLiteral(label)}})`,
        };
      },
    )`Add a mail rule "$label people" that gives mail from $person the label "$label"
    | Make a new mail rule called "$label people": mail from $person gets the label "$label"
    | Set up a mail rule "$label people" so that whatever $person sends is labelled "$label"
    | I need a mail rule "$label people" which labels mail from $person as "$label"
    | Create the mail rule "$label people", by which mail of $person is given the label "$label"`,
    "apply-rule": deedWithOne(drawUsefulRule, ({ value: { id, label }, code }) => ({
      apply: (db) => {
        for (const row of mailsForRule(db, id)) db.update(mails, row.id, { label });
      },
      cells: [
        storeAndPrint("rules", "apis.mail.rules({size:20}).items"),
        `apis.mail.applyRule({id:rules.find(x=>x.name===${code}).id})`,
      ],
    }))`Apply my mail rule "$" to the mail that is in the inbox now | Let the mail rule "$" run on
    what is in my inbox | Run my mail rule called "$" over the present inbox | Use the
    mail rule "$" on all mail in my inbox | Have the mail rule "$" applied to my inbox as it is`,
    "rename-label": deed({ old: drawKnownLabel, label: oneOf(NEW_LABELS) }, ({ old, label }) => ({
      apply: (db) => {
        for (const { id } of db.where(mails, { label: old.value })) {
          db.update(mails, id, { label: label.value });
        }
      },
      call: `apis.mail.renameLabel({label:${old.code},to:${label.code}})`,
    }))`Rename the mail label "$old" to "$label" | Change the mail label "$old" into "$label" for
      all mails that have it | Every mail with the label "$old" should be labelled "$label"
      instead | Replace the mail label "$old" by "$label" everywhere | I want the mail label
      "$old" to be called "$label" on all its mails`,
    "add-list": deed({ ...TWO_PEOPLE, name: oneOf(LIST_NAMES) }, ({ first, second, name }) => {
      if (first.value.id === second.value.id) return undefined;
      return {
        apply: (db) => {
          const list = db.insert(mailingLists, { name: name.value }).id;
          for (const { value } of [first, second])
            db.insert(listMembers, { list, person: value.id });
        },
        call: `apis.mail.addList({name:${name.code},people:[${first.code},${second.code}]})`,
      };
    })`Add a mailing list "$name" with $first and $second | Make a new mailing list called "$name"
    whose members are $first and $second | Create the mailing list "$name"
    and put $first and $second on it | I need a mailing list named "$name" for $first and $second
    | Set up a mailing list "$name" that has $first and $second as members`,
  }),
);
