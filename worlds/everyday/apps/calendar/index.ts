/**
 * Defines the calendar app of the starter: the owner's events with their guests, and invitations by others. Past events
 * cannot be changed.
 */

import {
  containsIgnoringCase,
  dayParam,
  defineItem,
  listApi,
  queryParam,
  refuseUnless,
  shortTextParam,
} from "bowline/resources";
import { defineApp, z } from "bowline/world";
import {
  handleField,
  handleOf,
  handleParam,
  nameField,
  personColumnFilter,
  requirePerson,
  requireTodayOrLater,
  timeParam,
} from "../shared.ts";
import { events, guests, type Rsvp } from "../tables.ts";
import {
  anyEvent,
  eventResource,
  exampleInvitationId,
  exampleInvitedGuest,
  exampleUninvitedPerson,
  hostedItem,
  IN_CALENDAR,
  invitationItem,
  invitedGuests,
  inviteGuest,
  ownEvents,
  requireActiveEvent,
} from "./events.ts";
import { sortByTime } from "./times.ts";

const time = timeParam("the time");
const person = handleParam("the guest");
const invitation = eventResource("invitation", requireActiveEvent, exampleInvitationId);

const invitationAnswerApi = (summary: string, response: Rsvp) =>
  invitation.change(summary, {
    checkRow: (row, { id }, { db, now }) => {
      const { host } = row;
      refuseUnless(
        host !== null,
        422,
        `id: expected an invitation by someone else, ${id} is an own event`,
      );
      requireTodayOrLater(row.day, now, `id: event ${id}`);
      const hostHandle = handleOf(db, host);
      refuseUnless(
        row.response !== response,
        409,
        `id: the invitation ${id} by "${hostHandle}" is already ${response}`,
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
      rows: IN_CALENDAR,
      filters: {
        day: dayParam("only on this day"),
        from: personColumnFilter("only hosted by this person", "from", "host"),
      },
      order: sortByTime,
      example: { size: 10 },
    }),
    show: anyEvent.show(
      "Show an event with its host and number of guests; the host of an own event is null.",
      { item: hostedItem },
    ),
    search: anyEvent.list("Search titles of own and accepted events, by day and time.", {
      params: { query: queryParam },
      rows: ({ query }, { db }) =>
        db.where(events, IN_CALENDAR).filter(({ title }) => containsIgnoringCase(title, query)),
      order: sortByTime,
      example: { query: "dinner" },
    }),
    invites: anyEvent.list("List invitations by others that wait for an answer, by day and time.", {
      item: invitationItem,
      rows: { response: "open" },
      filters: { from: personColumnFilter("only by this person", "from", "host") },
      order: sortByTime,
    }),
    add: ownEvents.add("Add an event and invite guests.", {
      params: {
        title: shortTextParam("the title"),
        day: dayParam("the day"),
        time,
        guests: z
          .array(handleParam("a guest"))
          .max(20)
          .default([])
          .describe("handles of the guests"),
      },
      row: ({ guests, ...rest }, { db, now }) => {
        requireTodayOrLater(rest.day, now, "day");
        const own = { host: null, response: "accepted", cancelled: false } as const;
        const row = db.insert(events, { ...rest, ...own });
        for (const guest of guests) inviteGuest(db, row.id, guest, "guests");
        return row;
      },
      example: { title: "Lunch", day: "2026-03-20", time: "12:30" },
    }),
    rename: ownEvents.change("Change an own event's title.", {
      params: { title: shortTextParam("the new title") },
      example: { title: "Long lunch" },
    }),
    move: ownEvents.change("Move an own event to another day or time.", {
      params: {
        day: dayParam("the new day"),
        time: time.optional().describe("the new time; the old one when left out"),
      },
      set: (row, { day, time = row.time }, { now }) => {
        requireTodayOrLater(day, now, "day");
        return { day, time };
      },
      example: { day: "2026-03-27" },
    }),
    cancel: ownEvents.set("Cancel an own event.", { cancelled: true }),
    accept: invitationAnswerApi("Accept an invitation.", "accepted"),
    decline: invitationAnswerApi("Decline an invitation.", "declined"),
    guests: listApi("List the guests of an event.", {
      item: defineItem(guests, { name: nameField, handle: handleField }),
      parent: [anyEvent, "event"],
      rows: { uninvited: false },
      example: (db) => ({ id: exampleInvitedGuest(db).id }),
    }),
    invite: ownEvents.act("Invite a contact to an own event.", {
      params: { person },
      run: (row, { id, person }, { db }) => {
        inviteGuest(db, id, person, "person");
        return row;
      },
      example: exampleUninvitedPerson,
    }),
    uninvite: ownEvents.act("Take back the invitation of a guest.", {
      params: { person },
      run: (row, args, { db }) => {
        const { id, handle } = requirePerson(db, args.person, "person");
        const guest = invitedGuests(db, row.id).find(({ person }) => person === id);
        refuseUnless(guest, 404, `person: "${handle}" is not invited`);
        db.update(guests, guest.id, { uninvited: true });
        return row;
      },
      example: exampleInvitedGuest,
    }),
  },
});
