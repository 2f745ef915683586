/** Calendar: the owner's events with their guests, and invitations by others. What is past is fixed. */

import { contains, day, itemOf, line, listing, must, query } from "bowline/resources";
import { defineApp, z } from "bowline/world";
import {
  clock,
  handle,
  handleOf,
  notPast,
  ofPerson,
  personBy,
  theirHandle,
  theirName,
} from "../shared.ts";
import { events, guests, type Rsvp } from "../tables.ts";
import {
  anyEvent,
  eventsBy,
  hostItem,
  invited,
  inviteItem,
  inviteTo,
  openEvent,
  openGuests,
  ownEvents,
  STANDING,
  stranger,
  theirs,
} from "./events.ts";
import { byDay } from "./times.ts";

const time = clock("the time");
const person = handle("the guest");
const invitation = eventsBy("invitation", openEvent, theirs);

const respond = (summary: string, response: Rsvp) =>
  invitation.change(summary, {
    unless: (row, { id }, { db, now }) => {
      const { host } = row;
      must(host !== null, 422, `id: expected an invitation by someone else, ${id} is an own event`);
      notPast(row.day, now, `id: event ${id}`);
      const by = handleOf(db, host);
      must(
        row.response !== response,
        409,
        `id: the invitation ${id} by "${by}" is already ${response}`,
      );
    },
    set: { response },
  });

export const calendar = defineApp({
  name: "calendar",
  summary: "Events with guests, and invitations.",
  tables: [events, guests],
  apis: {
    list: anyEvent.list("List the owner's own events and those accepted, by day and time.", {
      rows: STANDING,
      filters: {
        day: day("only on this day"),
        from: ofPerson("only hosted by this person", "from", "host"),
      },
      order: byDay,
      example: { size: 10 },
    }),
    show: anyEvent.show(
      "Show an event with its host and number of guests; the host of an own event is null.",
      { item: hostItem },
    ),
    search: anyEvent.list("Search titles of own and accepted events, by day and time.", {
      params: { query },
      rows: ({ query }, { db }) =>
        db.where(events, STANDING).filter(({ title }) => contains(title, query)),
      order: byDay,
      example: { query: "dinner" },
    }),
    invites: anyEvent.list("List invitations by others that wait for an answer, by day and time.", {
      item: inviteItem,
      rows: { response: "open" },
      filters: { from: ofPerson("only by this person", "from", "host") },
      order: byDay,
    }),
    add: ownEvents.add("Add an event and invite guests.", {
      params: {
        title: line("the title"),
        day: day("the day"),
        time,
        guests: z.array(handle("a guest")).max(20).default([]).describe("handles of the guests"),
      },
      row: ({ guests, ...rest }, { db, now }) => {
        notPast(rest.day, now, "day");
        const own = { host: null, response: "accepted", cancelled: false } as const;
        const row = db.insert(events, { ...rest, ...own });
        for (const guest of guests) inviteTo(db, row.id, guest, "guests");
        return row;
      },
      example: { title: "Lunch", day: "2026-03-20", time: "12:30" },
    }),
    rename: ownEvents.change("Change an own event's title.", {
      params: { title: line("the new title") },
      example: { title: "Long lunch" },
    }),
    move: ownEvents.change("Move an own event to another day or time.", {
      params: {
        day: day("the new day"),
        time: time.optional().describe("the new time; the old one when left out"),
      },
      set: (row, { day, time = row.time }, { now }) => {
        notPast(day, now, "day");
        return { day, time };
      },
      example: { day: "2026-03-27" },
    }),
    cancel: ownEvents.set("Cancel an own event.", { cancelled: true }),
    accept: respond("Accept an invitation.", "accepted"),
    decline: respond("Decline an invitation.", "declined"),
    guests: listing("List the guests of an event.", {
      item: itemOf(guests, { name: theirName, handle: theirHandle }),
      of: [anyEvent, "event"],
      rows: { uninvited: false },
      example: (db) => ({ id: invited(db).id }),
    }),
    invite: ownEvents.act("Invite a contact to an own event.", {
      params: { person },
      run: (row, { id, person }, { db }) => {
        inviteTo(db, id, person, "person");
        return row;
      },
      example: stranger,
    }),
    uninvite: ownEvents.act("Take back the invitation of a guest.", {
      params: { person },
      run: (row, args, { db }) => {
        const { id, handle } = personBy(db, args.person, "person");
        const guest = openGuests(db, row.id).find(({ person }) => person === id);
        must(guest, 404, `person: "${handle}" is not invited`);
        db.update(guests, guest.id, { uninvited: true });
        return row;
      },
      example: invited,
    }),
  },
});
