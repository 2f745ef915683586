/** Actions of the mail app on people: writing, scheduling, drafts, templates and mailing lists. */
import { actions, type Ingredient, jsLiteral, oneOf, taskValue, wordList } from "bowline/goals";
import type { RowOf } from "bowline/resources";
import {
  drafts,
  listMembers,
  type MailingList,
  mailingLists,
  scheduledMails,
  templates,
} from "../../apps/mail/tables.ts";
import { type Person, people } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { insertSentMail } from "./mails-and-columns.ts";

export const SUBJECTS = wordList(`A short word | One more thing | For your information
  | About the weekend | Please read | A question`);

const fillTemplate = (text: string, { name }: Person) =>
  text.replaceAll("{name}", name.split(" ")[0]!);

const drawTemplate: Ingredient<RowOf<typeof templates>> = ({ rng, db }) => {
  const all = db.all(templates);
  const value = all.length > 0 ? rng.pick(all) : undefined;
  return value && { value, words: value.name, code: jsLiteral(value.name) };
};

/** Draws a mailing list whose members the task may name. */
const drawNameableList: Ingredient<MailingList> = ({ rng, db, people: named }) => {
  const nameableIds = new Set(named.map(({ id }) => id));
  const hasNameableMembers = ({ id }: MailingList) =>
    db.where(listMembers, { list: id }).every(({ person }) => nameableIds.has(person));
  const lists = db.all(mailingLists).filter(hasNameableMembers);
  const value = lists.length > 0 ? rng.pick(lists) : undefined;
  return value && { value, words: value.name, code: jsLiteral(value.name) };
};

const [SCHEDULED_BODY, SCHEDULED_TIME] = ["I am thinking of you today.", "08:00"];
const PEOPLE_LIST = {
  kind: "people",
  app: "mail",
  table: people,
  key: "to",
  difficult: "schedule",
} as const;
const drawDayAfterToday = taskValue("day", (day) => day > TODAY);
const letterIngredients = { text: taskValue("text"), subject: oneOf(SUBJECTS) };

export const mailPeopleActions = actions(
  PEOPLE_LIST,
  ({ addsRow, applies, actionWith, actionWithOne }) => ({
    write: actionWith(letterIngredients, ({ text: { value: body, code }, subject }) =>
      applies(
        (db, { id }) =>
          insertSentMail(db, { person: id, subject: subject.value, body, origin: null }),
        {
          when: { blocked: false },
          api: "send",
          args: `subject:${subject.code},body:${code}`,
        },
      ),
    )`Mail $text with the subject "$subject" to # | Send a mail with the subject "$subject" and the
    text $text to # | Write a mail to #: subject "$subject", text $text | Send a mail
    called "$subject" that says $text to # | Let a mail "$subject" with the text $text go to #`,
    schedule: actionWith(
      { day: drawDayAfterToday, subject: oneOf(SUBJECTS) },
      ({ day, subject }) => {
        const rest = {
          subject: subject.value,
          body: SCHEDULED_BODY,
          day: day.value,
          time: SCHEDULED_TIME,
        };
        return addsRow(scheduledMails, ({ id }) => ({ person: id, ...rest, status: "waiting" }), {
          when: { blocked: false },
          api: "schedule",
          args: `subject:${subject.code},body:${jsLiteral(SCHEDULED_BODY)},day:${day.code},time:${jsLiteral(SCHEDULED_TIME)}`,
        });
      },
    )`Schedule a mail "$subject" for $day at 08:00 that says "${SCHEDULED_BODY}" to #
    | Let a mail with the subject "$subject" and the text "${SCHEDULED_BODY}" leave on $day at 08:00
      to # | Plan a mail to # for $day, 08:00: subject "$subject", text "${SCHEDULED_BODY}"
    | Schedule a mail "$subject" with the text "${SCHEDULED_BODY}" for $day at 08:00 to #
    | For $day at 08:00, schedule a mail with the subject "$subject" and the text "${SCHEDULED_BODY}" to #`,
    draft: actionWith(letterIngredients, ({ text: { value: body, code }, subject }) => {
      const rest = { subject: subject.value, body, origin: null };
      return addsRow(drafts, ({ id }) => ({ person: id, ...rest }), {
        when: { blocked: false },
        api: "draft",
        args: `subject:${subject.code},body:${code}`,
      });
    })`Draft, but do not send, a mail "$subject" that says $text to #
    | Write a draft with the subject "$subject" and the text $text to #
    | Prepare a draft to #: subject "$subject", text $text
    | Leave a draft called "$subject" with the text $text for #
    | Put a draft "$subject" with the text $text for # into my drafts`,
    template: actionWithOne(drawTemplate, ({ value: { id }, code }) =>
      applies(
        (db, person) => {
          const { subject, body } = db.get(templates, id)!;
          const filled = {
            subject: fillTemplate(subject, person),
            body: fillTemplate(body, person),
          };
          insertSentMail(db, { person: person.id, ...filled, origin: null });
        },
        { when: { blocked: false }, call: `apis.mail.sendTemplate({template:${code},to:x})` },
      ),
    )`Send my mail template "$" to # | Use the mail template "$" to write to #
    | Let the mail template "$" go to # | Write to # with my mail template "$"
    | Send my mail template "$" to #`,
    enlist: actionWithOne(drawNameableList, ({ value: { id: list }, code }) =>
      addsRow(listMembers, ({ id }) => ({ list, person: id }), {
        when: ({ id: person }, db) => db.where(listMembers, { list, person }).length === 0,
        call: `apis.mail.addToList({list:${code},person:x})`,
      }),
    )`Add # to my mailing list "$" | Put # on the mailing list "$" | Make # part of my mailing list
    "$" | Enter # into the mailing list "$" | Let my mailing list "$" include #`,
  }),
);
