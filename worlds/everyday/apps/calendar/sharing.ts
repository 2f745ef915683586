/**
 * Calendars between people. The owner shows theirs to others in a role; others show theirs to the owner, and the role
 * that they gave decides what the owner sees and may do there.
 */

import { day, itemOf, line, must, put, resource } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import {
  clock,
  handle,
  handleOf,
  notPast,
  personBy,
  receiver,
  someHandle,
  who,
} from "../shared.ts";
import { calendarShares, otherCalendars, otherEvents, ROLES } from "./tables.ts";
import { byDay, DAYS } from "./times.ts";

const person = handle("the person");
const role = z
  .enum(ROLES)
  .describe("busy: sees times only; view: also titles; edit: may also add events");
const whose = { ...who, role: z.enum(ROLES) };

const share = resource({
  noun: "share",
  item: itemOf(calendarShares, whose),
  keys: { person },
  find: (args, { db }) => {
    const { id, handle } = personBy(db, args.person, "person");
    const [known] = db.where(calendarShares, { person: id, ended: false });
    must(known, 404, `person: the calendar is not shared with "${handle}"`);
    return known;
  },
  example: (db) => {
    const [row] = db.where(calendarShares, { ended: false });
    return { person: row ? handleOf(db, row.person) : "amara.o" };
  },
});

const notSharedWith = (db: Reader) => {
  const inside = new Set(db.where(calendarShares, { ended: false }).map((row) => row.person));
  return someHandle(db, ({ id }) => !inside.has(id));
};

// --- calendars of others ---

const other = resource({
  noun: "calendar",
  item: itemOf(otherCalendars, whose),
  keys: { person },
  find: (args, { db }) => {
    const { id, handle } = personBy(db, args.person, "person");
    const [known] = db.where(otherCalendars, { person: id });
    const hint = "calendar.others lists who does";
    must(known, 403, `person: "${handle}" does not share a calendar; ${hint}`);
    return known;
  },
  example: (db) => {
    const row = db.where(otherCalendars, { role: "edit" })[0] ?? db.all(otherCalendars)[0];
    return { person: handleOf(db, row?.person ?? 1) };
  },
});

/** Titles only where allowed. */
const shown = resource({
  noun: "event",
  item: itemOf(otherEvents, {
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
    "List who sees the owner's calendar and in which role, in the order of sharing.",
    { rows: { ended: false }, filters: { role } },
  ),
  share: share.add("Share the owner's calendar with a contact.", {
    params: { person, role: role.default("view") },
    row: ({ person, role }, { db }) => {
      const { id, handle } = receiver(db, person, "person");
      const [known] = db.where(calendarShares, { person: id });
      const sees = `"${handle}" sees the calendar already`;
      must(!known || known.ended, 409, `person: ${sees}; calendar.setRole changes how`);
      return put(db, calendarShares, { person: id }, { role, ended: false });
    },
    example: (db) => ({ person: notSharedWith(db), role: "busy" }),
  }),
  setRole: share.change("Change what someone may do who sees the owner's calendar.", {
    params: { role },
    example: { role: "edit" },
  }),
  unshare: share.set("Stop sharing the owner's calendar with someone.", { ended: true }),
  others: other.list(
    "List whose calendars the owner sees and in which role, in the order of sharing.",
    { filters: { role } },
  ),
  look: shown.list(
    "List the events in someone else's calendar, by day and time; titles only where allowed.",
    {
      params: other.keys,
      rows: (args, look) => ({ person: other.find(args, look).person }),
      filters: DAYS,
      order: byDay,
      example: other.example,
    },
  ),
  addFor: shown.add(
    "Add an event to someone else's calendar; they must have given the role edit.",
    {
      params: {
        person,
        title: line("the title"),
        day: day("the day"),
        time: clock("the time"),
      },
      row: ({ person: came, ...event }, { db, now }) => {
        const { person, role } = other.find({ person: came }, { db, now });
        const gave = `person: "${handleOf(db, person)}" gave the role "${role}", expected "edit"`;
        must(role === "edit", 403, gave);
        notPast(event.day, now, "day");
        return { person, ...event };
      },
      example: (db) => ({
        ...other.example(db),
        title: "Lunch with Robin",
        day: "2026-03-24",
        time: "12:30",
      }),
    },
  ),
};
