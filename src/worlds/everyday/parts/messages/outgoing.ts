/** Texts that the owner wrote, and how they are told apart. */
import {
  type Action,
  type Clause,
  type Collection,
  collection,
  dayWords,
  type Relation,
} from "../../../../goals/index.ts";
import { type ScheduledText, scheduledTexts } from "../../apps/messages/tables.ts";
import { type Text, texts } from "../../apps/tables.ts";
import { atLeast } from "../bounds.ts";
import { js, TODAY } from "../contacts/common.ts";
import { asks, mentions, money, receivers, side } from "./text-clauses.ts";

export const sentPart: Collection = collection<Text>({
  name: "sent-texts",
  kind: "sent texts",
  app: "messages",
  table: texts,
  base: ({ outgoing }) => outgoing,
  nouns: [
    { one: "message I sent", many: "messages I sent" },
    { one: "sent message", many: "sent messages" },
    { one: "sent message in Messages", many: "sent messages in Messages" },
    { one: "message of mine in Messages", many: "messages of mine in Messages" },
    { one: "message that I sent in Messages", many: "messages that I sent in Messages" },
  ],
  list: { api: "messages.sent" },
  key: "id",
  whole: false,
  clauses: [side<Text>("to", ["asks", "money"]), mentions<Text>(), asks<Text>(), money<Text>()],
  fields: [{ name: "text", unit: "text", noun: "text", value: (row) => row.text, code: "x.text" }],
});

const leaving: Clause<ScheduledText> = {
  name: "leaving",
  draw: ({ rng }, rows) => {
    const day = atLeast(
      rng,
      rows.map((row) => row.day),
    );
    if (day === undefined) return undefined;
    const d = dayWords(day);
    return {
      words: [
        `that leave on ${d} or later`,
        `due to leave on ${d} or later`,
        `whose day is ${d} or later`,
        `planned for ${d} or later`,
        `that go out no earlier than ${d}`,
      ],
      holds: (row) => row.day >= day,
      code: { test: `x.day>=${js(day)}` },
    };
  },
};

export const scheduledPart: Collection = collection<ScheduledText>({
  name: "scheduled",
  kind: "scheduled texts",
  app: "messages",
  table: scheduledTexts,
  base: ({ cancelled }) => !cancelled,
  nouns: [
    { one: "scheduled message", many: "scheduled messages" },
    { one: "message waiting to leave later", many: "messages waiting to leave later" },
    { one: "scheduled text in Messages", many: "scheduled texts in Messages" },
    { one: "message I have scheduled", many: "messages I have scheduled" },
    { one: "waiting scheduled message", many: "waiting scheduled messages" },
  ],
  list: { api: "messages.scheduled" },
  key: "id",
  whole: false,
  clauses: [
    side<ScheduledText>("to", ["leaving", "mentions", "asks"]),
    leaving,
    mentions<ScheduledText>(),
  ],
  fields: [
    { name: "text", unit: "text", noun: "text", value: (row) => row.text, code: "x.text" },
    {
      name: "moment",
      unit: "day",
      noun: "date",
      value: ({ day, time }) => `${day} ${time}`,
      code: '(x.day+" "+x.time)',
      superlatives: {
        most: ["latest", "last to leave", "furthest off", "last-leaving", "furthest ahead"],
        least: ["earliest", "first to leave", "nearest", "first-leaving", "soonest"],
      },
    },
  ],
});

export const outgoingRelations: readonly Relation[] = [
  {
    name: "receivers",
    from: "sent texts",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the receivers of ${noun}`,
      (noun) => `those who got ${noun}`,
      (noun) => `the people to whom ${noun} went`,
      (noun) => `the people on the other side of ${noun}`,
      (noun) => `whoever is a receiver of ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(texts, id)!.person))],
    cells: receivers("messages.sent"),
  },
  {
    name: "scheduled-to",
    from: "scheduled texts",
    to: "people",
    app: "messages",
    words: [
      (noun) => `the receivers of ${noun}`,
      (noun) => `those who shall get ${noun}`,
      (noun) => `the people to whom ${noun} will go`,
      (noun) => `the people on the other side of ${noun}`,
      (noun) => `whoever is a receiver of ${noun}`,
    ],
    map: (db, ids) => [...new Set(ids.map((id) => db.get(scheduledTexts, id)!.person))],
    cells: receivers("messages.scheduled"),
  },
];
const later = (name: string, draw: Action["draw"], takes?: Action["takes"]): Action => ({
  name,
  kind: "scheduled texts",
  app: "messages",
  difficulty: 1,
  draw,
  ...(takes && { takes }),
});

const unschedule = later("unschedule", () => ({
  frames: [
    (noun) => `Cancel ${noun}`,
    (noun) => `Call off ${noun}`,
    (noun) => `Withdraw ${noun} from the schedule`,
    (noun) => `Take ${noun} off the schedule`,
    (noun) => `Have ${noun} cancelled`,
  ],
  permits: (db, id) => db.get(scheduledTexts, id)?.cancelled === false,
  apply: (db, id) => db.update(scheduledTexts, id, { cancelled: true }),
  call: (x) => `apis.messages.unschedule({id:${x}})`,
}));

const reschedule = later(
  "reschedule",
  (draw) => {
    const day = draw.value("day");
    const d = day.words;
    return {
      frames: [
        (noun) => `Move ${noun} to ${d}, at the same time of day`,
        (noun) => `Reschedule ${noun} to ${d} without changing the time of day`,
        (noun) => `Let ${noun} leave on ${d} instead, at the old time of day`,
        (noun) => `Put ${noun} off or forward to ${d}, with the time of day unchanged`,
        (noun) => `Change the day of ${noun} to ${d} but not the time`,
      ],
      permits: (db, id) => {
        const row = db.get(scheduledTexts, id);
        return row?.cancelled === false && row.day !== day.value && day.value > TODAY;
      },
      apply: (db, id) => db.update(scheduledTexts, id, { day: day.value }),
      call: (x) => `apis.messages.reschedule({id:${x},day:${day.code}})`,
      uses: [day],
    };
  },
  "day",
);

export const outgoingActions: readonly Action[] = [unschedule, reschedule];
