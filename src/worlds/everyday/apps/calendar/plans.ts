/** Planning own events, and answering invitations by others. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi } from "../../../../world/index.ts";
import { day, handle, handleOf, idOf, line, notPast } from "../shared.ts";
import { events, type Rsvp } from "../tables.ts";
import { eventItem, eventView, openEvent, ownEvent } from "./events.ts";
import { ownId, theirs } from "./examples.ts";
import { inviteTo } from "./guests.ts";

const id = idOf("own event");
const time = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "expected a time such as 18:30")
  .describe('the time, such as "18:30"');

const add = defineApi({
  summary: "Add an event and invite guests.",
  params: z.strictObject({
    title: line("the title"),
    day: day("the day"),
    time,
    guests: z.array(handle("a guest")).max(20).default([]).describe("handles of the guests"),
  }),
  returns: eventItem,
  example: () => ({ title: "Lunch", day: "2026-03-20", time: "12:30" }),
  handler: ({ db, now }, { title, day, time, guests }) => {
    notPast(day, now, "day");
    const own = { host: null, response: "accepted", cancelled: false } as const;
    const row = db.insert(events, { title, day, time, ...own });
    for (const guest of guests) inviteTo(db, row.id, guest, "guests");
    return eventView(row);
  },
});

const rename = defineApi({
  summary: "Change an own event's title.",
  params: z.strictObject({ id, title: line("the new title") }),
  returns: eventItem,
  example: (db) => ({ id: ownId(db), title: "Long lunch" }),
  handler: ({ db, now }, { id, title }) => {
    ownEvent(db, id, now);
    return eventView(db.update(events, id, { title }));
  },
});

const move = defineApi({
  summary: "Move an own event to another day or time.",
  params: z.strictObject({
    id,
    day: day("the new day"),
    time: time.optional().describe("the new time; the old one when left out"),
  }),
  returns: eventItem,
  example: (db) => ({ id: ownId(db), day: "2026-03-27" }),
  handler: ({ db, now }, { id, day, time }) => {
    const row = ownEvent(db, id, now);
    notPast(day, now, "day");
    return eventView(db.update(events, id, { day, time: time ?? row.time }));
  },
});

const cancel = defineApi({
  summary: "Cancel an own event.",
  params: z.strictObject({ id }),
  returns: eventItem,
  example: (db) => ({ id: ownId(db) }),
  handler: ({ db, now }, { id }) => {
    ownEvent(db, id, now);
    return eventView(db.update(events, id, { cancelled: true }));
  },
});

function respond({ db, now }: CallContext, id: number, response: Rsvp) {
  const row = openEvent(db, id);
  if (row.host === null) {
    throw new ApiError(422, `id: expected an invitation by someone else, ${id} is an own event`);
  }
  notPast(row.day, now, `id: event ${id}`);
  if (row.response === response) {
    const host = handleOf(db, row.host);
    throw new ApiError(409, `id: the invitation ${id} by "${host}" is already ${response}`);
  }
  return eventView(db.update(events, id, { response }));
}

const accept = defineApi({
  summary: "Accept an invitation.",
  params: z.strictObject({ id: idOf("invitation") }),
  returns: eventItem,
  example: (db) => ({ id: theirs(db, "open") }),
  handler: (context, { id }) => respond(context, id, "accepted"),
});

const decline = defineApi({
  summary: "Decline an invitation.",
  params: z.strictObject({ id: idOf("invitation") }),
  returns: eventItem,
  example: (db) => ({ id: theirs(db, "open") }),
  handler: (context, { id }) => respond(context, id, "declined"),
});

export const planApis = { add, rename, move, cancel, accept, decline };
