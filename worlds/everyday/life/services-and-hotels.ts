/**
 * Writes what can be booked: services between the owner's city and every other, some between cities of one part of the
 * population, and hotels.
 *
 * Cities of different parts of the population are connected only through the owner's city, so that training tasks offer
 * no journey that a test task books.
 */
import type { Rng, Writer } from "bowline/world";
import {
  type Hotel,
  hotels,
  type Service,
  type ServiceKind,
  services,
} from "../apps/travel/tables.ts";
import { PARTS, POOLS } from "../population/name-pools.ts";
import { destinationsOf, distanceKm, HOME, isReachedByLand } from "../population/places.ts";
import type { Happening } from "./life.ts";

const NUMBER_PREFIX: { readonly [K in ServiceKind]: string } = {
  train: "T",
  flight: "F",
  bus: "B",
};
/** What a journey takes and costs, by its distance: a share for every journey and one for every km. */
interface Carrier {
  readonly fixedMinutes: number;
  /** The least and the most km per hour. */
  readonly kmPerHour: readonly [number, number];
  readonly fixedDollars: number;
  /** The least and the most that a km costs, in hundredths of a cent. */
  readonly kmPrice: readonly [number, number];
}
const CARRIERS: { readonly [K in ServiceKind]: Carrier } = {
  train: { fixedMinutes: 20, kmPerHour: [80, 130], fixedDollars: 10, kmPrice: [600, 1600] },
  flight: { fixedMinutes: 45, kmPerHour: [780, 860], fixedDollars: 45, kmPrice: [500, 1100] },
  bus: { fixedMinutes: 20, kmPerHour: [60, 75], fixedDollars: 6, kmPrice: [300, 700] },
};
/** Nearer cities have no flights, and to farther ones no bus goes. */
const NEAREST_FLIGHT_KM = 250;
const FARTHEST_BUS_KM = 900;

function drawKind(rng: Rng, from: string, to: string): ServiceKind {
  const km = distanceKm(from, to);
  if (!isReachedByLand(from, to)) return "flight";
  const others = [
    ...(km >= NEAREST_FLIGHT_KM ? (["flight"] as const) : []),
    ...(km <= FARTHEST_BUS_KM ? (["bus"] as const) : []),
  ];
  return rng.pick(["train", "train", ...others]);
}

const WEEKDAYS = [
  [1, 2, 3, 4, 5, 6, 7],
  [1, 2, 3, 4, 5, 6, 7],
  [1, 2, 3, 4, 5],
  [1, 3, 5, 7],
  [2, 4, 6],
  [5, 6, 7],
] as const;

export function addServices(db: Writer, rng: Rng): void {
  const pairs = PARTS.flatMap((part) => {
    const cities = destinationsOf(part);
    const own = rng.child(part);
    const within = cities
      .map((city, i) => [city, cities[(i + 1) % cities.length]!] as const)
      .filter(([from, to]) => from !== to);
    const home = cities.map((city) => [HOME, city] as const);
    return [...home, ...home, ...own.sample(within, Math.ceil(within.length / 2))];
  });
  const numbers = rng.sample(
    Array.from({ length: 900 }, (_, i) => 100 + i),
    900,
  );
  const rows = pairs.flatMap(([a, b], i) => {
    const own = rng.child(i);
    const kind = drawKind(own, a, b);
    return [
      draftService(own.child("out"), kind, a, b),
      draftService(own.child("back"), kind, b, a),
    ];
  });
  for (const [i, row] of rng.shuffle(rows).entries()) {
    db.insert(services, { ...row, number: `${NUMBER_PREFIX[row.kind]} ${numbers[i]}` });
  }
}

/** Draws the minute of departure, between 05:50 and 17:05, or earlier so that the arrival is on the same day. */
function drawDeparture(rng: Rng, minutes: number): number {
  const latest = Math.floor((24 * 60 - 5 - minutes) / 5);
  return 5 * rng.integer(Math.min(70, latest - 12), Math.min(205, latest));
}

const formatTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

function draftService(
  rng: Rng,
  kind: ServiceKind,
  from: string,
  to: string,
): Omit<Service, "id" | "number"> {
  const km = distanceKm(from, to);
  const { fixedMinutes, kmPerHour, fixedDollars, kmPrice } = CARRIERS[kind];
  const minutes = Math.round(fixedMinutes + (60 * km) / rng.integer(...kmPerHour));
  const dollars = Math.round(fixedDollars + (km * rng.integer(...kmPrice)) / 10_000);
  const start = drawDeparture(rng, minutes);
  const rows = rng.integer(4, 8);
  const seats = Array.from({ length: rows }, (_, i) =>
    ["A", "B", "C", "D"].map((l) => `${i + 1}${l}`),
  );
  return {
    kind,
    from,
    to,
    departs: formatTime(start),
    arrives: formatTime(start + minutes),
    weekdays: rng.pick(WEEKDAYS),
    cents: 100 * dollars + rng.pick([0, 40, 50, 75, 90]),
    rows,
    taken: rng.sample(seats.flat(), rng.integer(2, 8)).sort(),
  };
}

const splitWords = (text: string) => text.split(",").map((word) => word.trim());
const FIRST = splitWords(
  "Quiet, Upper, Royal, Market, Garden, River, Central, Grand, Corner, Linden",
);
const SECOND = splitWords("Hotel, Inn, House, Rooms, Guesthouse, Court");
const FACTS = [
  (rng: Rng) => `The station is ${50 * rng.integer(2, 40)} m away.`,
  (rng: Rng) => rng.pick(["Pets are welcome.", "No pets, please.", "Small dogs may come along."]),
  (rng: Rng) => `Parking costs $${rng.integer(4, 28)} a night.`,
  (rng: Rng) => `The front desk closes at ${rng.integer(20, 23)}:00.`,
  (rng: Rng) => rng.pick(["There is a sauna.", "There is a roof terrace.", "There is a pool."]),
];

/** Adds three to five hotels in every city but the owner's, and the lodge of each trip. */
export function addHotels(db: Writer, rng: Rng, happenings: readonly Happening[]): void {
  const lodges = happenings
    .filter(({ kind }) => kind === "trip")
    .map((trip) => ({
      name: `${trip.place} lodge`,
      city: trip.city,
      cents: lodgePricePerNight(trip),
    }));
  const cities = PARTS.flatMap((part) => POOLS[part].cities).filter((city) => city !== HOME);
  const others = cities.flatMap((city) => {
    const own = rng.child(city);
    const names = FIRST.flatMap((first) => SECOND.map((second) => `${first} ${second} ${city}`));
    return own
      .sample(names, own.integer(3, 5))
      .map((name) => ({ name, city, cents: undefined as number | undefined }));
  });
  for (const { name, city, cents } of rng.shuffle([...lodges, ...others])) {
    db.insert(hotels, draftHotel(rng.child(name), name, city, cents));
  }
}

/**
 * Returns the price of a night, so that all nights of the trip together cost as much as the trip's cost `lodge`, up to
 * a few cents.
 */
function lodgePricePerNight({ costs, nights }: Happening): number | undefined {
  const lodge = costs.find(({ what }) => what === "lodge");
  return lodge && Math.floor(lodge.cents / nights);
}

function draftHotel(
  rng: Rng,
  name: string,
  city: string,
  cents: number | undefined,
): Omit<Hotel, "id"> {
  const stars = rng.integer(2, 5);
  const facts = rng.sample(FACTS, 3).map((fact) => fact(rng));
  return {
    name,
    city,
    stars,
    rating: rng.integer(58, 97),
    cents: cents ?? 100 * rng.integer(20 * stars, 48 * stars) + rng.pick([0, 50, 90]),
    breakfast: rng.chance(0.5),
    rooms: rng.integer(4, 14),
    free: rng.pick([1, 2, 3, 5, 7, 14]),
    description: `${rng.pick(["A house from 1904", "Bright rooms", "Run by a family", "Newly painted"])} in ${city}. ${facts.join(" ")}`,
  };
}
