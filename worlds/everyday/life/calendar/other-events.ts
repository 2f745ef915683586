/**
 * Adds events that belong to no happening: meetings with people of one part of the population, events of the owner
 * alone, series, and events in the calendars of others.
 */
import type { Rng, Writer } from "bowline/world";
import {
  calendarShares,
  occurrences,
  otherCalendars,
  otherEvents,
  ROLES,
  series,
} from "../../apps/calendar/tables.ts";
import { repeatDay } from "../../apps/calendar/times.ts";
import { type CalendarEvent, events, guests, type Person, type Rsvp } from "../../apps/tables.ts";
import { PARTS } from "../../population/name-pools.ts";
import { dayFromStart } from "../../population/time.ts";
import type { Life } from "../life.ts";
import { ERRANDS, MEETINGS, SERIES } from "./texts.ts";

export interface NewEvent {
  readonly title: string;
  readonly day: string;
  readonly time: string;
  /** The host, or null when it is the owner. */
  readonly host: Person | null;
  readonly guests: readonly Person[];
  readonly response?: Rsvp;
  readonly cancelled?: boolean;
}

export function insertEvent(db: Writer, newEvent: NewEvent): CalendarEvent {
  const { title, day, time, host, response = "accepted", cancelled = false } = newEvent;
  const row = { title, day, time, host: host?.id ?? null, response, cancelled };
  const event = db.insert(events, row);
  for (const { id } of newEvent.guests) {
    if (id !== row.host) db.insert(guests, { event: event.id, person: id, uninvited: false });
  }
  return event;
}

export function drawTime(rng: Rng): string {
  return `${String(rng.integer(8, 20)).padStart(2, "0")}:${rng.pick(["00", "15", "30", "45"])}`;
}

/** The owner's answers to invitations by others: half are open, some accepted, some declined. */
const RESPONSES = ["open", "open", "accepted", "open", "accepted", "declined"] as const;

export function addMeetings(db: Writer, rng: Rng, { everyone, density }: Life): void {
  const titles = rng.shuffle(MEETINGS);
  const nextTitle = () => titles.pop() ?? rng.pick(MEETINGS);
  const scaledCount = (normal: number) => Math.round(normal * density);
  for (const part of PARTS) {
    const drawGuests = () => rng.sample(everyone[part], rng.integer(1, 5));
    const addOwnMeeting = (days: number, cancelled = false) =>
      insertEvent(db, {
        ...drawDayAndTime(rng, days),
        title: nextTitle(),
        host: null,
        guests: drawGuests(),
        cancelled,
      });
    for (let i = 0; i < scaledCount(6); i++) addOwnMeeting(rng.integer(1, 45));
    for (let i = 0; i < scaledCount(3); i++) addOwnMeeting(-rng.integer(1, 40));
    for (let i = 0; i < scaledCount(3); i++) addOwnMeeting(rng.integer(2, 40), true);
    for (let i = 0; i < scaledCount(7); i++) {
      const people = drawGuests();
      const response = RESPONSES[i % RESPONSES.length]!;
      const plan = {
        ...drawDayAndTime(rng, rng.integer(1, 45)),
        title: nextTitle(),
        guests: people,
        response,
      };
      insertEvent(db, { ...plan, host: people[0]! });
    }
  }
}

function drawDayAndTime(rng: Rng, days: number): Pick<NewEvent, "day" | "time"> {
  return { day: dayFromStart(days), time: drawTime(rng) };
}

export function addErrands(db: Writer, rng: Rng): CalendarEvent[] {
  return ERRANDS.map((title, i) =>
    insertEvent(db, {
      ...drawDayAndTime(rng, i % 3 === 2 ? -2 * i : 3 * i + 1),
      title,
      host: null,
      guests: [],
    }),
  );
}

/**
 * The possible numbers of days since a series began. No event lies on today, so that past and future events can be told
 * apart.
 */
const BEGAN_DAYS_AGO = [1, 2, 3, 4, 5, 6, 8, 9];

/** Adds the series of events. The last series has ended, and all others go on. */
export function addSeries(db: Writer, rng: Rng): void {
  for (const [i, { title, every, times }] of SERIES.entries()) {
    const first = {
      ...drawDayAndTime(rng, -rng.pick(BEGAN_DAYS_AGO)),
      title,
      host: null,
      guests: [],
    };
    const event = insertEvent(db, first).id;
    const ended = i === SERIES.length - 1;
    const row = db.insert(series, { event, every, ended });
    for (let step = 1; step <= times; step++) {
      const plan = { ...first, day: repeatDay(first.day, every, step), cancelled: ended };
      db.insert(occurrences, { series: row.id, event: insertEvent(db, plan).id });
    }
  }
}

/**
 * Adds the shared calendars. Three people of each part of the population see the owner's calendar. Three others show
 * theirs, and the owner may add events to two of these.
 */
export function addSharing(db: Writer, rng: Rng, { everyone }: Life): void {
  for (const part of PARTS) {
    const people = rng.sample(everyone[part], 6);
    for (const { id } of people.slice(0, 3)) {
      db.insert(calendarShares, { person: id, role: rng.pick(ROLES), ended: rng.chance(0.2) });
    }
    const roles = ["edit", "edit", rng.pick(["busy", "view"] as const)] as const;
    for (const [i, { id }] of people.slice(3).entries()) addOtherCalendar(db, rng, id, roles[i]!);
  }
}

function addOtherCalendar(
  db: Writer,
  rng: Rng,
  person: number,
  role: (typeof ROLES)[number],
): void {
  db.insert(otherCalendars, { person, role });
  for (const title of rng.sample([...ERRANDS, ...MEETINGS], rng.integer(3, 8))) {
    db.insert(otherEvents, { person, title, ...drawDayAndTime(rng, rng.integer(-5, 25)) });
  }
}
