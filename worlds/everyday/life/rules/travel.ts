/**
 * The rules of possible travel: nobody is on two trips at once, the owner has no event at home while away, and there
 * are only services that a carrier could run, at durations and fares that fit the distance.
 */
import type { LifePopulation, LifeRule, Reader } from "bowline/world";
import { type Person, people } from "../../apps/tables.ts";
import {
  bookings,
  companions,
  type Service,
  type ServiceKind,
  services,
  type Trip,
  trips,
} from "../../apps/travel/tables.ts";
import { distanceKm, HOME, isReachedByLand } from "../../population/places.ts";
import { listAttended, minuteOfDay } from "./calendar.ts";

/** Returns the trips that are not cancelled and that the owner is on: own ones, and those with an accepted event. */
function listOwnerTrips(db: Reader): Trip[] {
  const accepted = new Set(listAttended(db).map(({ title }) => title));
  const isOn = ({ person, name }: Trip) => person === null || accepted.has(name);
  return db.all(trips).filter((trip) => !trip.cancelled && isOn(trip));
}

/** Returns the trips of each person by name; the owner's trips have the name `the owner`. */
function listTripsByPerson(db: Reader): Map<string, Trip[]> {
  const byPerson = new Map([["the owner", listOwnerTrips(db)]]);
  const add = (person: Person | undefined, trip: Trip | undefined) => {
    if (!person || !trip || trip.cancelled) return;
    byPerson.set(person.name, [...(byPerson.get(person.name) ?? []), trip]);
  };
  for (const trip of db.all(trips)) if (trip.person) add(db.get(people, trip.person), trip);
  for (const { trip, person } of db.where(companions, { left: false })) {
    add(db.get(people, person), db.get(trips, trip));
  }
  return byPerson;
}

const describe = ({ name, from, until }: Trip) => `"${name}" (${from} to ${until})`;

function findTripOverlaps({ db }: LifePopulation): string[] {
  return [...listTripsByPerson(db)].flatMap(([name, own]) => {
    const sorted = own.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
    return sorted.flatMap((trip, i) =>
      sorted
        .slice(i + 1)
        .filter(({ from }) => from <= trip.until)
        .map((other) => `${name} is on ${describe(trip)} and on ${describe(other)}`),
    );
  });
}

/** An event is part of a trip when it has the trip's name; every other event is at home. */
function findEventsWhileAway({ db }: LifePopulation): string[] {
  const own = listOwnerTrips(db);
  return listAttended(db).flatMap(({ title, day }) =>
    own
      .filter(({ name, from, until }) => name !== title && from <= day && day <= until)
      .map((trip) => `"${title}" on ${day} is during ${describe(trip)}`),
  );
}

/** Journeys without a trip: the owner makes at most one on a day, and none while on a trip. */
function findJourneysWhileAway({ db }: LifePopulation): string[] {
  const own = listOwnerTrips(db);
  const loose = db
    .all(bookings)
    .filter(({ trip, service, status }) => trip === null && service && status === "booked");
  return loose.flatMap(({ id, day }, i) => {
    const during = own.filter(({ from, until }) => from <= day && day <= until);
    const sameDay = loose.slice(i + 1).filter((other) => other.day === day);
    return [
      ...during.map((trip) => `the journey of booking ${id} on ${day} is during ${describe(trip)}`),
      ...sameDay.map((other) => `the journeys of bookings ${id} and ${other.id} are on ${day}`),
    ];
  });
}

/** The least and the most that a service takes, in minutes, and costs, in dollars, over a number of km. */
const BOUNDS: {
  readonly [K in ServiceKind]: {
    readonly minutes: (km: number) => readonly [number, number];
    readonly dollars: (km: number) => readonly [number, number];
  };
} = {
  train: {
    minutes: (km) => [(60 * km) / 220, 60 + (60 * km) / 50],
    dollars: (km) => [6 + 0.03 * km, 40 + 0.3 * km],
  },
  bus: {
    minutes: (km) => [(60 * km) / 95, 60 + (60 * km) / 40],
    dollars: (km) => [4 + 0.015 * km, 25 + 0.12 * km],
  },
  flight: {
    minutes: (km) => [25 + (60 * km) / 950, 180 + (60 * km) / 700],
    dollars: (km) => [25 + 0.02 * km, 160 + 0.15 * km],
  },
};

const FARTHEST_BUS_KM = 1000;
const NEAREST_FLIGHT_KM = 200;

function canRun({ kind, from, to }: Service): boolean {
  const km = distanceKm(from, to);
  if (kind === "flight") return km >= NEAREST_FLIGHT_KM;
  return isReachedByLand(from, to) && (kind === "train" || km <= FARTHEST_BUS_KM);
}

const nameService = ({ kind, number, from, to }: Service) => `the ${kind} ${number}, ${from}-${to}`;

function findImpossibleServices({ db }: LifePopulation): string[] {
  return db
    .all(services)
    .filter((service) => !canRun(service))
    .map((row) => `${nameService(row)}, would go ${Math.round(distanceKm(row.from, row.to))} km`);
}

function findOddDurations({ db }: LifePopulation): string[] {
  return db.all(services).flatMap((row) => {
    const [least, most] = BOUNDS[row.kind].minutes(distanceKm(row.from, row.to)).map(Math.round);
    const minutes = minuteOfDay(row.arrives) - minuteOfDay(row.departs);
    if (minutes >= least! && minutes <= most!) return [];
    return [`${nameService(row)}, takes ${minutes} minutes, expected ${least} to ${most}`];
  });
}

function findOddFares({ db }: LifePopulation): string[] {
  return db.all(services).flatMap((row) => {
    const [least, most] = BOUNDS[row.kind].dollars(distanceKm(row.from, row.to)).map(Math.round);
    if (row.cents >= 100 * least! && row.cents <= 100 * most!) return [];
    const fare = (row.cents / 100).toFixed(2);
    return [`${nameService(row)}, costs $${fare}, expected $${least} to $${most}`];
  });
}

/** Every city to which the owner travels has a service from home and one back. */
function findUnconnectedTrips({ db }: LifePopulation): string[] {
  return listOwnerTrips(db).flatMap((trip) => {
    const there = db.where(services, { from: HOME, to: trip.city }).length;
    const back = db.where(services, { from: trip.city, to: HOME }).length;
    if (there === 0 || back === 0) {
      return [`nothing goes from ${HOME} to ${trip.city} and back, for ${describe(trip)}`];
    }
    const isByLand = / by train| with the bikes/.test(trip.name);
    if (isByLand && !isReachedByLand(HOME, trip.city)) {
      return [`${describe(trip)} is to a city that no train reaches`];
    }
    const nights = (Date.parse(trip.until) - Date.parse(trip.from)) / 86_400_000;
    const isHasty = distanceKm(HOME, trip.city) > 3000 && nights < 2;
    return isHasty ? [`${describe(trip)} goes to another continent for one night`] : [];
  });
}

export const travelRules: readonly LifeRule[] = [
  { name: "no two trips of a person overlap", findViolations: findTripOverlaps },
  { name: "no event at home is during a trip", findViolations: findEventsWhileAway },
  { name: "journeys do not collide with trips", findViolations: findJourneysWhileAway },
  { name: "services go where they can", findViolations: findImpossibleServices },
  { name: "services take plausible times", findViolations: findOddDurations },
  { name: "services cost plausible fares", findViolations: findOddFares },
  { name: "every trip can be travelled", findViolations: findUnconnectedTrips },
];
