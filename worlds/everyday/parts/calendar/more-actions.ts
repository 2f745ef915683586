/** Actions on events of others, cancelled and past events, proposals, calendar shares and people. */
import { actions, actionWithOneOf, jsLiteral, oneOf, wordList } from "bowline/goals";
import {
  calendarShares,
  categories,
  eventCategories,
  eventReminders,
  proposals,
  ROLES,
} from "../../apps/calendar/tables.ts";
import { type CalendarEvent, events, guests, people, type Rsvp } from "../../apps/tables.ts";
import { TODAY } from "../../population/time.ts";
import { drawTodayOrLater } from "../days.ts";
import { canMention } from "../mentionable.ts";
import { isReachable } from "../reachable-people.ts";
import {
  idsOfAttendees,
  insertOwnEvent,
  isOwnUpcomingEvent,
  shareCalendar,
  updateOrInsertRow,
} from "./events-and-columns.ts";

const isUpcomingEvent = ({ day, cancelled }: CalendarEvent) => day >= TODAY && !cancelled;
const isUpcomingEventWithResponse = (response: Rsvp) => (row: CalendarEvent) =>
  isUpcomingEvent(row) && row.response === response;

const TIMES = wordList("10:40 | 13:20 | 16:50 | 18:10");

const proposeAction = (kind: string) =>
  actions({ kind, app: "calendar", table: events, difficulty: 2 }, ({ addsRow, actionWith }) => ({
    propose: actionWith({ day: drawTodayOrLater, time: oneOf(TIMES) }, ({ day, time }) => {
      const open = { person: null, status: "open" } as const;
      const made = { person: null, day: day.value, time: time.value, status: "open" } as const;
      return addsRow(proposals, ({ id }) => ({ event: id, ...made }), {
        when: (row, db) =>
          isUpcomingEvent(row) && db.where(proposals, { event: row.id, ...open }).length === 0,
        api: "propose",
        args: `day:${day.code},time:${time.code}`,
      });
    })`Propose $day at $time instead for # | Make a proposal of $day, $time, for #
      | Propose in the calendar another time, $day at $time, for #
      | Use the calendar to propose $day, $time, as the time of #
      | Ask by proposal for $day at $time as the time of #`,
  }));

const remindAction = (kind: string) =>
  actions({ kind, app: "calendar", table: events }, ({ addsRow }) => ({
    remind: actionWithOneOf([5, 15, 20, 45, 90], (minutes) =>
      addsRow(eventReminders, ({ id }) => ({ event: id, minutes }), {
        when: (row, db) =>
          isUpcomingEvent(row) && db.where(eventReminders, { event: row.id, minutes }).length === 0,
        api: "remind",
        args: `minutes:${minutes}`,
      }),
    )`Add a reminder $ minutes before # | Remind me $ minutes before # by a calendar reminder
      | Set a calendar reminder $ minutes ahead of # | Let the calendar remind me $ minutes before #
      | Put a reminder $ minutes before the start of #`,
  }));

const fileInCategoryAction = (kind: string) =>
  actions({ kind, app: "calendar", table: events }, ({ applies, drawnAction }) => ({
    file: drawnAction(({ rng, db: startState }) => {
      const all = startState.all(categories);
      if (all.length === 0) return undefined;
      const { id: category, name } = rng.pick(all);
      return applies(
        (db, { id: event }) =>
          updateOrInsertRow(db, eventCategories, { event }, { event, category }),
        {
          when: ({ id, cancelled }, db) =>
            !cancelled && db.where(eventCategories, { event: id })[0]?.category !== category,
          api: "file",
          args: `category:${jsLiteral(name)}`,
        },
      )`File # under the calendar category "${name}" | Put # into the calendar category "${name}"
        | Let the calendar category of # be "${name}" | Make "${name}" the calendar category of #
        | Sort # into the category "${name}" of the calendar`;
    }),
  }));

const MEETING_TIMES = wordList("10:10 | 13:45 | 16:20 | 18:40");
const MEETINGS = wordList("Short call | Coffee | Catching up | Half an hour");

export const moreCalendarActions = [
  ...actions({ kind: "invitations", app: "calendar", table: events }, ({ sets }) => ({
    accept: sets(
      { response: "accepted" },
      { when: isUpcomingEventWithResponse("open"), api: "accept" },
    )`Accept # | Say yes to # | Let the hosts know by the calendar that I accept #
      | Say yes to # in the calendar | Have # accepted`,
    decline: sets(
      { response: "declined" },
      { when: isUpcomingEventWithResponse("open"), api: "decline" },
    )`Decline # | Say no to # | Let the hosts know by the calendar that I decline #
      | Say no to # in the calendar | Have # declined`,
  })),
  ...actions({ kind: "acceptedEvents", app: "calendar", table: events }, ({ sets }) => ({
    "decline-accepted": sets(
      { response: "declined" },
      { when: isUpcomingEventWithResponse("accepted"), api: "decline" },
    )`Decline # after all | Now say no to # | Change my yes into a no for #
      | Take back my yes and decline # | Change my answer to # to no`,
  })),
  ...["invitations", "acceptedEvents"].flatMap(proposeAction),
  ...["events", "acceptedEvents"].flatMap(remindAction),
  ...["events", "acceptedEvents", "pastEvents"].flatMap(fileInCategoryAction),
  ...actions({ kind: "cancelledEvents", app: "calendar", table: events }, ({ sets }) => ({
    restore: sets(
      { cancelled: false },
      { when: ({ cancelled, day }) => cancelled && day >= TODAY, api: "restore" },
    )`Restore # | Undo the cancelling of # | Take back the cancellation of #
      | Bring # back into the calendar | Reverse the cancellation of #`,
  })),
  ...actions({ kind: "proposals", app: "calendar", table: proposals }, ({ applies, sets }) => ({
    "accept-proposal": applies(
      (db, { id, event, day, time }) => {
        db.update(events, event, { day, time });
        db.update(proposals, id, { status: "accepted" });
      },
      {
        when: ({ event, day, status }, db) =>
          status === "open" && day >= TODAY && isOwnUpcomingEvent(db.get(events, event)!),
        api: "acceptProposal",
      },
    )`Accept # | Say yes to # | Agree to # | Let # be accepted | Have # accepted`,
    "decline-proposal": sets(
      { status: "declined" },
      { when: { status: "open" }, api: "declineProposal" },
    )`Decline # | Say no to # | Turn down # | Let # be declined | Have # declined`,
  })),
  ...actions(
    { kind: "calendarShares", app: "calendar", table: calendarShares, key: "person" },
    ({ setsToDrawn, sets }) => ({
      unshare: sets({ ended: true }, { when: { ended: false }, api: "unshare" })`
        Stop sharing my calendar with # | Take my calendar away from # | Close my calendar for #
        | End the access to my calendar for # | No longer let my calendar be seen by #`,
      "set-role": setsToDrawn("role", oneOf(ROLES), { when: { ended: false }, api: "setRole" })`
        Change the role in my calendar to "$" for # | Set the role "$" in my calendar for #
        | Give the role "$" in my calendar to # | Make "$" the role in my calendar for #
        | Let the role in my calendar be "$" for #`,
    }),
  ),
  ...actions(
    { kind: "people", app: "calendar", table: people, key: "person" },
    ({ applies, addsRow, actionWith, drawnAction, difficulty2 }) => ({
      share: actionWithOneOf(ROLES, (role) =>
        applies((db, { id }) => shareCalendar(db, id, role), {
          when: ({ id, blocked }, db) =>
            !blocked && db.where(calendarShares, { person: id, ended: false }).length === 0,
          api: "share",
          args: `role:${jsLiteral(role)}`,
        }),
      )`Share my calendar in the role "$" with # | Give access to my calendar with the role "$" to #
        | Let my calendar be shared, role "$", with # | Open my calendar with the role "$" to #
        | Grant the role "$" in my calendar by sharing it with #`,
      invite: difficulty2(
        drawnAction(({ rng, db: startState, people: named, split }) => {
          const nameableIds = new Set(named.map(({ id }) => id));
          const all = startState.all(events);
          const titles = all.map(({ title }) => title);
          const fitting = all.filter(
            (row) =>
              isOwnUpcomingEvent(row) &&
              canMention(split, row.title) &&
              idsOfAttendees(startState, row).every((id) => nameableIds.has(id)) &&
              titles.indexOf(row.title) === titles.lastIndexOf(row.title),
          );
          if (fitting.length === 0) return undefined;
          const { id: event, title } = rng.pick(fitting);
          return addsRow(guests, ({ id }) => ({ event, person: id, uninvited: false }), {
            when: ({ id }, db) =>
              isOwnUpcomingEvent(db.get(events, event)!) &&
              isReachable(db, id) &&
              db.where(guests, { event, person: id }).length === 0,
            call: `const e=apis.calendar.search({query:${jsLiteral(title)},size:20}).items.find(e=>e.title===${jsLiteral(title)});apis.calendar.invite({id:e.id,person:x})`,
          })`Invite # to my event "${title}" | Put # on the guest list of my event "${title}"
            | Add # to the guests of my event "${title}"
            | Let # be invited to the event "${title}" that I host
            | For my event "${title}", invite #`;
        }),
      ),
      meet: difficulty2(
        actionWith(
          { day: drawTodayOrLater, title: oneOf(MEETINGS), time: oneOf(MEETING_TIMES) },
          ({ day, title, time }) => {
            const row = { title: title.value, day: day.value, time: time.value };
            return applies((db, { id }) => void insertOwnEvent(db, row, [id]), {
              when: { blocked: false },
              call: `apis.calendar.add({title:${title.code},day:${day.code},time:${time.code},guests:[x]})`,
            });
          },
        )`Add an event "$title" on $day at $time, one for each of them, with # | Plan "$title" on
          $day at $time separately, an event each, with # | Put "$title" on $day at $time into my
          calendar as one event each with # | On $day at $time, add one event "$title" for each of
          these guests: # | Add an event "$title" on $day at $time for each person separately,
          with that person as the guest: #`,
      ),
    }),
  ),
];
