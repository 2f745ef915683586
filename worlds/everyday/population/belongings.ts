/** Money, notes, todos and events: a modest, settled background that leaves little open. */
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
import { PARTS } from "./names.ts";
import type { Everyone } from "./people.ts";
import { dayAfter, earlier, oneOf } from "./time.ts";
import { EVENT_TITLES, NOTES, PAY_NOTES, TODO_LISTS, TODOS } from "./topics.ts";

/** From 2 to 60 dollars in steps of half a dollar. */
const price = (rng: Rng) => rng.integer(4, 120) * 50;

/** Only the circle's requests are pending: three each way. */
export function addMoney(db: Writer, rng: Rng, everyone: Everyone): void {
  db.insert(wallet, { cents: 900_000 });
  const pay = (person: number, outgoing: boolean, request: PayRequest | null) =>
    db.insert(payments, {
      person,
      outgoing,
      cents: request?.cents ?? price(rng),
      note: request?.note ?? rng.pick(PAY_NOTES),
      request: request?.id ?? null,
      at: request?.at ?? earlier(rng),
    });
  const ask = (person: number, outgoing: boolean, status: PayRequest["status"]) => {
    const what = { cents: price(rng), note: rng.pick(PAY_NOTES) };
    const row = db.insert(requests, { person, outgoing, ...what, status, at: earlier(rng) });
    if (status === "paid") pay(person, !outgoing, row);
  };
  for (let i = 0; i < 40; i++) pay(oneOf(rng, everyone).id, i % 2 === 0, null);
  for (let i = 0; i < 18; i++) ask(oneOf(rng, everyone).id, false, i % 3 ? "paid" : "declined");
  for (let i = 0; i < 12; i++) ask(oneOf(rng, everyone).id, true, i % 3 ? "paid" : "cancelled");
  for (let i = 0; i < 6; i++) ask(rng.pick(everyone.circle).id, i % 2 === 0, "pending");
}

export function addNotes(db: Writer, rng: Rng, everyone: Everyone): void {
  for (const [i, note] of rng.shuffle(NOTES).entries()) {
    const row = db.insert(notes, { ...note, pinned: i % 7 === 0 });
    if (i % 5 === 1) db.insert(shares, { note: row.id, person: oneOf(rng, everyone).id });
  }
}

/** Half of a list is done; one open todo of each list is due on a day of its own. */
export function addTodos(db: Writer, rng: Rng): void {
  for (const [i, name] of TODO_LISTS.entries()) {
    const list = db.insert(todoLists, { name }).id;
    for (const [j, title] of rng.shuffle<string>(TODOS[name]).entries()) {
      const due = j === 0 ? dayAfter(1 + 3 * i) : null;
      db.insert(todos, { title, list, due, done: j % 2 === 1 });
    }
  }
}

/** Own events lie on every third day, those of others in between; four invitations are open. */
export function addEvents(db: Writer, rng: Rng, everyone: Everyone): void {
  const hold = (days: number, host: number | null, response: Rsvp): CalendarEvent => {
    const time = `${String(rng.integer(8, 20)).padStart(2, "0")}:${rng.pick(["00", "15", "45"])}`;
    const [title, day] = [rng.pick(EVENT_TITLES), dayAfter(days)];
    return db.insert(events, { title, day, time, host, response, cancelled: false });
  };
  for (let i = -4; i < 16; i++) {
    const event = hold(3 * i, null, "accepted");
    const candidates = everyone[rng.pick(PARTS)];
    for (const guest of rng.sample(candidates, rng.integer(0, 6))) {
      db.insert(guests, { event: event.id, person: guest.id, uninvited: false });
    }
    const host = oneOf(rng, everyone).id;
    if (i % 2 === 0) hold(3 * i + 1, host, i % 4 === 0 ? "accepted" : "declined");
  }
  for (let i = 1; i <= 4; i++) hold(3 * i + 1, rng.pick(everyone.circle).id, "open");
}
