/**
 * Calendars between people. The owner shows theirs to others in a role; others show theirs to the owner, and the role
 * that they gave decides what the owner sees and may do there.
 */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  day,
  given,
  handle,
  handleOf,
  line,
  notPast,
  paged,
  pageOf,
  paging,
  personBy,
  receiver,
} from "../shared.ts";
import { people } from "../tables.ts";
import {
  type CalendarShare,
  calendarShares,
  type OtherCalendar,
  otherCalendars,
  otherEvents,
  ROLES,
} from "./tables.ts";
import { byDay, timeOfDay } from "./times.ts";

const person = handle("the person");
const role = z
  .enum(ROLES)
  .describe("busy: sees times only; view: also titles; edit: may also add events");
const shareItem = z.strictObject({ name: z.string(), handle: z.string(), role: z.enum(ROLES) });

const shareView =
  (db: Reader) =>
  ({ person, role }: CalendarShare | OtherCalendar) => ({
    name: db.get(people, person)?.name ?? "removed",
    handle: handleOf(db, person),
    role,
  });

const shares = defineApi({
  summary: "List who sees the owner's calendar and in which role, in the order of sharing.",
  params: z.strictObject({ role: role.optional(), ...paging }),
  returns: pageOf(shareItem),
  example: () => ({}),
  handler: ({ db }, { role, ...page }) =>
    paged(db.where(calendarShares, given({ role, ended: false })), page, shareView(db)),
});

const sharedWith = (db: Reader) => {
  const row = db.all(calendarShares).find((share) => !share.ended);
  return row ? handleOf(db, row.person) : "amara.o";
};

const notSharedWith = (db: Reader) => {
  const inside = new Set(db.where(calendarShares, { ended: false }).map((row) => row.person));
  return db.where(people, { blocked: false }).find(({ id }) => !inside.has(id))?.handle;
};

const share = defineApi({
  summary: "Share the owner's calendar with a contact.",
  params: z.strictObject({ person, role: role.default("view") }),
  returns: shareItem,
  example: (db) => ({ person: notSharedWith(db) ?? "amara.o", role: "busy" }) as const,
  handler: ({ db }, args) => {
    const { id, handle } = receiver(db, args.person, "person");
    const [known] = db.where(calendarShares, { person: id });
    if (known && !known.ended) {
      throw new ApiError(
        409,
        `person: "${handle}" sees the calendar already; calendar.setRole changes how`,
      );
    }
    const patch = { role: args.role, ended: false };
    return shareView(db)(
      known
        ? db.update(calendarShares, known.id, patch)
        : db.insert(calendarShares, { person: id, ...patch }),
    );
  },
});

function activeShare(db: Reader, came: string): CalendarShare {
  const { id, handle } = personBy(db, came, "person");
  const [known] = db.where(calendarShares, { person: id, ended: false });
  if (known) return known;
  throw new ApiError(404, `person: the calendar is not shared with "${handle}"`);
}

const setRole = defineApi({
  summary: "Change what someone may do who sees the owner's calendar.",
  params: z.strictObject({ person, role }),
  returns: shareItem,
  example: (db) => ({ person: sharedWith(db), role: "edit" }) as const,
  handler: ({ db }, { person, role }) =>
    shareView(db)(db.update(calendarShares, activeShare(db, person).id, { role })),
});

const unshare = defineApi({
  summary: "Stop sharing the owner's calendar with someone.",
  params: z.strictObject({ person }),
  returns: shareItem,
  example: (db) => ({ person: sharedWith(db) }),
  handler: ({ db }, { person }) =>
    shareView(db)(db.update(calendarShares, activeShare(db, person).id, { ended: true })),
});

// --- calendars of others ---

const others = defineApi({
  summary: "List whose calendars the owner sees and in which role, in the order of sharing.",
  params: z.strictObject({ role: role.optional(), ...paging }),
  returns: pageOf(shareItem),
  example: () => ({}),
  handler: ({ db }, { role, ...page }) =>
    paged(db.where(otherCalendars, given({ role })), page, shareView(db)),
});

function theirCalendar(db: Reader, came: string): OtherCalendar {
  const { id, handle } = personBy(db, came, "person");
  const [known] = db.where(otherCalendars, { person: id });
  if (known) return known;
  throw new ApiError(
    403,
    `person: "${handle}" does not share a calendar; calendar.others lists who does`,
  );
}

const editable = (db: Reader) =>
  db.where(otherCalendars, { role: "edit" })[0] ?? db.all(otherCalendars)[0];

const look = defineApi({
  summary:
    "List the events in someone else's calendar, by day and time; titles only where allowed.",
  params: z.strictObject({
    person,
    since: day("only on this day or later").optional(),
    until: day("only on this day or earlier").optional(),
    ...paging,
  }),
  returns: pageOf(z.strictObject({ title: z.string(), day: z.string(), time: z.string() })),
  example: (db) => ({ person: handleOf(db, editable(db)?.person ?? 1) }),
  handler: ({ db }, { person: came, since, until, ...page }) => {
    const { person, role } = theirCalendar(db, came);
    const rows = db
      .where(otherEvents, { person })
      .filter(
        (row) =>
          (since === undefined || row.day >= since) && (until === undefined || row.day <= until),
      );
    return paged(byDay(rows), page, ({ title, day, time }) => ({
      title: role === "busy" ? "busy" : title,
      day,
      time,
    }));
  },
});

const addFor = defineApi({
  summary: "Add an event to someone else's calendar; they must have given the role edit.",
  params: z.strictObject({
    person,
    title: line("the title"),
    day: day("the day"),
    time: timeOfDay("the time"),
  }),
  returns: z.strictObject({ title: z.string(), day: z.string(), time: z.string() }),
  example: (db) => ({
    person: handleOf(db, editable(db)?.person ?? 1),
    title: "Lunch with Robin",
    day: "2026-03-24",
    time: "12:30",
  }),
  handler: ({ db, now }, { person: came, title, day, time }) => {
    const { person, role } = theirCalendar(db, came);
    if (role !== "edit") {
      throw new ApiError(
        403,
        `person: "${handleOf(db, person)}" gave the role "${role}", expected "edit"`,
      );
    }
    notPast(day, now, "day");
    db.insert(otherEvents, { person, title, day, time });
    return { title, day, time };
  },
});

export const sharingApis = { shares, share, setRole, unshare, others, look, addFor };
