/**
 * Writes the owner's calendar. Each happening is an event, either the owner's own or one to which its host invited the
 * owner, with its guests, place, length and category. Future events have answers, reminders and proposals.
 */
import type { Reader, Rng, Writer } from "bowline/world";
import {
  ANSWERS,
  answers,
  categories,
  eventCategories,
  eventLengths,
  eventNotes,
  eventPlaces,
  eventReminders,
  nudges,
  proposals,
} from "../apps/calendar/tables.ts";
import { type CalendarEvent, events, guests, type Rsvp } from "../apps/tables.ts";
import { NOW } from "../population/time.ts";
import {
  addErrands,
  addMeetings,
  addSeries,
  addSharing,
  insertEvent,
} from "./calendar/other-events.ts";
import {
  CATEGORIES,
  CATEGORY_OF,
  EXTRA_MINUTES,
  hoursOfTitle,
  LENGTHS_OF,
  OTHER_LENGTHS,
  ROOMS,
} from "./calendar/texts.ts";
import { drawSlot } from "./diary.ts";
import type { Happening, Life } from "./life.ts";

const TODAY = NOW.slice(0, 10);

export function addCalendar(db: Writer, rng: Rng, life: Life): void {
  for (const row of CATEGORIES) db.insert(categories, row);
  for (const [i, happening] of life.happenings.entries()) {
    addHappening(db, rng.child("happenings").child(i), happening);
  }
  addMeetings(db, rng.child("meetings"), life);
  const errands = addErrands(db, rng.child("errands"), life);
  for (const { id } of errands) putIntoCategory(db, id, "errands");
  addSeries(db, life);
  for (const row of db.all(events)) addDetails(db, rng.child("details").child(row.id), row);
  addSharing(db, rng.child("sharing"), life);
}

function addHappening(db: Writer, rng: Rng, happening: Happening): void {
  const { title, day, time, host, people, kind, place, city, nights } = happening;
  const response: Rsvp =
    host && day > TODAY ? rng.pick(["open", "accepted", "accepted"]) : "accepted";
  const { id } = insertEvent(db, { title, day, time, host, guests: people, response });
  db.insert(eventPlaces, { event: id, place: `${place}, ${city}` });
  const minutes = rng.pick(LENGTHS_OF[kind]) + 5 * rng.integer(0, EXTRA_MINUTES / 5);
  db.insert(eventLengths, { event: id, minutes, allDay: nights > 0 });
  putIntoCategory(db, id, CATEGORY_OF[kind]);
  if (rng.chance(0.6)) db.insert(eventNotes, { event: id, text: makeNote(rng, happening) });
}

/** Makes the owner's note on a happening: what a past one cost, or what a future one may cost and what to bring. */
function makeNote(rng: Rng, { day, costs }: Happening): string {
  const sum = costs.reduce((total, { cents }) => total + cents, 0);
  if (day <= TODAY) return `It came to $${(sum / 100).toFixed(2)} for all of us.`;
  const thing = rng.pick(["the camera", "a cake", "two chairs", "the blue folder", "a torch"]);
  return `Bring ${thing}. My budget is $${(rng.integer(1500, 19_000) / 100).toFixed(2)}.`;
}

function putIntoCategory(db: Writer, event: number, name: string): void {
  const [category] = db.where(categories, { name });
  db.insert(eventCategories, { event, category: category!.id });
}

/** Adds the details that any event may have. */
function addDetails(db: Writer, rng: Rng, row: CalendarEvent): void {
  if (row.cancelled) return;
  const event = row.id;
  if (db.where(eventPlaces, { event }).length === 0 && rng.chance(0.35)) {
    db.insert(eventPlaces, { event, place: rng.pick(ROOMS) });
  }
  if (db.where(eventLengths, { event }).length === 0 && rng.chance(0.4)) {
    db.insert(eventLengths, { event, minutes: rng.pick(OTHER_LENGTHS), allDay: false });
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

/**
 * Adds the answers of the guests. A third of the guests has not answered, and the owner has asked a few of these once
 * more.
 */
function addAnswers(db: Writer, rng: Rng, { id: event, day }: CalendarEvent): void {
  for (const { person } of invitedGuests(db, event)) {
    if (rng.chance(0.67)) {
      db.insert(answers, { event, person, answer: rng.pick([...ANSWERS, "yes"]) });
    } else if (day > TODAY && rng.chance(0.15)) db.insert(nudges, { event, person });
  }
}

/** Adds a proposal of another time: by a guest for an own event, or by the owner for an event of somebody else. */
function addProposal(
  db: Writer,
  rng: Rng,
  { id: event, title, host, response }: CalendarEvent,
): void {
  const { day, time } = drawSlot(rng, [4, 50], hoursOfTitle(title));
  const when = { day, time };
  if (host !== null) {
    if (response === "declined" || rng.chance(0.4)) return;
    const status = rng.pick(["open", "open", "withdrawn", "declined"] as const);
    db.insert(proposals, { event, person: null, ...when, status });
    return;
  }
  const people = invitedGuests(db, event);
  if (people.length === 0) return;
  const status = rng.pick(["open", "open", "open", "declined"] as const);
  db.insert(proposals, { event, person: rng.pick(people).person, ...when, status });
}

function invitedGuests(db: Reader, event: number) {
  return db.where(guests, { event, uninvited: false });
}
