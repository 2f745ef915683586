/** Events as sets: own ones ahead, those of others, past ones, cancelled ones, and invitations without an answer. */

import { type Clause, type Collection, collection, type Field } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  categories,
  eventLengths,
  eventReminders,
  filings,
  USUAL_MINUTES,
} from "../../apps/calendar/tables.ts";
import { type CalendarEvent, events } from "../../apps/tables.ts";
import { atLeast, oneOfSome } from "../bounds.ts";
import {
  attendees,
  dayClauses,
  guestsOf,
  js,
  noonClauses,
  others,
  own,
  placeOf,
  silentOf,
  standing,
  TODAY,
  YESTERDAY,
} from "./words.ts";

// --- clauses over the agenda ---

const withPerson: Clause<CalendarEvent> = {
  name: "with",
  draw: (draw, rows) => {
    const someone = draw.person([...new Set(rows.flatMap((row) => attendees(draw.db, row)))]);
    if (!someone) return undefined;
    const { id } = someone.value;
    return {
      words: [
        `with ${someone.words}`,
        `in which ${someone.words} takes part`,
        `that ${someone.words} belongs to as host or guest`,
        `where ${someone.words} is host or guest`,
        `with ${someone.words} as host or guest`,
      ],
      holds: (row, db) => attendees(db, row).includes(id),
      code: { args: `with:${someone.code}` },
      uses: [someone],
    };
  },
};

const categoryOf = (db: Reader, event: number) => {
  const [filing] = db.where(filings, { event });
  return filing ? db.get(categories, filing.category)!.name : "";
};

const inCategory: Clause<CalendarEvent> = {
  name: "category",
  draw: ({ rng, db }, rows) => {
    const name = oneOfSome(rng, rows.map(({ id }) => categoryOf(db, id)).filter(Boolean));
    if (name === undefined) return undefined;
    return {
      words: [
        `in the category "${name}"`,
        `of the category "${name}"`,
        `that lie in the category "${name}"`,
        `filed under the category "${name}"`,
        `whose category is "${name}"`,
      ],
      holds: (row, reader) => categoryOf(reader, row.id) === name,
      code: { args: `category:${js(name)}` },
    };
  },
};

/** Rooms that belong to no happening. */
const ROOMS = ["Room 4", "Upstairs", "Back garden", "Main hall", "Platform 2", "Studio B"] as const;

const atPlace: Clause<CalendarEvent> = {
  name: "place",
  draw: ({ rng, db }, rows) => {
    const place = oneOfSome<string>(
      rng,
      rows.flatMap(({ id }) => ROOMS.filter((room) => room === placeOf(db, id))),
    );
    if (place === undefined) return undefined;
    return {
      words: [
        `at the place "${place}"`,
        `whose place is "${place}"`,
        `that take place at "${place}"`,
        `with "${place}" as the place`,
        `held at "${place}"`,
      ],
      holds: (row, reader) => placeOf(reader, row.id).toLowerCase().includes(place.toLowerCase()),
      code: { args: `place:${js(place)}` },
    };
  },
};

const manyGuests: Clause<CalendarEvent> = {
  name: "many-guests",
  excludes: ["no-guests"],
  draw: ({ rng, db }, rows) => {
    const least = atLeast(
      rng,
      rows.map(({ id }) => guestsOf(db, id).length),
    );
    if (least === undefined || least === 0) return undefined;
    return {
      words: [
        `with ${least} or more guests`,
        `that have at least ${least} guests`,
        `with no fewer than ${least} guests`,
        `to which ${least} or more guests are invited`,
        `with a guest list of ${least} or more`,
      ],
      holds: (row, reader) => guestsOf(reader, row.id).length >= least,
      code: { test: `x.guests>=${least}` },
    };
  },
};

const noGuests: Clause<CalendarEvent> = {
  name: "no-guests",
  draw: () => ({
    words: [
      "without guests",
      "that have no guests",
      "to which nobody is invited",
      "with an empty guest list",
      "which have no guest at all",
    ],
    holds: (row, db) => guestsOf(db, row.id).length === 0,
    code: { test: "x.guests===0" },
  }),
};

const noReminder: Clause<CalendarEvent> = {
  name: "no-reminder",
  draw: () => ({
    words: [
      "without a reminder",
      "that have no reminder",
      "for which no reminder is set",
      "which lack a reminder",
      "with no reminder so far",
    ],
    holds: (row, db) => db.where(eventReminders, { event: row.id }).length === 0,
    code: { test: "apis.calendar.details({id:x.id}).reminders.length===0" },
  }),
};

const waiting: Clause<CalendarEvent> = {
  name: "silent-guests",
  excludes: ["no-guests"],
  draw: () => ({
    words: [
      "with at least one guest who has not answered",
      "that still miss an answer of a guest",
      "where a guest has not answered yet",
      "for which an answer of some guest is missing",
      "with a guest whose answer is still open",
    ],
    holds: (row, db) => silentOf(db, row.id).length > 0,
    code: { test: 'apis.calendar.answers({id:x.id,answer:"open"}).items.length>0' },
  }),
};

const hostedBy: Clause<CalendarEvent> = {
  name: "host",
  draw: (draw, rows) => {
    const someone = draw.person([...new Set(rows.flatMap(({ host }) => host ?? []))]);
    if (!someone) return undefined;
    return {
      words: [
        `hosted by ${someone.words}`,
        `whose host is ${someone.words}`,
        `that ${someone.words} hosts`,
        `with ${someone.words} as the host`,
        `for which ${someone.words} is the host`,
      ],
      holds: (row) => row.host === someone.value.id,
      code: { test: `x.host===${someone.code}` },
      uses: [someone],
    };
  },
};

const span = dayClauses<CalendarEvent>((end, day) =>
  end === "until" ? { args: `until:${day}` } : { test: `x.day>=${day}` },
);

// --- fields ---

const title: Field<CalendarEvent> = {
  name: "title",
  unit: "text",
  noun: "title",
  value: (row) => row.title,
  code: "x.title",
};

const SOON = {
  most: ["latest", "last", "farthest-off", "most distant", "furthest-away"],
  least: ["earliest", "first", "soonest", "nearest", "closest"],
} as const;

const day: Field<CalendarEvent> = {
  name: "day",
  unit: "day",
  noun: "day",
  value: (row) => row.day,
  code: "x.day",
  superlatives: SOON,
};

const pastDay: Field<CalendarEvent> = {
  ...day,
  superlatives: {
    most: ["latest", "most recent", "last", "newest", "least distant"],
    least: ["earliest", "oldest", "first", "least recent", "most distant"],
  },
};

const size: Field<CalendarEvent> = {
  name: "guests",
  unit: "number",
  noun: "number of guests",
  value: (row, db) => guestsOf(db, row.id).length,
  code: "x.guests",
  superlatives: {
    most: ["largest", "biggest", "best-attended", "most crowded", "fullest"],
    least: ["smallest", "least attended", "least crowded", "tiniest", "emptiest"],
  },
};

const length: Field<CalendarEvent> = {
  name: "minutes",
  unit: "number",
  noun: "length in minutes",
  value: (row, db) => db.where(eventLengths, { event: row.id })[0]?.minutes ?? USUAL_MINUTES,
  code: "apis.calendar.details({id:x.id}).minutes",
};

// --- collections ---

const MISSING = ["Kite festival", "Talk about moss", "Midnight chess"];

export const ownEvents: Collection = collection<CalendarEvent>({
  name: "events.own",
  kind: "events",
  app: "calendar",
  table: events,
  base: own,
  nouns: [
    { one: "upcoming event of mine", many: "upcoming events of mine" },
    { one: "own upcoming event", many: "own upcoming events" },
    { one: "coming event hosted by me", many: "coming events hosted by me" },
    { one: "future event of mine", many: "future events of mine" },
    { one: "own future event", many: "own future events" },
  ],
  list: { api: "calendar.agenda", args: `since:${js(TODAY)},hosted:"me"` },
  key: "id",
  whole: false,
  clauses: [
    withPerson,
    inCategory,
    atPlace,
    manyGuests,
    noGuests,
    noReminder,
    waiting,
    ...span,
    ...noonClauses<CalendarEvent>(),
  ],
  fields: [title, day, size, length],
  title: {
    of: (row) => row.title,
    nouns: (name) => [
      `my event "${name}"`,
      `my own event "${name}"`,
      `the event "${name}" that I host`,
      `my coming event "${name}"`,
      `the event of mine called "${name}"`,
    ],
    cells: (name, out) => [
      `var ${out}=[],p=1,r;do{r=apis.calendar.agenda({since:${js(TODAY)},hosted:"me",size:20,page:p++});${out}.push(...r.items)}while(r.more);${out}=${out}.filter(x=>x.title===${js(name)}).map(x=>x.id);print(${out})`,
    ],
    missing: MISSING,
  },
});

export const otherEvents: Collection = collection<CalendarEvent>({
  name: "events.others",
  kind: "acceptedEvents",
  app: "calendar",
  table: events,
  base: others,
  nouns: [
    { one: "accepted upcoming event of others", many: "accepted upcoming events of others" },
    { one: "accepted coming event of other hosts", many: "accepted coming events of other hosts" },
    { one: "accepted future event of others", many: "accepted future events of others" },
    {
      one: "accepted upcoming event of other people",
      many: "accepted upcoming events of other people",
    },
    { one: "accepted future event of other hosts", many: "accepted future events of other hosts" },
  ],
  list: { api: "calendar.agenda", args: `since:${js(TODAY)},hosted:"others"` },
  key: "id",
  whole: false,
  clauses: [hostedBy, inCategory, manyGuests, noReminder, ...span, ...noonClauses<CalendarEvent>()],
  fields: [title, day, size],
});

export const pastEvents: Collection = collection<CalendarEvent>({
  name: "events.past",
  kind: "pastEvents",
  app: "calendar",
  table: events,
  base: (row) => standing(row) && row.day <= YESTERDAY,
  nouns: [
    { one: "past event in my calendar", many: "past events in my calendar" },
    { one: "past event of my calendar", many: "past events of my calendar" },
    { one: "event of the past in my calendar", many: "events of the past in my calendar" },
    { one: "bygone event in my calendar", many: "bygone events in my calendar" },
    { one: "bygone event of my calendar", many: "bygone events of my calendar" },
  ],
  list: { api: "calendar.agenda", args: `until:${js(YESTERDAY)}` },
  key: "id",
  whole: false,
  clauses: [
    withPerson,
    inCategory,
    manyGuests,
    hostedBy,
    dayClauses<CalendarEvent>((_, bound) => ({ args: `since:${bound}` }))[1]!,
  ],
  fields: [title, pastDay, size, length],
});

export const cancelledEvents: Collection = collection<CalendarEvent>({
  name: "events.cancelled",
  kind: "cancelledEvents",
  app: "calendar",
  table: events,
  base: (row) => row.host === null && row.cancelled && row.day >= TODAY,
  nouns: [
    { one: "cancelled upcoming event of mine", many: "cancelled upcoming events of mine" },
    { one: "cancelled own event in the future", many: "cancelled own events in the future" },
    { one: "cancelled future event of mine", many: "cancelled future events of mine" },
    { one: "cancelled coming event of my own", many: "cancelled coming events of my own" },
    { one: "cancelled own event still to come", many: "cancelled own events still to come" },
  ],
  list: { api: "calendar.cancelled", args: `since:${js(TODAY)}` },
  key: "id",
  whole: false,
  clauses: [
    ...dayClauses<CalendarEvent>((end, bound) => ({
      test: `x.day${end === "until" ? "<=" : ">="}${bound}`,
    })),
    ...noonClauses<CalendarEvent>(),
  ],
  fields: [title, day],
});

export const invitations: Collection = collection<CalendarEvent>({
  name: "events.invitations",
  kind: "invitations",
  app: "calendar",
  table: events,
  base: (row) => row.response === "open",
  nouns: [
    { one: "open invitation", many: "open invitations in my calendar" },
    { one: "open invitation", many: "open calendar invitations" },
    { one: "open invitation", many: "calendar invitations without an answer of mine" },
    { one: "open invitation", many: "unanswered calendar invitations" },
    { one: "open invitation", many: "pending calendar invitations" },
  ],
  list: { api: "calendar.invites" },
  key: "id",
  whole: false,
  clauses: [
    {
      name: "from",
      draw: (draw, rows) => {
        const someone = draw.person([...new Set(rows.flatMap(({ host }) => host ?? []))]);
        if (!someone) return undefined;
        return {
          words: [
            `from ${someone.words}`,
            `by ${someone.words}`,
            `that ${someone.words} sent`,
            `that came from ${someone.words}`,
            `with ${someone.words} as the host`,
          ],
          holds: (row) => row.host === someone.value.id,
          code: { args: `from:${someone.code}` },
          uses: [someone],
        };
      },
    },
    ...dayClauses<CalendarEvent>((end, bound) => ({
      test: `x.day${end === "until" ? "<=" : ">="}${bound}`,
    })),
    ...noonClauses<CalendarEvent>(),
    {
      name: "conflicting",
      draw: ({ db }, rows) =>
        rows.some((row) => busyOn(db, row.day))
          ? {
              words: [
                "on days on which my calendar has other events already",
                "on days when I have at least one event of mine or accepted",
                "that fall on days with an event of mine or an accepted one",
                "for days that already have events in my calendar",
                "on days that are not empty in my calendar",
              ],
              holds: (row, reader) => busyOn(reader, row.day),
              code: { test: "apis.calendar.list({day:x.day}).items.length>0" },
            }
          : undefined,
    },
  ],
  fields: [title, day],
});

const busyOn = (db: Reader, day: string) => db.where(events, { day }).some(standing);
