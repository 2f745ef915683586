/**
 * Writes the traces of the owner's life in travel: every trip of `life.happenings` with its companions, lodge and
 * costs, more trips to the same cities, journeys on days on which the services run, and travel documents of the owner
 * and of friends.
 *
 * The credit is the sum of its entries: an opening entry, refunds, and bookings that were paid with it.
 */
import type { Rng, Writer } from "bowline/world";
import type { Person } from "../apps/tables.ts";
import { fareOn, freeSeats, runsOn } from "../apps/travel/rules.ts";
import {
  type Booking,
  bookings,
  companions,
  credit,
  creditEntries,
  DOCUMENT_KINDS,
  documents,
  type Hotel,
  hotels,
  packing,
  passes,
  routes,
  services,
  stops,
  type Trip,
  travellers,
  tripCosts,
  tripShares,
  trips,
} from "../apps/travel/tables.ts";
import { PARTS, type Part, POOLS } from "../population/name-pools.ts";
import { HOME, isReachedByLand } from "../population/places.ts";
import { dayFromStart } from "../population/time.ts";
import type { DayRange, Diary } from "./diary.ts";
import { type Cost, drawNights, type Life } from "./life.ts";
import { addHotels, addServices } from "./services-and-hotels.ts";

export function addTravel(db: Writer, rng: Rng, life: Life): void {
  addServices(db, rng.child("services"));
  addHotels(db, rng.child("hotels"), life.happenings);
  const creditRow = db.insert(credit, { cents: 0 });
  addPasses(db);
  const drafts = [...draftTripsOfLife(life), ...draftMoreTrips(rng.child("more"), life)];
  for (const draft of drafts.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    addTrip(db, rng.child(draft.name), draft);
  }
  addBookingsWithoutTrip(db, rng.child("loose"), life);
  addDocuments(db, rng.child("documents"), life);
  addRoutes(db, rng.child("routes"));
  addCreditEntries(db, creditRow.id);
}

interface TripDraft {
  readonly name: string;
  readonly city: string;
  readonly from: string;
  readonly nights: number;
  readonly host: Person | null;
  readonly people: readonly Person[];
  readonly lodge: string | undefined;
  readonly costs: readonly Cost[];
  readonly cancelled: boolean;
}

const addDaysTo = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

function draftTripsOfLife({ happenings }: Life): TripDraft[] {
  return happenings
    .filter(({ kind }) => kind === "trip")
    .map(({ title, city, day, nights, host, people, place, costs }) => ({
      name: title,
      city,
      from: day,
      nights,
      host,
      people: people.filter((person) => person !== host),
      lodge: `${place} lodge`,
      costs,
      cancelled: false,
    }));
}

const NAMES = [
  (city: string) => `Days in ${city}`,
  (city: string) => `Visit to ${city}`,
  (city: string) => `Museums of ${city}`,
];
const NAMES_BY_LAND = [
  (city: string) => `${city} by train`,
  (city: string) => `${city} with the bikes`,
];
const NAMES_BY_AIR = [
  (city: string) => `Flight to ${city}`,
  (city: string) => `${city} and around`,
];

const listNames = (city: string) => [
  ...NAMES,
  ...(isReachedByLand(HOME, city) ? NAMES_BY_LAND : NAMES_BY_AIR),
];

/** The first days of the further trips: before and after the weeks that the owner's calendar fills. */
const PAST_TRIPS: DayRange = [-330, -80];
const FUTURE_TRIPS: DayRange = [42, 300];

const COSTS = ["museum", "ferry", "lunch", "taxi", "guide", "bike hire", "lockers", "boat trip"];

/**
 * Drafts further trips: two to each city at the normal density. Some trips are hosted by others, and some were
 * cancelled.
 */
function draftMoreTrips(rng: Rng, { everyone, density, diary }: Life): TripDraft[] {
  const tripsPerCity = Math.max(1, Math.round(2 * density));
  return PARTS.flatMap((part) =>
    POOLS[part].cities
      .filter((city) => city !== HOME)
      .flatMap((city) =>
        rng
          .child(city)
          .sample(listNames(city), tripsPerCity)
          .map((name) => name(city)),
      )
      .map((name) => draftTrip(rng.child(name), part, name, everyone[part], diary)),
  );
}

function draftTrip(
  rng: Rng,
  part: Part,
  name: string,
  candidates: readonly Person[],
  diary: Diary,
): TripDraft {
  const city = POOLS[part].cities.find((other) => name.includes(other))!;
  const [host, ...people] = rng.sample(candidates, rng.integer(1, 5));
  const nights = drawNights(rng, city);
  const days = diary.bookTrip(rng, rng.chance(0.4) ? PAST_TRIPS : FUTURE_TRIPS, nights);
  const companions = [host!, ...people];
  const costs = rng.sample(COSTS, rng.integer(0, 4)).map((what) => ({
    what,
    cents: rng.integer(600, 14_000),
    payer: rng.chance(0.6) ? null : rng.pick(companions),
  }));
  const isHosted = rng.chance(0.3);
  return {
    name,
    city,
    from: dayFromStart(days),
    nights,
    host: isHosted ? host! : null,
    people: isHosted ? people : companions,
    lodge: undefined,
    costs: days < 0 ? costs : costs.slice(0, 1),
    cancelled: !isHosted && days > 0 && rng.chance(0.12),
  };
}

function addTrip(db: Writer, rng: Rng, draft: TripDraft): void {
  const { name, city, from, nights, host, cancelled } = draft;
  const until = addDaysTo(from, nights);
  const role = host ? rng.pick(["viewer", "editor"] as const) : null;
  const trip = db.insert(trips, {
    name,
    city,
    from,
    until,
    person: host?.id ?? null,
    role,
    cancelled,
  });
  for (const person of draft.people) {
    db.insert(companions, { trip: trip.id, person: person.id, left: rng.chance(0.06) });
    if (!host && rng.chance(0.4)) {
      const share = rng.chance(0.4) ? "editor" : "viewer";
      db.insert(tripShares, { trip: trip.id, person: person.id, role: share, ended: false });
    }
  }
  for (const { what, cents, payer } of draft.costs) {
    const day = addDaysTo(from, rng.integer(0, nights));
    const columns = { person: payer?.id ?? null, struck: rng.chance(0.05) };
    db.insert(tripCosts, { trip: trip.id, what, cents, day, ...columns });
  }
  addItineraryAndPacking(db, rng.child("plans"), trip, nights);
  if (!host) addOwnBookings(db, rng.child("bookings"), trip, draft, nights);
}

const SIGHTS =
  `old town walk, harbour tour, market hall, boat to the island, castle gate, science museum, lake path,
  tower view, tram ride, botanical garden, night market, cooking class`
    .split(",")
    .map((sight) => sight.trim());
const THINGS =
  `rain jacket, charger, swimwear, hiking boots, sun cream, first aid kit, playing cards, umbrella, towel,
  water bottle, adapter, camera, reading glasses, warm socks`
    .split(",")
    .map((thing) => thing.trim());

function addItineraryAndPacking(db: Writer, rng: Rng, trip: Trip, nights: number): void {
  for (const title of rng.sample(SIGHTS, rng.integer(1, Math.min(5, nights + 2)))) {
    const day = addDaysTo(trip.from, rng.integer(0, nights));
    const time = `${String(rng.integer(9, 20)).padStart(2, "0")}:${rng.pick(["00", "15", "30", "45"])}`;
    db.insert(stops, { trip: trip.id, title, day, time });
  }
  const isPast = trip.from < dayFromStart(0);
  for (const item of rng.sample(THINGS, rng.integer(3, 7))) {
    db.insert(packing, { trip: trip.id, item, packed: isPast || rng.chance(0.35) });
  }
}

type BookingDraft = Pick<
  Booking,
  "kind" | "service" | "hotel" | "trip" | "day" | "nights" | "rooms" | "cents"
>;

/** Adds the bookings of an own trip: the journeys there and back, if a service runs on these days, and a room. */
function addOwnBookings(db: Writer, rng: Rng, trip: Trip, draft: TripDraft, nights: number): void {
  const companions = draft.people.slice(0, rng.integer(0, draft.people.length));
  const isCancelled = trip.cancelled || rng.chance(0.08);
  const journeyThere = draftJourney(db, rng, HOME, trip.city, trip.from, companions.length + 1);
  const journeyBack = draftJourney(db, rng, trip.city, HOME, trip.until, companions.length + 1);
  for (const journey of [journeyThere, journeyBack]) {
    if (journey) insertBooking(db, rng, { ...journey, trip: trip.id }, companions, isCancelled);
  }
  const room = draftHotelBooking(db, rng, trip, draft.lodge, nights, companions.length + 1);
  const lodge = draft.costs.find(({ what }) => what === "lodge");
  if (lodge?.payer === null && room)
    insertBooking(db, rng, { ...room, cents: lodge.cents }, companions, isCancelled);
  else if (room && !lodge) insertBooking(db, rng, room, companions, isCancelled);
}

function draftJourney(
  db: Writer,
  rng: Rng,
  from: string,
  to: string,
  day: string,
  size: number,
): BookingDraft | undefined {
  const runningServices = db
    .where(services, { from, to })
    .filter((service) => runsOn(service, day));
  if (runningServices.length === 0) return undefined;
  const service = rng.pick(runningServices);
  const cents = size * fareOn(service, day);
  const none = { hotel: null, trip: null, nights: 0, rooms: 0 };
  return { kind: service.kind, service: service.id, day, cents, ...none };
}

function draftHotelBooking(
  db: Writer,
  rng: Rng,
  trip: Trip,
  lodge: string | undefined,
  nights: number,
  size: number,
): BookingDraft {
  const cityHotels = db.where(hotels, { city: trip.city });
  const hotel: Hotel = cityHotels.find((row) => row.name === lodge) ?? rng.pick(cityHotels);
  const rooms = Math.ceil(size / 3);
  const cents = hotel.cents * nights * rooms;
  const columns = { kind: "hotel" as const, service: null, hotel: hotel.id, trip: trip.id };
  return { ...columns, day: trip.from, nights, rooms, cents };
}

function insertBooking(
  db: Writer,
  rng: Rng,
  draft: BookingDraft,
  companions: readonly Person[],
  cancelled: boolean,
): void {
  const paid = rng.chance(0.2) ? "credit" : "card";
  const refund = cancelled ? (rng.chance(0.5) ? draft.cents : Math.floor(draft.cents / 2)) : 0;
  const status = cancelled ? "cancelled" : "booked";
  const row = db.insert(bookings, { ...draft, pass: null, paid, status, refund: refund });
  const service = draft.service === null ? undefined : db.get(services, draft.service);
  const seats = service && rng.chance(0.5) ? freeSeats(db, service, draft.day) : [];
  const firstSeat = rng.integer(0, Math.max(0, seats.length - companions.length - 1));
  for (const [i, person] of [null, ...companions].entries()) {
    const seat = seats[firstSeat + i] ?? null;
    db.insert(travellers, { booking: row.id, person: person?.id ?? null, seat, dropped: false });
  }
}

/** Adds journeys that belong to no trip, some of them soon. */
function addBookingsWithoutTrip(db: Writer, rng: Rng, { everyone, density, diary }: Life): void {
  for (const part of PARTS) {
    const cities = POOLS[part].cities.filter((city) => city !== HOME);
    for (let i = 0; i < Math.round(9 * density) && cities.length > 0; i++) {
      const own = rng.child(part).child(i);
      const companions = own.sample(everyone[part], own.integer(0, 3));
      const [from, to] = own.shuffle([HOME, own.pick(cities)]);
      const between = db.where(services, { from: from!, to: to! });
      const runs = (day: string) => between.some((service) => runsOn(service, day));
      const day = diary.bookJourney(own, [-50, 60], runs);
      const plan = draftJourney(db, own, from!, to!, day, companions.length + 1);
      if (plan) insertBooking(db, own, plan, companions, own.chance(0.15));
    }
  }
}

/** Adds the entries of the credit that follow from the bookings, and an opening that is large enough for them. */
function addCreditEntries(db: Writer, creditId: number): void {
  const rows = db.all(bookings);
  const paid = rows.reduce((sum, row) => sum + (row.paid === "credit" ? row.cents : 0), 0);
  const opening = paid + 61_250;
  db.insert(creditEntries, {
    cents: opening,
    booking: null,
    at: `${dayFromStart(-400)}T09:00:00Z`,
  });
  let balance = opening;
  const addEntry = (cents: number, booking: number, day: string) => {
    if (cents === 0) return;
    db.insert(creditEntries, { cents, booking, at: `${day}T09:00:00Z` });
    balance += cents;
  };
  for (const row of rows) {
    const entryDay = addDaysTo(row.day < dayFromStart(0) ? row.day : dayFromStart(0), -10);
    if (row.paid === "credit") addEntry(-row.cents, row.id, entryDay);
    addEntry(row.refund, row.id, addDaysTo(entryDay, 2));
  }
  db.update(credit, creditId, { cents: balance });
}

function addPasses(db: Writer): void {
  const rows = [
    ["Rail half card", "train", 50, "2026-12-31"],
    ["Bus saver", "bus", 30, "2026-06-30"],
    ["Sky club", "flight", 10, "2027-03-31"],
    ["Last season rail pass", "train", 25, "2026-02-28"],
  ] as const;
  for (const [name, kind, percent, expires] of rows) {
    db.insert(passes, { name, kind, percent, expires });
  }
}

const NUMBER_PREFIX = { passport: "P", visa: "V", insurance: "I", licence: "L" } as const;

/**
 * Adds travel documents: one of each kind for the owner, and one or two for some people of every part of the
 * population.
 */
function addDocuments(db: Writer, rng: Rng, { everyone }: Life): void {
  const numbers = rng.sample(
    Array.from({ length: 9000 }, (_, i) => 1000 + i),
    9000,
  );
  const chosenPeople = PARTS.flatMap((part) =>
    rng.sample(everyone[part], part === "circle" ? 4 : 9),
  );
  const drafts = [
    ...DOCUMENT_KINDS.map((kind) => ({ kind, person: null })),
    ...chosenPeople.flatMap((person) =>
      rng.sample(DOCUMENT_KINDS, rng.integer(1, 2)).map((kind) => ({ kind, person: person.id })),
    ),
  ];
  for (const [i, { kind, person }] of rng.shuffle(drafts).entries()) {
    const number = `${NUMBER_PREFIX[kind]} ${numbers[i]}`;
    db.insert(documents, { kind, person, number, expires: dayFromStart(rng.integer(-60, 900)) });
  }
}

function addRoutes(db: Writer, rng: Rng): void {
  const pairs = new Map(db.all(services).map(({ from, to }) => [`${from} ${to}`, { from, to }]));
  for (const pair of rng.sample([...pairs.values()], 9)) db.insert(routes, pair);
}
