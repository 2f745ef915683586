/** Adds money, notes, todos and events to the starter: a modest background in which little is open. */
import type { Rng, Writer } from "bowline/world";
import {
  type CalendarEvent,
  events,
  guests,
  notes,
  type PayRequest,
  payments,
  type Rsvp,
  requests,
  shares,
  todoLists,
  todos,
  wallet,
} from "../apps/index.ts";
import { EVENT_TITLES, NOTES, PAY_NOTES, TODO_LISTS, TODOS } from "./background-texts.ts";
import { PARTS } from "./name-pools.ts";
import type { Everyone } from "./people.ts";
import { dayFromStart, drawAnyone, drawPastInstant } from "./time.ts";

/** Draws a price from 2 to 60 dollars in steps of half a dollar. */
const drawPrice = (rng: Rng) => rng.integer(4, 120) * 50;

/**
 * Adds the wallet, payments and requests. Only requests of the circle are pending: three by the owner and three by
 * others.
 */
export function addMoney(db: Writer, rng: Rng, everyone: Everyone): void {
  db.insert(wallet, { cents: 900_000 });
  const addPayment = (person: number, outgoing: boolean, request: PayRequest | null) =>
    db.insert(payments, {
      person,
      outgoing,
      cents: request?.cents ?? drawPrice(rng),
      note: request?.note ?? rng.pick(PAY_NOTES),
      request: request?.id ?? null,
      at: request?.at ?? drawPastInstant(rng),
    });
  const addRequest = (person: number, outgoing: boolean, status: PayRequest["status"]) => {
    const columns = { cents: drawPrice(rng), note: rng.pick(PAY_NOTES) };
    const row = db.insert(requests, {
      person,
      outgoing,
      ...columns,
      status,
      at: drawPastInstant(rng),
    });
    if (status === "paid") addPayment(person, !outgoing, row);
  };
  for (let i = 0; i < 40; i++) addPayment(drawAnyone(rng, everyone).id, i % 2 === 0, null);
  for (let i = 0; i < 18; i++)
    addRequest(drawAnyone(rng, everyone).id, false, i % 3 ? "paid" : "declined");
  for (let i = 0; i < 12; i++)
    addRequest(drawAnyone(rng, everyone).id, true, i % 3 ? "paid" : "cancelled");
  for (let i = 0; i < 6; i++) addRequest(rng.pick(everyone.circle).id, i % 2 === 0, "pending");
}

export function addNotes(db: Writer, rng: Rng, everyone: Everyone): void {
  for (const [i, note] of rng.shuffle(NOTES).entries()) {
    const row = db.insert(notes, { ...note, pinned: i % 7 === 0 });
    if (i % 5 === 1) db.insert(shares, { note: row.id, person: drawAnyone(rng, everyone).id });
  }
}

/**
 * Adds the lists and todos. Half of each list is done, and one open todo of each list is due on a day on which no other
 * is.
 */
export function addTodos(db: Writer, rng: Rng): void {
  for (const [i, name] of TODO_LISTS.entries()) {
    const list = db.insert(todoLists, { name }).id;
    for (const [j, title] of rng.shuffle<string>(TODOS[name]).entries()) {
      const due = j === 0 ? dayFromStart(1 + 3 * i) : null;
      db.insert(todos, { title, list, due, done: j % 2 === 1 });
    }
  }
}

/** Adds events. Own events are on every third day and those of others in between. Four invitations are open. */
export function addEvents(db: Writer, rng: Rng, everyone: Everyone): void {
  const addEvent = (days: number, host: number | null, response: Rsvp): CalendarEvent => {
    const time = `${String(rng.integer(8, 20)).padStart(2, "0")}:${rng.pick(["00", "15", "45"])}`;
    const [title, day] = [rng.pick(EVENT_TITLES), dayFromStart(days)];
    return db.insert(events, { title, day, time, host, response, cancelled: false });
  };
  for (let i = -4; i < 16; i++) {
    const event = addEvent(3 * i, null, "accepted");
    const candidates = everyone[rng.pick(PARTS)];
    for (const guest of rng.sample(candidates, rng.integer(0, 6))) {
      db.insert(guests, { event: event.id, person: guest.id, uninvited: false });
    }
    const host = drawAnyone(rng, everyone).id;
    if (i % 2 === 0) addEvent(3 * i + 1, host, i % 4 === 0 ? "accepted" : "declined");
  }
  for (let i = 1; i <= 4; i++) addEvent(3 * i + 1, rng.pick(everyone.circle).id, "open");
}
