/**
 * Collections of proposals of another time, of people who see the owner's calendar, and of people whose calendars the
 * owner sees.
 */
import { byArgument, type ColumnKit, defineCollection, nouns } from "bowline/goals";
import type { Reader, TableRow } from "bowline/world";
import {
  type CalendarShare,
  calendarShares,
  otherCalendars,
  type Proposal,
  proposals,
  type Role,
} from "../../apps/calendar/tables.ts";
import { events, type Person, people } from "../../apps/tables.ts";
import {
  SOON_SUPERLATIVES,
  sinceClause,
  timeOfDayColumns,
  untilClause,
} from "./events-and-columns.ts";

const eventOfProposal = ({ event }: Proposal, db: Reader) => db.get(events, event)!;

/** Declares the column `role`. Every item shows the role. */
const roleColumn = <R extends TableRow>(
  { choice }: ColumnKit<R>,
  role: (row: R, db: Reader) => Role | null,
) => ({
  role: choice(role, { item: "role" })`in the role "$" | with the role "$" | whose role is "$"
    | who have the role "$" there | for whom the role is "$"`,
});

const VIEWER_NOUNS = nouns`person with access to my calendar / people with access to my calendar
  | viewer(s) of my calendar
  | person on the sharing list of my calendar / people on the sharing list of my calendar
  | person on my calendar's sharing list / people on my calendar's sharing list
  | person with rights to my calendar / people with rights to my calendar`;

const roleOfViewer = ({ id }: Person, db: Reader) =>
  db.where(calendarShares, { person: id, ended: false })[0]?.role ?? null;

const roleInOtherCalendar = ({ id }: Person, db: Reader) =>
  db.where(otherCalendars, { person: id })[0]?.role ?? null;

export const otherCalendarCollections = [
  defineCollection<Proposal>({
    kind: "proposals",
    name: "calendar.proposals",
    app: "calendar",
    table: proposals,
    includes: (row) => row.status === "open" && row.person !== null,
    list: "proposals",
    nouns: nouns`open proposal of a guest / open proposals of another time by guests
      | open proposal of a guest / guests' open proposals of a new time
      | open proposal of a guest / open proposals by guests for another time
      | open proposal of a guest / undecided proposals of guests for another time
      | open proposal of a guest / open guest proposals of a new time`,
    columns: (kit) => ({
      title: kit.text((row, db) => eventOfProposal(row, db).title, {
        item: "title",
        noun: "event title",
      }),
      from: kit.person("person", byArgument("from"))`from $ | by $ | that $ made | that came from $
        | made by $`,
      day: kit.day(
        "day",
        { noun: "proposed day", superlatives: SOON_SUPERLATIVES },
        untilClause(),
        sinceClause(),
      ),
      ...timeOfDayColumns(kit),
      earlier: kit.withProperty((row, db) => row.day < eventOfProposal(row, db).day, {
        test: "x.day<apis.calendar.show({id:x.event}).day",
      })`for a day before the event's present day
        | that would bring the event forward to an earlier day
        | whose day is earlier than the present day of the event
        | that ask for an earlier day than the event has now
        | with a day before that of the event as it stands`,
    }),
  }),
  defineCollection<Person>({
    kind: "people",
    name: "people.calendar-viewers",
    app: "calendar",
    table: people,
    includes: (row, db) => roleOfViewer(row, db) !== null,
    list: "shares",
    key: "handle",
    allowsWhole: true,
    nouns: VIEWER_NOUNS,
    columns: (kit) => ({
      name: kit.text("name", { noun: "name" }),
      ...roleColumn(kit, roleOfViewer),
    }),
  }),
  /** The people who see the owner's calendar, for actions that are possible only with these people. */
  defineCollection<CalendarShare>({
    kind: "calendarShares",
    name: "calendar.shares",
    app: "calendar",
    table: calendarShares,
    includes: { ended: false },
    list: "shares",
    key: "handle",
    nouns: VIEWER_NOUNS,
    columns: (kit) => roleColumn(kit, (row) => row.role),
  }),
  defineCollection<Person>({
    kind: "people",
    name: "people.calendar-owners",
    app: "calendar",
    table: people,
    includes: (row, db) => roleInOtherCalendar(row, db) !== null,
    list: "others",
    key: "handle",
    allowsWhole: true,
    nouns: nouns`owner of a calendar shared with me / owners of calendars shared with me
      | owner of a calendar shared with me / owners of calendars shown to me
      | owner of a calendar shared with me / people with calendars shared with me
      | owner of a calendar shared with me / people with calendars shown to me
      | owner of a calendar shared with me / owners of the calendars that are shared with me`,
    columns: (kit) => ({
      name: kit.text("name", { noun: "name" }),
      ...roleColumn(kit, roleInOtherCalendar),
    }),
  }),
];
