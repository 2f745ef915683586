/**
 * Actions on the owner's upcoming events, and two actions on events of several kinds: adding a todo and setting a note.
 */
import {
  actions,
  actionWithOneOf,
  actionWithPerson,
  actionWithValue,
  jsLiteral,
  wordList,
} from "bowline/goals";
import type { Reader, Writer } from "bowline/world";
import {
  answers,
  eventLengths,
  eventNotes,
  eventPlaces,
  nudges,
  USUAL_MINUTES,
} from "../../apps/calendar/tables.ts";
import { type CalendarEvent, events, guests, todoLists, todos } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { addDays, drawTodayOrLater } from "../days.ts";
import { isReachable } from "../reachable-people.ts";
import {
  describeEventContent,
  idsOfGuests,
  idsOfSilentGuests,
  insertOwnEvent,
  isOwnUpcomingEvent,
  placeOfEvent,
  updateOrInsertRow,
} from "./events-and-columns.ts";

const TIMES = wordList("08:20 | 12:50 | 15:10 | 17:35 | 19:05");
const PLACES = wordList("Old stables | Room 12 | Kitchen table | Boat house | Town square");

type EventPredicate = (row: CalendarEvent, db: Reader) => boolean;

const eventLength = (db: Reader, event: number) => db.where(eventLengths, { event })[0];
const wasNeverInvited = (db: Reader, event: number, person: number) =>
  db.where(guests, { event, person }).length === 0;

/**
 * Returns true when the task has not yet changed what the action reads, so that the order of the task's actions does
 * not matter.
 */
const isEventUnchanged = (start: Reader, db: Reader, id: number) =>
  describeEventContent(start, id) === describeEventContent(db, id);
const whenUnchanged =
  (start: Reader, fits: EventPredicate = () => true): EventPredicate =>
  (row, db) =>
    isOwnUpcomingEvent(row) && isEventUnchanged(start, db, row.id) && fits(row, db);

const canNudge = (db: Reader, event: number) => (person: number) =>
  isReachable(db, person) && db.where(nudges, { event, person }).length === 0;
const guestsWhoRefused = (db: Reader, event: number) =>
  db
    .where(guests, { event, uninvited: false })
    .filter(({ person }) => db.where(answers, { event, person, answer: "no" }).length > 0);

function insertEventCopy(db: Writer, { id, title, time }: CalendarEvent, day: string): void {
  const event = insertOwnEvent(db, { title, day, time });
  const place = placeOfEvent(db, id);
  if (place) db.insert(eventPlaces, { event, place });
  for (const { minutes, allDay } of db.where(eventLengths, { event: id })) {
    db.insert(eventLengths, { event, minutes, allDay });
  }
  for (const person of idsOfGuests(db, id)) db.insert(guests, { event, person, uninvited: false });
}

const findInboxList = (db: Reader) => db.where(todoLists, { name: "inbox" })[0];

/** Makes the action that adds a todo on the day of an event, for one kind of events. */
const prepareTodoAction = (kind: string, fits: (row: CalendarEvent) => boolean) =>
  actions({ kind, app: "todo", table: events, difficulty: 2 }, ({ addsRow, drawnAction }) => ({
    "prepare-todo": drawnAction(({ db: startState }) => {
      const when: EventPredicate = (row, db) =>
        fits(row) && isEventUnchanged(startState, db, row.id) && findInboxList(db) !== undefined;
      return addsRow(
        todos,
        ({ title, day }, db) => ({ title, list: findInboxList(db)!.id, due: day, done: false }),
        {
          when,
          call: "const e=apis.calendar.show({id:x});apis.todo.add({title:e.title,due:e.day})",
        },
      )`Add a todo with the same title, due on the day of the event, for #
        | One by one, add a todo titled like the event and due on its day for #
        | For #, make a todo with the same title, due on the same day
        | Put # on my todo list, with the same title and due on the same day
        | Make a todo of #, with the same title and the day as the due day`;
    }),
  }));

/** Makes the action that sets the owner's note on an event, for one kind of events. */
const setNoteAction = (kind: string) =>
  actions({ kind, app: "calendar", table: events }, ({ applies }) => ({
    "set-note": actionWithValue("text", ({ value: text, code }) =>
      applies(
        (db, { id: event }) => updateOrInsertRow(db, eventNotes, { event }, { event, text }),
        {
          when: { cancelled: false },
          api: "setNote",
          args: `note:${code}`,
        },
      ),
    )`Set the calendar note to $ for # | Use $ as the calendar note for #
      | Write the calendar note $ on # | Make $ the calendar note of #
      | Put $ as the calendar note on #`,
  }));

export const eventActions = [
  ...actions(
    { kind: "events", app: "calendar", table: events },
    ({ applies, setsToDrawn, sets, addsRow, drawnAction, difficulty2 }) => ({
      cancel: sets(
        { cancelled: true },
        { when: isOwnUpcomingEvent, api: "cancel" },
      )`Cancel # | Call off # | Have # cancelled in the calendar | Let # be cancelled | Cancel #
        in the calendar`,
      move: setsToDrawn("day", drawTodayOrLater, {
        when: isOwnUpcomingEvent,
        api: "move",
      })`Move # to $, the time staying as it is
        | Put # on $ instead, at an unchanged time | Change the day of # to $ and keep the time
        | Let # be on $ at the same time of day | Shift # to $ without changing the time`,
      retime: difficulty2(
        actionWithOneOf(TIMES, (time) => {
          const call = `apis.calendar.move({id:x,day:apis.calendar.show({id:x}).day,time:${jsLiteral(time)}})`;
          return sets({ time }, { when: isOwnUpcomingEvent, call });
        })`Change the time of # to $, on the day as it is
          | Let # start at $, the day being unchanged | Set the start of # to $ on the same day
          | Make $ the time of # and keep the day | Keep the day but set the time to $ for #`,
      ),
      "invite-to": actionWithPerson(({ value: { id: person }, code }) =>
        addsRow(guests, ({ id }) => ({ event: id, person, uninvited: false }), {
          when: (row, db) =>
            isOwnUpcomingEvent(row) &&
            isReachable(db, person) &&
            wasNeverInvited(db, row.id, person),
          api: "invite",
          args: `person:${code}`,
        }),
      )`Invite $ to # | Add $ as a guest to # | Put $ on the guest list of # | Make $ a guest of #
        | Let $ be invited to #`,
      "set-place": actionWithOneOf(PLACES, (place) =>
        applies(
          (db, { id }) => updateOrInsertRow(db, eventPlaces, { event: id }, { event: id, place }),
          {
            when: (row, db) => isOwnUpcomingEvent(row) && placeOfEvent(db, row.id) !== place,
            api: "setPlace",
            args: `place:${jsLiteral(place)}`,
          },
        ),
      )`Set the place of # to "$" | Let the place of # be "$" | Make "$" the place of #
        | Enter "$" as the place of # | Give the place "$" to #`,
      "set-length": actionWithOneOf([25, 35, 50, 80, 100, 140], (minutes, { db: startState }) =>
        applies(
          (db, { id: event }) =>
            updateOrInsertRow(db, eventLengths, { event }, { event, minutes, allDay: false }),
          { when: whenUnchanged(startState), api: "setLength", args: `minutes:${minutes}` },
        ),
      )`Set the length of # to $ minutes | Let # last $ minutes | Make $ minutes the length of #
        | Change the length to $ minutes for # | Plan $ minutes as the length of #`,
      "all-day": drawnAction(({ db: startState }) => {
        const when = whenUnchanged(startState, (row, db) => !eventLength(db, row.id)?.allDay);
        return applies(
          (db, { id: event }) => {
            const minutes = eventLength(db, event)?.minutes ?? USUAL_MINUTES;
            updateOrInsertRow(db, eventLengths, { event }, { event, minutes, allDay: true });
          },
          { when, api: "setAllDay" },
        )`Set # to all day | Turn on "all day" for # | Let # take all day
          | Mark # as all-day in the calendar | Change # to all-day in the calendar`;
      }),
      nudge: difficulty2(
        drawnAction(({ db: startState }) => {
          const when = whenUnchanged(startState, ({ id }, db) => {
            const silentGuests = idsOfSilentGuests(db, id);
            return silentGuests.length > 0 && silentGuests.every(canNudge(db, id));
          });
          const call =
            'for(const g of apis.calendar.answers({id:x,answer:"open",size:20}).items){apis.calendar.nudge({id:x,person:g.handle})}';
          return applies(
            (db, { id: event }) => {
              for (const person of idsOfSilentGuests(db, event))
                db.insert(nudges, { event, person });
            },
            { when, call },
          )`Nudge the guests of # who have not answered
            | Use the calendar to nudge all silent guests of #
            | For #, nudge every guest whose answer is missing
            | Nudge each silent guest of #
            | In the calendar, nudge each silent guest of #`;
        }),
      ),
      "uninvite-refusals": difficulty2(
        applies(
          (db, row) => {
            for (const { id } of guestsWhoRefused(db, row.id))
              db.update(guests, id, { uninvited: true });
          },
          {
            when: (row, db) => isOwnUpcomingEvent(row) && guestsWhoRefused(db, row.id).length > 0,
            call: 'for(const g of apis.calendar.answers({id:x,answer:"no",size:20}).items){apis.calendar.uninvite({id:x,person:g.handle})}',
          },
        )`Uninvite the guests whose answer is "no" from #
          | Take back the invitations of all guests who said "no" to #
          | Uninvite whoever answered "no" as a guest of #
          | Take the guests with the answer "no" off the guest list of #
          | Remove each guest who gave the answer "no" from #`,
      ),
      duplicate: difficulty2(
        drawnAction(({ db: startState }) => {
          const when = whenUnchanged(startState, ({ id }, db) =>
            idsOfGuests(db, id).every((person) => isReachable(db, person)),
          );
          const call =
            "const e=apis.calendar.show({id:x});apis.calendar.duplicate({id:x,day:new Date(Date.parse(e.day)+7*86400000).toISOString().slice(0,10)})";
          return applies((db, row) => insertEventCopy(db, row, addDays(row.day, 7)), {
            when,
            call,
          })`Duplicate # for one week later, at the same time
            | Make a duplicate of # seven days later, at the same time
            | Use the calendar's duplicate to have # once more a week after
            | Repeat # once as a duplicate exactly one week later
            | Add a duplicate of # seven days after, the time being the same`;
        }),
      ),
    }),
  ),
  ...prepareTodoAction("events", isOwnUpcomingEvent),
  ...prepareTodoAction("acceptedEvents", () => true),
  ...prepareTodoAction("invitations", ({ day }) => day >= TODAY),
  ...["events", "acceptedEvents", "pastEvents"].flatMap(setNoteAction),
];
