/**
 * Actions on people: sending or scheduling texts to them, writing drafts to them, and setting marks on conversations
 * with them.
 */
import { actions, oneOf, taskValue, wordList } from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import { conversations, scheduledTexts, textDrafts } from "../../apps/messages/tables.ts";
import { type Person, people, texts } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { readFacts } from "../contacts/facts.ts";
import { nextBirthday } from "../contacts/sources-and-facts.ts";
import { type ConversationFlag, readFlags } from "./conversations.ts";
import { insertText } from "./insert-rows.ts";

const TIMES = ["07:30", "09:00", "12:15", "16:45", "19:00"] as const;
const WISHES = ["Good luck today!", "Do not forget me.", "Thinking of you.", "It is time!"];
const CONGRATULATIONS = wordList(
  "Happy birthday! | All the best for the new year of life! | Many happy returns!",
);

function setFlag(db: Writer, person: number, flag: ConversationFlag): void {
  const [row] = db.where(conversations, { person });
  if (row) db.update(conversations, row.id, { [flag]: true });
  else {
    const none = { pinned: false, muted: false, archived: false };
    db.insert(conversations, { ...none, person, [flag]: true });
  }
}

const nextBirthdayOrToday = ({ id }: Person, db: Reader) => {
  const { birthday } = readFacts(db, id);
  return birthday === null ? TODAY : nextBirthday(birthday);
};

const notBlocked = { blocked: false } as const;
const [time, wish] = [oneOf(TIMES), oneOf(WISHES)];

const PEOPLE_LIST = {
  kind: "people",
  app: "messages",
  table: people,
  key: "to",
  difficult: "congratulate confirm-phone",
} as const;

export const peopleActions = actions<Person>(
  PEOPLE_LIST,
  ({ addsRow, applies, actionWith, actionWithValue }) => {
    const setFlagAction = (flag: ConversationFlag, api: string) =>
      applies((db, { id }) => setFlag(db, id, flag), {
        when: ({ id }, db) =>
          db.where(texts, { person: id }).length > 0 && !readFlags(db, id)[flag],
        call: `apis.messages.${api}({person:x})`,
      });
    return {
      send: actionWithValue("text", ({ value, code }) =>
        applies((db, { id }) => insertText(db, id, value), {
          when: notBlocked,
          api: "send",
          args: `text:${code}`,
        }),
      )`Send # the message $ | Send a message to # with the text $ | Text # this: $
      | Let # have the message $ | Write a message to # that says $`,
      schedule: actionWith({ day: taskValue("day"), time, wish }, ({ day, time, wish }) => {
        const row = { text: wish.value, day: day.value, time: time.value, cancelled: false };
        return addsRow(scheduledTexts, ({ id: person }) => ({ person, ...row }), {
          when: [notBlocked, () => day.value > TODAY],
          api: "schedule",
          args: `text:${wish.code},day:${day.code},time:${time.code}`,
        });
      })`Schedule the message "$wish" to # for $day at $time
      | Have the message "$wish" leave for # on $day at $time
      | Plan a message to # that says "$wish", for $day at $time
      | Let the message "$wish" go out to # on $day at $time
      | Set up the message "$wish" for #, leaving on $day at $time`,
      /** Schedules a text on the next birthday of each person. */
      congratulate: actionWith({ time, text: oneOf(CONGRATULATIONS) }, ({ time, text }) =>
        addsRow(
          scheduledTexts,
          (person, db) => {
            const [day, when] = [
              nextBirthdayOrToday(person, db),
              { time: time.value, cancelled: false },
            ];
            return { person: person.id, text: text.value, day, ...when };
          },
          {
            when: [notBlocked, (person, db) => nextBirthdayOrToday(person, db) > TODAY],
            call: `const b=apis.contacts.birthdays({person:x}).items[0];apis.messages.schedule({to:x,text:${text.code},day:b.day,time:${time.code}})`,
          },
        ),
      )`Schedule the message "$text" to # for the next birthday of the receiver, at $time
      | Let the message "$text" leave for # on the receiver's next birthday at $time
      | Plan the message "$text" to #, for $time on the next birthday of the receiver
      | Have the message "$text" go out to # at $time on the receiver's next birthday
      | Set up the message "$text" for #, leaving at $time on the receiver's next birthday`,
      /** Sends each person a text with their phone number. */
      "confirm-phone": applies((db, { id, phone }) => insertText(db, id, phone), {
        when: notBlocked,
        call: "const c=apis.contacts.show({person:x});apis.messages.send({to:x,text:c.phone})",
      })`Message # the phone number that Contacts has for the receiver, and nothing else
      | Send # a message that is just the receiver's own phone number from Contacts
      | Text # the receiver's own phone number as Contacts has it, with no other words
      | Let # have a message that consists of the receiver's own phone number in Contacts
      | Write to # in Messages only the phone number that I have for the receiver`,
      draft: actionWithValue("text", ({ value: text, code }) =>
        addsRow(textDrafts, ({ id: person }) => ({ person, text }), {
          when: [notBlocked, ({ id: person }, db) => db.where(textDrafts, { person }).length === 0],
          api: "draft",
          args: `text:${code}`,
        }),
      )`Keep $ as a message draft to #, without sending it
      | Draft the message $ to # but do not send it | Prepare the message $ to # as a draft only
      | Save $ as a draft of a message to # | Write a message draft to # that says $`,
      pin: setFlagAction("pinned", "pin")`Pin my conversation with #
      | In Messages, pin the conversation with # | Put a pin on my conversation with #
      | Have my conversation with # pinned | Let the conversation with # be pinned`,
      mute: setFlagAction("muted", "mute")`Mute my conversation with #
      | In Messages, mute the conversation with # | Put my conversation with # on mute
      | Have my conversation with # muted | Let the conversation with # be muted`,
      archive: setFlagAction("archived", "archive")`Archive my conversation with #
      | In Messages, archive the conversation with # | Move my conversation with # to the archive
      | Have my conversation with # archived | Let the conversation with # be archived`,
    };
  },
);
