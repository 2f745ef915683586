/** Scenarios about travel: packing, a cancelled room, a journey for a group, and passports that expire too early. */
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
import { addDays, dayAndMonth, insertSentText } from "../insert-rows.ts";
import { defineScenario, type HandmadeScenario, pickForTask, type TaskDraw } from "../scenario.ts";
import { FINISH_CODE, GIVE_UP_CODE, logInCell, quote, readAllPagesCode } from "../solution-code.ts";
import { Changes, haveSameMembers, haveSameWords, isDone, reportsImpossible } from "../verdicts.ts";
import { insertOwnTrip } from "./insert-scenario-rows.ts";

const HOME = "Delft";
const citiesAway = POOLS["test-normal"].cities.filter((city) => city !== HOME);

/** Writes a statement that finds a trip's id. */
const findTripCode = (name: string) =>
  `const trip = apis.travel.searchTrips({ query: ${quote(name)}, size: 20 }).items.find((one) => one.name === ${quote(name)}).id;`;

const findTripId = (db: Reader, name: string) => db.where(trips, { name })[0]!.id;

const packForTrip = defineScenario("pack-for-trip", 1, (draw) => {
  const city = pickForTask(draw, citiesAway);
  const name = `Heath walk near ${city}`;
  const ready = pickForTask(draw, ["walking sticks", "field glasses", "thermos flask"]);
  const missing = pickForTask(draw, ["bird guide", "spare laces", "tick remover"]);
  const from = `2026-04-${draw.rng.integer(14, 24)}`;
  return {
    instruction: `For my trip "${name}": put "${missing}" on the packing list, and mark the ${ready} as packed.`,
    setup(db) {
      for (const title of [name, `${name} with the club`]) {
        const plan = { name: title, city, from, until: addDays(from, 2) };
        const { id } = insertOwnTrip(db, plan, draw.people.slice(0, 2));
        db.insert(packing, { trip: id, item: ready, packed: false });
        db.insert(packing, { trip: id, item: "rain cape", packed: false });
        db.insert(packing, { trip: id, item: "maps", packed: true });
      }
    },
    goal(db) {
      const trip = findTripId(db, name);
      db.update(packing, db.where(packing, { trip, item: ready })[0]!.id, { packed: true });
      db.insert(packing, { trip, item: missing, packed: false });
    },
    *solution() {
      yield `${logInCell("travel")}\n${findTripCode(name)}`;
      yield `const { items } = apis.travel.packing({ trip, size: 20 });
apis.travel.pack({ id: items.find(({ item }) => item === ${quote(ready)}).id });
apis.travel.addPacking({ trip, item: ${quote(missing)} });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const list = end.where(packing, { trip: findTripId(end, name) });
      const things = list.map(({ item, packed }) => `${item.toLowerCase()} ${packed}`);
      const wanted = [`${ready} true`, "rain cape false", "maps true", `${missing} false`];
      return (
        isDone(finish) && haveSameMembers(things, wanted) && new Changes(start, end).rowCount === 2
      );
    },
  };
});

/** In one of the three tasks the hotel would charge for a night. */
const cancelIfFree = defineScenario("cancel-if-free", 2, (draw) => {
  const { base } = draw;
  const choice = base
    .all(hotels)
    .filter(({ city, free }) => citiesAway.includes(city) && free > 2)
    .filter(({ id }) => base.where(bookings, { hotel: id }).length === 0);
  const hotel = pickForTask(draw, choice);
  const costsFee = draw.variant === pickForTask({ ...draw, variant: 0 }, [0, 1, 2]);
  const day = addDays("2026-03-12", hotel.free + (costsFee ? -1 : draw.rng.integer(0, 3)));
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
      if (costsFee) return { impossible: true };
      const [room] = db.where(bookings, { hotel: hotel.id, day });
      db.update(bookings, room!.id, { status: "cancelled" });
      return undefined;
    },
    *solution() {
      yield `${logInCell("travel")}\nconst { items } = apis.travel.searchBookings({ query: ${quote(hotel.name)}, size: 20 });
const { id } = items.find(({ day }) => day >= "2026-03-12");\nprint(apis.travel.refund({ id }));`;
      yield `const { refund, price } = apis.travel.refund({ id });
if (refund < price) ${GIVE_UP_CODE}
else {
  apis.travel.cancelBooking({ id });
  ${FINISH_CODE}
}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      if (costsFee) return reportsImpossible(finish) && changes.rowCount === 0;
      const gone = changes
        .changedRows(bookings)
        .map(({ after }) => [after.hotel, after.day, after.status]);
      const right = haveSameMembers(gone, [[hotel.id, day, "cancelled"]]);
      return isDone(finish) && right && changes.rowCount === 1;
    },
  };
});

/**
 * Finds a city and a day on which several services go to the city. One of the services is cheaper than all others and
 * has places for five people.
 */
function findJourneys({ base }: TaskDraw) {
  const days = Array.from({ length: 14 }, (_, i) => addDays("2026-04-06", i));
  return citiesAway.flatMap((city) => {
    const found = days.flatMap((day) => {
      const running = base.where(services, { from: HOME, to: city }).filter((s) => runsOn(s, day));
      const [best, next] = running.toSorted((a, b) => a.cents - b.cents);
      const clear = best && next && best.cents < next.cents && placesLeft(base, best, day) > 5;
      return clear && fareOn(best, day) < 30_000 ? [{ city, day, best }] : [];
    });
    return found.slice(0, 1);
  });
}

const bookForAll = defineScenario("book-for-all", 3, (draw) => {
  const { city, day, best } = pickForTask(draw, findJourneys(draw));
  const [personA, personB, personC, stays] = draw.people as [Person, Person, Person, Person];
  const name = `Reunion in ${city}`;
  const plan = { name, city, from: day, until: addDays(day, 3) };
  const findCheapestJourneyCode = `${logInCell("travel")}\n${findTripCode(name)}
${readAllPagesCode("company", (page) => `apis.travel.companions({ trip, ${page} })`)}
const [best] = apis.travel.timetable({ day: "${day}", from: "${HOME}", to: "${city}", sort: "cheapest" }).items;\nprint(best);`;
  return {
    instruction: `Book the cheapest way from ${HOME} to ${city} on ${dayAndMonth(day)} for me and everybody who comes along on my trip "${name}". Make it part of that trip, use no pass, and pay from my travel credit.`,
    setup: (db) => void insertOwnTrip(db, plan, [personA, personB, personC], [stays]),
    goal(db) {
      const which = { kind: best.kind, service: best.id, hotel: null, trip: findTripId(db, name) };
      const rest = { nights: 0, rooms: 0, pass: null, cents: 0, refund: 0 };
      const done = { paid: "credit", status: "booked" } as const;
      const booking = db.insert(bookings, { ...which, day, ...rest, ...done }).id;
      for (const person of [null, personA.id, personB.id, personC.id])
        db.insert(travellers, { booking, person, seat: null, dropped: false });
    },
    *solution() {
      yield findCheapestJourneyCode;
      yield `apis.travel.bookJourney({ service: best.id, day: "${day}", people: company.map(({ handle }) => handle), trip, pay: "credit" });\n${FINISH_CODE}`;
    },
    alternatives: [
      function* () {
        yield findCheapestJourneyCode;
        yield `const { id } = apis.travel.bookJourney({ service: best.id, day: "${day}", pay: "credit" });
for (const { handle } of company) apis.travel.addTraveller({ id, person: handle });
apis.travel.assignBooking({ id, trip });\n${FINISH_CODE}`;
      },
    ],
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const [row, ...more] = changes.addedRows(bookings);
      if (!isDone(finish) || !row || more.length > 0 || row.day !== day) return false;
      const used = end.get(services, row.service ?? 0);
      const rivals = start.where(services, { from: HOME, to: city });
      const sunday = new Date(`${day}T12:00:00Z`).getUTCDay();
      const running = rivals.filter(({ weekdays }) => weekdays.includes(sunday || 7));
      const cheap = running.every(({ id, cents }) => id === used?.id || cents > (used?.cents ?? 0));
      const there = used !== undefined && running.includes(used) && row.pass === null;
      const crowd = end.where(travellers, { booking: row.id, dropped: false });
      const along = end.where(companions, { trip: row.trip ?? 0, left: false });
      const aboard = crowd.map(({ person }) => person);
      const all = haveSameMembers(aboard, [null, ...along.map(({ person }) => person)]);
      const part = end.get(trips, row.trip ?? 0)?.name === name && row.status === "booked";
      return cheap && there && all && part && row.paid === "credit" && changes.rowCount === 5;
    },
  };
});

const passportsInTime = defineScenario("passports-in-time", 3, (draw) => {
  const [personA, personB, personC, personD, stays] = draw.people as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ];
  const city = pickForTask(draw, citiesAway);
  const name = `Boat race in ${city}`;
  const from = addDays("2026-05-04", draw.rng.integer(0, 40));
  const until = addDays(from, 6);
  const text = `Your passport ends before we are back from ${city}. Please renew it!`;
  return {
    instruction: `Text everybody who comes along on my trip "${name}" and whose passport, as stored in travel, ends before the last day of the trip: "${text}"`,
    setup(db) {
      insertOwnTrip(db, { name, city, from, until }, [personA, personB, personC, personD], [stays]);
      for (const { id } of [personA, personB, personC, personD, stays])
        for (const known of db.where(documents, { person: id })) db.remove(documents, known.id);
      const insertDocument = (
        kind: "passport" | "visa",
        person: Person,
        expires: string,
        i: number,
      ) => db.insert(documents, { kind, person: person.id, number: `N ${90_100 + i}`, expires });
      insertDocument("passport", personA, addDays(until, -3), 1);
      insertDocument("passport", personB, until, 2);
      insertDocument("passport", personC, addDays(from, -20), 3);
      insertDocument("passport", personD, addDays(until, 400), 4);
      insertDocument("visa", personD, addDays(from, -9), 5);
      insertDocument("passport", stays, addDays(from, -15), 6);
    },
    goal(db) {
      for (const person of [personA, personC]) insertSentText(db, person, text);
    },
    *solution() {
      yield `${logInCell("travel")}\n${findTripCode(name)}
const { until } = apis.travel.trip({ id: trip });
${readAllPagesCode("company", (page) => `apis.travel.companions({ trip, ${page} })`)}`;
      yield `const late = company.filter(({ handle }) => apis.travel.documents({ kind: "passport", person: handle, before: until }).items.length > 0);
for (const { handle } of late) apis.messages.send({ to: handle, text: ${quote(text)} });\n${FINISH_CODE}`;
    },
    verdict(end, start, finish) {
      const changes = new Changes(start, end);
      const trip = end.where(trips, { name })[0]!;
      const late = end.where(companions, { trip: trip.id, left: false }).filter(({ person }) => {
        const own = end.where(documents, { person, kind: "passport" });
        return own.some(({ expires }) => expires < trip.until);
      });
      const told = changes
        .addedRows(texts)
        .filter((row) => row.outgoing && haveSameWords(row.text, text));
      const right = haveSameMembers(
        told.map(({ person, replyTo }) => (replyTo === null ? person : 0)),
        late.map(({ person }) => person),
      );
      return isDone(finish) && right && changes.rowCount === late.length;
    },
  };
});

export const travelScenarios: readonly HandmadeScenario[] = [
  packForTrip,
  cancelIfFree,
  bookForAll,
  passportsInTime,
];
