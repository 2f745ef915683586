/** What can be written to any people, and how the owner keeps the conversations with them. */

import type { Action, Draw, Effect } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { details } from "../../apps/contacts/tables.ts";
import { conversations, scheduledTexts, textDrafts } from "../../apps/messages/tables.ts";
import { people, texts } from "../../apps/tables.ts";
import { js, reachable, TODAY } from "../contacts/common.ts";
import { nextBirthday } from "../contacts/values.ts";
import { type Flag, flagsOf } from "./conversations.ts";
import { writeText } from "./writes.ts";

const act = (
  name: string,
  draw: (draw: Draw) => Effect | undefined,
  takes?: Action["takes"],
): Action => ({
  name,
  kind: "people",
  app: "messages",
  difficulty: 1,
  draw,
  ...(takes && { takes }),
});

const send = act(
  "send",
  (draw) => {
    const text = draw.value("text");
    const t = text.words;
    return {
      frames: [
        (noun) => `Send ${noun} the message ${t}`,
        (noun) => `Send a message to ${noun} with the text ${t}`,
        (noun) => `Text ${noun} this: ${t}`,
        (noun) => `Let ${noun} have the message ${t}`,
        (noun) => `Write a message to ${noun} that says ${t}`,
      ],
      permits: reachable,
      apply: (db, person) => writeText(db, person, text.value),
      call: (x) => `apis.messages.send({to:${x},text:${text.code}})`,
      uses: [text],
    };
  },
  "text",
);

const TIMES = ["07:30", "09:00", "12:15", "16:45", "19:00"] as const;

const schedule = act(
  "schedule",
  (draw) => {
    const day = draw.value("day");
    const time = draw.rng.pick(TIMES);
    const text = draw.rng.pick([
      "Good luck today!",
      "Do not forget me.",
      "Thinking of you.",
      "It is time!",
    ]);
    const [t, d] = [js(text), day.words];
    return {
      frames: [
        (noun) => `Schedule the message ${t} to ${noun} for ${d} at ${time}`,
        (noun) => `Have the message ${t} leave for ${noun} on ${d} at ${time}`,
        (noun) => `Plan a message to ${noun} that says ${t}, for ${d} at ${time}`,
        (noun) => `Let the message ${t} go out to ${noun} on ${d} at ${time}`,
        (noun) => `Set up the message ${t} for ${noun}, leaving on ${d} at ${time}`,
      ],
      permits: (db, person) => reachable(db, person) && day.value > TODAY,
      apply: (db, person) =>
        db.insert(scheduledTexts, { person, text, day: day.value, time, cancelled: false }),
      call: (x) => `apis.messages.schedule({to:${x},text:${t},day:${day.code},time:${js(time)}})`,
      uses: [day],
    };
  },
  "day",
);

/** The day is looked up for each of them. */
const congratulate: Action = {
  ...act("congratulate", ({ rng }) => {
    const time = rng.pick(TIMES);
    const text = rng.pick([
      "Happy birthday!",
      "All the best for the new year of life!",
      "Many happy returns!",
    ]);
    const t = js(text);
    const bornOn = (db: Reader, person: number) =>
      db.where(details, { person })[0]?.birthday ?? undefined;
    return {
      frames: [
        (noun) =>
          `Schedule the message ${t} to ${noun} for the next birthday of the receiver, at ${time}`,
        (noun) =>
          `Let the message ${t} leave for ${noun} on the receiver's next birthday at ${time}`,
        (noun) =>
          `Plan the message ${t} to ${noun}, for ${time} on the next birthday of the receiver`,
        (noun) =>
          `Have the message ${t} go out to ${noun} at ${time} on the receiver's next birthday`,
        (noun) =>
          `Set up the message ${t} for ${noun}, leaving at ${time} on the receiver's next birthday`,
      ],
      permits: (db, person) => {
        const birthday = bornOn(db, person);
        return reachable(db, person) && birthday !== undefined && nextBirthday(birthday) > TODAY;
      },
      apply: (db, person) => {
        const day = nextBirthday(bornOn(db, person)!);
        db.insert(scheduledTexts, { person, text, day, time, cancelled: false });
      },
      call: (x) =>
        `const b=apis.contacts.birthdays({person:${x}}).items[0];apis.messages.schedule({to:${x},text:${t},day:b.day,time:${js(time)}})`,
    };
  }),
  difficulty: 2,
};

/** Each gets a text of their own. */
const confirm: Action = {
  ...act("confirm-phone", () => ({
    frames: [
      (noun) =>
        `Message ${noun} the phone number that Contacts has for the receiver, and nothing else`,
      (noun) => `Send ${noun} a message that is just the receiver's own phone number from Contacts`,
      (noun) =>
        `Text ${noun} the receiver's own phone number as Contacts has it, with no other words`,
      (noun) =>
        `Let ${noun} have a message that consists of the receiver's own phone number in Contacts`,
      (noun) => `Write to ${noun} in Messages only the phone number that I have for the receiver`,
    ],
    permits: reachable,
    apply: (db, person) => writeText(db, person, db.get(people, person)!.phone),
    call: (x) =>
      `const c=apis.contacts.show({person:${x}});apis.messages.send({to:${x},text:c.phone})`,
  })),
  difficulty: 2,
};

const draft = act(
  "draft",
  (draw) => {
    const text = draw.value("text");
    const t = text.words;
    return {
      frames: [
        (noun) => `Keep ${t} as a message draft to ${noun}, without sending it`,
        (noun) => `Draft the message ${t} to ${noun} but do not send it`,
        (noun) => `Prepare the message ${t} to ${noun} as a draft only`,
        (noun) => `Save ${t} as a draft of a message to ${noun}`,
        (noun) => `Write a message draft to ${noun} that says ${t}`,
      ],
      permits: (db, person) =>
        reachable(db, person) && db.where(textDrafts, { person }).length === 0,
      apply: (db, person) => db.insert(textDrafts, { person, text: text.value }),
      call: (x) => `apis.messages.draft({to:${x},text:${text.code}})`,
      uses: [text],
    };
  },
  "text",
);

function keeping(name: string, key: Flag, frames: Effect["frames"]): Action {
  return act(name, () => ({
    frames,
    permits: (db, person) =>
      db.get(people, person) !== undefined &&
      db.where(texts, { person }).length > 0 &&
      !flagsOf(db, person)[key],
    apply: (db, person) => {
      const [row] = db.where(conversations, { person });
      if (row) db.update(conversations, row.id, { [key]: true });
      else {
        const none = { pinned: false, muted: false, archived: false };
        db.insert(conversations, { ...none, person, [key]: true });
      }
    },
    call: (x) => `apis.messages.${name}({with:${x}})`,
  }));
}

const pin = keeping("pin", "pinned", [
  (noun) => `Pin my conversation with ${noun}`,
  (noun) => `In Messages, pin the conversation with ${noun}`,
  (noun) => `Put a pin on my conversation with ${noun}`,
  (noun) => `Have my conversation with ${noun} pinned`,
  (noun) => `Let the conversation with ${noun} be pinned`,
]);
const mute = keeping("mute", "muted", [
  (noun) => `Mute my conversation with ${noun}`,
  (noun) => `In Messages, mute the conversation with ${noun}`,
  (noun) => `Put my conversation with ${noun} on mute`,
  (noun) => `Have my conversation with ${noun} muted`,
  (noun) => `Let the conversation with ${noun} be muted`,
]);
const archive = keeping("archive", "archived", [
  (noun) => `Archive my conversation with ${noun}`,
  (noun) => `In Messages, archive the conversation with ${noun}`,
  (noun) => `Move my conversation with ${noun} to the archive`,
  (noun) => `Have my conversation with ${noun} archived`,
  (noun) => `Let the conversation with ${noun} be archived`,
]);

export const peopleActions: readonly Action[] = [
  send,
  schedule,
  congratulate,
  confirm,
  draft,
  pin,
  mute,
  archive,
];
