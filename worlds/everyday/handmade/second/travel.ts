/** Travel: packing, a room that is given up, a journey for all who come along, and passports that end too early. */
import type { Reader } from "bowline/world";
import { type Person, texts } from "../../apps/tables.ts";
import { fareOn, placesLeft, runsOn } from "../../apps/travel/rules.ts";
import {
  bookings,
  companions,
  documents,
  hotels,
  packing,
  services,
  travellers,
  trips,
} from "../../apps/travel/tables.ts";
import { POOLS } from "../../population/name-pools.ts";
import { DONE, IMPOSSIBLE, logIn, pages, quoted } from "../cells.ts";
import { Changes, gaveUp, sameMembers, sameWords, silent } from "../changes.ts";
import { daysAfter, dayWords, sentText } from "../rows.ts";
import { type Draw, errand, type HandmadeScenario, turn } from "../scenario.ts";
import { ownTrip } from "./plants.ts";

const HOME = "Delft";
const citiesAway = POOLS["test-normal"].cities.filter((city) => city !== HOME);

/** A statement that finds a trip's id. */
const tripFrom = (name: string) =>
  `const trip = apis.travel.searchTrips({ query: ${quoted(name)}, size: 20 }).items.find((one) => one.name === ${quoted(name)}).id;`;

const tripId = (db: Reader, name: string) => db.where(trips, { name })[0]!.id;

const packForTrip = errand("pack-for-trip", 1, (draw) => {
  const city = turn(draw, citiesAway);
  const name = `Heath walk near ${city}`;
  const ready = turn(draw, ["walking sticks", "field glasses", "thermos flask"]);
  const missing = turn(draw, ["bird guide", "spare laces", "tick remover"]);
  const from = `2026-04-${draw.rng.integer(14, 24)}`;
  return {
    instruction: `For my trip "${name}": put "${missing}" on the packing list, and mark the ${ready} as packed.`,
    setup(db) {
      for (const title of [name, `${name} with the club`]) {
        const plan = { name: title, city, from, until: daysAfter(from, 2) };
        const { id } = ownTrip(db, plan, draw.people.slice(0, 2));
        db.insert(packing, { trip: id, item: ready, packed: false });
        db.insert(packing, { trip: id, item: "rain cape", packed: false });
        db.insert(packing, { trip: id, item: "maps", packed: true });
      }
    },
    goal(db) {
      const trip = tripId(db, name);
      db.update(packing, db.where(packing, { trip, item: ready })[0]!.id, { packed: true });
      db.insert(packing, { trip, item: missing, packed: false });
    },
    *solution() {
      yield `${logIn("travel")}\n${tripFrom(name)}`;
      yield `const { items } = apis.travel.packing({ trip, size: 20 });
apis.travel.pack({ id: items.find(({ item }) => item === ${quoted(ready)}).id });
apis.travel.addPacking({ trip, item: ${quoted(missing)} });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const list = end.where(packing, { trip: tripId(end, name) });
      const things = list.map(({ item, packed }) => `${item.toLowerCase()} ${packed}`);
      const wanted = [`${ready} true`, "rain cape false", "maps true", `${missing} false`];
      return silent(finish) && sameMembers(things, wanted) && new Changes(start, end).count === 2;
    },
  };
});

/** In one of the three the hotel would keep a night. */
const cancelIfFree = errand("cancel-if-free", 2, (draw) => {
  const { base } = draw;
  const choice = base
    .all(hotels)
    .filter(({ city, free }) => citiesAway.includes(city) && free > 2)
    .filter(({ id }) => base.where(bookings, { hotel: id }).length === 0);
  const hotel = turn(draw, choice);
  const dear = draw.variant === turn({ ...draw, variant: 0 }, [0, 1, 2]);
  const day = daysAfter("2026-03-12", hotel.free + (dear ? -1 : draw.rng.integer(0, 3)));
  return {
    instruction: `I cannot go to ${hotel.city} this month. If I get back all that I paid for my room at the ${hotel.name}, cancel that booking. If I would lose anything, leave it as it is and report that it is impossible.`,
    setup(db) {
      const row = {
        kind: "hotel",
        service: null,
        hotel: hotel.id,
        trip: null,
        pass: null,
      } as const;
      const paid = {
        nights: 2,
        rooms: 1,
        paid: "card",
        cents: 2 * hotel.cents,
        refund: 0,
      } as const;
      for (const first of ["2026-02-06", day]) {
        const { id } = db.insert(bookings, { ...row, ...paid, day: first, status: "booked" });
        db.insert(travellers, { booking: id, person: null, seat: null, dropped: false });
      }
    },
    goal(db) {
      if (dear) return { impossible: true };
      const [room] = db.where(bookings, { hotel: hotel.id, day });
      db.update(bookings, room!.id, { status: "cancelled" });
      return undefined;
    },
    *solution() {
      yield `${logIn("travel")}\nconst { items } = apis.travel.searchBookings({ query: ${quoted(hotel.name)}, size: 20 });
const { id } = items.find(({ day }) => day >= "2026-03-12");\nprint(apis.travel.refund({ id }));`;
      yield `const { refund, price } = apis.travel.refund({ id });
if (refund < price) ${IMPOSSIBLE}
else {
  apis.travel.cancelBooking({ id });
  ${DONE}
}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      if (dear) return gaveUp(finish) && seen.count === 0;
      const gone = seen
        .changed(bookings)
        .map(({ after }) => [after.hotel, after.day, after.status]);
      const right = sameMembers(gone, [[hotel.id, day, "cancelled"]]);
      return silent(finish) && right && seen.count === 1;
    },
  };
});

/** Days on which a city is reached by several ways, one of which is the cheapest and has places for five. */
function journeys({ base }: Draw) {
  const days = Array.from({ length: 14 }, (_, i) => daysAfter("2026-04-06", i));
  return citiesAway.flatMap((city) => {
    const found = days.flatMap((day) => {
      const running = base.where(services, { from: HOME, to: city }).filter((s) => runsOn(s, day));
      const [best, next] = running.toSorted((a, b) => a.cents - b.cents);
      const clear = best && next && best.cents < next.cents && placesLeft(base, best, day) > 5;
      return clear && fareOn(best, day) < 12_000 ? [{ city, day, best }] : [];
    });
    return found.slice(0, 1);
  });
}

const bookForAll = errand("book-for-all", 3, (draw) => {
  const { city, day, best } = turn(draw, journeys(draw));
  const [a, b, c, stays] = draw.people as [Person, Person, Person, Person];
  const name = `Reunion in ${city}`;
  const plan = { name, city, from: day, until: daysAfter(day, 3) };
  const open = `${logIn("travel")}\n${tripFrom(name)}
${pages("company", (page) => `apis.travel.companions({ trip, ${page} })`)}
const [best] = apis.travel.timetable({ day: "${day}", from: "${HOME}", to: "${city}", sort: "cheapest" }).items;\nprint(best);`;
  return {
    instruction: `Book the cheapest way from ${HOME} to ${city} on ${dayWords(day)} for me and everybody who comes along on my trip "${name}". Make it part of that trip, use no pass, and pay from my travel credit.`,
    setup: (db) => void ownTrip(db, plan, [a, b, c], [stays]),
    goal(db) {
      const which = { kind: best.kind, service: best.id, hotel: null, trip: tripId(db, name) };
      const rest = { nights: 0, rooms: 0, pass: null, cents: 0, refund: 0 };
      const done = { paid: "credit", status: "booked" } as const;
      const booking = db.insert(bookings, { ...which, day, ...rest, ...done }).id;
      for (const person of [null, a.id, b.id, c.id])
        db.insert(travellers, { booking, person, seat: null, dropped: false });
    },
    *solution() {
      yield open;
      yield `apis.travel.bookJourney({ service: best.id, day: "${day}", with: company.map(({ handle }) => handle), trip, pay: "credit" });\n${DONE}`;
    },
    alternatives: [
      function* () {
        yield open;
        yield `const { id } = apis.travel.bookJourney({ service: best.id, day: "${day}", pay: "credit" });
for (const { handle } of company) apis.travel.addTraveller({ id, person: handle });
apis.travel.assignBooking({ id, trip });\n${DONE}`;
      },
    ],
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const [row, ...more] = seen.added(bookings);
      if (!silent(finish) || !row || more.length > 0 || row.day !== day) return false;
      const used = end.get(services, row.service ?? 0);
      const rivals = start.where(services, { from: HOME, to: city });
      const sunday = new Date(`${day}T12:00:00Z`).getUTCDay();
      const running = rivals.filter(({ weekdays }) => weekdays.includes(sunday || 7));
      const cheap = running.every(({ id, cents }) => id === used?.id || cents > (used?.cents ?? 0));
      const there = used !== undefined && running.includes(used) && row.pass === null;
      const crowd = end.where(travellers, { booking: row.id, dropped: false });
      const along = end.where(companions, { trip: row.trip ?? 0, left: false });
      const aboard = crowd.map(({ person }) => person);
      const all = sameMembers(aboard, [null, ...along.map(({ person }) => person)]);
      const part = end.get(trips, row.trip ?? 0)?.name === name && row.status === "booked";
      return cheap && there && all && part && row.paid === "credit" && seen.count === 5;
    },
  };
});

const passportsInTime = errand("passports-in-time", 3, (draw) => {
  const [a, b, c, d, stays] = draw.people as [Person, Person, Person, Person, Person];
  const city = turn(draw, citiesAway);
  const name = `Boat race in ${city}`;
  const from = daysAfter("2026-05-04", draw.rng.integer(0, 40));
  const until = daysAfter(from, 6);
  const text = `Your passport ends before we are back from ${city}. Please renew it!`;
  return {
    instruction: `Text everybody who comes along on my trip "${name}" and whose passport, as stored in travel, ends before the last day of the trip: "${text}"`,
    setup(db) {
      ownTrip(db, { name, city, from, until }, [a, b, c, d], [stays]);
      for (const { id } of [a, b, c, d, stays])
        for (const known of db.where(documents, { person: id })) db.remove(documents, known.id);
      const paper = (kind: "passport" | "visa", person: Person, expires: string, i: number) =>
        db.insert(documents, { kind, person: person.id, number: `N ${90_100 + i}`, expires });
      paper("passport", a, daysAfter(until, -3), 1);
      paper("passport", b, until, 2);
      paper("passport", c, daysAfter(from, -20), 3);
      paper("passport", d, daysAfter(until, 400), 4);
      paper("visa", d, daysAfter(from, -9), 5);
      paper("passport", stays, daysAfter(from, -15), 6);
    },
    goal(db) {
      for (const person of [a, c]) sentText(db, person, text);
    },
    *solution() {
      yield `${logIn("travel")}\n${tripFrom(name)}
const { until } = apis.travel.trip({ id: trip });
${pages("company", (page) => `apis.travel.companions({ trip, ${page} })`)}`;
      yield `const late = company.filter(({ handle }) => apis.travel.documents({ kind: "passport", of: handle, before: until }).items.length > 0);
for (const { handle } of late) apis.messages.send({ to: handle, text: ${quoted(text)} });\n${DONE}`;
    },
    verdict(end, start, finish) {
      const seen = new Changes(start, end);
      const trip = end.where(trips, { name })[0]!;
      const late = end.where(companions, { trip: trip.id, left: false }).filter(({ person }) => {
        const own = end.where(documents, { person, kind: "passport" });
        return own.some(({ expires }) => expires < trip.until);
      });
      const told = seen.added(texts).filter((row) => row.outgoing && sameWords(row.text, text));
      const right = sameMembers(
        told.map(({ person, replyTo }) => (replyTo === null ? person : 0)),
        late.map(({ person }) => person),
      );
      return silent(finish) && right && seen.count === late.length;
    },
  };
});

export const travel: readonly HandmadeScenario[] = [
  packForTrip,
  cancelIfFree,
  bookForAll,
  passportsInTime,
];
