/** Values that other parts can look up in the calendar, facts about it, and single tasks. */
import {
  type DrawContext,
  deeds,
  drawnDeed,
  drawnDeedWithValue,
  fact,
  facts,
  jsLiteral,
  source,
  sources,
  storeAndPrint,
  wordList,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import {
  COLOURS,
  calendarShares,
  categories,
  eventNotes,
  occurrences,
  otherCalendars,
  otherEvents,
  ROLES,
  series,
} from "../../apps/calendar/tables.ts";
import { type CalendarEvent, events, guests } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { drawSoleRow } from "../mail/draw-sole-row.ts";
import { isReachable } from "../reachable-people.ts";
import {
  idsOfAttendees,
  idsOfGuests,
  insertOwnEvent,
  isAcceptedEvent,
  isOwnUpcomingEvent,
  isUpcomingEventOfOthers,
  placeOfEvent,
  shareCalendar,
} from "./events-and-columns.ts";

const drawFindableEvent = (draw: DrawContext, fits: (row: CalendarEvent) => boolean) => {
  const peopleOfEvent = (row: CalendarEvent) => idsOfAttendees(draw.db, row);
  const of = { title: (row: CalendarEvent) => row.title, people: peopleOfEvent };
  return drawSoleRow(draw, draw.db.all(events).filter(isAcceptedEvent), of, fits);
};

const searchCode = (title: string) => `apis.calendar.search({query:${jsLiteral(title)}}).items[0]`;
const detailsCode = (title: string) => `apis.calendar.details({id:${searchCode(title)}.id})`;

/** Returns the first amount in the owner's note on an event, in cents. */
function centsInNote(db: Reader, event: number): number {
  const text = db.where(eventNotes, { event })[0]?.text ?? "";
  return Math.round(100 * Number(/\$(\d+\.\d\d)/.exec(text)?.[1] ?? 0));
}

export const calendarSources = sources("calendar", {
  "day-of-event": source.day("v", (draw) => {
    const event = drawFindableEvent(draw, ({ day }) => day > TODAY);
    return (
      event && {
        value: event.day,
        words: `the day of the event "${event.title}" in my calendar`,
        code: `${searchCode(event.title)}.day`,
      }
    );
  }),
  "place-of-event": source.text("v", (draw) => {
    const event = drawFindableEvent(draw, ({ id }) => placeOfEvent(draw.db, id) !== "");
    return (
      event && {
        value: placeOfEvent(draw.db, event.id),
        words: `the place of the event "${event.title}" in my calendar`,
        code: `${detailsCode(event.title)}.place`,
      }
    );
  }),
  "amount-in-note": source.money("v", (draw) => {
    const noteCents = (id: number) => centsInNote(draw.db, id);
    const event = drawFindableEvent(draw, ({ id }) => noteCents(id) > 0 && noteCents(id) <= 60_000);
    return (
      event && {
        value: noteCents(event.id),
        words: `the amount in my calendar note on the event "${event.title}"`,
        cells: [storeAndPrint("t", `${detailsCode(event.title)}.note`)],
        code: "Number(/\\$(\\d+\\.\\d\\d)/.exec(t)[1])",
      }
    );
  }),
});

const [FIRST_DAY, LAST_DAY] = ["2026-03-01", "2026-03-31"];
const ownEventsInMarch = (db: Reader) =>
  db
    .where(events, { host: null })
    .filter((row) => isAcceptedEvent(row) && row.day >= FIRST_DAY && row.day <= LAST_DAY);
const countCode = `apis.calendar.count({since:${jsLiteral(FIRST_DAY)},until:${jsLiteral(LAST_DAY)}})`;

export const calendarFacts = facts("calendar", {
  "own-in-march": fact("number", (db) => ownEventsInMarch(db).length, `${countCode}.own`)`
    the number of events in March 2026 that I host | the count of my own events in March 2026
    | the number of own events I have in March 2026 | the number of events of mine in March 2026
    | the number of events hosted by me in March 2026`,
  "guests-in-march": fact(
    "number",
    (db) => ownEventsInMarch(db).flatMap(({ id }) => idsOfGuests(db, id)).length,
    `${countCode}.guests`,
  )`the total number of guests at my own events in March 2026
    | the sum of the guests of all events that I host in March 2026
    | the number of guests at events of mine in March 2026 taken together
    | the guests of all my own events in March 2026 added up
    | the total of guests over the events I host in March 2026`,
  "open-invitations": fact(
    "number",
    (db) => db.where(events, { response: "open" }).length,
    "(()=>{let n=0,p=1,r;do{r=apis.calendar.invites({size:20,page:p++});n+=r.items.length}while(r.more);return n})()",
  )`the number of open invitations in my calendar
    | the count of calendar invitations I have not answered
    | the number of calendar invitations without an answer of mine
    | the number of unanswered calendar invitations | the number of pending calendar invitations`,
});

const TITLES = wordList("Planning hour | Garden talk | Fitting | Rehearsal | Story evening");

export const calendarDeeds = deeds("calendar", {
  "add-event": drawnDeedWithValue("day", ({ value: day, words, code }, draw) => {
    const person = draw.person();
    if (!person || !isReachable(draw.db, person.value.id) || day < TODAY) return undefined;
    const [title, time] = [draw.rng.pick(TITLES), draw.rng.pick(["09:40", "14:10", "18:25"])];
    return drawnDeed({
      apply: (db) => void insertOwnEvent(db, { title, day, time }, [person.value.id]),
      call: `apis.calendar.add({title:${jsLiteral(title)},day:${code},time:${jsLiteral(time)},guests:[${person.code}]})`,
      uses: [person],
    })`Add an event "${title}" on ${words} at ${time} and invite ${person.words}
      | Put "${title}" into my calendar on ${words} at ${time}, with ${person.words} as the guest
      | Make a calendar event "${title}" on ${words} at ${time} with ${person.words} as a guest
      | I want an event "${title}" with ${person.words} as the guest in my calendar on ${words} at
        ${time} | Plan "${title}" in the calendar: on ${words} at ${time}, guest ${person.words}`;
  }),
  "enter-for": drawnDeedWithValue("day", ({ value: day, words, code }, draw) => {
    const open = draw.db.where(otherCalendars, { role: "edit" }).map(({ person }) => person);
    const owner = draw.person(open);
    if (!owner || day < TODAY) return undefined;
    const title = draw.rng.pick(["Lunch with me", "Phone call", "Walk", "Visit"]);
    const time = draw.rng.pick(["11:20", "12:15", "17:30"]);
    return drawnDeed({
      apply: (db) => void db.insert(otherEvents, { person: owner.value.id, title, day, time }),
      call: `apis.calendar.addFor({person:${owner.code},title:${jsLiteral(title)},day:${code},time:${jsLiteral(time)}})`,
      uses: [owner],
    })`Add "${title}" on ${words} at ${time} to the calendar that ${owner.words} shares with me
      | Enter "${title}" for ${words}, ${time}, into the shared calendar of ${owner.words}
      | Put "${title}" into the calendar of ${owner.words}, on ${words} at ${time}
      | In the calendar of ${owner.words}, add an event "${title}" on ${words} at ${time}
      | The calendar of ${owner.words} should get an event "${title}" on ${words} at ${time}`;
  }),
  "share-once": (draw) => {
    const seesCalendar = ({ id }: { readonly id: number }) =>
      draw.db.where(calendarShares, { person: id, ended: false }).length > 0;
    const idsWithoutAccess = draw.people.filter((one) => !seesCalendar(one)).map(({ id }) => id);
    const [person, role] = [draw.person(idsWithoutAccess), draw.rng.pick(ROLES)];
    if (!person || !isReachable(draw.db, person.value.id)) return undefined;
    return drawnDeed({
      apply: (db) => shareCalendar(db, person.value.id, role),
      cells: [`apis.calendar.share({person:${person.code},role:${jsLiteral(role)}})`],
      uses: [person],
    })`Share my calendar with ${person.words} in the role "${role}"
      | Give ${person.words} access to my calendar with the role "${role}"
      | Let ${person.words} into my calendar, in the role "${role}"
      | ${person.words} should have my calendar shared in the role "${role}"
      | Open my calendar to ${person.words} with the role "${role}"`;
  },
  "add-category": ({ rng }) => {
    const name = rng.pick(["deadlines", "visits", "chores", "fitness"]);
    const colour = rng.pick(COLOURS);
    return drawnDeed({
      apply: (db) => void db.insert(categories, { name, colour }),
      cells: [`apis.calendar.addCategory({name:${jsLiteral(name)},colour:${jsLiteral(colour)}})`],
    })`Add a calendar category "${name}" in ${colour}
      | Make a new category "${name}" with the colour ${colour} in my calendar
      | Create the calendar category "${name}", coloured ${colour}
      | I need a ${colour} category called "${name}" in my calendar
      | Set up a calendar category named "${name}" whose colour is ${colour}`;
  },
  "end-series": ({ rng, db: startState }) => {
    const running = startState.where(series, { ended: false });
    const titles = running.map(({ event }) => startState.get(events, event)!.title);
    const seriesWithUniqueTitle = running.filter(
      (_, i) => titles.indexOf(titles[i]!) === titles.lastIndexOf(titles[i]!),
    );
    if (seriesWithUniqueTitle.length === 0) return undefined;
    const { id, event } = rng.pick(seriesWithUniqueTitle);
    const { title } = startState.get(events, event)!;
    return drawnDeed({
      apply: (db) => {
        const later = db.where(occurrences, { series: id }).map((row) => row.event);
        for (const one of [event, ...later]) {
          const row = db.get(events, one)!;
          if (!row.cancelled && row.day >= TODAY) db.update(events, one, { cancelled: true });
        }
        db.update(series, id, { ended: true });
      },
      cells: [
        storeAndPrint("all", "apis.calendar.series({size:20}).items"),
        `apis.calendar.endSeries({id:all.find(x=>x.title===${jsLiteral(title)}).id})`,
      ],
    })`End the series "${title}" in my calendar
      | Let the calendar series "${title}" come to an end now
      | Stop the series "${title}" of my calendar from now on
      | I want the series "${title}" in the calendar to be ended
      | Bring the calendar series "${title}" to its end`;
  },
  "copy-guests": (draw) => {
    const { db: startState } = draw;
    const invitedIds = (row: CalendarEvent) => idsOfGuests(startState, row.id);
    const from = drawFindableEvent(
      draw,
      (row) =>
        (isOwnUpcomingEvent(row) || isUpcomingEventOfOthers(row)) && invitedIds(row).length > 1,
    );
    const to = drawFindableEvent(draw, (row) => isOwnUpcomingEvent(row) && row.id !== from?.id);
    if (!from || !to || from.id === to.id) return undefined;
    const idsOfKnownGuests = new Set(
      startState.where(guests, { event: to.id }).map(({ person }) => person),
    );
    const newGuests = invitedIds(from).filter((person) => !idsOfKnownGuests.has(person));
    if (newGuests.length === 0 || !newGuests.every((person) => isReachable(startState, person)))
      return undefined;
    return drawnDeed({
      apply: (db) => {
        for (const person of newGuests)
          db.insert(guests, { event: to.id, person, uninvited: false });
      },
      cells: [
        `var from=${searchCode(from.title)}.id,to=${searchCode(to.title)}.id;print(from,to)`,
        "apis.calendar.copyGuests({from:from,to:to})",
      ],
    })`Invite all guests of the event "${from.title}" to my event "${to.title}" as well
      | Copy the guests of the event "${from.title}" over to my event "${to.title}"
      | Whoever is a guest of the event "${from.title}" should also be invited to my event
        "${to.title}" | Let my event "${to.title}" have the guests of the event "${from.title}" too
      | Add the guests of the event "${from.title}" to the guest list of my event "${to.title}"`;
  },
});
