/** Sets beside events: proposals of another time, and people by who sees whose calendar. */

import { type Clause, type Collection, collection } from "../../../../goals/index.ts";
import type { Reader, TableRow } from "../../../../world/index.ts";
import {
  type CalendarShare,
  calendarShares,
  otherCalendars,
  type Proposal,
  proposals,
  type Role,
} from "../../apps/calendar/tables.ts";
import { events, type Person, people } from "../../apps/tables.ts";
import { oneOfSome } from "../bounds.ts";
import { dayClauses, js, noonClauses } from "./words.ts";

export const guestProposals: Collection = collection<Proposal>({
  name: "calendar.proposals",
  kind: "proposals",
  app: "calendar",
  table: proposals,
  base: (row) => row.status === "open" && row.person !== null,
  nouns: [
    { one: "open proposal of a guest", many: "open proposals of another time by guests" },
    { one: "open proposal of a guest", many: "guests' open proposals of a new time" },
    { one: "open proposal of a guest", many: "open proposals by guests for another time" },
    { one: "open proposal of a guest", many: "undecided proposals of guests for another time" },
    { one: "open proposal of a guest", many: "open guest proposals of a new time" },
  ],
  list: { api: "calendar.proposals" },
  key: "id",
  whole: false,
  clauses: [
    {
      name: "from",
      draw: (draw, rows) => {
        const someone = draw.person([...new Set(rows.flatMap(({ person }) => person ?? []))]);
        if (!someone) return undefined;
        return {
          words: [
            `from ${someone.words}`,
            `by ${someone.words}`,
            `that ${someone.words} made`,
            `that came from ${someone.words}`,
            `made by ${someone.words}`,
          ],
          holds: (row) => row.person === someone.value.id,
          code: { args: `from:${someone.code}` },
          uses: [someone],
        };
      },
    },
    ...dayClauses<Proposal>((end, bound) => ({
      test: `x.day${end === "until" ? "<=" : ">="}${bound}`,
    })),
    ...noonClauses<Proposal>(),
    {
      name: "earlier",
      draw: () => ({
        words: [
          "for a day before the event's present day",
          "that would bring the event forward to an earlier day",
          "whose day is earlier than the present day of the event",
          "that ask for an earlier day than the event has now",
          "with a day before that of the event as it stands",
        ],
        holds: (row, db) => row.day < db.get(events, row.event)!.day,
        code: { test: "x.day<apis.calendar.show({id:x.event}).day" },
      }),
    },
  ],
  fields: [
    {
      name: "title",
      unit: "text",
      noun: "title of the event",
      value: (row, db) => db.get(events, row.event)!.title,
      code: "x.title",
    },
    {
      name: "day",
      unit: "day",
      noun: "proposed day",
      value: (row) => row.day,
      code: "x.day",
      superlatives: {
        most: ["latest", "last", "farthest-off", "most distant", "furthest-away"],
        least: ["earliest", "first", "soonest", "nearest", "closest"],
      },
    },
  ],
});

/** `x.role` is part of every item. */
function roleClause<R extends TableRow>(role: (row: R, db: Reader) => Role): Clause<R> {
  return {
    name: "role",
    draw: ({ rng, db }, rows) => {
      const chosen = oneOfSome(
        rng,
        rows.map((row) => role(row, db)),
      );
      if (chosen === undefined) return undefined;
      return {
        words: [
          `in the role "${chosen}"`,
          `with the role "${chosen}"`,
          `whose role is "${chosen}"`,
          `who have the role "${chosen}" there`,
          `for whom the role is "${chosen}"`,
        ],
        holds: (row, reader) => role(row, reader) === chosen,
        code: { test: `x.role===${js(chosen)}` },
      };
    },
  };
}

const shareOf = (db: Reader, person: number) =>
  db.where(calendarShares, { person, ended: false })[0];
const calendarOf = (db: Reader, person: number) => db.where(otherCalendars, { person })[0];

const VIEWERS = [
  { one: "person with access to my calendar", many: "people with access to my calendar" },
  { one: "viewer of my calendar", many: "viewers of my calendar" },
  {
    one: "person on the sharing list of my calendar",
    many: "people on the sharing list of my calendar",
  },
  { one: "person on my calendar's sharing list", many: "people on my calendar's sharing list" },
  { one: "person with rights to my calendar", many: "people with rights to my calendar" },
] as const;

export const viewers: Collection = collection<Person>({
  name: "people.calendar-viewers",
  kind: "people",
  app: "calendar",
  table: people,
  base: (row, db) => shareOf(db, row.id) !== undefined,
  nouns: VIEWERS,
  list: { api: "calendar.shares" },
  key: "handle",
  whole: true,
  clauses: [roleClause<Person>((row, db) => shareOf(db, row.id)?.role ?? "busy")],
  fields: [{ name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" }],
});

/** The same people as far as sharing goes: what can be done only with those who see the calendar. */
export const shares: Collection = collection<CalendarShare>({
  name: "calendar.shares",
  kind: "calendarShares",
  app: "calendar",
  table: calendarShares,
  base: (row) => !row.ended,
  nouns: VIEWERS,
  list: { api: "calendar.shares" },
  key: "handle",
  whole: false,
  clauses: [roleClause<CalendarShare>((row) => row.role)],
  fields: [],
});

export const calendarOwners: Collection = collection<Person>({
  name: "people.calendar-owners",
  kind: "people",
  app: "calendar",
  table: people,
  base: (row, db) => calendarOf(db, row.id) !== undefined,
  nouns: [
    { one: "owner of a calendar shared with me", many: "owners of calendars shared with me" },
    { one: "owner of a calendar shared with me", many: "owners of calendars shown to me" },
    { one: "owner of a calendar shared with me", many: "people with calendars shared with me" },
    { one: "owner of a calendar shared with me", many: "people with calendars shown to me" },
    {
      one: "owner of a calendar shared with me",
      many: "owners of the calendars that are shared with me",
    },
  ],
  list: { api: "calendar.others" },
  key: "handle",
  whole: true,
  clauses: [roleClause<Person>((row, db) => calendarOf(db, row.id)?.role ?? "busy")],
  fields: [{ name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" }],
});
