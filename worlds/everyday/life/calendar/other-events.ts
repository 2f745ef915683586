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
import { daysFromStart } from "../../population/time.ts";
import { type DayRange, type Diary, drawSlot, type Slot } from "../diary.ts";
import type { Life } from "../life.ts";
import { ERRANDS, hoursOfTitle, LONGEST_OTHER_EVENT, MEETINGS } from "./texts.ts";

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

/** The owner's answers to invitations by others: half are open, some accepted, some declined. */
const RESPONSES = ["open", "open", "accepted", "open", "accepted", "declined"] as const;

export function addMeetings(db: Writer, rng: Rng, { everyone, density, diary }: Life): void {
  const titles = rng.shuffle(MEETINGS);
  const nextTitle = () => titles.pop() ?? rng.pick(MEETINGS);
  const scaledCount = (normal: number) => Math.round(normal * density);
  for (const part of PARTS) {
    const drawGuests = () => rng.sample(everyone[part], rng.integer(1, 5));
    const addOwnMeeting = (range: DayRange, cancelled = false) => {
      const title = nextTitle();
      const when = cancelled
        ? drawSlot(rng, range, hoursOfTitle(title))
        : bookOwn(rng, diary, range, title);
      insertEvent(db, { title, ...when, host: null, guests: drawGuests(), cancelled });
    };
    for (let i = 0; i < scaledCount(6); i++) addOwnMeeting([1, 45]);
    for (let i = 0; i < scaledCount(3); i++) addOwnMeeting([-40, -1]);
    for (let i = 0; i < scaledCount(3); i++) addOwnMeeting([2, 40], true);
    for (let i = 0; i < scaledCount(7); i++) {
      const people = drawGuests();
      const response = RESPONSES[i % RESPONSES.length]!;
      const title = nextTitle();
      const when =
        response === "accepted"
          ? bookOwn(rng, diary, [1, 45], title)
          : drawSlot(rng, [1, 45], hoursOfTitle(title));
      insertEvent(db, { title, ...when, guests: people, response, host: people[0]! });
    }
  }
}

/** Books time for an event at which the owner has to be. */
function bookOwn(rng: Rng, diary: Diary, range: DayRange, title: string): Slot {
  return diary.book(rng, range, hoursOfTitle(title), LONGEST_OTHER_EVENT);
}

export function addErrands(db: Writer, rng: Rng, { diary }: Life): CalendarEvent[] {
  return ERRANDS.map((title, i) => {
    const days = i % 3 === 2 ? -2 * i : 3 * i + 1;
    const range: DayRange = days < 0 ? [days - 3, Math.min(-1, days + 3)] : [days, days + 5];
    return insertEvent(db, { title, ...bookOwn(rng, diary, range, title), host: null, guests: [] });
  });
}

/**
 * Adds the series of events. The last series has ended, and all others go on. What falls into a trip of the owner is
 * cancelled.
 */
export function addSeries(db: Writer, { series: plans, diary }: Life): void {
  for (const { title, every, times, ended, ...slot } of plans) {
    const first = { title, day: slot.day, time: slot.time, host: null, guests: [] };
    const event = insertEvent(db, first).id;
    const row = db.insert(series, { event, every, ended });
    for (let step = 1; step <= times; step++) {
      const day = repeatDay(first.day, every, step);
      const cancelled = ended || diary.isAway(daysFromStart(day));
      const { id } = insertEvent(db, { ...first, day, cancelled });
      db.insert(occurrences, { series: row.id, event: id });
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
    const { day, time } = drawSlot(rng, [-5, 25], hoursOfTitle(title));
    db.insert(otherEvents, { person, title, day, time });
  }
}
