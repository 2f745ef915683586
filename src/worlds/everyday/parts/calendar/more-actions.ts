/** What can be done with events of others, with cancelled and past ones, with proposals, shares and people. */

import type { Action, Forms } from "../../../../goals/index.ts";
import type { Reader, Writer } from "../../../../world/index.ts";
import {
  type CalendarShare,
  calendarShares,
  categories,
  eventReminders,
  filings,
  proposals,
  ROLES,
} from "../../apps/calendar/tables.ts";
import { events, guests, type Rsvp } from "../../apps/tables.ts";
import { mentionable } from "../mentionable.ts";
import { attendees, js, own, reachable, TODAY } from "./words.ts";

const ahead = (db: Reader, id: number) =>
  db.get(events, id)!.day >= TODAY && !db.get(events, id)!.cancelled;

function respond(
  name: string,
  kind: string,
  response: Rsvp,
  frames: Forms<(it: string) => string>,
): Action {
  return {
    name,
    kind,
    app: "calendar",
    difficulty: 1,
    draw: () => ({
      frames,
      permits: (db, id) => {
        const before = kind === "invitations" ? "open" : "accepted";
        return ahead(db, id) && db.get(events, id)!.response === before;
      },
      apply: (db, id) => void db.update(events, id, { response }),
      call: (x) =>
        response === "accepted"
          ? `apis.calendar.accept({id:${x}})`
          : `apis.calendar.decline({id:${x}})`,
    }),
  };
}

function propose(kind: string): Action {
  return {
    name: "propose",
    kind,
    app: "calendar",
    difficulty: 2,
    takes: "day",
    draw: (draw) => {
      const day = draw.value("day");
      if (day.value < TODAY) return undefined;
      const time = draw.rng.pick(["10:40", "13:20", "16:50", "18:10"]);
      return {
        frames: [
          (it) => `Propose ${day.words} at ${time} instead for ${it}`,
          (it) => `Make a proposal of ${day.words}, ${time}, for ${it}`,
          (it) => `Propose in the calendar another time, ${day.words} at ${time}, for ${it}`,
          (it) => `Use the calendar to propose ${day.words}, ${time}, as the time of ${it}`,
          (it) => `Ask by proposal for ${day.words} at ${time} as the time of ${it}`,
        ],
        permits: (db, id) =>
          ahead(db, id) &&
          db.where(proposals, { event: id, person: null, status: "open" }).length === 0,
        apply: (db, event) => {
          db.insert(proposals, { event, person: null, day: day.value, time, status: "open" });
        },
        call: (x) => `apis.calendar.propose({id:${x},day:${day.code},time:${js(time)}})`,
        uses: [day],
      };
    },
  };
}

function remind(kind: string): Action {
  return {
    name: "remind",
    kind,
    app: "calendar",
    difficulty: 1,
    draw: ({ rng }) => {
      const minutes = rng.pick([5, 15, 20, 45, 90]);
      return {
        frames: [
          (it) => `Add a reminder ${minutes} minutes before ${it}`,
          (it) => `Remind me ${minutes} minutes before ${it} by a calendar reminder`,
          (it) => `Set a calendar reminder ${minutes} minutes ahead of ${it}`,
          (it) => `Let the calendar remind me ${minutes} minutes before ${it}`,
          (it) => `Put a reminder ${minutes} minutes before the start of ${it}`,
        ],
        permits: (db, event) =>
          ahead(db, event) && db.where(eventReminders, { event, minutes }).length === 0,
        apply: (db, event) => void db.insert(eventReminders, { event, minutes }),
        call: (x) => `apis.calendar.remind({id:${x},minutes:${minutes}})`,
      };
    },
  };
}

function file(kind: string): Action {
  return {
    name: "file",
    kind,
    app: "calendar",
    difficulty: 1,
    draw: ({ rng, db }) => {
      const all = db.all(categories);
      if (all.length === 0) return undefined;
      const { id: category, name } = rng.pick(all);
      return {
        frames: [
          (it) => `File ${it} under the calendar category "${name}"`,
          (it) => `Put ${it} into the calendar category "${name}"`,
          (it) => `Let the calendar category of ${it} be "${name}"`,
          (it) => `Make "${name}" the calendar category of ${it}`,
          (it) => `Sort ${it} into the category "${name}" of the calendar`,
        ],
        permits: (reader, event) =>
          !reader.get(events, event)!.cancelled &&
          reader.where(filings, { event })[0]?.category !== category,
        apply: (writer, event) => {
          const [known] = writer.where(filings, { event });
          if (known) writer.update(filings, known.id, { category });
          else writer.insert(filings, { event, category });
        },
        call: (x) => `apis.calendar.file({id:${x},category:${js(name)}})`,
      };
    },
  };
}

const restore: Action = {
  name: "restore",
  kind: "cancelledEvents",
  app: "calendar",
  difficulty: 1,
  draw: () => ({
    frames: [
      (it) => `Restore ${it}`,
      (it) => `Undo the cancelling of ${it}`,
      (it) => `Take back the cancellation of ${it}`,
      (it) => `Bring ${it} back into the calendar`,
      (it) => `Reverse the cancellation of ${it}`,
    ],
    permits: (db, id) => db.get(events, id)!.cancelled && db.get(events, id)!.day >= TODAY,
    apply: (db, id) => void db.update(events, id, { cancelled: false }),
    call: (x) => `apis.calendar.restore({id:${x}})`,
  }),
};

const accept: Action = {
  name: "accept-proposal",
  kind: "proposals",
  app: "calendar",
  difficulty: 1,
  draw: () => ({
    frames: [
      (it) => `Accept ${it}`,
      (it) => `Say yes to ${it}`,
      (it) => `Agree to ${it}`,
      (it) => `Let ${it} be accepted`,
      (it) => `Have ${it} accepted`,
    ],
    permits: (db, id) => {
      const { event, day, status } = db.get(proposals, id)!;
      return status === "open" && day >= TODAY && own(db.get(events, event)!);
    },
    apply: (db, id) => {
      const { event, day, time } = db.get(proposals, id)!;
      db.update(events, event, { day, time });
      db.update(proposals, id, { status: "accepted" });
    },
    call: (x) => `apis.calendar.acceptProposal({id:${x}})`,
  }),
};

const decline: Action = {
  name: "decline-proposal",
  kind: "proposals",
  app: "calendar",
  difficulty: 1,
  draw: () => ({
    frames: [
      (it) => `Decline ${it}`,
      (it) => `Say no to ${it}`,
      (it) => `Turn down ${it}`,
      (it) => `Let ${it} be declined`,
      (it) => `Have ${it} declined`,
    ],
    permits: (db, id) => db.get(proposals, id)!.status === "open",
    apply: (db, id) => void db.update(proposals, id, { status: "declined" }),
    call: (x) => `apis.calendar.declineProposal({id:${x}})`,
  }),
};

// --- who sees the calendar ---

const unshare: Action = {
  name: "unshare",
  kind: "calendarShares",
  app: "calendar",
  difficulty: 1,
  draw: () => ({
    frames: [
      (it) => `Stop sharing my calendar with ${it}`,
      (it) => `Take my calendar away from ${it}`,
      (it) => `Close my calendar for ${it}`,
      (it) => `End the access to my calendar for ${it}`,
      (it) => `No longer let my calendar be seen by ${it}`,
    ],
    permits: (db, id) => !db.get(calendarShares, id)!.ended,
    apply: (db, id) => void db.update(calendarShares, id, { ended: true }),
    call: (x) => `apis.calendar.unshare({person:${x}})`,
  }),
};

const setRole: Action = {
  name: "set-role",
  kind: "calendarShares",
  app: "calendar",
  difficulty: 1,
  draw: ({ rng }) => {
    const role = rng.pick(ROLES);
    return {
      frames: [
        (it) => `Change the role in my calendar to "${role}" for ${it}`,
        (it) => `Set the role "${role}" in my calendar for ${it}`,
        (it) => `Give the role "${role}" in my calendar to ${it}`,
        (it) => `Make "${role}" the role in my calendar for ${it}`,
        (it) => `Let the role in my calendar be "${role}" for ${it}`,
      ],
      permits: (db, id) => {
        const row = db.get(calendarShares, id)!;
        return !row.ended && row.role !== role;
      },
      apply: (db, id) => void db.update(calendarShares, id, { role }),
      call: (x) => `apis.calendar.setRole({person:${x},role:${js(role)}})`,
    };
  },
};

// --- people ---

export function shareWith(db: Writer, person: number, role: CalendarShare["role"]): void {
  const [known] = db.where(calendarShares, { person });
  if (known) db.update(calendarShares, known.id, { role, ended: false });
  else db.insert(calendarShares, { person, role, ended: false });
}

const share: Action = {
  name: "share",
  kind: "people",
  app: "calendar",
  difficulty: 1,
  draw: ({ rng }) => {
    const role = rng.pick(ROLES);
    return {
      frames: [
        (it) => `Share my calendar in the role "${role}" with ${it}`,
        (it) => `Give access to my calendar with the role "${role}" to ${it}`,
        (it) => `Let my calendar be shared, role "${role}", with ${it}`,
        (it) => `Open my calendar with the role "${role}" to ${it}`,
        (it) => `Grant the role "${role}" in my calendar by sharing it with ${it}`,
      ],
      permits: (db, person) =>
        reachable(db, person) && db.where(calendarShares, { person, ended: false }).length === 0,
      apply: (db, person) => shareWith(db, person, role),
      call: (x) => `apis.calendar.share({person:${x},role:${js(role)}})`,
    };
  },
};

const invite: Action = {
  name: "invite",
  kind: "people",
  app: "calendar",
  difficulty: 2,
  draw: ({ rng, db, people, split }) => {
    const mine = new Set(people.map(({ id }) => id));
    const rows = db.all(events);
    const titles = rows.map(({ title }) => title);
    const fitting = rows.filter(
      (row) =>
        own(row) &&
        mentionable(split, row.title) &&
        attendees(db, row).every((id) => mine.has(id)) &&
        titles.indexOf(row.title) === titles.lastIndexOf(row.title),
    );
    if (fitting.length === 0) return undefined;
    const { id: event, title } = rng.pick(fitting);
    return {
      frames: [
        (it) => `Invite ${it} to my event "${title}"`,
        (it) => `Put ${it} on the guest list of my event "${title}"`,
        (it) => `Add ${it} as guests to my event "${title}"`,
        (it) => `Let ${it} be invited to the event "${title}" that I host`,
        (it) => `For my event "${title}", invite ${it}`,
      ],
      permits: (reader, person) =>
        own(reader.get(events, event)!) &&
        reachable(reader, person) &&
        reader.where(guests, { event, person }).length === 0,
      apply: (writer, person) => void writer.insert(guests, { event, person, uninvited: false }),
      call: (x) =>
        `const e=apis.calendar.search({query:${js(title)},size:20}).items.find(e=>e.title===${js(title)});apis.calendar.invite({id:e.id,person:${x}})`,
    };
  },
};

const meet: Action = {
  name: "meet",
  kind: "people",
  app: "calendar",
  difficulty: 2,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    if (day.value < TODAY) return undefined;
    const title = draw.rng.pick(["Short call", "Coffee", "Catching up", "Half an hour"]);
    const time = draw.rng.pick(["10:10", "13:45", "16:20", "18:40"]);
    return {
      frames: [
        (it) =>
          `Add an event "${title}" on ${day.words} at ${time}, one for each of them, with ${it}`,
        (it) => `Plan "${title}" on ${day.words} at ${time} separately, an event each, with ${it}`,
        (it) =>
          `Put "${title}" on ${day.words} at ${time} into my calendar as one event each with ${it}`,
        (it) =>
          `One by one, add an event "${title}" on ${day.words} at ${time} that has as its guest ${it}`,
        (it) =>
          `Make single events "${title}", each on ${day.words} at ${time}, each with one guest, for ${it}`,
      ],
      permits: reachable,
      apply: (db, person) => {
        const row = { title, day: day.value, time, host: null, cancelled: false };
        const event = db.insert(events, { ...row, response: "accepted" }).id;
        db.insert(guests, { event, person, uninvited: false });
      },
      call: (x) =>
        `apis.calendar.add({title:${js(title)},day:${day.code},time:${js(time)},guests:[${x}]})`,
      uses: [day],
    };
  },
};

export const moreCalendarActions: readonly Action[] = [
  respond("accept", "invitations", "accepted", [
    (it) => `Accept ${it}`,
    (it) => `Say yes to ${it}`,
    (it) => `Let the hosts know by the calendar that I accept ${it}`,
    (it) => `Give a yes to ${it} in the calendar`,
    (it) => `Have ${it} accepted`,
  ]),
  respond("decline", "invitations", "declined", [
    (it) => `Decline ${it}`,
    (it) => `Say no to ${it}`,
    (it) => `Let the hosts know by the calendar that I decline ${it}`,
    (it) => `Give a no to ${it} in the calendar`,
    (it) => `Have ${it} declined`,
  ]),
  respond("decline-accepted", "acceptedEvents", "declined", [
    (it) => `Decline ${it} after all`,
    (it) => `Now say no to ${it}`,
    (it) => `Change my yes into a no for ${it}`,
    (it) => `Take back my yes and decline ${it}`,
    (it) => `Turn my answer into a no for ${it}`,
  ]),
  propose("invitations"),
  propose("acceptedEvents"),
  remind("events"),
  remind("acceptedEvents"),
  file("events"),
  file("acceptedEvents"),
  file("pastEvents"),
  restore,
  accept,
  decline,
  unshare,
  setRole,
  share,
  invite,
  meet,
];
