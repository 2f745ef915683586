/**
 * Collections of events: the owner's upcoming events, those of others, past and cancelled events, and open invitations.
 */
import {
  alternatives,
  atLeast,
  byArgument,
  byItemProperty,
  type ClauseOptions,
  type ColumnKit,
  defineCollection,
  jsLiteral,
  nouns,
  superlatives,
  titleBy,
  wordList,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  categories,
  eventCategories,
  eventLengths,
  eventReminders,
  USUAL_MINUTES,
} from "../../apps/calendar/tables.ts";
import { type CalendarEvent, events } from "../../apps/tables.ts";
import { dayFromStart, TODAY } from "../../population/time.ts";
import {
  eventCollectionOptions,
  idsOfAttendees,
  idsOfGuests,
  idsOfSilentGuests,
  isAcceptedEvent,
  isOwnUpcomingEvent,
  isUpcomingEventOfOthers,
  placeOfEvent,
  SOON_SUPERLATIVES,
  sinceClause,
  timeOfDayColumns,
  untilClause,
} from "./events-and-columns.ts";

type Event = CalendarEvent;

/** Places that belong to no event of the population. */
const ROOMS = wordList("Room 4 | Upstairs | Back garden | Main hall | Platform 2 | Studio B");

const categoryName = ({ id }: Event, db: Reader) => {
  const [filing] = db.where(eventCategories, { event: id });
  return filing ? db.get(categories, filing.category)!.name : null;
};
const roomsInPlace = ({ id }: Event, db: Reader) => {
  const place = placeOfEvent(db, id).toLowerCase();
  return ROOMS.filter((room) => place.includes(room.toLowerCase()));
};
const countGuests = ({ id }: Event, db: Reader) => idsOfGuests(db, id).length;
const eventMinutes = ({ id }: Event, db: Reader) =>
  db.where(eventLengths, { event: id })[0]?.minutes ?? USUAL_MINUTES;

const titleDayAndTimeColumns = (kit: ColumnKit<Event>, options: ClauseOptions = {}) => ({
  title: kit.text("title", { noun: "title" }),
  day: kit.day(
    "day",
    { noun: "day", superlatives: SOON_SUPERLATIVES },
    untilClause(options),
    sinceClause(),
  ),
  ...timeOfDayColumns(kit),
});

const hostColumn = ({ person }: ColumnKit<Event>) =>
  person("host", byItemProperty("host"))`
    hosted by $ | whose host is $ | that $ hosts | with $ as the host | for which $ is the host`;

const agendaColumns = (kit: ColumnKit<Event>) => ({
  with: kit.person((row, db) => idsOfAttendees(db, row), byArgument("person"))`
    with $ | in which $ takes part
    | that $ belongs to as host or guest | where $ is host or guest | with $ as host or guest`,
  category: kit.choice(categoryName, { arg: "category" })`in the category "$" | of the category "$"
    | that lie in the category "$" | filed under the category "$" | whose category is "$"`,
  place: kit.choice(roomsInPlace, { arg: "place" })`at the place "$" | whose place is "$"
    | that take place at "$" | with "$" as the place | held at "$"`,
  guests: kit.number(
    countGuests,
    { item: "guests", noun: "number of guests" },
    superlatives`largest / smallest | biggest / smallest | best-attended / smallest
          | largest / smallest | biggest / smallest`,
    atLeast("many-guests", { excludes: ["no-guests"] })`with $ or more guests
      | that have at least $ guests | with no fewer than $ guests
      | to which $ or more guests are invited | with a guest list of $ or more`,
  ),
  "no-guests": kit.withProperty((row, db) => countGuests(row, db) === 0, { test: "x.guests===0" })`
    without guests | that have no guests | to which nobody is invited | with an empty guest list
    | which have no guest at all`,
  "no-reminder": kit.withProperty(
    ({ id }, db) => db.where(eventReminders, { event: id }).length === 0,
    { test: "apis.calendar.details({id:x.id}).reminders.length===0" },
  )`without a reminder | that have no reminder | for which no reminder is set
    | which lack a reminder | with no reminder so far`,
  "silent-guests": kit.withProperty(
    ({ id }, db) => idsOfSilentGuests(db, id).length > 0,
    { test: 'apis.calendar.answers({id:x.id,answer:"open"}).items.length>0' },
    { excludes: ["no-guests"] },
  )`with at least one guest who has not answered | that still lack an answer of a guest
    | where a guest has not answered yet | for which the answer of some guest is missing
    | with a guest whose answer is still open`,
  minutes: kit.number(eventMinutes, {
    code: "apis.calendar.details({id:x.id}).minutes",
    noun: "length in minutes",
  }),
  ...titleDayAndTimeColumns(kit, { arg: "until" }),
});

/** Writes a cell that finds the owner's upcoming event with this title, over all pages. */
const findOwnEventCell = (title: string, out: string) =>
  `var ${out}=[],p=1,r;do{r=apis.calendar.list({since:${jsLiteral(TODAY)},hosted:"me",size:20,page:p++});${out}.push(...r.items)}while(r.more);${out}=${out}.filter(x=>x.title===${jsLiteral(title)}).map(x=>x.id);print(${out})`;

const isBusyOn = (db: Reader, day: string) => db.where(events, { day }).some(isAcceptedEvent);

export const eventCollections = [
  defineCollection<Event>({
    ...eventCollectionOptions("events", "own"),
    includes: isOwnUpcomingEvent,
    list: { api: "list", args: `since:${jsLiteral(TODAY)},hosted:"me"` },
    nouns: nouns`upcoming event(s) of mine | upcoming event(s) of my own | coming event(s) hosted
      by me | future event(s) of mine | future event(s) of my own`,
    columns: agendaColumns,
    fields: "title day guests minutes",
    title: {
      ...titleBy<Event>({
        nameOf: (row) => row.title,
        find: String,
        missing: wordList("Kite festival | Talk about moss | Midnight chess"),
      })`my event "$" | my own event "$" | the event "$" that I host | my coming event "$"
        | the event of mine called "$"`,
      cells: (title, out) => [findOwnEventCell(title, out)],
    },
  }),
  defineCollection<Event>({
    ...eventCollectionOptions("acceptedEvents", "others"),
    includes: isUpcomingEventOfOthers,
    list: { api: "list", args: `since:${jsLiteral(TODAY)},hosted:"others"` },
    nouns: nouns`accepted upcoming event(s) of others | accepted coming event(s) of other hosts
      | accepted future event(s) of others | accepted upcoming event(s) of other people
      | accepted future event(s) of other hosts`,
    columns: (kit) => ({ ...agendaColumns(kit), host: hostColumn(kit) }),
    clauses: "host category many-guests no-reminder until since before-noon evening",
    fields: "title day guests",
  }),
  defineCollection<Event>({
    ...eventCollectionOptions("pastEvents", "past"),
    includes: (row) => isAcceptedEvent(row) && row.day < TODAY,
    list: { api: "list", args: `until:${jsLiteral(dayFromStart(-1))}` },
    nouns: nouns`past event(s) in my calendar | past event(s) of my calendar | event(s) of the
      past in my calendar | past calendar event(s) | past event(s) on my calendar`,
    columns: (kit) => ({
      ...agendaColumns(kit),
      host: hostColumn(kit),
      day: kit.day(
        "day",
        { noun: "day" },
        superlatives`newest / oldest | latest / earliest | most recent / oldest | newest / oldest
          | most recent / earliest`,
        sinceClause({ arg: "since" }),
      ),
    }),
    clauses: "with category many-guests host since",
    fields: "title day guests minutes",
  }),
  defineCollection<Event>({
    ...eventCollectionOptions("cancelledEvents", "cancelled"),
    includes: (row) => row.host === null && row.cancelled && row.day >= TODAY,
    list: { api: "cancelled", args: `since:${jsLiteral(TODAY)}` },
    nouns: nouns`cancelled upcoming event(s) of mine | cancelled event(s) of mine in the future
      | cancelled future event(s) of mine | cancelled coming event(s) of my own
      | cancelled event(s) of mine still to come`,
    columns: titleDayAndTimeColumns,
  }),
  defineCollection<Event>({
    ...eventCollectionOptions("invitations", "invitations"),
    includes: { response: "open" },
    list: "invites",
    nouns: nouns`open invitation / open invitations in my calendar
      | open invitation / open calendar invitations
      | open invitation / calendar invitations without an answer of mine
      | open invitation / unanswered calendar invitations
      | open invitation / pending calendar invitations`,
    columns: (kit) => ({
      from: kit.person("host", byArgument("from"))`from $ | by $ | that $ sent | that came from $
        | with $ as the host`,
      ...titleDayAndTimeColumns(kit),
      conflicting: kit.drawnClause(({ db }, all) => {
        if (!all.some(({ day }) => isBusyOn(db, day))) return undefined;
        return {
          words: alternatives`on days on which my calendar has other events already
            | on days when I have at least one event of mine or accepted
            | that fall on days with an event of mine or an accepted one
            | for days that already have events in my calendar
            | on days that are not empty in my calendar`,
          holds: ({ day }, reader) => isBusyOn(reader, day),
          code: { test: "apis.calendar.list({day:x.day}).items.length>0" },
        };
      }),
    }),
  }),
];
