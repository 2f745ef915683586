/**
 * Defines the APIs of shared calendars. The owner lets others see the owner's calendar, with a role for each person.
 * Other people let the owner see their calendars, and the role that they gave decides what the owner sees and may do
 * there.
 */

import {
  dayParam,
  defineItem,
  refuseUnless,
  resource,
  shortTextParam,
  upsertRow,
} from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  exampleHandleWhere,
  handleOf,
  handleParam,
  leavingOut,
  personFields,
  requirePerson,
  requireReceiver,
  requireTodayOrLater,
  timeParam,
} from "../shared.ts";
import { calendarShares, otherCalendars, otherEvents, ROLES } from "./tables.ts";
import { DAY_FILTERS, sortByTime } from "./times.ts";

const person = handleParam("the person");
const role = z
  .enum(ROLES)
  .describe("busy: sees times only; view: also titles; edit: may also add events");
const roleItemFields = { ...personFields, role: z.enum(ROLES) };

const share = resource({
  noun: "share",
  item: defineItem(calendarShares, roleItemFields),
  keys: { person },
  find: (args, { db }) => {
    const { id, handle } = requirePerson(db, args.person, "person");
    const [known] = db.where(calendarShares, { person: id, ended: false });
    refuseUnless(known, 404, `person: the calendar is not shared with "${handle}"`);
    return known;
  },
  example: (db) => {
    const [row] = db.where(calendarShares, { ended: false });
    return { person: row ? handleOf(db, row.person) : "amara.o" };
  },
});

const exampleUnsharedHandle = (db: Reader) => {
  const sharedWith = new Set(db.where(calendarShares, { ended: false }).map((row) => row.person));
  return exampleHandleWhere(db, ({ id }) => !sharedWith.has(id));
};

const otherCalendar = resource({
  noun: "calendar",
  item: defineItem(otherCalendars, roleItemFields),
  keys: { person },
  find: (args, { db }) => {
    const { id, handle } = requirePerson(db, args.person, "person");
    const [known] = db.where(otherCalendars, { person: id });
    const hint = "calendar.others lists who does";
    refuseUnless(known, 403, `person: "${handle}" does not share a calendar; ${hint}`);
    return known;
  },
  example: (db) => {
    const row = db.where(otherCalendars, { role: "edit" })[0] ?? db.all(otherCalendars)[0];
    return { person: handleOf(db, row?.person ?? 1) };
  },
});

/** An event in someone else's calendar. Its title is shown as "busy" when the owner may only see times. */
const otherEvent = resource({
  noun: "event",
  item: defineItem(otherEvents, {
    title: [
      z.string(),
      ({ person, title }, { db }) =>
        db.where(otherCalendars, { person })[0]?.role === "busy" ? "busy" : title,
    ],
    ...otherEvents.fields("day", "time"),
  }),
});

export const sharingApis = {
  shares: share.list(
    leavingOut(
      "List who sees the owner's calendar and in which role, in the order of sharing.",
      "shares that ended are",
    ),
    { rows: { ended: false }, filters: { role } },
  ),
  share: share.add("Share the owner's calendar with a contact.", {
    params: { person, role: role.default("view") },
    row: ({ person, role }, { db }) => {
      const { id, handle } = requireReceiver(db, person, "person");
      const [known] = db.where(calendarShares, { person: id });
      const alreadySees = `"${handle}" sees the calendar already`;
      refuseUnless(
        !known || known.ended,
        409,
        `person: ${alreadySees}; calendar.setRole changes how`,
      );
      return upsertRow(db, calendarShares, { person: id }, { role, ended: false });
    },
    example: (db) => ({ person: exampleUnsharedHandle(db), role: "busy" }),
  }),
  setRole: share.change("Change what someone may do who sees the owner's calendar.", {
    params: { role },
    example: { role: "edit" },
  }),
  unshare: share.set("Stop sharing the owner's calendar with someone.", { ended: true }),
  others: otherCalendar.list(
    "List whose calendars the owner sees and in which role, in the order of sharing.",
    { filters: { role } },
  ),
  look: otherEvent.list(
    "List the events in someone else's calendar, by day and time; titles only where allowed.",
    {
      params: otherCalendar.keys,
      rows: (args, context) => ({ person: otherCalendar.find(args, context).person }),
      filters: DAY_FILTERS,
      order: sortByTime,
      example: otherCalendar.example,
    },
  ),
  addFor: otherEvent.add(
    "Add an event to someone else's calendar; they must have given the role edit.",
    {
      params: {
        person,
        title: shortTextParam("the title"),
        day: dayParam("the day"),
        time: timeParam("the time"),
      },
      row: ({ person: handle, ...event }, { db, now }) => {
        const { person, role } = otherCalendar.find({ person: handle }, { db, now });
        const roleRefusal = `person: "${handleOf(db, person)}" gave the role "${role}", expected "edit"`;
        refuseUnless(role === "edit", 403, roleRefusal);
        requireTodayOrLater(event.day, now, "day");
        return { person, ...event };
      },
      example: (db) => ({
        ...otherCalendar.example(db),
        title: "Lunch with Robin",
        day: "2026-03-24",
        time: "12:30",
      }),
    },
  ),
};
