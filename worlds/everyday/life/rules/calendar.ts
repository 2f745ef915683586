/**
 * The rules of a possible calendar: everything happens at sensible hours, and the owner is never at two places at once.
 */
import type { LifePopulation, LifeRule, Reader } from "bowline/world";
import { eventLengths, otherEvents, USUAL_MINUTES } from "../../apps/calendar/tables.ts";
import { type CalendarEvent, events } from "../../apps/tables.ts";

/** A kind of event, recognised by its title: the earliest and latest start, and whether it needs a working day. */
interface SensibleHours {
  readonly title: RegExp;
  readonly from: string;
  readonly to: string;
  readonly workdays?: boolean;
}

/** The first kind whose words stand in the title decides. The last one is for all other events. */
const HOURS: readonly SensibleHours[] = [
  {
    title: /dentist|haircut|car check|eye test|bank app|meter|passport|chimney|vaccin|tax off/i,
    from: "08:00",
    to: "18:00",
    workdays: true,
  },
  { title: /lunch/i, from: "11:00", to: "14:00" },
  { title: /^dinner|evening|night|after work/i, from: "17:00", to: "21:00" },
  { title: /^concert/i, from: "14:00", to: "21:00" },
  { title: /^workshop/i, from: "09:00", to: "17:00" },
  { title: /^picnic/i, from: "10:00", to: "18:00" },
  { title: /^match/i, from: "10:00", to: "20:30" },
  { title: /tea and cake|museum|market|library/i, from: "08:00", to: "18:00" },
  { title: /./, from: "07:30", to: "20:45" },
];

/** The minute of the day at which the last event must be over. */
const LATEST_END = 23 * 60 + 45;

export const minuteOfDay = (time: string) => 60 * Number(time.slice(0, 2)) + Number(time.slice(3));
const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
const describe = ({ title, day, time }: { title: string; day: string; time: string }) =>
  `"${title}" on ${day} at ${time}`;

/** Returns why the event is at an odd hour, or undefined when the hour is sensible. */
function findOddHour(row: { title: string; day: string; time: string }, minutes: number) {
  const hours = HOURS.find(({ title }) => title.test(row.title))!;
  if (row.time < hours.from || row.time > hours.to) {
    return `${describe(row)} does not begin between ${hours.from} and ${hours.to}`;
  }
  if (hours.workdays && isWeekend(row.day)) return `${describe(row)} is on a weekend`;
  if (minuteOfDay(row.time) + minutes <= LATEST_END) return undefined;
  return `${describe(row)} lasts ${minutes} minutes, into the night`;
}

function readLengths(db: Reader): (event: number) => { minutes: number; allDay: boolean } {
  const rows = new Map(db.all(eventLengths).map((row) => [row.event, row]));
  return (event) => rows.get(event) ?? { minutes: USUAL_MINUTES, allDay: false };
}

function findOddHours({ db }: LifePopulation): string[] {
  const lengthOf = readLengths(db);
  const own = db.all(events).flatMap((row) => {
    const { minutes, allDay } = lengthOf(row.id);
    return allDay ? [] : [findOddHour(row, minutes)];
  });
  const others = db.all(otherEvents).map((row) => findOddHour(row, USUAL_MINUTES));
  return [...own, ...others].filter((sentence) => sentence !== undefined);
}

/** Returns the events at which the owner is or will be: own ones, and those to which the owner has agreed to come. */
export function listAttended(db: Reader): readonly CalendarEvent[] {
  return db.all(events).filter((row) => !row.cancelled && row.response === "accepted");
}

function findOverlaps({ db }: LifePopulation): string[] {
  const lengthOf = readLengths(db);
  const timed = listAttended(db).filter(({ id }) => !lengthOf(id).allDay);
  const when = ({ day, time }: CalendarEvent) => `${day} ${time}`;
  const sorted = timed.toSorted((a, b) => (when(a) < when(b) ? -1 : when(a) > when(b) ? 1 : 0));
  return sorted.flatMap((row, i) => {
    const end = minuteOfDay(row.time) + lengthOf(row.id).minutes;
    return sorted
      .slice(i + 1)
      .filter(({ day, time }) => day === row.day && minuteOfDay(time) < end)
      .map((other) => `${describe(row)} is not over before ${describe(other)}`);
  });
}

export const calendarRules: readonly LifeRule[] = [
  { name: "events are at sensible hours", findViolations: findOddHours },
  { name: "no two events of the owner overlap", findViolations: findOverlaps },
];
