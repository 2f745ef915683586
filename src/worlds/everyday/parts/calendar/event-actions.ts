/** What can be done with own events that lie ahead. */

import type { Action } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import {
  answers,
  eventLengths,
  eventNotes,
  eventPlaces,
  nudges,
  USUAL_MINUTES,
} from "../../apps/calendar/tables.ts";
import { events, guests, todoLists, todos } from "../../apps/tables.ts";
import {
  guestsOf,
  js,
  nudged,
  own,
  placeOf,
  reachable,
  shapeOf,
  silentOf,
  TODAY,
} from "./words.ts";

const ownEvent = (db: Reader, id: number) => own(db.get(events, id)!);
/** Nothing else of the same task has changed what this one reads, so the order of things does not matter. */
const untouched = (start: Reader, db: Reader, id: number) => shapeOf(start, id) === shapeOf(db, id);

const cancel: Action = {
  name: "cancel",
  kind: "events",
  app: "calendar",
  difficulty: 1,
  draw: () => ({
    frames: [
      (it) => `Cancel ${it}`,
      (it) => `Call off ${it}`,
      (it) => `Have ${it} cancelled in the calendar`,
      (it) => `Let ${it} be cancelled`,
      (it) => `Make a cancellation of ${it} in the calendar`,
    ],
    permits: ownEvent,
    apply: (db, id) => void db.update(events, id, { cancelled: true }),
    call: (x) => `apis.calendar.cancel({id:${x}})`,
  }),
};

const move: Action = {
  name: "move",
  kind: "events",
  app: "calendar",
  difficulty: 1,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    if (day.value < TODAY) return undefined;
    return {
      frames: [
        (it) => `Move ${it} to ${day.words}, the time staying as it is`,
        (it) => `Put ${it} on ${day.words} instead, at an unchanged time`,
        (it) => `Change the day of ${it} to ${day.words} and keep the time`,
        (it) => `Let ${it} be on ${day.words} at the same time of day`,
        (it) => `Shift ${it} to ${day.words} without changing the time`,
      ],
      permits: (db, id) => ownEvent(db, id) && db.get(events, id)!.day !== day.value,
      apply: (db, id) => void db.update(events, id, { day: day.value }),
      call: (x) => `apis.calendar.move({id:${x},day:${day.code}})`,
      uses: [day],
    };
  },
};

const TIMES = ["08:20", "12:50", "15:10", "17:35", "19:05"] as const;
const retime: Action = {
  name: "retime",
  kind: "events",
  app: "calendar",
  difficulty: 2,
  draw: ({ rng }) => {
    const time = rng.pick(TIMES);
    return {
      frames: [
        (it) => `Change the time of ${it} to ${time}, on the day as it is`,
        (it) => `Let ${it} start at ${time}, the day being unchanged`,
        (it) => `Set the start of ${it} to ${time} on the same day`,
        (it) => `Make ${time} the time of ${it} and keep the day`,
        (it) => `Keep the day but set the time to ${time} for ${it}`,
      ],
      permits: ownEvent,
      apply: (db, id) => void db.update(events, id, { time }),
      call: (x) =>
        `apis.calendar.move({id:${x},day:apis.calendar.show({id:${x}}).day,time:${js(time)}})`,
    };
  },
};

const invite: Action = {
  name: "invite-to",
  kind: "events",
  app: "calendar",
  difficulty: 2,
  draw: (draw) => {
    const someone = draw.person();
    if (!someone) return undefined;
    const person = someone.value.id;
    return {
      frames: [
        (it) => `Invite ${someone.words} to ${it}`,
        (it) => `Add ${someone.words} as a guest to ${it}`,
        (it) => `Put ${someone.words} on the guest list of ${it}`,
        (it) => `Make ${someone.words} a guest of ${it}`,
        (it) => `Let ${someone.words} be invited to ${it}`,
      ],
      permits: (db, event) =>
        ownEvent(db, event) &&
        reachable(db, person) &&
        db.where(guests, { event, person }).length === 0,
      apply: (db, event) => void db.insert(guests, { event, person, uninvited: false }),
      call: (x) => `apis.calendar.invite({id:${x},person:${someone.code}})`,
      uses: [someone],
    };
  },
};

const PLACES = ["Old stables", "Room 12", "Kitchen table", "Boat house", "Town square"] as const;
const setPlace: Action = {
  name: "set-place",
  kind: "events",
  app: "calendar",
  difficulty: 1,
  draw: ({ rng }) => {
    const place = rng.pick(PLACES);
    return {
      frames: [
        (it) => `Set the place of ${it} to "${place}"`,
        (it) => `Let the place of ${it} be "${place}"`,
        (it) => `Make "${place}" the place of ${it}`,
        (it) => `Enter "${place}" as the place of ${it}`,
        (it) => `Give the place "${place}" to ${it}`,
      ],
      permits: (db, id) => ownEvent(db, id) && placeOf(db, id) !== place,
      apply: (db, event) => {
        const [known] = db.where(eventPlaces, { event });
        if (known) db.update(eventPlaces, known.id, { place });
        else db.insert(eventPlaces, { event, place });
      },
      call: (x) => `apis.calendar.setPlace({id:${x},place:${js(place)}})`,
    };
  },
};

const setLength: Action = {
  name: "set-length",
  kind: "events",
  app: "calendar",
  difficulty: 1,
  draw: ({ rng, db: start }) => {
    const minutes = rng.pick([25, 35, 50, 80, 100, 140]);
    return {
      frames: [
        (it) => `Set the length of ${it} to ${minutes} minutes`,
        (it) => `Let ${it} last ${minutes} minutes`,
        (it) => `Make ${minutes} minutes the length of ${it}`,
        (it) => `Change the length to ${minutes} minutes for ${it}`,
        (it) => `Plan ${minutes} minutes as the length of ${it}`,
      ],
      permits: (db, id) => ownEvent(db, id) && untouched(start, db, id),
      apply: (db, event) => {
        const [known] = db.where(eventLengths, { event });
        if (known) db.update(eventLengths, known.id, { minutes, allDay: false });
        else db.insert(eventLengths, { event, minutes, allDay: false });
      },
      call: (x) => `apis.calendar.setLength({id:${x},minutes:${minutes}})`,
    };
  },
};

const allDay: Action = {
  name: "all-day",
  kind: "events",
  app: "calendar",
  difficulty: 1,
  draw: ({ db: start }) => ({
    frames: [
      (it) => `Set ${it} to all day`,
      (it) => `Turn on "all day" for ${it}`,
      (it) => `Let ${it} take all day`,
      (it) => `Mark ${it} as all-day in the calendar`,
      (it) => `Make all-day entries out of ${it}`,
    ],
    permits: (db, id) =>
      ownEvent(db, id) &&
      untouched(start, db, id) &&
      !db.where(eventLengths, { event: id })[0]?.allDay,
    apply: (db, event) => {
      const [known] = db.where(eventLengths, { event });
      if (known) db.update(eventLengths, known.id, { allDay: true });
      else db.insert(eventLengths, { event, minutes: USUAL_MINUTES, allDay: true });
    },
    call: (x) => `apis.calendar.setAllDay({id:${x}})`,
  }),
};

const nudge: Action = {
  name: "nudge",
  kind: "events",
  app: "calendar",
  difficulty: 2,
  draw: ({ db: start }) => ({
    frames: [
      (it) => `Nudge the guests of ${it} who have not answered`,
      (it) => `Use the calendar to nudge all silent guests of ${it}`,
      (it) => `For ${it}, nudge every guest whose answer is missing`,
      (it) => `Nudge whoever has not yet answered as a guest of ${it}`,
      (it) => `In the calendar, nudge each guest of ${it} without an answer`,
    ],
    permits: (db, id) => {
      const silent = silentOf(db, id);
      const fine = (person: number) => reachable(db, person) && !nudged(db, id, person);
      return (
        ownEvent(db, id) && untouched(start, db, id) && silent.length > 0 && silent.every(fine)
      );
    },
    apply: (db, event) => {
      for (const person of silentOf(db, event)) db.insert(nudges, { event, person });
    },
    call: (x) =>
      `for(const g of apis.calendar.answers({id:${x},answer:"open",size:20}).items){apis.calendar.nudge({id:${x},person:g.handle})}`,
  }),
};

const refused = (db: Reader, event: number) =>
  db
    .where(guests, { event, uninvited: false })
    .filter(({ person }) => db.where(answers, { event, person, answer: "no" }).length > 0);

const dropRefusals: Action = {
  name: "uninvite-refusals",
  kind: "events",
  app: "calendar",
  difficulty: 2,
  draw: () => ({
    frames: [
      (it) => `Uninvite the guests whose answer is "no" from ${it}`,
      (it) => `Take back the invitations of all guests who said "no" to ${it}`,
      (it) => `Uninvite whoever answered "no" as a guest of ${it}`,
      (it) => `Take the guests with the answer "no" off the guest list of ${it}`,
      (it) => `Remove each guest who gave the answer "no" from ${it}`,
    ],
    permits: (db, id) => ownEvent(db, id) && refused(db, id).length > 0,
    apply: (db, event) => {
      for (const { id } of refused(db, event)) db.update(guests, id, { uninvited: true });
    },
    call: (x) =>
      `for(const g of apis.calendar.answers({id:${x},answer:"no",size:20}).items){apis.calendar.uninvite({id:${x},person:g.handle})}`,
  }),
};

const weekLater = (day: string) =>
  new Date(Date.parse(day) + 7 * 86_400_000).toISOString().slice(0, 10);

const duplicate: Action = {
  name: "duplicate",
  kind: "events",
  app: "calendar",
  difficulty: 2,
  draw: ({ db: start }) => ({
    frames: [
      (it) => `Duplicate ${it} for one week later, at the same time`,
      (it) => `Make a duplicate of ${it} seven days later, at the same time`,
      (it) => `Use the calendar's duplicate to have ${it} once more a week after`,
      (it) => `Repeat ${it} once as a duplicate exactly one week later`,
      (it) => `Add a duplicate of ${it} seven days after, the time being the same`,
    ],
    permits: (db, id) =>
      ownEvent(db, id) &&
      untouched(start, db, id) &&
      guestsOf(db, id).every((person) => reachable(db, person)),
    apply: (db, id) => {
      const { title, day, time } = db.get(events, id)!;
      const row = { title, day: weekLater(day), time, host: null, cancelled: false };
      const copy = db.insert(events, { ...row, response: "accepted" }).id;
      const place = placeOf(db, id);
      if (place) db.insert(eventPlaces, { event: copy, place });
      for (const { minutes, allDay } of db.where(eventLengths, { event: id })) {
        db.insert(eventLengths, { event: copy, minutes, allDay });
      }
      for (const person of guestsOf(db, id)) {
        db.insert(guests, { event: copy, person, uninvited: false });
      }
    },
    call: (x) =>
      `const e=apis.calendar.show({id:${x}});apis.calendar.duplicate({id:${x},day:new Date(Date.parse(e.day)+7*86400000).toISOString().slice(0,10)})`,
  }),
};

/** For events of every kind that lie ahead: a todo on the day itself. */
function prepare(kind: string, permits: (db: Reader, id: number) => boolean): Action {
  return {
    name: "prepare-todo",
    kind,
    app: "todo",
    difficulty: 2,
    draw: ({ db: start }) => ({
      frames: [
        (it) => `Add a todo with the same title, due on the day of the event, for ${it}`,
        (it) => `One by one, add a todo titled like the event and due on its day for ${it}`,
        (it) => `Make todos, each with an event's title and due on its day, of ${it}`,
        (it) => `Put on my todo list, titled the same and due on the day in the calendar, ${it}`,
        (it) => `Turn into todos, the title being kept and the day becoming the due day, ${it}`,
      ],
      permits: (db, id) =>
        permits(db, id) &&
        untouched(start, db, id) &&
        db.where(todoLists, { name: "inbox" }).length > 0,
      apply: (db, id) => {
        const { title, day } = db.get(events, id)!;
        const list = db.where(todoLists, { name: "inbox" })[0]!.id;
        db.insert(todos, { title, list, due: day, done: false });
      },
      call: (x) => `const e=apis.calendar.show({id:${x}});apis.todo.add({title:e.title,due:e.day})`,
    }),
  };
}

/** The owner's note may be on any event. */
function setNote(kind: string): Action {
  return {
    name: "set-note",
    kind,
    app: "calendar",
    difficulty: 1,
    takes: "text",
    draw: (draw) => {
      const text = draw.value("text");
      return {
        frames: [
          (it) => `Set the calendar note to ${text.words} for ${it}`,
          (it) => `Use ${text.words} as the calendar note for ${it}`,
          (it) => `Write the calendar note ${text.words} on ${it}`,
          (it) => `Make ${text.words} the calendar note of ${it}`,
          (it) => `Put ${text.words} as the calendar note on ${it}`,
        ],
        permits: (db, id) => !db.get(events, id)!.cancelled,
        apply: (db, event) => {
          const [known] = db.where(eventNotes, { event });
          if (known) db.update(eventNotes, known.id, { text: text.value });
          else db.insert(eventNotes, { event, text: text.value });
        },
        call: (x) => `apis.calendar.setNote({id:${x},note:${text.code}})`,
        uses: [text],
      };
    },
  };
}

export const eventActions: readonly Action[] = [
  cancel,
  move,
  retime,
  invite,
  setPlace,
  setLength,
  allDay,
  nudge,
  dropRefusals,
  duplicate,
  prepare("events", ownEvent),
  prepare("acceptedEvents", () => true),
  prepare("invitations", (db, id) => db.get(events, id)!.day >= TODAY),
  setNote("events"),
  setNote("acceptedEvents"),
  setNote("pastEvents"),
];
