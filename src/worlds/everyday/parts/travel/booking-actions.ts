/** What can be done with each booking: cancelled, moved by weeks, given more or fewer travellers, put under a trip. */

import type { Action } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { bookings, services, travellers, trips } from "../../apps/travel/tables.ts";
import { aboard, app, cityFor, js, reachable, shifted, TODAY } from "./reads.ts";

const base = { kind: "bookings", app } as const;
const row = (db: Reader, id: number) => db.get(bookings, id)!;
const open = (db: Reader, id: number) => {
  const { status, day } = row(db, id);
  return status === "booked" && day >= TODAY;
};

const cancel: Action = {
  ...base,
  name: "cancel-booking",
  difficulty: 1,
  draw: () => ({
    frames: [
      (noun) => `Cancel ${noun}`,
      (noun) => `Have ${noun} cancelled`,
      (noun) => `Call off ${noun}`,
      (noun) => `Let the travel app cancel ${noun}`,
      (noun) => `Please give up ${noun} by cancelling`,
    ],
    permits: open,
    apply: (db, id) => {
      db.update(bookings, id, { status: "cancelled" });
    },
    call: (x) => `apis.travel.cancelBooking({id:${x}})`,
  }),
};

/** A service runs every week, so the same weekday is free to choose; seats are chosen anew. */
const later: Action = {
  ...base,
  name: "weeks-later",
  difficulty: 2,
  draw: ({ rng }) => {
    const weeks = rng.integer(1, 3);
    const by = weeks === 1 ? "one week" : `${weeks} weeks`;
    const ms = 7 * weeks * 86_400_000;
    return {
      frames: [
        (noun) => `Move ${noun} to ${by} later`,
        (noun) => `Postpone ${noun} by ${by}`,
        (noun) => `Shift ${noun} by ${by} into the future`,
        (noun) => `Rebook ${noun} to the day that is ${by} later`,
        (noun) => `Let ${noun} be ${by} later than now booked`,
      ],
      permits: (db, id) => {
        const { service, paid, day } = row(db, id);
        if (!open(db, id) || service === null || paid === "credit") return false;
        const free = db.get(services, service)!;
        const same = db.where(bookings, { service, day: shifted(day, 7 * weeks) });
        return same.length === 0 && free.rows * 4 - free.taken.length >= aboard(db, id).length;
      },
      apply: (db, id) => {
        db.update(bookings, id, { day: shifted(row(db, id).day, 7 * weeks) });
        for (const other of aboard(db, id)) {
          if (other.seat !== null) db.update(travellers, other.id, { seat: null });
        }
      },
      call: (x) =>
        `const o=apis.travel.booking({id:${x}});apis.travel.moveBooking({id:${x},day:new Date(Date.parse(o.day)+${ms}).toISOString().slice(0,10)})`,
    };
  },
};

const on = (db: Reader, id: number, person: number) =>
  aboard(db, id).some((other) => other.person === person);

const addOne: Action = {
  ...base,
  name: "add-traveller",
  difficulty: 1,
  draw: (draw) => {
    const person = draw.person();
    if (!person) return undefined;
    return {
      frames: [
        (noun) => `Add ${person.words} as a traveller to ${noun}`,
        (noun) => `Book ${person.words} as a further traveller on ${noun}`,
        (noun) => `Put ${person.words} on ${noun} as well`,
        (noun) => `Let ${person.words} travel on ${noun} too`,
        (noun) => `Make ${person.words} one of the travellers of ${noun}`,
      ],
      uses: [person],
      permits: (db, id) => {
        const { service, rooms, paid } = row(db, id);
        if (!reachable(db, person.value.id)) return false;
        const crowd = aboard(db, id).length;
        const room = service === null ? crowd < 3 * rooms : crowd < 6;
        return open(db, id) && paid === "card" && room && !on(db, id, person.value.id);
      },
      apply: (db, booking) => {
        db.insert(travellers, { booking, person: person.value.id, seat: null, dropped: false });
      },
      call: (x) => `apis.travel.addTraveller({id:${x},person:${person.code}})`,
    };
  },
};

/** Whoever it is: all others than the owner, read from each booking. */
const dropAll: Action = {
  ...base,
  name: "go-alone",
  difficulty: 2,
  draw: () => ({
    frames: [
      (noun) => `Take everyone but me off ${noun}`,
      (noun) => `Remove all travellers except me from ${noun}`,
      (noun) => `Let me travel alone on ${noun}: take the others off`,
      (noun) => `Take all my companions off ${noun}, so that only I remain`,
      (noun) => `Leave me as the only traveller on ${noun} by removing the others`,
    ],
    permits: (db, id) => open(db, id) && aboard(db, id).length > 1,
    apply: (db, id) => {
      for (const other of aboard(db, id)) {
        if (other.person !== null) db.update(travellers, other.id, { dropped: true });
      }
    },
    call: (x) =>
      `for(const t of apis.travel.booking({id:${x}}).people)if(t.handle!==null)apis.travel.dropTraveller({id:${x},person:t.handle})`,
  }),
};

const assign: Action = {
  ...base,
  name: "assign",
  difficulty: 1,
  draw: (draw) => {
    const own = draw.db.where(trips, { person: null, cancelled: false });
    const city = new Set(own.map((trip) => trip.city));
    const chosen = cityFor(draw, [...city]);
    const fitting = own.filter((trip) => trip.city === chosen);
    if (fitting.length === 0) return undefined;
    const trip = draw.rng.pick(fitting);
    const out = draw.variable("t");
    const cell = `var ${out}=apis.travel.searchTrips({query:${js(trip.name)},size:20}).items.filter(x=>x.name===${js(trip.name)})[0].id;print(${out})`;
    return {
      frames: [
        (noun) => `Make ${noun} part of my trip "${trip.name}"`,
        (noun) => `Assign ${noun} to the trip "${trip.name}"`,
        (noun) => `Put ${noun} under my trip "${trip.name}"`,
        (noun) => `Let ${noun} belong to the trip "${trip.name}"`,
        (noun) => `File ${noun} under the trip called "${trip.name}"`,
      ],
      uses: [{ value: trip.id, words: trip.name, code: out, cells: [cell], apps: [] }],
      permits: (db, id) => row(db, id).trip !== trip.id,
      apply: (db, id) => {
        db.update(bookings, id, { trip: trip.id });
      },
      call: (x) => `apis.travel.assignBooking({id:${x},trip:${out}})`,
    };
  },
};

export const bookingActions: readonly Action[] = [cancel, later, addOne, dropAll, assign];
