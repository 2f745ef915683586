/** What can be done by mail with people: write, schedule, draft, a template, a mailing list. */
import { actions, js, listOf } from "../../../../goals/index.ts";
import {
  drafts,
  listMembers,
  mailingLists,
  scheduledMails,
  templates,
} from "../../apps/mail/tables.ts";
import { type Person, people } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { sendMail } from "./words.ts";

export const SUBJECTS = listOf(`A short word | One more thing | For your information
  | About the weekend | Please read | A question`);

const reached = ({ blocked }: Person) => !blocked;
const filledIn = (text: string, { name }: Person) => text.replaceAll("{name}", name.split(" ")[0]!);

export const mailPeopleActions = actions(
  { kind: "people", app: "mail", table: people, key: "to" },
  ({ adds, does, drawn, hard, taking }) => ({
    write: taking("text", ({ value: body, words, code }, { rng }) => {
      const subject = rng.pick(SUBJECTS);
      return does((db, { id }) => sendMail(db, { person: id, subject, body, origin: null }), {
        when: reached,
        api: "send",
        args: `subject:${js(subject)},body:${code}`,
      })`Mail ${words} with the subject "${subject}" to #
        | Send a mail with the subject "${subject}" and the text ${words} to #
        | Write a mail to #: subject "${subject}", text ${words}
        | Send a mail called "${subject}" that says ${words} to #
        | Let a mail "${subject}" with the text ${words} go to #`;
    }),
    schedule: hard(
      taking("day", ({ value: day, words, code }, { rng }) => {
        if (day <= TODAY) return undefined;
        const [subject, body, time] = [rng.pick(SUBJECTS), "I am thinking of you today.", "08:00"];
        return adds(
          scheduledMails,
          ({ id }) => ({ person: id, subject, body, day, time, status: "waiting" }),
          {
            when: reached,
            api: "schedule",
            args: `subject:${js(subject)},body:${js(body)},day:${code},time:${js(time)}`,
          },
        )`Schedule a mail "${subject}" for ${words} at 08:00 that says "${body}" to #
          | Let a mail with the subject "${subject}" and the text "${body}" leave on ${words} at
          08:00 to # | Plan a mail to # for ${words}, 08:00: subject "${subject}", text "${body}"
          | Set up a mail "${subject}" with the text "${body}" that leaves on ${words} at 08:00 for
          #
          | Prepare a mail that leaves by itself on ${words} at 08:00 with subject "${subject}" and
          text "${body}" for #`;
      }),
    ),
    draft: taking("text", ({ value: body, words, code }, { rng }) => {
      const subject = rng.pick(SUBJECTS);
      return adds(drafts, ({ id }) => ({ person: id, subject, body, origin: null }), {
        when: reached,
        api: "draft",
        args: `subject:${js(subject)},body:${code}`,
      })`Draft, but do not send, a mail "${subject}" that says ${words} to #
        | Write a draft with the subject "${subject}" and the text ${words} to #
        | Prepare a draft to #: subject "${subject}", text ${words}
        | Leave a draft called "${subject}" with the text ${words} for #
        | Put a draft "${subject}" saying ${words} into my drafts for #`;
    }),
    template: drawn(({ rng, db: start }) => {
      const all = start.all(templates);
      if (all.length === 0) return undefined;
      const { id, name } = rng.pick(all);
      return does(
        (db, person) => {
          const { subject, body } = db.get(templates, id)!;
          const letter = { subject: filledIn(subject, person), body: filledIn(body, person) };
          sendMail(db, { person: person.id, ...letter, origin: null });
        },
        { when: reached, call: `apis.mail.sendTemplate({template:${js(name)},to:x})` },
      )`Send my mail template "${name}" to # | Use the mail template "${name}" to write to #
        | Let the mail template "${name}" go to # | Write to # with my mail template "${name}"
        | Mail my template "${name}" to #`;
    }),
    enlist: drawn(({ rng, db: start, people: named }) => {
      const own = new Set(named.map(({ id }) => id));
      const lists = start
        .all(mailingLists)
        .filter(({ id }) =>
          start.where(listMembers, { list: id }).every((row) => own.has(row.person)),
        );
      if (lists.length === 0) return undefined;
      const { id: list, name } = rng.pick(lists);
      return adds(listMembers, ({ id }) => ({ list, person: id }), {
        when: ({ id }, db) => db.where(listMembers, { list, person: id }).length === 0,
        call: `apis.mail.addToList({list:${js(name)},person:x})`,
      })`Add # to my mailing list "${name}" | Put # on the mailing list "${name}"
        | Make # part of my mailing list "${name}" | Enter # into the mailing list "${name}"
        | Let my mailing list "${name}" include #`;
    }),
  }),
);
