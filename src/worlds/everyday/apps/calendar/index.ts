/** Calendar: the owner's events with their guests, and invitations by others. What is past is fixed. */
import { z } from "zod";
import { defineApi, defineApp } from "../../../../world/index.ts";
import {
  contains,
  day,
  given,
  handle,
  handleOf,
  idOf,
  paged,
  pageOf,
  paging,
  personId,
  query,
} from "../shared.ts";
import { type CalendarEvent, events, guests } from "../tables.ts";
import { eventItem, eventView, openEvent, openGuests } from "./events.ts";
import { ownId } from "./examples.ts";
import { guestApis } from "./guests.ts";
import { planApis } from "./plans.ts";
import { byDay } from "./times.ts";

const list = defineApi({
  summary: "List the owner's own events and those accepted, by day and time.",
  params: z.strictObject({
    day: day("only on this day").optional(),
    from: handle("only hosted by this person").optional(),
    ...paging,
  }),
  returns: pageOf(eventItem),
  example: () => ({ size: 10 }),
  handler: ({ db }, { day, from, ...page }) => {
    const host = personId(db, from, "from");
    const match = given({ day, host, response: "accepted" as const, cancelled: false });
    return paged(byDay(db.where(events, match)), page, eventView);
  },
});

const show = defineApi({
  summary: "Show an event with its host and number of guests; the host of an own event is null.",
  params: z.strictObject({ id: idOf("event") }),
  returns: eventItem.extend({ host: z.string().nullable(), guests: z.int() }),
  example: (db) => ({ id: ownId(db) }),
  handler: ({ db }, { id }) => {
    const row = openEvent(db, id);
    const host = row.host === null ? null : handleOf(db, row.host);
    return { ...eventView(row), host, guests: openGuests(db, id).length };
  },
});

const search = defineApi({
  summary: "Search titles of own and accepted events, by day and time.",
  params: z.strictObject({ query, ...paging }),
  returns: pageOf(eventItem),
  example: () => ({ query: "dinner" }),
  handler: ({ db }, { query, ...page }) => {
    const rows = db.where(events, { response: "accepted", cancelled: false });
    const hits = rows.filter((row) => contains(row.title, query));
    return paged(byDay(hits), page, eventView);
  },
});

const invites = defineApi({
  summary: "List invitations by others that wait for an answer, by day and time.",
  params: z.strictObject({ from: handle("only by this person").optional(), ...paging }),
  returns: pageOf(eventItem.extend({ from: z.string() })),
  example: () => ({}),
  handler: ({ db }, { from, ...page }) => {
    const match = given({ response: "open" as const, host: personId(db, from, "from") });
    const view = (row: CalendarEvent) => ({
      ...eventView(row),
      from: row.host === null ? "" : handleOf(db, row.host),
    });
    return paged(byDay(db.where(events, match)), page, view);
  },
});

export const calendar = defineApp({
  name: "calendar",
  summary: "Events with guests, and invitations.",
  tables: [events, guests],
  apis: { list, show, search, invites, ...planApis, ...guestApis },
});
