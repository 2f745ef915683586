/**
 * The owner's calendar: every happening is an event, the owner's own or one to which its host invited, with its guests,
 * place, length and category. What lies ahead has answers, reminders and proposals.
 */
import type { Reader, Rng, Writer } from "bowline/world";
import {
  ANSWERS,
  answers,
  categories,
  eventLengths,
  eventNotes,
  eventPlaces,
  eventReminders,
  filings,
  nudges,
  proposals,
} from "../apps/calendar/tables.ts";
import { type CalendarEvent, events, guests, type Rsvp } from "../apps/tables.ts";
import { dayAfter, NOW } from "../population/time.ts";
import {
  addErrands,
  addMeetings,
  addSeries,
  addSharing,
  hold,
  someTime,
} from "./calendar/meetings.ts";
import { CATEGORIES, CATEGORY_OF, LENGTH_OF, ROOMS } from "./calendar/texts.ts";
import type { Happening, Life } from "./life.ts";

const TODAY = NOW.slice(0, 10);

export function addCalendar(db: Writer, rng: Rng, life: Life): void {
  for (const row of CATEGORIES) db.insert(categories, row);
  for (const [i, happening] of life.happenings.entries()) {
    addHappening(db, rng.child("happenings").child(i), happening);
  }
  addMeetings(db, rng.child("meetings"), life);
  const errands = addErrands(db, rng.child("errands"));
  for (const { id } of errands) file(db, id, "errands");
  addSeries(db, rng.child("series"));
  for (const row of db.all(events)) addDetails(db, rng.child("details").child(row.id), row);
  addSharing(db, rng.child("sharing"), life);
}

function addHappening(db: Writer, rng: Rng, happening: Happening): void {
  const { title, day, time, host, people, kind, place, city, nights } = happening;
  const response: Rsvp =
    host && day > TODAY ? rng.pick(["open", "accepted", "accepted"]) : "accepted";
  const { id } = hold(db, { title, day, time, host, guests: people, response });
  db.insert(eventPlaces, { event: id, place: `${place}, ${city}` });
  const minutes = rng.pick(LENGTH_OF[kind]) + 5 * rng.integer(0, 5);
  db.insert(eventLengths, { event: id, minutes, allDay: nights > 0 });
  file(db, id, CATEGORY_OF[kind]);
  if (rng.chance(0.6)) db.insert(eventNotes, { event: id, text: noteOn(rng, happening) });
}

/** Past: what it came to. Ahead: what it may cost, and what to bring. */
function noteOn(rng: Rng, { day, costs }: Happening): string {
  const sum = costs.reduce((total, { cents }) => total + cents, 0);
  if (day <= TODAY) return `It came to $${(sum / 100).toFixed(2)} for all of us.`;
  const bring = rng.pick(["the camera", "a cake", "two chairs", "the blue folder", "a torch"]);
  return `Bring ${bring}. My budget is $${(rng.integer(1500, 19_000) / 100).toFixed(2)}.`;
}

function file(db: Writer, event: number, name: string): void {
  const [category] = db.where(categories, { name });
  db.insert(filings, { event, category: category!.id });
}

/** What events of all sorts may have. */
function addDetails(db: Writer, rng: Rng, row: CalendarEvent): void {
  if (row.cancelled) return;
  const event = row.id;
  if (db.where(eventPlaces, { event }).length === 0 && rng.chance(0.35)) {
    db.insert(eventPlaces, { event, place: rng.pick(ROOMS) });
  }
  if (db.where(eventLengths, { event }).length === 0 && rng.chance(0.4)) {
    db.insert(eventLengths, { event, minutes: rng.pick([30, 45, 75, 90, 120]), allDay: false });
  }
  if (row.host === null) addAnswers(db, rng, row);
  if (row.day <= TODAY) return;
  if (rng.chance(0.35)) {
    for (const minutes of rng.sample([10, 30, 60, 120, 1440], rng.integer(1, 2))) {
      db.insert(eventReminders, { event, minutes });
    }
  }
  if (rng.chance(0.45)) addProposal(db, rng, row);
}

/** A third of the guests is silent, and a few of those were asked once more. */
function addAnswers(db: Writer, rng: Rng, { id: event, day }: CalendarEvent): void {
  for (const { person } of invited(db, event)) {
    if (rng.chance(0.67)) {
      db.insert(answers, { event, person, answer: rng.pick([...ANSWERS, "yes"]) });
    } else if (day > TODAY && rng.chance(0.15)) db.insert(nudges, { event, person });
  }
}

/** By a guest for an own event, by the owner for one of somebody else. */
function addProposal(db: Writer, rng: Rng, { id: event, host, response }: CalendarEvent): void {
  const when = { day: dayAfter(rng.integer(4, 50)), time: someTime(rng) };
  if (host !== null) {
    if (response === "declined" || rng.chance(0.4)) return;
    const status = rng.pick(["open", "open", "withdrawn", "declined"] as const);
    db.insert(proposals, { event, person: null, ...when, status });
    return;
  }
  const people = invited(db, event);
  if (people.length === 0) return;
  const status = rng.pick(["open", "open", "open", "declined"] as const);
  db.insert(proposals, { event, person: rng.pick(people).person, ...when, status });
}

function invited(db: Reader, event: number) {
  return db.where(guests, { event, uninvited: false });
}
