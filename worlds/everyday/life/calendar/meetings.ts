/** Events that belong to no happening: meetings with some people of one part, errands, series, calendars of others. */
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
import { PARTS } from "../../population/names.ts";
import { dayAfter } from "../../population/time.ts";
import type { Life } from "../life.ts";
import { ERRANDS, MEETINGS, REGULAR } from "./texts.ts";

export interface Plan {
  readonly title: string;
  readonly day: string;
  readonly time: string;
  /** Null: the owner. */
  readonly host: Person | null;
  readonly guests: readonly Person[];
  readonly response?: Rsvp;
  readonly cancelled?: boolean;
}

export function hold(db: Writer, plan: Plan): CalendarEvent {
  const { title, day, time, host, response = "accepted", cancelled = false } = plan;
  const row = { title, day, time, host: host?.id ?? null, response, cancelled };
  const event = db.insert(events, row);
  for (const { id } of plan.guests) {
    if (id !== row.host) db.insert(guests, { event: event.id, person: id, uninvited: false });
  }
  return event;
}

export function someTime(rng: Rng): string {
  return `${String(rng.integer(8, 20)).padStart(2, "0")}:${rng.pick(["00", "15", "30", "45"])}`;
}

/** Of what others ask, half is open, some accepted, some declined. */
const RESPONSES = ["open", "open", "accepted", "open", "accepted", "declined"] as const;

export function addMeetings(db: Writer, rng: Rng, { everyone, density }: Life): void {
  const titles = rng.shuffle(MEETINGS);
  const next = () => titles.pop() ?? rng.pick(MEETINGS);
  const count = (normal: number) => Math.round(normal * density);
  for (const part of PARTS) {
    const invited = () => rng.sample(everyone[part], rng.integer(1, 5));
    const own = (days: number, cancelled = false) =>
      hold(db, { ...when(rng, days), title: next(), host: null, guests: invited(), cancelled });
    for (let i = 0; i < count(6); i++) own(rng.integer(1, 45));
    for (let i = 0; i < count(3); i++) own(-rng.integer(1, 40));
    for (let i = 0; i < count(3); i++) own(rng.integer(2, 40), true);
    for (let i = 0; i < count(7); i++) {
      const people = invited();
      const response = RESPONSES[i % RESPONSES.length]!;
      const plan = { ...when(rng, rng.integer(1, 45)), title: next(), guests: people, response };
      hold(db, { ...plan, host: people[0]! });
    }
  }
}

function when(rng: Rng, days: number): Pick<Plan, "day" | "time"> {
  return { day: dayAfter(days), time: someTime(rng) };
}

export function addErrands(db: Writer, rng: Rng): CalendarEvent[] {
  return ERRANDS.map((title, i) =>
    hold(db, { ...when(rng, i % 3 === 2 ? -2 * i : 3 * i + 1), title, host: null, guests: [] }),
  );
}

/** Days since a series began; no event lies on today, so what is to come and what is past are told apart. */
const BEGAN = [1, 2, 3, 4, 5, 6, 8, 9];

/** Goes on, but for the last one. */
export function addSeries(db: Writer, rng: Rng): void {
  for (const [i, { title, every, times }] of REGULAR.entries()) {
    const first = { ...when(rng, -rng.pick(BEGAN)), title, host: null, guests: [] };
    const event = hold(db, first).id;
    const ended = i === REGULAR.length - 1;
    const row = db.insert(series, { event, every, ended });
    for (let step = 1; step <= times; step++) {
      const plan = { ...first, day: repeatDay(first.day, every, step), cancelled: ended };
      db.insert(occurrences, { series: row.id, event: hold(db, plan).id });
    }
  }
}

/** Three people of each part see the owner's calendar; three show theirs, and with two of these the owner may write. */
export function addSharing(db: Writer, rng: Rng, { everyone }: Life): void {
  for (const part of PARTS) {
    const people = rng.sample(everyone[part], 6);
    for (const { id } of people.slice(0, 3)) {
      db.insert(calendarShares, { person: id, role: rng.pick(ROLES), ended: rng.chance(0.2) });
    }
    const roles = ["edit", "edit", rng.pick(["busy", "view"] as const)] as const;
    for (const [i, { id }] of people.slice(3).entries()) addOther(db, rng, id, roles[i]!);
  }
}

function addOther(db: Writer, rng: Rng, person: number, role: (typeof ROLES)[number]): void {
  db.insert(otherCalendars, { person, role });
  for (const title of rng.sample([...ERRANDS, ...MEETINGS], rng.integer(3, 8))) {
    db.insert(otherEvents, { person, title, ...when(rng, rng.integer(-5, 25)) });
  }
}
