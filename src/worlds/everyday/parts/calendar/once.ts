/** Values that stand in the calendar, numbers about it, and what is done once. */

import type { Deed, Draw, Fact, Source } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  COLOURS,
  calendarShares,
  categories,
  eventNotes,
  occurrences,
  otherCalendars,
  otherEvents,
  ROLES,
  series,
} from "../../apps/calendar/tables.ts";
import { type CalendarEvent, events, guests } from "../../apps/tables.ts";
import { mentionable } from "../mentionable.ts";
import { shareWith } from "./more-actions.ts";
import {
  attendees,
  guestsOf,
  js,
  others,
  own,
  placeOf,
  reachable,
  standing,
  TODAY,
} from "./words.ts";

// --- sources ---

/** An event that fits, of people who may be named, with a title that no other event in the calendar has. */
function findable(draw: Draw, fits: (row: CalendarEvent) => boolean): CalendarEvent | undefined {
  const mine = new Set(draw.people.map(({ id }) => id));
  const rows = draw.db.all(events).filter(standing);
  const alone = ({ title }: CalendarEvent) =>
    rows.filter((row) => row.title.toLowerCase().includes(title.toLowerCase())).length === 1;
  const found = rows.filter(
    (row) =>
      mentionable(draw.split, row.title) &&
      attendees(draw.db, row).every((id) => mine.has(id)) &&
      fits(row),
  );
  return draw.rng.shuffle(found).slice(0, 12).find(alone);
}

const search = (title: string) => `apis.calendar.search({query:${js(title)}}).items[0]`;

const dayOfEvent: Source<"day"> = {
  name: "day-of-event",
  type: "day",
  app: "calendar",
  draw: (draw) => {
    const event = findable(draw, ({ day }) => day > TODAY);
    if (!event) return undefined;
    const code = draw.variable("v");
    return {
      value: event.day,
      words: `the day of the event "${event.title}" in my calendar`,
      code,
      cells: [`var ${code}=${search(event.title)}.day;print(${code})`],
      apps: ["calendar"],
    };
  },
};

const placeOfEvent: Source<"text"> = {
  name: "place-of-event",
  type: "text",
  app: "calendar",
  draw: (draw) => {
    const event = findable(draw, ({ id }) => placeOf(draw.db, id) !== "");
    if (!event) return undefined;
    const code = draw.variable("v");
    return {
      value: placeOf(draw.db, event.id),
      words: `the place of the event "${event.title}" in my calendar`,
      code,
      cells: [
        `var ${code}=apis.calendar.details({id:${search(event.title)}.id}).place;print(${code})`,
      ],
      apps: ["calendar"],
    };
  },
};

const AMOUNT = /\$(\d+\.\d\d)/;
const noteOf = (db: Reader, event: number) => db.where(eventNotes, { event })[0]?.text ?? "";

const amountInNote: Source<"money"> = {
  name: "amount-in-note",
  type: "money",
  app: "calendar",
  draw: (draw) => {
    const cents = (id: number) =>
      Math.round(100 * Number(AMOUNT.exec(noteOf(draw.db, id))?.[1] ?? 0));
    const event = findable(draw, ({ id }) => cents(id) > 0 && cents(id) <= 60_000);
    if (!event) return undefined;
    const code = draw.variable("v");
    return {
      value: cents(event.id),
      words: `the amount in my calendar note on the event "${event.title}"`,
      code,
      cells: [
        `var t=apis.calendar.details({id:${search(event.title)}.id}).note;print(t)`,
        `var ${code}=Number(/\\$(\\d+\\.\\d\\d)/.exec(t)[1]);print(${code})`,
      ],
      apps: ["calendar"],
    };
  },
};

export const calendarSources: readonly Source[] = [dayOfEvent, placeOfEvent, amountInNote];

// --- facts ---

const MARCH = { since: "2026-03-01", until: "2026-03-31" } as const;
const inMarch = (db: Reader) =>
  db.all(events).filter((r) => standing(r) && r.day >= MARCH.since && r.day <= MARCH.until);
const counted = `apis.calendar.count({since:${js(MARCH.since)},until:${js(MARCH.until)}})`;

/** Over all pages of a list. */
const length = (api: string, args: string) =>
  `(()=>{let n=0,p=1,r;do{r=apis.calendar.${api}({${args}size:20,page:p++});n+=r.items.length}while(r.more);return n})()`;

export const calendarFacts: readonly Fact[] = [
  {
    name: "own-in-march",
    app: "calendar",
    unit: "number",
    words: [
      "the number of events in March 2026 that I host",
      "the count of my own events in March 2026",
      "the number of own events I have in March 2026",
      "the number of events of mine in March 2026",
      "the number of events hosted by me in March 2026",
    ],
    value: (db) => inMarch(db).filter(({ host }) => host === null).length,
    code: `${counted}.own`,
  },
  {
    name: "guests-in-march",
    app: "calendar",
    unit: "number",
    words: [
      "the total number of guests at my own events in March 2026",
      "the sum of the guests of all events that I host in March 2026",
      "the number of guests at events of mine in March 2026 taken together",
      "the guests of all my own events in March 2026 added up",
      "the total of guests over the events I host in March 2026",
    ],
    value: (db) =>
      inMarch(db)
        .filter(({ host }) => host === null)
        .reduce((sum, { id }) => sum + guestsOf(db, id).length, 0),
    code: `${counted}.guests`,
  },
  {
    name: "open-invitations",
    app: "calendar",
    unit: "number",
    words: [
      "the number of open invitations in my calendar",
      "the count of calendar invitations I have not answered",
      "the number of calendar invitations without an answer of mine",
      "the number of unanswered calendar invitations",
      "the number of pending calendar invitations",
    ],
    value: (db) => db.where(events, { response: "open" }).length,
    code: length("invites", ""),
  },
];

// --- deeds ---

const TITLES = ["Planning hour", "Garden talk", "Fitting", "Rehearsal", "Story evening"] as const;

const add: Deed = {
  name: "add-event",
  app: "calendar",
  takes: "day",
  draw: (draw) => {
    const [day, person] = [draw.value("day"), draw.person()];
    if (!person || !reachable(draw.db, person.value.id) || day.value < TODAY) return undefined;
    const [title, time] = [draw.rng.pick(TITLES), draw.rng.pick(["09:40", "14:10", "18:25"])];
    return {
      sentences: [
        `Add an event "${title}" on ${day.words} at ${time} and invite ${person.words}`,
        `Put "${title}" into my calendar on ${day.words} at ${time}, with ${person.words} as the guest`,
        `Make a calendar event "${title}" on ${day.words} at ${time} with ${person.words} as a guest`,
        `I want an event "${title}" with ${person.words} as the guest in my calendar on ${day.words} at ${time}`,
        `Plan "${title}" in the calendar: on ${day.words} at ${time}, guest ${person.words}`,
      ],
      apply: (db) => {
        const row = { title, day: day.value, time, host: null, cancelled: false };
        const event = db.insert(events, { ...row, response: "accepted" }).id;
        db.insert(guests, { event, person: person.value.id, uninvited: false });
      },
      cells: [
        `apis.calendar.add({title:${js(title)},day:${day.code},time:${js(time)},guests:[${person.code}]})`,
      ],
      uses: [day, person],
    };
  },
};

const enter: Deed = {
  name: "enter-for",
  app: "calendar",
  takes: "day",
  draw: (draw) => {
    const open = draw.db.where(otherCalendars, { role: "edit" }).map(({ person }) => person);
    const [day, person] = [draw.value("day"), draw.person(open)];
    if (!person || day.value < TODAY) return undefined;
    const title = draw.rng.pick(["Lunch with me", "Phone call", "Walk", "Visit"]);
    const time = draw.rng.pick(["11:20", "12:15", "17:30"]);
    return {
      sentences: [
        `Add "${title}" on ${day.words} at ${time} to the calendar that ${person.words} shares with me`,
        `Enter "${title}" for ${day.words}, ${time}, into the shared calendar of ${person.words}`,
        `Put "${title}" into the calendar of ${person.words}, on ${day.words} at ${time}`,
        `In the calendar of ${person.words}, add an event "${title}" on ${day.words} at ${time}`,
        `The calendar of ${person.words} should get an event "${title}" on ${day.words} at ${time}`,
      ],
      apply: (db) => {
        const row = { person: person.value.id, title, day: day.value, time };
        db.insert(otherEvents, row);
      },
      cells: [
        `apis.calendar.addFor({person:${person.code},title:${js(title)},day:${day.code},time:${js(time)}})`,
      ],
      uses: [day, person],
    };
  },
};

const share: Deed = {
  name: "share-once",
  app: "calendar",
  draw: (draw) => {
    const { db, people } = draw;
    const free = people.filter(
      ({ id }) => db.where(calendarShares, { person: id, ended: false }).length === 0,
    );
    const [person, role] = [draw.person(free.map(({ id }) => id)), draw.rng.pick(ROLES)];
    if (!person || !reachable(db, person.value.id)) return undefined;
    return {
      sentences: [
        `Share my calendar with ${person.words} in the role "${role}"`,
        `Give ${person.words} access to my calendar with the role "${role}"`,
        `Let ${person.words} into my calendar, in the role "${role}"`,
        `${person.words} should have my calendar shared in the role "${role}"`,
        `Open my calendar to ${person.words} with the role "${role}"`,
      ],
      apply: (writer) => shareWith(writer, person.value.id, role),
      cells: [`apis.calendar.share({person:${person.code},role:${js(role)}})`],
      uses: [person],
    };
  },
};

const addCategory: Deed = {
  name: "add-category",
  app: "calendar",
  draw: ({ rng }) => {
    const [name, colour] = [
      rng.pick(["deadlines", "visits", "chores", "fitness"]),
      rng.pick(COLOURS),
    ];
    return {
      sentences: [
        `Add a calendar category "${name}" in ${colour}`,
        `Make a new category "${name}" with the colour ${colour} in my calendar`,
        `Create the calendar category "${name}", coloured ${colour}`,
        `I need a ${colour} category called "${name}" in my calendar`,
        `Set up a calendar category named "${name}" whose colour is ${colour}`,
      ],
      apply: (db) => void db.insert(categories, { name, colour }),
      cells: [`apis.calendar.addCategory({name:${js(name)},colour:${js(colour)}})`],
    };
  },
};

const endSeries: Deed = {
  name: "end-series",
  app: "calendar",
  draw: ({ rng, db }) => {
    const running = db.where(series, { ended: false });
    const titles = running.map(({ event }) => db.get(events, event)!.title);
    const once = running.filter(
      (_, i) => titles.indexOf(titles[i]!) === titles.lastIndexOf(titles[i]!),
    );
    if (once.length === 0) return undefined;
    const { id, event } = rng.pick(once);
    const { title } = db.get(events, event)!;
    return {
      sentences: [
        `End the series "${title}" in my calendar`,
        `Let the calendar series "${title}" come to an end now`,
        `Stop the series "${title}" of my calendar from now on`,
        `I want the series "${title}" in the calendar to be ended`,
        `Bring the calendar series "${title}" to its end`,
      ],
      apply: (writer) => {
        const later = writer.where(occurrences, { series: id }).map((row) => row.event);
        for (const one of [event, ...later]) {
          const row = writer.get(events, one)!;
          if (!row.cancelled && row.day >= TODAY) writer.update(events, one, { cancelled: true });
        }
        writer.update(series, id, { ended: true });
      },
      cells: [
        "var all=apis.calendar.series({size:20}).items;print(all)",
        `apis.calendar.endSeries({id:all.find(x=>x.title===${js(title)}).id})`,
      ],
    };
  },
};

const copyGuests: Deed = {
  name: "copy-guests",
  app: "calendar",
  draw: (draw) => {
    const { db } = draw;
    const invited = (row: CalendarEvent) => guestsOf(db, row.id);
    const from = findable(draw, (row) => (own(row) || others(row)) && invited(row).length > 1);
    const to = findable(draw, (row) => own(row) && row.id !== from?.id);
    if (!from || !to || from.id === to.id) return undefined;
    const known = new Set(db.where(guests, { event: to.id }).map(({ person }) => person));
    const fresh = invited(from).filter((person) => !known.has(person));
    if (fresh.length === 0 || !fresh.every((person) => reachable(db, person))) return undefined;
    return {
      sentences: [
        `Invite all guests of the event "${from.title}" to my event "${to.title}" as well`,
        `Copy the guests of the event "${from.title}" over to my event "${to.title}"`,
        `Whoever is a guest of the event "${from.title}" should also be invited to my event "${to.title}"`,
        `Let my event "${to.title}" have the guests of the event "${from.title}" too`,
        `Add the guests of the event "${from.title}" to the guest list of my event "${to.title}"`,
      ],
      apply: (writer) => {
        for (const person of fresh) {
          writer.insert(guests, { event: to.id, person, uninvited: false });
        }
      },
      cells: [
        `var from=${search(from.title)}.id,to=${search(to.title)}.id;print(from,to)`,
        "apis.calendar.copyGuests({from:from,to:to})",
      ],
    };
  },
};

export const calendarDeeds: readonly Deed[] = [
  add,
  enter,
  share,
  addCategory,
  endSeries,
  copyGuests,
];
